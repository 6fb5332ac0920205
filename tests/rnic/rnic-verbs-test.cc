// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

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

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

/** Two interfaces on one cable, whose queue pairs the test makes itself. */
class RnicVerbs : public testing::Test, protected CompletionListener
{
  protected:
    RnicVerbs() : m_run{MakeTestScenario(MakePath({{G100, US}}))}
    {
        for (const uint32_t side : {0, 1})
        {
            Interface(side).SetListener(this);
        }
    }

    Rnic& Interface(uint32_t side)
    {
        return *m_run.GetFabric().GetInterfaces()[side];
    }

    /** A connection from interface 0 to 1 whose first packet has a PSN. @return its sending QP */
    Qpn Connect(Psn first)
    {
        const Qpn source = Interface(0).CreateQueuePair();
        const Qpn destination = Interface(1).CreateQueuePair();
        Interface(0).Connect(
            source,
            {.flow = 0, .destination = 1, .destinationQp = destination, .sendPsn = first},
            {});
        Interface(1).Connect(
            destination,
            {.flow = 0, .destination = 0, .destinationQp = source, .receivePsn = first},
            {});
        return source;
    }

    void RunToEnd()
    {
        Simulator::Run();
    }

    void OnCompletion(uint32_t, const WorkCompletion& completion, SimTime) override
    {
        m_completions.push_back(completion);
    }

    void OnDelivered(uint32_t, uint64_t bytes, SimTime) override
    {
        m_delivered.push_back(bytes);
    }

    TestRun m_run;
    std::vector<WorkCompletion> m_completions;
    std::vector<uint64_t> m_delivered;
};

// sq_psn 0xFFFFFE and four packets: FFFFFE, FFFFFF, 0 and 1, once each, and one completion.
TEST_F(RnicVerbs, PsnWrapsWithoutARetransmission)
{
    const Qpn qp = Connect(Psn{0xFFFFFE});
    ASSERT_TRUE(Interface(0).Post(qp, {.wrId = 7, .bytes = 4 * 1024}, {}));
    RunToEnd();
    EXPECT_THAT(m_completions, ElementsAre(WorkCompletion{7, CompletionStatus::SUCCESS, qp, 4096}));
    EXPECT_THAT(m_delivered, ElementsAre(4096));
    EXPECT_EQ(Interface(0).GetCounters(qp).packetsSent, 4U);
    EXPECT_EQ(Interface(0).GetCounters(qp).packetsRetransmitted, 0U);
    EXPECT_EQ(m_run.CountDropped(), 0U);
}

// Requests of all sizes, an empty one too, end in the order in which they were posted.
TEST_F(RnicVerbs, CompletionsComeInPostedOrder)
{
    const Qpn qp = Connect(Psn{0});
    const std::vector<uint64_t> sizes{100, 0, 5000, 1024, 1};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        ASSERT_TRUE(Interface(0).Post(qp, {.wrId = i, .bytes = sizes[i]}, {}));
    }
    RunToEnd();
    ASSERT_EQ(m_completions.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        EXPECT_EQ(m_completions[i], (WorkCompletion{i, CompletionStatus::SUCCESS, qp, sizes[i]}));
    }
    EXPECT_EQ(m_delivered, sizes);
    // 1 + 1 + 5 + 1 + 1 packets.
    EXPECT_EQ(Interface(0).GetCounters(qp).packetsSent, 9U);
}

// IBTA Vol 1 Rel 1.7 section 9.7.2: 2^31 bytes are the longest message.
TEST_F(RnicVerbs, LongestMessageIsTakenAndOneByteMoreIsRefused)
{
    const Qpn qp = Connect(Psn{0});
    EXPECT_FALSE(Interface(0).Post(qp, {.bytes = (uint64_t{1} << 31) + 1}, {}));
    EXPECT_EQ(Interface(0).GetCounters(qp).packetsSent, 0U);
    EXPECT_TRUE(Interface(0).Post(qp, {.bytes = uint64_t{1} << 31}, {}));
    EXPECT_EQ(Interface(0).GetCounters(qp).packetsSent, 1U);
}

// The peer has no such queue pair: each transmission is dropped with its reason; the request ends
// with an error, and those behind it are flushed.
TEST_F(RnicVerbs, UnknownQueuePairDropsAndFails)
{
    const Qpn qp = Interface(0).CreateQueuePair();
    Interface(0).Connect(qp, {.flow = 0, .destination = 1, .destinationQp = {999}}, {});
    Interface(0).Post(qp, {.wrId = 1, .bytes = 100}, {});
    Interface(0).Post(qp, {.wrId = 2, .bytes = 100}, {});
    RunToEnd();
    EXPECT_THAT(m_completions,
                ElementsAre(WorkCompletion{1, CompletionStatus::RETRY_EXC_ERR, qp, 0},
                            WorkCompletion{2, CompletionStatus::WR_FLUSH_ERR, qp, 0}));
    EXPECT_EQ(m_run.CountDropped(DropReason::UNKNOWN_QP), 16U) << "both packets, 8 times";
    EXPECT_TRUE(m_delivered.empty());
}

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

/** Whether the allocator rounds and pads, so that memory says nothing of the model. */
constexpr bool
IsSanitized()
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

// 100 000 queue pairs on one interface, each with a request posted: less than 1 KiB each.
TEST_F(RnicVerbs, HundredThousandQueuePairsTakeLessThanAKibibyteEach)
{
    if (IsSanitized() || ResidentBytes() == 0)
    {
        GTEST_SKIP() << "resident memory cannot be measured here";
    }
    constexpr uint32_t COUNT = 100'000;
    const uint64_t before = ResidentBytes();
    for (uint32_t pair = 0; pair < COUNT; ++pair)
    {
        const Qpn qp = Interface(0).CreateQueuePair();
        Interface(0).Connect(qp, {.flow = 0, .destination = 1, .destinationQp = {999}}, {});
        ASSERT_TRUE(Interface(0).Post(qp, {.wrId = pair, .bytes = 1024}, {}));
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
        ASSERT_TRUE(Interface(0).Post(Connect(Psn{pair}), {.wrId = pair, .bytes = 5000}, {}));
    }
    RunToEnd();
    EXPECT_EQ(m_completions.size(), 1000U);
    EXPECT_EQ(m_delivered, std::vector<uint64_t>(1000, 5000));
}

} // namespace
} // namespace ns3::rdma
