// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-invariants.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

/** Books in which everything agrees, close to the limits. Each test breaks one thing. */
class RunInvariants : public testing::Test
{
  protected:
    RunInvariants()
    {
        books.end = SimTime::Microseconds(1);
        books.created = {10, 1000};
        books.consumed = {6, 600};
        books.dropped = {1, 100};
        books.held = {3, 300};
        books.maxFrameBytes = 120;
        // 1 us at 100 Gb/s are 12 500 bytes, and one frame may be on the wire.
        books.links = {{"h0/0 to s", BitRate::Gbps(100), 12'620, SimTime{12'620 * 80}}};
        books.switches = {{"s", 300, 300}};
        books.marks = {.marked = 5, .arrived = 3, .held = 1};
        books.endedFlows = 1;
        flows = {FlowOutcome{.status = FlowStatus::FINISHED,
                             .bytes = 500,
                             .deliveredBytes = 500,
                             .ackedBytes = 500,
                             .delivered = {100},
                             .acked = {200},
                             .idealDelivered = {100},
                             .idealAcked = {200}},
                 FlowOutcome{.status = FlowStatus::RUNNING,
                             .bytes = 500,
                             .idealDelivered = {100},
                             .idealAcked = {200}},
                 FlowOutcome{.status = FlowStatus::NOT_STARTED, .bytes = 500}};
    }

    std::vector<std::string> Check()
    {
        books.flows = flows;
        return CheckBooks(books);
    }

    RunBooks books;
    std::vector<FlowOutcome> flows;
};

} // namespace

TEST_F(RunInvariants, HoldInGoodBooks)
{
    EXPECT_THAT(Check(), ElementsAre());
}

TEST_F(RunInvariants, NoFrameIsLost)
{
    books.held.frames = 2;
    EXPECT_THAT(Check(),
                ElementsAre("frames: 10 created, but 6 consumed + 1 dropped + 2 in flight = 9"));
}

TEST_F(RunInvariants, NoByteIsLost)
{
    books.consumed.bytes = 601;
    EXPECT_THAT(Check(), ElementsAre(HasSubstr("bytes of frames: 1000 created")));
}

TEST_F(RunInvariants, BuffersAreChargedForWhatPortsHold)
{
    books.switches[0].chargedBytes = 364;
    EXPECT_THAT(Check(),
                ElementsAre("switch s: its buffer is charged for 364 bytes, its ports hold 300"));
}

TEST_F(RunInvariants, NoLinkIsFasterThanItsRate)
{
    books.links[0].wireBytes += 1;
    books.links[0].busy.ps += 80;
    EXPECT_THAT(Check(), ElementsAre(HasSubstr("link h0/0 to s: 12621 bytes do not fit into")));
}

TEST_F(RunInvariants, MarksDoNotAppearFromNowhere)
{
    books.marks.marked = 3;
    EXPECT_THAT(Check(),
                ElementsAre(HasSubstr("ECN: switches and faults marked 3 frames, but 3 arrived")));
}

TEST_F(RunInvariants, MarksVanishOnlyWithDroppedFrames)
{
    books.marks.marked = 6;
    EXPECT_THAT(Check(), ElementsAre(HasSubstr("with 1 frames dropped")));
}

TEST_F(RunInvariants, NoFlowIsDeliveredBeforeItsIdeal)
{
    flows[0].delivered = {99};
    EXPECT_THAT(Check(),
                ElementsAre("flow 0: delivered after 99ps, faster than its ideal of 100ps"));
}

TEST_F(RunInvariants, NoFlowIsAcknowledgedBeforeItsIdeal)
{
    flows[0].acked = {199};
    EXPECT_THAT(Check(),
                ElementsAre("flow 0: acknowledged after 199ps, faster than its ideal of 200ps"));
}

TEST_F(RunInvariants, NothingIsAcknowledgedBeforeItsDelivery)
{
    flows[1].ackedBytes = 1;
    EXPECT_THAT(Check(), ElementsAre("flow 1: 1 bytes acknowledged, but only 0 delivered"));
}

TEST_F(RunInvariants, AFinishedFlowHasDeliveredEverything)
{
    flows[0].bytes = 501;
    EXPECT_THAT(Check(), ElementsAre("flow 0: finished with 500 of 501 bytes delivered"));
}

// A cable that is faster than at the start, or a path around one that failed, may be.
TEST_F(RunInvariants, IdealTimesBindAFabricThatStaysAsItWas)
{
    flows[0].delivered = flows[0].idealDelivered - SimTime{1};
    EXPECT_THAT(Check(), ElementsAre(HasSubstr("flow 0: delivered after")));
    books.hasIdeals = false;
    EXPECT_THAT(Check(), testing::IsEmpty());
}

TEST_F(RunInvariants, AStoppedFlowHasEnded)
{
    flows[0].status = FlowStatus::STOPPED;
    flows[0].bytes = 501;
    EXPECT_THAT(Check(), testing::IsEmpty());
}

TEST_F(RunInvariants, EveryEndedFlowHasAStatus)
{
    books.endedFlows = 2;
    EXPECT_THAT(Check(), ElementsAre("flows: 2 have ended, but 1 are finished, failed or stopped"));
}

} // namespace ns3::rdma
