// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <numeric>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint64_t NEAR = 0x10000; ///< address of a's memory
constexpr uint64_t FAR = 0x20000;  ///< address of b's word
constexpr std::size_t RESULTS = 4000;

SimTime
Now()
{
    return {static_cast<uint64_t>(Simulator::Now().GetTimeStep())};
}

Scenario
MakeScenario()
{
    Scenario scenario =
        MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.transport.Set("Payload", StringValue("real"));
    return scenario;
}

/** A word at b, and at a room for the values that atomic operations return. */
class AtomicOperations : public testing::Test
{
  protected:
    AtomicOperations()
        : m_bench{MakeScenario()},
          m_near(8 * RESULTS),
          m_far(16),
          m_local{m_bench.a.AddMemory(NEAR, m_near)},
          m_remote{m_bench.b.AddMemory(FAR, m_far)}
    {
    }

    /** Posts an atomic operation on b's word whose result goes into a slot of a's memory. */
    void Post(Qpn qpn, SendRequest request, std::size_t slot)
    {
        const ScatterGatherElement element{NEAR + 8 * slot, 8, m_local.lkey};
        request.sgList = {&element, 1};
        ASSERT_TRUE(m_bench.a.GetDevice().PostSend(qpn, {&request, 1}, Now()).IsOk());
    }

    SendRequest Add(uint64_t summand) const
    {
        return {.wrId = 1,
                .opcode = SendOpcode::ATOMIC_FETCH_AND_ADD,
                .remoteAddress = FAR,
                .rkey = m_remote.rkey,
                .compareAdd = summand};
    }

    /** A word of the model's memory, as the host sees it. */
    static uint64_t Load(const std::vector<std::byte>& memory, std::size_t slot)
    {
        uint64_t value = 0;
        std::memcpy(&value, memory.data() + 8 * slot, sizeof(value));
        return value;
    }

    void Store(uint64_t value)
    {
        std::memcpy(m_far.data(), &value, sizeof(value));
    }

    /** How one operation on a new connection ends. */
    WorkCompletion Try(const SendRequest& request, uint8_t accessFlags = ACCESS_ALL)
    {
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.accessFlags = accessFlags;
        const Qpn qpn = m_bench.Connect(attributes).a;
        Post(qpn, request, 0);
        m_bench.Run();
        const WorkCompletion last = m_bench.a.completions.back().completion;
        EXPECT_EQ(last.qpn, qpn);
        return last;
    }

    VerbsBench m_bench;
    std::vector<std::byte> m_near;
    std::vector<std::byte> m_far;
    MemoryRegion m_local;
    MemoryRegion m_remote;
};

/** An error completion has wr_id, status and qp_num; all else is zero. */
WorkCompletion
Failure(const WorkCompletion& got, CompletionStatus status)
{
    return {.wrId = 1, .status = status, .qpn = got.qpn};
}

// Four queue pairs add 1 a thousand times each: the sum is 4000, and each value from 0 to 3999 was
// returned once.
TEST_F(AtomicOperations, FetchAndAddCountsEachOnce)
{
    std::vector<Qpn> pairs;
    for (int i = 0; i < 4; ++i)
    {
        pairs.push_back(m_bench.Connect().a);
    }
    for (std::size_t slot = 0; slot < RESULTS; ++slot)
    {
        Post(pairs[slot % 4], Add(1), slot);
        if (slot % 400 == 399)
        {
            m_bench.Run();
        }
    }
    EXPECT_EQ(Load(m_far, 0), RESULTS);
    EXPECT_EQ(m_bench.a.completions.size(), RESULTS);
    std::vector<uint64_t> returned(RESULTS);
    for (std::size_t slot = 0; slot < RESULTS; ++slot)
    {
        returned[slot] = Load(m_near, slot);
    }
    std::ranges::sort(returned);
    std::vector<uint64_t> expected(RESULTS);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(returned, expected);
}

// The response is lost. The duplicate of the request is answered from the saved result, and memory
// is changed once. @verifies IBTA Vol 1 Rel 1.7 section 9.4.5 (atomic operations, duplicates)
TEST_F(AtomicOperations, DuplicateIsAnsweredFromTheSavedResult)
{
    FaultInjector injector{m_bench.run.GetFabric().GetLedger()};
    injector.AddRule({.match = {.opcodes = {Opcode::RC_ATOMIC_ACKNOWLEDGE}}, .which = {1}});
    m_bench.a.GetDevice().GetPort().SetFaultInjector(&injector);
    Store(40);
    const WorkCompletion done = Try(Add(2));
    EXPECT_EQ(done.status, CompletionStatus::SUCCESS);
    EXPECT_EQ(done.opcode, CompletionOpcode::FETCH_ADD);
    EXPECT_EQ(Load(m_near, 0), 40U);
    EXPECT_EQ(Load(m_far, 0), 42U) << "added once";
    EXPECT_EQ(m_bench.a.GetDevice().GetStatistics(done.qpn).packetsRetransmitted, 1U);
}

// Values are in host order at both ends, with bytes that differ. A comparison that fails returns
// the value and changes nothing.
TEST_F(AtomicOperations, CompareAndSwapKeepsByteOrder)
{
    constexpr uint64_t OLD = 0x0102030405060708;
    constexpr uint64_t NEW = 0x1112131415161718;
    Store(OLD);
    SendRequest request = Add(OLD);
    request.opcode = SendOpcode::ATOMIC_CMP_AND_SWP;
    request.swap = NEW;
    EXPECT_EQ(Try(request).status, CompletionStatus::SUCCESS);
    EXPECT_EQ(Load(m_near, 0), OLD);
    EXPECT_EQ(Load(m_far, 0), NEW);
    EXPECT_EQ(Try(request).status, CompletionStatus::SUCCESS);
    EXPECT_EQ(Load(m_near, 0), NEW) << "what stood there";
    EXPECT_EQ(Load(m_far, 0), NEW) << "not equal to the comparand: unchanged";
}

// An address that is no multiple of 8: REM_INV_REQ_ERR, 9 of ibv_wc_status.
TEST_F(AtomicOperations, UnalignedAddressIsAnInvalidRequest)
{
    SendRequest request = Add(1);
    request.remoteAddress = FAR + 4;
    const WorkCompletion got = Try(request);
    EXPECT_EQ(got, Failure(got, CompletionStatus::REM_INV_REQ_ERR));
    EXPECT_EQ(static_cast<int>(got.status), 9);
    EXPECT_EQ(Load(m_far, 0), 0U);
}

// A wrong R_Key: REM_ACCESS_ERR, 10 of ibv_wc_status.
TEST_F(AtomicOperations, UnknownKeyIsAnAccessError)
{
    SendRequest request = Add(1);
    request.rkey ^= 1;
    const WorkCompletion got = Try(request);
    EXPECT_EQ(got, Failure(got, CompletionStatus::REM_ACCESS_ERR));
    EXPECT_EQ(static_cast<int>(got.status), 10);
}

// Memory without the right for it: likewise.
TEST_F(AtomicOperations, MemoryWithoutTheRightIsAnAccessError)
{
    Rnic& device = m_bench.b.GetDevice();
    MemoryRegion region;
    std::vector<std::byte> bytes(8);
    // The domain of the queue pairs is the application's first.
    ASSERT_EQ(device.RegisterMemory({.protectionDomain = 1,
                                     .address = FAR,
                                     .length = 8,
                                     .access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                     .storage = bytes.data()},
                                    region),
              VerbsError::NONE);
    SendRequest request = Add(1);
    request.rkey = region.rkey;
    const WorkCompletion got = Try(request);
    EXPECT_EQ(got, Failure(got, CompletionStatus::REM_ACCESS_ERR));
    EXPECT_EQ(Load(bytes, 0), 0U);
}

// A queue pair that does not allow atomic operations: the request is invalid, whatever its key.
TEST_F(AtomicOperations, QueuePairWithoutTheRightIsAnInvalidRequest)
{
    const WorkCompletion got = Try(Add(1), ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    EXPECT_EQ(got, Failure(got, CompletionStatus::REM_INV_REQ_ERR));
    EXPECT_EQ(Load(m_far, 0), 0U);
}

} // namespace
} // namespace ns3::rdma
