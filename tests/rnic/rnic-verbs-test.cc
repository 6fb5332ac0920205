// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/sanitized.h"
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"
#include "wire/framing.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

WorkCompletion
Success(uint64_t wrId, Qpn qpn, uint32_t bytes)
{
    return {.wrId = wrId, .qpn = qpn, .byteLength = bytes, .opcode = CompletionOpcode::RDMA_WRITE};
}

WorkCompletion
Failure(uint64_t wrId, Qpn qpn, CompletionStatus status)
{
    return {.wrId = wrId, .status = status, .qpn = qpn};
}

/** Two interfaces on one cable, whose queue pairs the test makes itself. */
class RnicVerbs : public testing::Test
{
  protected:
    /** A connection whose first packet from a to b has a PSN. */
    ConnectedPair Connect(Psn first)
    {
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.sendPsn = first;
        attributes.receivePsn = first;
        return m_bench.Connect(attributes);
    }

    void Write(Qpn qpn, uint64_t wrId, uint32_t bytes)
    {
        ASSERT_TRUE(m_bench.a.Post(qpn, {.wrId = wrId, .rkey = m_bench.b.GetKey()}, bytes).IsOk());
    }

    const QueuePairStatistics& StatisticsOfA(Qpn qpn)
    {
        return m_bench.a.GetDevice().GetStatistics(qpn);
    }

    VerbsBench m_bench;
};

// sq_psn 0xFFFFFE and four packets: FFFFFE, FFFFFF, 0 and 1, once each, and one completion.
TEST_F(RnicVerbs, PsnWrapsWithoutARetransmission)
{
    const Qpn qp = Connect(Psn{0xFFFFFE}).a;
    Write(qp, 7, 4 * 1024);
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Success(7, qp, 4096)));
    EXPECT_THAT(m_bench.b.delivered, ElementsAre(4096));
    EXPECT_EQ(StatisticsOfA(qp).packetsSent, 4U);
    EXPECT_EQ(StatisticsOfA(qp).packetsRetransmitted, 0U);
    EXPECT_EQ(m_bench.run.CountDropped(), 0U);
    EXPECT_EQ(m_bench.a.GetDevice().QueryQueuePair(qp).attributes.sendPsn, Psn{2});
}

// Requests of all sizes, an empty one too, end in the order in which they were posted.
TEST_F(RnicVerbs, CompletionsComeInPostedOrder)
{
    const Qpn qp = Connect(Psn{0}).a;
    const std::vector<uint32_t> sizes{100, 0, 5000, 1024, 1};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        Write(qp, i, sizes[i]);
    }
    m_bench.Run();
    ASSERT_EQ(m_bench.a.completions.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        EXPECT_EQ(m_bench.a.completions[i].completion, Success(i, qp, sizes[i]));
    }
    EXPECT_EQ(m_bench.b.delivered, (std::vector<uint64_t>{100, 0, 5000, 1024, 1}));
    // 1 + 1 + 5 + 1 + 1 packets.
    EXPECT_EQ(StatisticsOfA(qp).packetsSent, 9U);
}

// IBTA Vol 1 Rel 1.7 section 9.7.2: 2^31 bytes are the longest message.
TEST_F(RnicVerbs, LongestMessageIsTakenAndOneByteMoreIsRefused)
{
    const Qpn qp = Connect(Psn{0}).a;
    EXPECT_EQ(m_bench.a.Post(qp, {.rkey = m_bench.b.GetKey()}, (1U << 31) + 1),
              (PostResult{VerbsError::INVALID_ARGUMENT, 0}));
    EXPECT_EQ(StatisticsOfA(qp).packetsSent, 0U);
    Write(qp, 1, 1U << 31);
    EXPECT_EQ(StatisticsOfA(qp).packetsSent, 1U);
}

// The peer has no such queue pair: each transmission is dropped with its reason; the request ends
// with an error, and those behind it are flushed.
TEST_F(RnicVerbs, UnknownQueuePairDropsAndFails)
{
    const Qpn qp = m_bench.a.CreateQueuePair();
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.address.destination = 1;
    attributes.destinationQp = {999};
    ASSERT_FALSE(BringToReadyToSend(m_bench.a.GetDevice(), qp, attributes, {}));
    Write(qp, 1, 100);
    Write(qp, 2, 100);
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(Failure(1, qp, CompletionStatus::RETRY_EXC_ERR),
                            Failure(2, qp, CompletionStatus::WR_FLUSH_ERR)));
    EXPECT_EQ(m_bench.run.CountDropped(DropReason::UNKNOWN_QP), 16U) << "both packets, 8 times";
    EXPECT_TRUE(m_bench.b.delivered.empty());
    EXPECT_EQ(m_bench.a.GetDevice().QueryQueuePair(qp).attributes.state, QueuePairState::ERR);
}

// ------------------------------------------------------------------ all operations

// One of each operation, one after another; what the receiver is told, with its immediates.
TEST_F(RnicVerbs, EveryOperationCompletesAtBothEnds)
{
    const ConnectedPair pair = Connect(Psn{0});
    const uint32_t rkey = m_bench.b.GetKey();
    for (uint64_t wrId = 100; wrId < 103; ++wrId)
    {
        ASSERT_TRUE(m_bench.b.Receive(pair.b, wrId, 4096).IsOk());
    }
    const std::vector<std::pair<SendRequest, uint32_t>> requests{
        {{.wrId = 1, .opcode = SendOpcode::SEND}, 3000},
        {{.wrId = 2, .opcode = SendOpcode::SEND_WITH_IMM, .immediate = 0xabc}, 0},
        {{.wrId = 3, .opcode = SendOpcode::RDMA_WRITE_WITH_IMM, .immediate = 5, .rkey = rkey}, 10},
        {{.wrId = 4, .opcode = SendOpcode::RDMA_READ, .rkey = rkey}, 2500},
        {{.wrId = 5, .opcode = SendOpcode::ATOMIC_FETCH_AND_ADD, .rkey = rkey, .compareAdd = 2}, 8},
        {{.wrId = 6, .opcode = SendOpcode::ATOMIC_CMP_AND_SWP, .rkey = rkey}, 8},
    };
    for (const auto& [request, bytes] : requests)
    {
        ASSERT_TRUE(m_bench.a.Post(pair.a, request, bytes).IsOk()) << request.wrId;
    }
    m_bench.Run();
    const auto done = [&](uint64_t wrId, CompletionOpcode opcode, uint32_t bytes)
    { return WorkCompletion{.wrId = wrId, .qpn = pair.a, .byteLength = bytes, .opcode = opcode}; };
    const std::vector<WorkCompletion> sent = m_bench.a.GetCompletions();
    ASSERT_EQ(sent.size(), 6U);
    EXPECT_EQ(sent[0], done(1, CompletionOpcode::SEND, 3000));
    EXPECT_EQ(sent[3], done(4, CompletionOpcode::RDMA_READ, 2500));
    EXPECT_EQ(sent[4], done(5, CompletionOpcode::FETCH_ADD, 8));
    EXPECT_EQ(sent[5], done(6, CompletionOpcode::COMP_SWAP, 8));
    const auto received =
        [&](uint64_t wrId, CompletionOpcode opcode, uint32_t bytes, uint32_t immediate)
    {
        return WorkCompletion{.wrId = wrId,
                              .qpn = pair.b,
                              .byteLength = bytes,
                              .opcode = opcode,
                              .flags = immediate == 0 ? uint8_t{0} : uint8_t{WC_WITH_IMM},
                              .immediate = immediate};
    };
    EXPECT_THAT(m_bench.b.GetCompletions(),
                ElementsAre(received(100, CompletionOpcode::RECV, 3000, 0),
                            received(101, CompletionOpcode::RECV, 0, 0xabc),
                            received(102, CompletionOpcode::RECV_RDMA_WITH_IMM, 10, 5)));
    EXPECT_EQ(m_bench.run.CountDropped(), 0U);
}

// Bytes written, sent and read arrive as they were; an atomic operation changes the peer's word.
TEST(RnicVerbsBytes, RealPayloadArrives)
{
    Scenario scenario =
        MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.transport.Set("Payload", StringValue("real"));
    VerbsBench bench{scenario};
    std::vector<std::byte> near(5000);
    std::vector<std::byte> far(10000);
    for (std::size_t i = 0; i < near.size(); ++i)
    {
        near[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    far[9992] = std::byte{41};
    const MemoryRegion local = bench.a.AddMemory(0x10000, near);
    const MemoryRegion remote = bench.b.AddMemory(0x20000, far);
    const ConnectedPair pair = bench.Connect();
    const ScatterGatherElement receive{0x20000, 5000, remote.lkey};
    const ReceiveRequest receiveRequest{50, {&receive, 1}};
    ASSERT_TRUE(bench.b.GetDevice().PostReceive(pair.b, {&receiveRequest, 1}, {}).IsOk());

    const auto post = [&](SendRequest request, ScatterGatherElement element)
    {
        request.sgList = {&element, 1};
        ASSERT_TRUE(bench.a.GetDevice().PostSend(pair.a, {&request, 1}, {}).IsOk());
    };
    post({.wrId = 1, .opcode = SendOpcode::SEND}, {0x10000, 3001, local.lkey});
    post({.wrId = 2, .remoteAddress = 0x20000 + 5000, .rkey = remote.rkey},
         {0x10000 + 1000, 2048, local.lkey});
    bench.Run();
    EXPECT_TRUE(std::equal(near.begin(), near.begin() + 3001, far.begin()));
    EXPECT_TRUE(std::equal(near.begin() + 1000, near.begin() + 3048, far.begin() + 5000));
    EXPECT_EQ(far[5000 + 2048], std::byte{0}) << "not a byte more";

    std::fill(near.begin(), near.end(), std::byte{0});
    post({.wrId = 3,
          .opcode = SendOpcode::RDMA_READ,
          .remoteAddress = 0x20000 + 100,
          .rkey = remote.rkey},
         {0x10000, 2901, local.lkey});
    post({.wrId = 4,
          .opcode = SendOpcode::ATOMIC_FETCH_AND_ADD,
          .remoteAddress = 0x20000 + 9992,
          .rkey = remote.rkey,
          .compareAdd = 1},
         {0x10000 + 4992, 8, local.lkey});
    bench.Run();
    EXPECT_TRUE(std::equal(near.begin(), near.begin() + 2901, far.begin() + 100));
    EXPECT_EQ(near[4992], std::byte{41}) << "the value before";
    EXPECT_EQ(far[9992], std::byte{42});
    EXPECT_EQ(bench.a.completions.size(), 4U);
}

// -------------------------------------------------------------------------- states

// A send can be posted from RTS on; a receive from INIT on. Nothing is kept of what was refused.
TEST_F(RnicVerbs, PostingNeedsTheRightState)
{
    const Qpn qp = m_bench.a.CreateQueuePair();
    const PostResult refused{VerbsError::INVALID_ARGUMENT, 0};
    EXPECT_EQ(m_bench.a.Post(qp, {}, 1), refused) << "RESET";
    EXPECT_EQ(m_bench.a.Receive(qp, 1, 1), refused) << "RESET";
    Rnic& device = m_bench.a.GetDevice();
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.state = QueuePairState::INIT;
    ASSERT_FALSE(device.ModifyQueuePair(
        qp, attributes, QP_STATE | QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS, {}));
    EXPECT_EQ(m_bench.a.Post(qp, {}, 1), refused) << "INIT";
    EXPECT_TRUE(m_bench.a.Receive(qp, 1, 1).IsOk());
}

// A timeout after RTS is refused, and the queue pair goes on as it was.
TEST_F(RnicVerbs, RefusedModifyChangesNothing)
{
    const Qpn qp = Connect(Psn{0}).a;
    Rnic& device = m_bench.a.GetDevice();
    const QueuePairAttributes before = device.QueryQueuePair(qp).attributes;
    QueuePairAttributes attributes = before;
    attributes.timeout = 20;
    attributes.accessFlags = 0;
    EXPECT_TRUE(device.ModifyQueuePair(qp, attributes, QP_TIMEOUT | QP_ACCESS_FLAGS, {}));
    EXPECT_EQ(device.QueryQueuePair(qp).attributes, before);
    Write(qp, 1, 100);
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Success(1, qp, 100)));
}

// Forced into error, a queue pair flushes both queues, sends first; the peer hears nothing.
TEST_F(RnicVerbs, ErrorStateFlushesBothQueues)
{
    const ConnectedPair pair = Connect(Psn{0});
    ASSERT_TRUE(m_bench.a.Receive(pair.a, 10, 100).IsOk());
    Write(pair.a, 1, 1 << 20);
    QueuePairAttributes attributes;
    attributes.state = QueuePairState::ERR;
    ASSERT_FALSE(m_bench.a.GetDevice().ModifyQueuePair(pair.a, attributes, QP_STATE, {}));
    Write(pair.a, 2, 100);
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(Failure(1, pair.a, CompletionStatus::WR_FLUSH_ERR),
                            Failure(10, pair.a, CompletionStatus::WR_FLUSH_ERR),
                            Failure(2, pair.a, CompletionStatus::WR_FLUSH_ERR)));
}

// A WRITE that the peer does not allow: REM_INV_REQ_ERR here, and the peer's queue pair fails too
// (hardware: ConnectX-6 and ConnectX-5, status 9 for a missing right of the queue pair).
TEST_F(RnicVerbs, ForbiddenWriteFailsBothEnds)
{
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.accessFlags = ACCESS_REMOTE_READ;
    const ConnectedPair pair = m_bench.Connect(attributes);
    Write(pair.a, 1, 100);
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(Failure(1, pair.a, CompletionStatus::REM_INV_REQ_ERR)));
    EXPECT_EQ(m_bench.b.GetDevice().QueryQueuePair(pair.b).attributes.state, QueuePairState::ERR);
    EXPECT_THAT(m_bench.b.events,
                ElementsAre(AsyncEvent{.type = AsyncEventType::QP_REQ_ERR, .qpn = pair.b}));
}

// Drained: the message that was begun ends, the next waits until the queue pair sends again.
TEST_F(RnicVerbs, SendQueueDrains)
{
    const ConnectedPair pair = Connect(Psn{0});
    Write(pair.a, 1, 5000);
    Write(pair.a, 2, 100);
    Rnic& device = m_bench.a.GetDevice();
    QueuePairAttributes attributes = device.QueryQueuePair(pair.a).attributes;
    attributes.state = QueuePairState::SQD;
    attributes.wantsDrainEvent = true;
    ASSERT_FALSE(device.ModifyQueuePair(pair.a, attributes, QP_STATE | QP_EN_SQD_ASYNC_NOTIFY, {}));
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Success(1, pair.a, 5000)));
    EXPECT_THAT(m_bench.a.events,
                ElementsAre(AsyncEvent{.type = AsyncEventType::SQ_DRAINED, .qpn = pair.a}));
    attributes.state = QueuePairState::RTS;
    const SimTime now{static_cast<uint64_t>(Simulator::Now().GetTimeStep())};
    ASSERT_FALSE(device.ModifyQueuePair(pair.a, attributes, QP_STATE, now));
    m_bench.Run();
    EXPECT_EQ(m_bench.a.completions.size(), 2U);
}

// ------------------------------------------------------------------------ loopback

// Between queue pairs of one interface nothing touches the wire, and the port's rate holds: 1000
// packets of 1106 bytes with preamble and gap, the first 16 more, at 80 ps a byte.
TEST_F(RnicVerbs, LoopbackStaysInside)
{
    const Qpn source = m_bench.a.CreateQueuePair();
    const Qpn sink = m_bench.a.CreateQueuePair();
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.address.destination = 0;
    attributes.destinationQp = sink;
    ASSERT_FALSE(BringToReadyToSend(m_bench.a.GetDevice(), source, attributes, {}));
    attributes.destinationQp = source;
    ASSERT_FALSE(BringToReadyToSend(m_bench.a.GetDevice(), sink, attributes, {}));
    ASSERT_TRUE(
        m_bench.a.Post(source, {.wrId = 3, .rkey = m_bench.a.GetKey()}, 1000 * 1024).IsOk());
    m_bench.Run();
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Success(3, source, 1000 * 1024)));
    EXPECT_EQ(m_bench.a.GetDevice().GetPort().GetCounters().frames, 0U);
    EXPECT_GE(m_bench.a.completions[0].time.ps, (1000U * 1106 + 16 - GAP_BYTES) * 80);
}

// ---------------------------------------------------------------------------- many

/** Resident memory of the process in bytes, from /proc. */
uint64_t
ResidentBytes()
{
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
    {
        std::istringstream words{line};
        std::string name;
        uint64_t kilobytes = 0;
        words >> name >> kilobytes;
        if (name == "VmRSS:")
        {
            return kilobytes * 1024;
        }
    }
    return 0;
}

// 100 000 queue pairs on one interface, each with a request posted: less than 1 KiB each.
TEST_F(RnicVerbs, HundredThousandQueuePairsTakeLessThanAKibibyteEach)
{
    if (IsSanitized() || ResidentBytes() == 0)
    {
        GTEST_SKIP() << "resident memory cannot be measured here";
    }
    constexpr uint32_t COUNT = 100'000;
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.address.destination = 1;
    attributes.destinationQp = {999};
    const uint64_t before = ResidentBytes();
    for (uint32_t pair = 0; pair < COUNT; ++pair)
    {
        const Qpn qp = m_bench.a.CreateQueuePair();
        ASSERT_FALSE(BringToReadyToSend(m_bench.a.GetDevice(), qp, attributes, {}));
        Write(qp, pair, 1024);
    }
    const double each = static_cast<double>(ResidentBytes() - before) / COUNT;
    RecordProperty("bytes_per_queue_pair", static_cast<int>(each));
    EXPECT_LT(each, 1024.0);
    EXPECT_GT(each, 100.0) << "the measurement itself has failed";
}

// 1000 queue pairs of one interface, all connected and all with something to send.
TEST_F(RnicVerbs, ThousandQueuePairsAllFinish)
{
    for (uint32_t pair = 0; pair < 1000; ++pair)
    {
        Write(Connect(Psn{pair}).a, pair, 5000);
    }
    m_bench.Run();
    EXPECT_EQ(m_bench.a.completions.size(), 1000U);
    EXPECT_EQ(m_bench.b.delivered, std::vector<uint64_t>(1000, 5000));
}

} // namespace
} // namespace ns3::rdma
