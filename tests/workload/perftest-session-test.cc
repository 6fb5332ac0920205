// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/fake-fabric.h"
#include "workload/perftest-session.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr SimTime LATENCY = SimTime::Microseconds(3);

/** A session that ran to its end on the fake fabric. */
class SessionRun
{
  public:
    explicit SessionRun(const PerftestPlan& plan, bool isBroken = false)
        : m_plan{plan},
          m_session{m_plan, *m_fabric.ChooseHosts(0, 1)}
    {
        if (isBroken)
        {
            m_fabric.GetClient().Break();
        }
        m_errors = m_session.Start(
            m_fabric,
            {},
            [this](SimTime, const std::string& failure)
            {
                ++m_done;
                m_failure = failure;
            },
            SimTime{});
        m_end = m_fabric.Run();
    }

    const PerftestResult& Only() const
    {
        EXPECT_EQ(m_done, 1);
        EXPECT_EQ(m_failure, "");
        EXPECT_EQ(m_session.GetResults().size(), 1U);
        return m_session.GetResults().front();
    }

    PerftestPlan m_plan;
    FakeFabric m_fabric{LATENCY};
    PerftestSession m_session;
    Diagnostics m_errors;
    std::string m_failure;
    int m_done{0};
    SimTime m_end;
};

PerftestPlan
LatencyOf(PerftestVerb verb)
{
    return {.verb = verb, .sizes = {8}, .iterations = 10};
}

PerftestPlan
BandwidthOf(PerftestVerb verb)
{
    return {.verb = verb,
            .kind = PerftestKind::BANDWIDTH,
            .sizes = {8},
            .iterations = 100,
            .txDepth = 10,
            .cqModeration = 1};
}

TEST(PerftestSession, PingPongLatencyIsOneWay)
{
    for (const PerftestVerb verb : {PerftestVerb::WRITE, PerftestVerb::SEND})
    {
        const SessionRun run{LatencyOf(verb)};
        ASSERT_TRUE(run.Only().latency);
        EXPECT_DOUBLE_EQ(run.Only().latency->typicalUs, 3) << ToString(verb);
        EXPECT_EQ(run.Only().latency->samples, 9U); // between 10 posts
    }
}

TEST(PerftestSession, ReadAndAtomicLatencyIsARoundTrip)
{
    for (const PerftestVerb verb :
         {PerftestVerb::READ, PerftestVerb::FETCH_ADD, PerftestVerb::COMPARE_SWAP})
    {
        const SessionRun run{LatencyOf(verb)};
        ASSERT_TRUE(run.Only().latency);
        EXPECT_DOUBLE_EQ(run.Only().latency->typicalUs, 6) << ToString(verb);
    }
}

TEST(PerftestSession, BothSidesOfAPingPongPostEveryMessage)
{
    SessionRun run{LatencyOf(PerftestVerb::WRITE)};
    EXPECT_EQ(run.m_fabric.GetClient().GetPosted().size(), 10U);
    EXPECT_EQ(run.m_fabric.GetServer().GetPosted().size(), 10U);
}

TEST(PerftestSession, SizesFollowEachOther)
{
    PerftestPlan plan = LatencyOf(PerftestVerb::SEND);
    plan.sizes = {2, 4, 8};
    const SessionRun run{plan};
    ASSERT_EQ(run.m_session.GetResults().size(), 3U);
    EXPECT_EQ(run.m_session.GetResults()[1].bytes, 4U);
    EXPECT_EQ(run.m_done, 1);
}

TEST(PerftestSession, BandwidthFillsTheSendQueueEveryRoundTrip)
{
    for (const PerftestVerb verb : {PerftestVerb::WRITE, PerftestVerb::SEND, PerftestVerb::READ})
    {
        // 100 messages, 10 in every round trip of 6 us: 60 us.
        const SessionRun run{BandwidthOf(verb)};
        ASSERT_TRUE(run.Only().bandwidth);
        EXPECT_EQ(run.Only().bandwidth->window, SimTime::Microseconds(60)) << ToString(verb);
        EXPECT_DOUBLE_EQ(run.Only().bandwidth->rateMpps, 100.0 / 60);
        EXPECT_EQ(run.Only().messages, 100U);
    }
}

TEST(PerftestSession, QueuePairsWorkSideBySide)
{
    PerftestPlan plan = BandwidthOf(PerftestVerb::WRITE);
    plan.queuePairs = 4;
    const SessionRun run{plan};
    ASSERT_TRUE(run.Only().bandwidth);
    EXPECT_EQ(run.Only().bandwidth->window, SimTime::Microseconds(60));
    EXPECT_EQ(run.Only().messages, 400U);
}

TEST(PerftestSession, OneSendInSoManyIsSignalled)
{
    PerftestPlan plan = BandwidthOf(PerftestVerb::WRITE);
    plan.iterations = 13;
    plan.cqModeration = 5;
    SessionRun run{plan};
    std::vector<uint64_t> signalled;
    for (const SendRequest& request : run.m_fabric.GetClient().GetPosted())
    {
        if ((request.flags & SEND_SIGNALED) != 0)
        {
            signalled.push_back(request.wrId);
        }
    }
    EXPECT_EQ(signalled, (std::vector<uint64_t>{4, 9, 12})); // each fifth, and the last
    EXPECT_EQ(run.m_done, 1);
}

TEST(PerftestSession, ListsArePostedByOneCall)
{
    PerftestPlan plan = BandwidthOf(PerftestVerb::WRITE);
    plan.postList = 5;
    SessionRun run{plan};
    EXPECT_EQ(run.m_fabric.GetClient().GetPosted().size(), 100U);
    EXPECT_EQ(run.m_fabric.GetClient().GetPostCalls(), 20U);
}

TEST(PerftestSession, ShortMessagesArePostedInline)
{
    for (const auto& [verb, isInline] : {std::pair{PerftestVerb::WRITE, true},
                                         std::pair{PerftestVerb::SEND, true},
                                         std::pair{PerftestVerb::READ, false}})
    {
        PerftestPlan plan = LatencyOf(verb);
        plan.inlineBytes = 8;
        SessionRun run{plan};
        EXPECT_EQ((run.m_fabric.GetClient().GetPosted().front().flags & SEND_INLINE) != 0,
                  isInline);
        plan.inlineBytes = 7;
        SessionRun longer{plan};
        EXPECT_EQ(longer.m_fabric.GetClient().GetPosted().front().flags & SEND_INLINE, 0);
    }
}

TEST(PerftestSession, AFailedRequestEndsIt)
{
    PerftestPlan plan = BandwidthOf(PerftestVerb::WRITE);
    FakeFabric fabric{LATENCY};
    PerftestSession session{plan, *fabric.ChooseHosts(0, 1)};
    std::string failure;
    ASSERT_TRUE(session
                    .Start(
                        fabric,
                        {},
                        [&failure](SimTime, const std::string& text) { failure = text; },
                        SimTime{})
                    .empty());
    fabric.GetClient().Break();
    fabric.Run();
    EXPECT_EQ(failure, "8B messages: RETRY_EXC_ERR");
    EXPECT_TRUE(session.GetResults().empty());
}

TEST(PerftestSession, SaysWhatTheDeviceRefuses)
{
    const SessionRun run{LatencyOf(PerftestVerb::WRITE), true};
    ASSERT_EQ(run.m_errors.size(), 1U);
    EXPECT_TRUE(run.m_errors.front().message.starts_with("the device refuses a queue pair: "));
    EXPECT_EQ(run.m_done, 0);
}

} // namespace

} // namespace ns3::rdma
