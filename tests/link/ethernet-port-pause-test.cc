// SPDX-License-Identifier: GPL-2.0-only
#include "link/ethernet-port.h"
#include "tests/support/port-bench.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint16_t FRAME = 1086;
constexpr uint64_t WIRE = 1106;
constexpr SimTime CABLE = SimTime::Microseconds(1);

/** When port b sends its PAUSE in most tests. */
constexpr SimTime SENT = SimTime::Microseconds(10);

/** Reception of a PFC frame sent over an idle 100 Gb/s port: (8 + 64) x 80 ps + 1 us later. */
constexpr SimTime RECEIVED = SENT + SimTime{72 * 80} + CABLE;

/** 65535 x 512 bit times at 100 Gb/s. */
constexpr SimTime FULL_PAUSE = SimTime::Nanoseconds(335'539) + SimTime{200};

/** Both ends at 100 Gb/s over 1 us, priority 3 lossless, no reaction delay. */
PortConfig
MakeConfig(BitRate rate = BitRate::Gbps(100))
{
    PortConfig config{.rate = rate, .delay = CABLE};
    config.pfc.lossless = PriorityBit(3);
    config.pfc.responseTime = SimTime{};
    return config;
}

/** Starts of a priority, in order. */
std::vector<SimTime>
StartsOf(const SaturatingSource& source, uint8_t priority)
{
    std::vector<SimTime> starts;
    for (const FrameNote& pull : source.pulls)
    {
        if (pull.priority == priority)
        {
            starts.push_back(pull.time);
        }
    }
    return starts;
}

/** First start at or after a time; Never() without one. */
SimTime
FirstFrom(const std::vector<SimTime>& starts, SimTime from)
{
    const auto found = std::lower_bound(starts.begin(), starts.end(), from);
    return found == starts.end() ? SimTime::Never() : *found;
}

/** Last start before a time. */
SimTime
LastBefore(const std::vector<SimTime>& starts, SimTime before)
{
    return *(std::lower_bound(starts.begin(), starts.end(), before) - 1);
}

// A quantum is 512 bit times. 65535 of them last 335.5392 us at 100 Gb/s, 83.8848 us at 400 Gb/s
// and 3.355392 ms at 10 Gb/s (65535 x 512 / rate).
struct PauseRow
{
    BitRate rate;
    uint64_t pausePs;
};

class EthernetPortPauses : public testing::TestWithParam<PauseRow>
{
};

// One PAUSE and no more: the class sends again exactly then, counted from the PAUSE's last bit.
TEST_P(EthernetPortPauses, OnePauseLastsItsQuanta)
{
    const auto& [rate, pausePs] = GetParam();
    PortBench bench{MakeConfig(rate)};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    const SimTime received = SENT + ByteTime{rate}.Of(72) + CABLE;
    bench.RunTo(received + SimTime{pausePs} + SimTime::Microseconds(10));

    const auto starts = StartsOf(source, 3);
    EXPECT_EQ(FirstFrom(starts, received + SimTime{1}).ps, received.ps + pausePs);
    EXPECT_GT(LastBefore(starts, received + SimTime{1}), received - ByteTime{rate}.Of(WIRE));
    EXPECT_THAT(bench.ownerA.pauses, ElementsAre(PauseNote{received, 3, 65535}));
}

INSTANTIATE_TEST_SUITE_P(Full,
                         EthernetPortPauses,
                         testing::Values(PauseRow{BitRate::Gbps(10), 3'355'392'000},
                                         PauseRow{BitRate::Gbps(100), 335'539'200},
                                         PauseRow{BitRate::Gbps(400), 83'884'800}),
                         [](const auto& info)
                         { return std::to_string(info.param.rate.bps / 1'000'000'000) + "G"; });

// The same for frames that wait in a queue, as in a switch.
TEST(EthernetPort, QueuedFramesWaitForTheEndOfThePause)
{
    PortBench bench{MakeConfig()};
    bench.b.SendPfc(PriorityBit(3), 65535, {});
    bench.RunTo(SENT);
    bench.Enqueue(3, FRAME, 1);
    bench.Enqueue(2, FRAME, 2);
    bench.RunToEnd();
    const SimTime received = SimTime{72 * 80} + CABLE;
    EXPECT_THAT(
        bench.ownerA.starts,
        ElementsAre(FrameNote{SENT, 2, 2, FRAME}, FrameNote{received + FULL_PAUSE, 1, 3, FRAME}));
}

TEST(EthernetPort, PauseOfZeroResumesAtOnce)
{
    PortBench bench{MakeConfig()};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    const SimTime again = SENT + SimTime::Microseconds(50);
    bench.RunTo(again);
    bench.b.SendPfc(PriorityBit(3), 0, again);
    bench.RunTo(again + SimTime::Microseconds(10));

    const SimTime resumed = RECEIVED + SimTime::Microseconds(50);
    EXPECT_EQ(FirstFrom(StartsOf(source, 3), RECEIVED + SimTime{1}), resumed);
    EXPECT_EQ(bench.a.GetCounters().pauseFramesReceived, 1U);
    EXPECT_EQ(bench.a.GetCounters().resumeFramesReceived, 1U);
    EXPECT_EQ(bench.b.GetCounters().pauseFramesSent, 1U);
    EXPECT_EQ(bench.b.GetCounters().resumeFramesSent, 1U);
    EXPECT_EQ(bench.a.GetPausedTime(3, again + SimTime::Microseconds(10)),
              SimTime::Microseconds(50));
}

TEST(EthernetPort, SecondPauseRestartsTheTime)
{
    PortBench bench{MakeConfig()};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    for (const uint64_t us : {10, 110, 150})
    {
        bench.RunTo(SimTime::Microseconds(us));
        bench.b.SendPfc(PriorityBit(3), 65535, SimTime::Microseconds(us));
    }
    bench.RunTo(SimTime::Microseconds(600));
    const SimTime last = RECEIVED + SimTime::Microseconds(140);
    EXPECT_EQ(FirstFrom(StartsOf(source, 3), RECEIVED + SimTime{1}), last + FULL_PAUSE);
    EXPECT_EQ(bench.a.GetPausedTime(3, SimTime::Microseconds(600)),
              SimTime::Microseconds(140) + FULL_PAUSE)
        << "overlapping pauses count once";
}

// A shorter second PAUSE shortens the pause: the newest word counts.
TEST(EthernetPort, ShorterSecondPauseEndsEarlier)
{
    PortBench bench{MakeConfig()};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    const SimTime again = SENT + SimTime::Microseconds(20);
    bench.RunTo(again);
    bench.b.SendPfc(PriorityBit(3), 1000, again);
    bench.RunTo(SimTime::Microseconds(100));
    // 1000 quanta of 64 bytes of 80 ps.
    EXPECT_EQ(FirstFrom(StartsOf(source, 3), RECEIVED + SimTime{1}),
              RECEIVED + SimTime::Microseconds(20) + SimTime{1000 * 64 * 80});
}

// Priority 4 takes the whole link while 3 is paused: its frames start every 1106 x 80 ps, with no
// disturbance by the PAUSE; 3 has starved below it before, and does so after.
TEST(EthernetPort, OtherClassesAreUntouched)
{
    PortConfig config = MakeConfig();
    config.pfc.lossless = PriorityBit(3) | PriorityBit(4);
    PortBench bench{config};
    SaturatingSource source{bench.ledger, PriorityBit(3) | PriorityBit(4), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(SimTime::Microseconds(400));
    const auto starts = StartsOf(source, 4);
    for (std::size_t n = 0; n < starts.size(); ++n)
    {
        ASSERT_EQ(starts[n].ps, n * WIRE * 80);
    }
    EXPECT_TRUE(StartsOf(source, 3).empty());
}

// The paused priority is the higher one: the lower one takes over in its place and steps back.
TEST(EthernetPort, LowerClassSendsWhileTheHigherIsPaused)
{
    PortBench bench{MakeConfig()};
    SaturatingSource source{bench.ledger, PriorityBit(3) | PriorityBit(1), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(SimTime::Microseconds(400));
    const auto low = StartsOf(source, 1);
    const SimTime end = RECEIVED + FULL_PAUSE;
    const SimTime frameTime{WIRE * 80};
    ASSERT_FALSE(low.empty());
    EXPECT_GT(low.front(), RECEIVED);
    EXPECT_LE(low.front(), RECEIVED + frameTime);
    EXPECT_LT(low.back(), end);
    // Back to back for the whole of the pause: its length in frames, to one.
    EXPECT_NEAR(static_cast<double>(low.size()),
                static_cast<double>(FULL_PAUSE.ps) / static_cast<double>(frameTime.ps),
                1.0);
    const SimTime first = FirstFrom(StartsOf(source, 3), RECEIVED + SimTime{1});
    EXPECT_GE(first, end);
    EXPECT_LT(first, end + frameTime);
}

TEST(EthernetPort, LossyClassDoesNotReact)
{
    PortBench bench{MakeConfig()};
    SaturatingSource source{bench.ledger, PriorityBit(2), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(2), 65535, SENT);
    bench.RunTo(SimTime::Microseconds(100));
    const auto starts = StartsOf(source, 2);
    for (std::size_t n = 0; n < starts.size(); ++n)
    {
        ASSERT_EQ(starts[n].ps, n * WIRE * 80);
    }
    EXPECT_EQ(bench.a.GetCounters().pauseFramesReceived, 1U) << "received, not obeyed";
    EXPECT_TRUE(bench.ownerA.pauses.empty());
    EXPECT_EQ(bench.a.GetPausedTime(2, SimTime::Microseconds(100)), SimTime{});
}

// The frame of 9000 bytes starts 1 ns before the PAUSE is received and takes 720 ns: it goes on.
TEST(EthernetPort, FrameOnTheWireCompletes)
{
    PortBench bench{MakeConfig()};
    const SimTime start = RECEIVED - SimTime::Nanoseconds(1);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(start);
    bench.Enqueue(3, 9000, 1);
    bench.Enqueue(3, FRAME, 2);
    bench.RunToEnd();
    EXPECT_THAT(
        bench.ownerB.arrivals,
        ElementsAre(FrameNote{start + SimTime{9008 * 80} + CABLE, 1, 3, 9000},
                    FrameNote{RECEIVED + FULL_PAUSE + SimTime{1094 * 80} + CABLE, 2, 3, FRAME}));
}

// IEEE 802.3-2018 annex 31B.3.7: at 100 Gb/s a port may take 394 quanta = 394 x 64 x 80 ps =
// 2 017 280 ps to stop. The end of the pause still counts from the reception.
TEST(EthernetPort, ClassStopsAfterTheResponseTime)
{
    PortConfig config = MakeConfig();
    config.pfc.responseTime.reset();
    PortBench bench{config};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(SimTime::Microseconds(400));
    const auto starts = StartsOf(source, 3);
    const SimTime stop = RECEIVED + SimTime{2'017'280};
    const SimTime resumed = FirstFrom(starts, stop);
    EXPECT_EQ(resumed, RECEIVED + FULL_PAUSE);
    EXPECT_GE(LastBefore(starts, stop), stop - SimTime{WIRE * 80}) << "sends until then";
    EXPECT_EQ(bench.a.GetPausedTime(3, SimTime::Microseconds(400)),
              FULL_PAUSE - SimTime{2'017'280});
}

// A PAUSE that repeats another does not give the response time again: the class stays stopped.
TEST(EthernetPort, RepeatedPauseDoesNotReopenTheClass)
{
    PortConfig config = MakeConfig();
    config.pfc.responseTime.reset();
    PortBench bench{config};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    for (const uint64_t us : {10, 110})
    {
        bench.RunTo(SimTime::Microseconds(us));
        bench.b.SendPfc(PriorityBit(3), 65535, SimTime::Microseconds(us));
    }
    bench.RunTo(SimTime::Microseconds(500));
    const SimTime stop = RECEIVED + SimTime{2'017'280};
    const SimTime end = RECEIVED + SimTime::Microseconds(100) + FULL_PAUSE;
    EXPECT_EQ(FirstFrom(StartsOf(source, 3), stop), end);
    EXPECT_EQ(bench.a.GetPausedTime(3, SimTime::Microseconds(500)), end - stop);
}

// The response time passes before the pause ends or it has no effect: 100 quanta are over before
// 394 have passed.
TEST(EthernetPort, PauseShorterThanTheResponseTimeHasNoEffect)
{
    PortConfig config = MakeConfig();
    config.pfc.responseTime.reset();
    PortBench bench{config};
    SaturatingSource source{bench.ledger, PriorityBit(3), FRAME};
    bench.Attach(source);
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 100, SENT);
    bench.RunTo(SimTime::Microseconds(30));
    const auto starts = StartsOf(source, 3);
    for (std::size_t n = 0; n < starts.size(); ++n)
    {
        ASSERT_EQ(starts[n].ps, n * WIRE * 80);
    }
}

TEST(EthernetPort, PfcFramesAreNeverPausedAndGoFirst)
{
    PortConfig config = MakeConfig();
    config.pfc.lossless = 0xff;
    PortBench bench{config};
    bench.b.SendPfc(0xff, 65535, {});
    bench.RunTo(SENT);
    bench.Enqueue(7, FRAME, 1);
    bench.a.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(SENT + SimTime::Microseconds(5));
    EXPECT_TRUE(bench.ownerA.starts.empty());
    EXPECT_THAT(bench.ownerB.pauses, ElementsAre(PauseNote{RECEIVED, 3, 65535}));
}

// The PFC frame waits for the frame on the wire (1106 x 80 ps from SENT), not for those that queue.
TEST(EthernetPort, PfcFrameWaitsForTheFrameOnTheWireOnly)
{
    PortBench bench{MakeConfig()};
    bench.RunTo(SENT);
    bench.Enqueue(7, FRAME, 1);
    bench.Enqueue(7, FRAME, 2);
    bench.a.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunToEnd();
    const SimTime behind = RECEIVED + SimTime{WIRE * 80};
    EXPECT_THAT(bench.ownerB.pauses, ElementsAre(PauseNote{behind, 3, 65535}));
    // The second frame follows the PFC frame of 8 + 64 + 12 bytes on the wire.
    EXPECT_EQ(bench.ownerA.starts.at(1).time, SENT + SimTime{(WIRE + 84) * 80});
}

// Of 335.5392 us after the reception, paused time counts up while it passes and then stops.
TEST(EthernetPort, PausedTimeCountsWhileItPasses)
{
    PortBench bench{MakeConfig()};
    bench.RunTo(SENT);
    bench.b.SendPfc(PriorityBit(3), 65535, SENT);
    bench.RunTo(SimTime::Microseconds(700));
    const auto paused = [&](SimTime at) { return bench.a.GetPausedTime(3, at); };
    EXPECT_EQ(paused(RECEIVED), SimTime{});
    EXPECT_EQ(paused(RECEIVED + SimTime::Microseconds(100)), SimTime::Microseconds(100));
    EXPECT_EQ(paused(RECEIVED + FULL_PAUSE), FULL_PAUSE);
    EXPECT_EQ(paused(RECEIVED + SimTime::Milliseconds(1)), FULL_PAUSE);
    EXPECT_EQ(bench.a.GetPausedTime(4, RECEIVED + SimTime::Milliseconds(1)), SimTime{});
    bench.b.SendPfc(PriorityBit(3), 65535, SimTime::Microseconds(700));
    bench.RunTo(SimTime::Microseconds(1200));
    EXPECT_EQ(paused(SimTime::Microseconds(1200)), 2 * FULL_PAUSE);
}

// ------------------------------------------------- 802.3x: all priorities of the link together

PortConfig
MakeLinkPauseConfig()
{
    PortConfig config = MakeConfig();
    config.pfc.isLinkPause = true;
    return config;
}

// One PAUSE stops every priority for its time, and nothing else.
TEST(EthernetPort, LinkPauseStopsAllPriorities)
{
    PortBench bench{MakeLinkPauseConfig()};
    bench.b.SendPfc(PriorityBit(3), 65535, {});
    bench.RunTo(SENT);
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        bench.Enqueue(priority, FRAME, priority);
    }
    bench.RunToEnd();
    const SimTime received = SimTime{72 * 80} + CABLE;
    ASSERT_EQ(bench.ownerA.starts.size(), PRIORITY_COUNT);
    for (uint64_t n = 0; n < PRIORITY_COUNT; ++n)
    {
        // 335.5392 us after the PAUSE, the highest first.
        EXPECT_EQ(bench.ownerA.starts[n].time, received + FULL_PAUSE + SimTime{n * WIRE * 80});
        EXPECT_EQ(bench.ownerA.starts[n].priority, 7 - n);
    }
    EXPECT_THAT(bench.ownerA.pauses, ElementsAre(PauseNote{received, 3, 65535}));
    EXPECT_EQ(bench.a.GetPausedTime(3, SimTime::Seconds(1)), FULL_PAUSE);
    EXPECT_EQ(bench.a.GetPausedTime(0, SimTime::Seconds(1)), SimTime{}) << "counted once";
}

// A port that is paused still sends its own MAC control frames. @spec IEEE 802.3-2018 annex 31B.3.1
TEST(EthernetPort, LinkPauseLetsControlFramesPass)
{
    PortBench bench{MakeLinkPauseConfig()};
    bench.b.SendPfc(PriorityBit(3), 65535, {});
    bench.RunTo(SENT);
    bench.a.SendPfc(PriorityBit(3), 7, SENT);
    bench.RunTo(SENT + SimTime::Microseconds(5));
    EXPECT_THAT(bench.ownerB.pauses, ElementsAre(PauseNote{RECEIVED, 3, 7}));
}

// Two classes want the pause; the link resumes when neither does.
TEST(EthernetPort, LinkPauseLastsWhileOneClassNeedsIt)
{
    PortConfig config = MakeLinkPauseConfig();
    config.pfc.lossless = PriorityBit(3) | PriorityBit(4);
    PortBench bench{config};
    const auto send = [&](uint8_t priority, uint16_t quanta, uint64_t us)
    {
        bench.RunTo(SimTime::Microseconds(us));
        bench.b.SendPfc(PriorityBit(priority), quanta, SimTime::Microseconds(us));
    };
    send(3, 65535, 0);
    send(4, 65535, 10);
    send(3, 0, 20);
    bench.RunTo(SimTime::Microseconds(30));
    EXPECT_TRUE(bench.a.GetPauses().Get(0).Holds(SimTime::Microseconds(30)));
    send(4, 0, 40);
    bench.RunTo(SimTime::Microseconds(50));
    EXPECT_FALSE(bench.a.GetPauses().Get(0).Holds(SimTime::Microseconds(50)));
    EXPECT_EQ(bench.b.GetCounters().pauseFramesSent, 2U);
    EXPECT_EQ(bench.b.GetCounters().resumeFramesSent, 1U);
    // From the first PAUSE to the one resume: 40 us.
    EXPECT_EQ(bench.a.GetPausedTime(3, SimTime::Microseconds(50)), SimTime::Microseconds(40));
}

} // namespace
} // namespace ns3::rdma
