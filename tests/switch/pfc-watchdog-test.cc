// SPDX-License-Identifier: GPL-2.0-only
#include "switch/pfc-watchdog.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime MS = SimTime::Milliseconds(1);
constexpr uint8_t PRIORITY = 3;

/** Times as SONiC's test plan for its watchdog has them. */
constexpr WatchdogConfig CONFIG{.action = WatchdogAction::DROP,
                                .detection = 200 * MS,
                                .restoration = 200 * MS,
                                .poll = 100 * MS};

/** A queue of port 1 that waits behind a pause from a time on. */
WatchedQueue
Blocked(SimTime from)
{
    return {.port = 1,
            .priority = PRIORITY,
            .isWaiting = true,
            .pause = {.from = from, .until = SimTime::Never()}};
}

/** The verdicts of looks at 100 ms, 200 ms, ..., a letter each. */
std::string
LookEach100Ms(PfcWatchdog& watchdog, const std::vector<WatchedQueue>& looks)
{
    std::string verdicts;
    for (std::size_t i = 0; i < looks.size(); ++i)
    {
        const auto verdict = watchdog.Look(looks[i], (i + 1) * 100 * MS);
        verdicts += verdict == WatchdogVerdict::DETECTED   ? 'D'
                    : verdict == WatchdogVerdict::RESTORED ? 'R'
                                                           : '.';
    }
    return verdicts;
}

} // namespace

class PfcWatchdogTest : public testing::Test
{
  protected:
    PfcWatchdogTest()
    {
        m_watchdog.SetUp(CONFIG, 2);
    }

    PfcWatchdog m_watchdog;
};

TEST_F(PfcWatchdogTest, LooksAtMultiplesOfItsInterval)
{
    EXPECT_EQ(m_watchdog.GetNextPoll({}), 100 * MS);
    EXPECT_EQ(m_watchdog.GetNextPoll(SimTime{1}), 100 * MS);
    EXPECT_EQ(m_watchdog.GetNextPoll(100 * MS), 200 * MS);
}

// Seen at 100, still there at 200 and 300: 200 ms.
TEST_F(PfcWatchdogTest, DetectsWhatWasBlockedForTheDetectionTime)
{
    const WatchedQueue queue = Blocked(30 * MS);
    EXPECT_EQ(LookEach100Ms(m_watchdog, {queue, queue, queue}), "..D");
    EXPECT_TRUE(m_watchdog.IsInStorm(1, PRIORITY));
    EXPECT_TRUE(m_watchdog.Drops(1, PRIORITY));
    EXPECT_FALSE(m_watchdog.Drops(0, PRIORITY));
    EXPECT_FALSE(m_watchdog.Drops(1, PRIORITY + 1));
    const auto report = m_watchdog.MakeReport(queue, WatchdogVerdict::DETECTED);
    EXPECT_EQ(report.since, 100 * MS);
    EXPECT_EQ(report.action, WatchdogAction::DROP);
}

// A pause that began anew between two looks let frames pass, however many looks show one.
TEST_F(PfcWatchdogTest, AGapStartsTheDetectionAnew)
{
    EXPECT_EQ(
        LookEach100Ms(m_watchdog,
                      {Blocked(30 * MS), Blocked(30 * MS), Blocked(250 * MS), Blocked(350 * MS)}),
        "....");
    EXPECT_EQ(m_watchdog.Look(Blocked(350 * MS), 500 * MS), WatchdogVerdict::NOTHING);
    EXPECT_EQ(m_watchdog.Look(Blocked(350 * MS), 600 * MS), WatchdogVerdict::DETECTED);
}

TEST_F(PfcWatchdogTest, AnEmptyQueueIsNotBlocked)
{
    WatchedQueue empty = Blocked(30 * MS);
    empty.isWaiting = false;
    EXPECT_EQ(LookEach100Ms(m_watchdog, {empty, empty, empty, empty}), "....");
    const WatchedQueue queue = Blocked(30 * MS);
    EXPECT_EQ(LookEach100Ms(m_watchdog, {queue, empty, queue, queue}), "....");
}

// Detected at 300. The last pause ends at 410; 610 is the end of the restoration time, 700 the
// look.
TEST_F(PfcWatchdogTest, RestoresWhenNoPauseCameForTheRestorationTime)
{
    const WatchedQueue blocked = Blocked(30 * MS);
    WatchedQueue open = blocked;
    open.pause = {};
    EXPECT_EQ(LookEach100Ms(m_watchdog, {blocked, blocked, blocked}), "..D");
    m_watchdog.OnPause(1, PRIORITY, 410 * MS);
    for (const uint64_t ms : {400, 500, 600})
    {
        EXPECT_EQ(m_watchdog.Look(open, ms * MS), WatchdogVerdict::NOTHING) << ms;
    }
    EXPECT_EQ(m_watchdog.Look(open, 700 * MS), WatchdogVerdict::RESTORED);
    EXPECT_FALSE(m_watchdog.IsDropping());
    EXPECT_EQ(m_watchdog.MakeReport(open, WatchdogVerdict::RESTORED).since, 300 * MS);
    EXPECT_EQ(m_watchdog.Look(open, 800 * MS), WatchdogVerdict::NOTHING);
}

// At 10 Mb/s a PAUSE of 65535 quanta lasts 3.4 s: between two of them there is no restoration.
TEST_F(PfcWatchdogTest, OneLongPauseIsOneStorm)
{
    const WatchedQueue queue = Blocked(30 * MS);
    m_watchdog.OnPause(1, PRIORITY, 3'400 * MS);
    EXPECT_EQ(LookEach100Ms(m_watchdog, std::vector<WatchedQueue>(30, queue)),
              "..D" + std::string(27, '.'));
}

TEST_F(PfcWatchdogTest, CountsDropsOfEachStorm)
{
    Frame frame;
    frame.priority = PRIORITY;
    frame.frameBytes = 1'000;
    const WatchedQueue queue = Blocked(30 * MS);
    LookEach100Ms(m_watchdog, {queue, queue, queue});
    m_watchdog.CountDrop(1, frame);
    m_watchdog.CountDrop(1, frame);
    EXPECT_EQ(m_watchdog.Look(queue, 400 * MS), WatchdogVerdict::RESTORED) << "no PAUSE was told";
    EXPECT_EQ(m_watchdog.MakeReport(queue, WatchdogVerdict::RESTORED).dropped,
              (FrameCount{2, 2'000}));
    m_watchdog.Look(queue, 500 * MS);
    EXPECT_EQ(m_watchdog.Look(queue, 700 * MS), WatchdogVerdict::DETECTED);
    EXPECT_EQ(m_watchdog.MakeReport(queue, WatchdogVerdict::DETECTED).dropped, FrameCount{});
}

TEST_F(PfcWatchdogTest, OnlyDroppingDrops)
{
    for (const WatchdogAction action : {WatchdogAction::FORWARD, WatchdogAction::ALERT})
    {
        WatchdogConfig config = CONFIG;
        config.action = action;
        m_watchdog.SetUp(config, 2);
        const WatchedQueue queue = Blocked(30 * MS);
        EXPECT_EQ(LookEach100Ms(m_watchdog, {queue, queue, queue}), "..D");
        EXPECT_TRUE(m_watchdog.IsInStorm(1, PRIORITY));
        EXPECT_FALSE(m_watchdog.Drops(1, PRIORITY));
    }
    m_watchdog.SetUp({}, 2);
    EXPECT_FALSE(m_watchdog.IsOn());
    EXPECT_FALSE(m_watchdog.IsInStorm(1, PRIORITY));
}

} // namespace ns3::rdma
