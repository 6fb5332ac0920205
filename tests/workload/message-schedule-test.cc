// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/schedule-text.h"
#include "workload/message-matcher.h"
#include "workload/message-schedule.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

ScheduleStep
Compute(uint64_t ns, uint64_t place = 0)
{
    ScheduleStep step;
    step.kind = OperationKind::COMPUTE;
    step.amount = ns;
    step.place = place;
    return step;
}

TEST(MessageSchedule, ConnectsBeforeItsStepsAndCountsThatInDependencies)
{
    MessageSchedule schedule{TraceTiming::NONE};
    schedule.AddProcesses("rank ", 2);
    const ScheduleStepId early = schedule.Add(0, Compute(5));
    const ScheduleStepId late = schedule.Add(1, Compute(7));
    schedule.Connect(0, {.peerProcess = 1});
    ScheduleStep message;
    message.connection = schedule.Connect(0, {.peerProcess = 1, .priority = 3});
    message.amount = 100;
    schedule.Depend(schedule.Add(0, message), late, DependencyEvent::START);
    schedule.Depend(late, early, DependencyEvent::END);
    Trace trace = schedule.Take();
    EXPECT_EQ(trace.processes[1].name, "rank 1");
    EXPECT_THAT(ScheduleTexts(trace),
                ElementsAre(ElementsAre("connect 0 to 1",
                                        "connect 1 to 1, priority 3",
                                        "compute 5 ns",
                                        "message 1 of 100 B after start of 1:0"),
                            ElementsAre("compute 7 ns after 0:2")));
}

TEST(MessageSchedule, NumbersConnectionsOfAllThreadsOfAProcess)
{
    MessageSchedule schedule{TraceTiming::NONE};
    const uint32_t process = schedule.AddProcess("p");
    const uint32_t first = schedule.AddThread(process, "a");
    const uint32_t second = schedule.AddThread(process, "b");
    EXPECT_EQ(schedule.Connect(first, {}), 0U);
    EXPECT_EQ(schedule.Connect(second, {}), 1U);
    EXPECT_EQ(schedule.Connect(first, {}), 2U);
}

TEST(MessageSchedule, AStreamThatHasEndedStaysAtItsEnd)
{
    MessageSchedule schedule{TraceTiming::NONE};
    schedule.AddProcesses("", 1);
    schedule.Add(0, Compute(1));
    Trace trace = schedule.Take();
    TraceOperation operation;
    EXPECT_TRUE(trace.threads[0].operations->Next(operation));
    EXPECT_FALSE(trace.threads[0].operations->Next(operation));
    EXPECT_FALSE(trace.threads[0].operations->Next(operation));
    EXPECT_FALSE(trace.threads[0].operations->GetDamage());
}

TEST(MessageSchedule, FindsACircleThroughThreadsAndNotWhatWaitsBehindIt)
{
    MessageSchedule schedule{TraceTiming::NONE};
    schedule.AddProcesses("", 2);
    const ScheduleStepId behind = schedule.Add(0, Compute(1, 11));
    const ScheduleStepId a = schedule.Add(0, Compute(1, 12));
    const ScheduleStepId b = schedule.Add(1, Compute(1, 13));
    schedule.Depend(behind, a, DependencyEvent::END);
    schedule.Depend(a, b, DependencyEvent::END);
    EXPECT_THAT(schedule.FindCircle(), IsEmpty());
    schedule.Depend(b, a, DependencyEvent::START);
    const auto circle = schedule.FindCircle();
    EXPECT_THAT(circle, ElementsAre(a, b));
    EXPECT_EQ(schedule.DescribeCircle(circle, "line"),
              "line 12 waits for line 13 waits for line 12");
}

TEST(MessageSchedule, ACircleMayGoThroughAMessage)
{
    MessageSchedule schedule{TraceTiming::NONE};
    schedule.AddProcesses("", 2);
    const ScheduleStepId message = schedule.Add(0, {});
    ScheduleStep step;
    step.kind = OperationKind::MESSAGE_RECEIVE;
    const ScheduleStepId receive = schedule.Add(1, step);
    schedule.Depend(message, receive, DependencyEvent::END);
    EXPECT_THAT(schedule.FindCircle(), IsEmpty()) << "another message could end the receive";
    schedule.Pair(receive, message);
    EXPECT_THAT(schedule.FindCircle(), ElementsAre(message, receive));
    EXPECT_THAT(ScheduleTexts(*std::make_unique<Trace>(schedule.Take()))[1],
                ElementsAre("receive 4294967295 of 0 B"));
}

TEST(MessageSchedule, SomeOfTheDependenciesMayBeEnough)
{
    MessageSchedule schedule{TraceTiming::NONE};
    schedule.AddProcesses("", 1);
    const ScheduleStepId free = schedule.Add(0, Compute(1));
    const ScheduleStepId any = schedule.Add(0, Compute(1));
    schedule.Depend(any, free, DependencyEvent::END);
    schedule.Depend(any, any, DependencyEvent::END);
    EXPECT_THAT(schedule.FindCircle(), ElementsAre(any));
    schedule.SetEnough(any, 1);
    EXPECT_THAT(schedule.FindCircle(), IsEmpty());
    schedule.SetEnough(any, 3);
    EXPECT_THAT(schedule.FindCircle(), ElementsAre(any)) << "more than it has";
}

TEST(MessageMatcher, TellsSidesThatAreLeft)
{
    MessageMatcher matcher;
    const MessageSide message{1, 0, 7, false, 3, 100};
    const MessageSide receive{1, 0, 7, true, 4, 100};
    MessageSide other = receive;
    other.bytes = 99;
    MessageSide anySize = receive;
    anySize.bytes = MessageSide::ANY_SIZE;
    anySize.place = 5;
    MessageSide otherTag = message;
    otherTag.tag = 8;
    for (const MessageSide& side : {anySize, message, other, message, otherTag})
    {
        matcher.Add(side);
    }
    matcher.Match([](const MessageSide&, uint64_t, uint64_t) { ADD_FAILURE(); });
    EXPECT_EQ(matcher.CountUnreceived(), 1U);
    EXPECT_EQ(matcher.CountOtherSizes(), 1U);
    matcher.Add(receive);
    std::vector<uint64_t> lonely;
    matcher.Match(
        [&](const MessageSide& side, uint64_t messages, uint64_t receives) {
            lonely = {side.place, messages, receives};
        });
    EXPECT_THAT(lonely, ElementsAre(4, 0, 1));
}

} // namespace
} // namespace ns3::rdma
