// SPDX-License-Identifier: GPL-2.0-only
#include "engine/fabric-simulator-impl.h"
#include "engine/simulator-choice.h"

#include "ns3/make-event.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/timer.h"
#include "ns3/watchdog.h"

#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <thread>

namespace ns3::rdma
{
namespace
{

/** Counts its copies that are alive, to see when an event releases its arguments. */
using Token = std::shared_ptr<int>;

/**
 * The contract of ns3::SimulatorImpl as its documentation and DefaultSimulatorImpl have it: the
 * same expectations for ns-3's implementation and for ours.
 */
class FabricSimulatorImplTest : public testing::TestWithParam<std::string>
{
  public:
    void Log(char letter)
    {
        log += letter + std::to_string(Simulator::Now().GetNanoSeconds()) + ' ';
    }

  protected:
    void SetUp() override
    {
        const auto problem = SelectEngine(GetParam());
        ASSERT_FALSE(problem.has_value()) << ToString(*problem);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    /** Schedules a letter that is logged with the time in nanoseconds. */
    EventId At(uint64_t ns, char letter)
    {
        return Simulator::Schedule(NanoSeconds(ns) - Simulator::Now(),
                                   [this, letter]() { Log(letter); });
    }

    std::string log;
};

TEST_P(FabricSimulatorImplTest, RunsByTimeThenInsertion)
{
    At(5, 'c');
    At(1, 'a');
    At(5, 'd');
    At(2, 'b');
    EXPECT_FALSE(Simulator::IsFinished());
    Simulator::Run();
    EXPECT_EQ(log, "a1 b2 c5 d5 ");
    EXPECT_TRUE(Simulator::IsFinished());
    EXPECT_EQ(Simulator::Now(), NanoSeconds(5));
    EXPECT_EQ(Simulator::GetEventCount(), 4U);
}

TEST_P(FabricSimulatorImplTest, RunsWhatIsScheduledNowAfterWhatWaitsAtThisTime)
{
    Simulator::Schedule(NanoSeconds(3),
                        [this]()
                        {
                            Log('a');
                            Simulator::ScheduleNow([this]() { Log('d'); });
                            Simulator::Schedule(Time(0), [this]() { Log('e'); });
                            Simulator::ScheduleWithContext(7, Time(0), [this]() { Log('f'); });
                        });
    At(3, 'b');
    At(3, 'c');
    At(4, 'g');
    Simulator::Run();
    EXPECT_EQ(log, "a3 b3 c3 d3 e3 f3 g4 ");
}

TEST_P(FabricSimulatorImplTest, ExpiresACancelledEventAtOnceButKeepsItsTime)
{
    At(1, 'a');
    const EventId cancelled = At(9, 'x');
    EXPECT_FALSE(cancelled.IsExpired());
    EXPECT_TRUE(cancelled.IsRunning());
    Simulator::Cancel(cancelled);
    Simulator::Cancel(cancelled);
    EXPECT_TRUE(cancelled.IsExpired());
    EXPECT_EQ(Simulator::GetDelayLeft(cancelled), Time(0));
    Simulator::Run();
    EXPECT_EQ(log, "a1 ");
    EXPECT_EQ(Simulator::Now(), NanoSeconds(9));
}

TEST_P(FabricSimulatorImplTest, RemovesAnEventWithItsTimeAndItsArguments)
{
    const Token token = std::make_shared<int>(0);
    At(1, 'a');
    EventId removed = Simulator::Schedule(NanoSeconds(9), [this, token]() { Log('x'); });
    EventId again = Simulator::Schedule(NanoSeconds(9), [this, token]() { Log('y'); });
    EXPECT_EQ(token.use_count(), 3);
    Simulator::Remove(removed);
    Simulator::Remove(removed);
    EXPECT_TRUE(removed.IsExpired());
    EXPECT_FALSE(again.IsExpired());
    again.Remove();
    removed = EventId();
    again = EventId();
    EXPECT_EQ(token.use_count(), 1);
    Simulator::Run();
    EXPECT_EQ(log, "a1 ");
    EXPECT_EQ(Simulator::Now(), NanoSeconds(1));
    EXPECT_EQ(Simulator::GetEventCount(), 1U);
}

TEST_P(FabricSimulatorImplTest, RemovesAmongManyEventsOfOneTime)
{
    std::vector<EventId> events;
    for (char letter = 'a'; letter <= 'z'; ++letter)
    {
        events.push_back(At(4, letter));
    }
    Simulator::Schedule(NanoSeconds(1),
                        [&events]()
                        {
                            for (size_t i = 0; i < events.size(); ++i)
                            {
                                if (i % 4 != 0)
                                {
                                    Simulator::Remove(events[i]);
                                }
                            }
                        });
    Simulator::Run();
    EXPECT_EQ(log, "a4 e4 i4 m4 q4 u4 y4 ");
}

TEST_P(FabricSimulatorImplTest, ExpiresAnEventWhenItRuns)
{
    EventId self;
    EventId earlier;
    EventId later;
    earlier = At(2, 'a');
    self = Simulator::Schedule(NanoSeconds(2),
                               [&]()
                               {
                                   EXPECT_TRUE(earlier.IsExpired());
                                   EXPECT_TRUE(self.IsExpired());
                                   EXPECT_FALSE(later.IsExpired());
                                   Simulator::Remove(self);
                                   Simulator::Cancel(earlier);
                                   const EventId now = Simulator::ScheduleNow([]() {});
                                   EXPECT_FALSE(now.IsExpired());
                               });
    later = At(2, 'b');
    EXPECT_FALSE(self.IsExpired());
    Simulator::Run();
    EXPECT_EQ(log, "a2 b2 ");
    EXPECT_TRUE(later.IsExpired());
    EXPECT_TRUE(EventId().IsExpired());
}

TEST_P(FabricSimulatorImplTest, TellsTheDelayLeft)
{
    const EventId event = At(10, 'a');
    EXPECT_EQ(Simulator::GetDelayLeft(event), NanoSeconds(10));
    Simulator::Schedule(NanoSeconds(4),
                        [&event]() { EXPECT_EQ(Simulator::GetDelayLeft(event), NanoSeconds(6)); });
    Simulator::Run();
    EXPECT_EQ(Simulator::GetDelayLeft(event), Time(0));
}

TEST_P(FabricSimulatorImplTest, KeepsTheContext)
{
    std::string contexts;
    const auto note = [&contexts]()
    {
        const uint32_t context = Simulator::GetContext();
        contexts += (context == Simulator::NO_CONTEXT ? "none" : std::to_string(context)) + ' ';
    };
    EXPECT_EQ(Simulator::GetContext(), Simulator::NO_CONTEXT);
    Simulator::Schedule(NanoSeconds(1), note);
    Simulator::ScheduleWithContext(42,
                                   NanoSeconds(2),
                                   [&note]()
                                   {
                                       note();
                                       Simulator::Schedule(NanoSeconds(1), note);
                                       Simulator::ScheduleNow(note);
                                       Simulator::ScheduleWithContext(43, NanoSeconds(2), note);
                                   });
    Simulator::Run();
    EXPECT_EQ(contexts, "none 42 42 42 43 ");
}

TEST_P(FabricSimulatorImplTest, StopsAtATimeBehindWhatWasPostedBefore)
{
    At(5, 'a');
    Simulator::Stop(NanoSeconds(5));
    At(5, 'b');
    At(6, 'c');
    Simulator::Run();
    EXPECT_EQ(log, "a5 ");
    EXPECT_EQ(Simulator::Now(), NanoSeconds(5));
    EXPECT_TRUE(Simulator::IsFinished());
    Simulator::Run();
    EXPECT_EQ(log, "a5 b5 c6 ");
}

TEST_P(FabricSimulatorImplTest, StopsAfterTheEventThatAsksForIt)
{
    At(1, 'a');
    Simulator::Schedule(NanoSeconds(2),
                        [this]()
                        {
                            Simulator::Stop();
                            Log('s');
                        });
    At(2, 'b');
    Simulator::Run();
    EXPECT_EQ(log, "a1 s2 ");
    Simulator::Run();
    EXPECT_EQ(log, "a1 s2 b2 ");
}

TEST_P(FabricSimulatorImplTest, ForgetsAStopBeforeRun)
{
    At(1, 'a');
    Simulator::Stop();
    Simulator::Run();
    EXPECT_EQ(log, "a1 ");
}

TEST_P(FabricSimulatorImplTest, RunsDestroyEventsInOrderAtDestroyOnly)
{
    const auto letter = [this](char c) { log += c; };
    Simulator::ScheduleDestroy([=]() { letter('a'); });
    const EventId cancelled = Simulator::ScheduleDestroy([=]() { letter('x'); });
    const EventId removed = Simulator::ScheduleDestroy([=]() { letter('y'); });
    const EventId kept = Simulator::ScheduleDestroy(
        [=]()
        {
            letter('b');
            Simulator::ScheduleDestroy([=]() { letter('c'); });
        });
    Simulator::Cancel(cancelled);
    Simulator::Remove(removed);
    EXPECT_TRUE(cancelled.IsExpired());
    EXPECT_TRUE(removed.IsExpired());
    EXPECT_FALSE(kept.IsExpired());
    At(1, '1');
    Simulator::Run();
    EXPECT_EQ(log, "11 ");
    Simulator::Destroy();
    EXPECT_EQ(log, "11 abc");
}

TEST_P(FabricSimulatorImplTest, ReleasesWhatHasNotRun)
{
    const Token token = std::make_shared<int>(0);
    Simulator::Schedule(NanoSeconds(1), [token]() { Simulator::Stop(); });
    Simulator::Schedule(NanoSeconds(2), [token]() {});
    Simulator::ScheduleWithContext(1, NanoSeconds(3), [token]() {});
    Simulator::ScheduleDestroy([token]() {});
    EXPECT_EQ(token.use_count(), 5);
    Simulator::Run();
    EXPECT_EQ(token.use_count(), 4);
    Simulator::Destroy();
    EXPECT_EQ(token.use_count(), 1);
}

TEST_P(FabricSimulatorImplTest, StartsAgainAfterDestroy)
{
    At(7, 'a');
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(Simulator::Now(), Time(0));
    EXPECT_EQ(Simulator::GetEventCount(), 0U);
    At(1, 'b');
    Simulator::Run();
    EXPECT_EQ(log, "a7 b1 ");
}

TEST_P(FabricSimulatorImplTest, TakesEventsOfAnotherThreadFromTheTimeItFindsThem)
{
    Simulator::Schedule(NanoSeconds(10),
                        [this]()
                        {
                            std::thread other{[this]()
                                              {
                                                  Simulator::ScheduleWithContext(
                                                      5,
                                                      NanoSeconds(3),
                                                      [this]()
                                                      {
                                                          EXPECT_EQ(Simulator::GetContext(), 5U);
                                                          Log('t');
                                                      });
                                              }};
                            other.join();
                            Log('a');
                        });
    At(12, 'b');
    At(14, 'c');
    Simulator::Run();
    EXPECT_EQ(log, "a10 b12 t13 c14 ");
}

TEST_P(FabricSimulatorImplTest, TakesEventsThatAnotherThreadPostsBeforeRun)
{
    Simulator::Now(); // The implementation belongs to the thread that makes it.
    std::thread other{
        [this]() { Simulator::ScheduleWithContext(5, NanoSeconds(3), [this]() { Log('t'); }); }};
    other.join();
    Simulator::Run();
    EXPECT_EQ(log, "t3 ");
}

TEST_P(FabricSimulatorImplTest, TakesThreadEventsWhileOnlyFabricEventsRun)
{
    struct Ticker
    {
        void Tick(SimTime now)
        {
            if (!done)
            {
                EventQueue::Get().Schedule(event, now + SimTime::Nanoseconds(1));
            }
        }

        Event event;
        bool done{false};
    };

    Ticker ticker;
    ticker.event.Bind<&Ticker::Tick>(&ticker, EventOrder::Of(EventPhase::TIMER, 1));
    EventQueue::Get().Schedule(ticker.event, SimTime::Nanoseconds(1));
    std::thread other{[&ticker]() {
        Simulator::ScheduleWithContext(1, Time(0), [&ticker]() { ticker.done = true; });
    }};
    Simulator::Run();
    other.join();
    EXPECT_TRUE(ticker.done) << "the ticker ends only when the other thread's event has run";
}

TEST_P(FabricSimulatorImplTest, KeepsItsEventsWhenTheSchedulerIsChanged)
{
    At(2, 'b');
    At(1, 'a');
    Simulator::Schedule(NanoSeconds(1),
                        []()
                        {
                            ObjectFactory factory;
                            factory.SetTypeId("ns3::ListScheduler");
                            Simulator::SetScheduler(factory);
                        });
    At(2, 'c');
    Simulator::Run();
    EXPECT_EQ(log, "a1 b2 c2 ");
}

TEST_P(FabricSimulatorImplTest, HasOneSystemAndALongTime)
{
    EXPECT_EQ(Simulator::GetSystemId(), 0U);
    // The largest value of ns3::Time, which is a signed 64-bit number of picoseconds.
    EXPECT_EQ(Simulator::GetMaximumSimulationTime().GetTimeStep(), 0x7fffffffffffffff);
}

TEST_P(FabricSimulatorImplTest, RunsOneEventObjectAgainAndAgain)
{
    // ScheduleWithContext takes over one reference; an event may post itself from within.
    struct Repeater : public EventImpl
    {
        void Notify() override
        {
            ++count;
            if (count < 5)
            {
                Ref();
                Simulator::ScheduleWithContext(1, NanoSeconds(1), this);
            }
        }

        int count{0};
    };

    const Ptr<Repeater> repeater = Create<Repeater>();
    Simulator::Schedule(NanoSeconds(1), Ptr<EventImpl>(repeater));
    Simulator::Run();
    EXPECT_EQ(repeater->count, 5);
    EXPECT_EQ(repeater->GetReferenceCount(), 1U);
    EXPECT_EQ(Simulator::Now(), NanoSeconds(5));
}

TEST_P(FabricSimulatorImplTest, CarriesStockTimers)
{
    Timer timer(Timer::REMOVE_ON_DESTROY);
    timer.SetFunction(&FabricSimulatorImplTest::Log, this);
    timer.SetArguments('t');
    timer.SetDelay(NanoSeconds(10));
    timer.Schedule();
    Watchdog watchdog;
    watchdog.SetFunction(&FabricSimulatorImplTest::Log, this);
    watchdog.SetArguments('w');
    watchdog.Ping(NanoSeconds(8));
    Simulator::Schedule(NanoSeconds(4),
                        [&]()
                        {
                            watchdog.Ping(NanoSeconds(8)); // 12
                            timer.Suspend();               // 6 left
                            EXPECT_TRUE(timer.IsSuspended());
                        });
    Simulator::Schedule(NanoSeconds(20), [&timer]() { timer.Resume(); });
    {
        Timer removed(Timer::REMOVE_ON_DESTROY);
        removed.SetFunction(&FabricSimulatorImplTest::Log, this);
        removed.SetArguments('x');
        removed.Schedule(NanoSeconds(100));
    }
    Simulator::Run();
    EXPECT_EQ(log, "w12 t26 ");
    EXPECT_EQ(Simulator::Now(), NanoSeconds(26));
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         FabricSimulatorImplTest,
                         testing::Values("fabric", "map", "calendar"),
                         [](const auto& info) { return info.param; });

/** Our implementation alone: ns-3's sorts by a 32-bit uid, which wraps within minutes. */
TEST(FabricSimulatorImplUidTest, KeepsTheOrderBeyondTheUidsRange)
{
    ASSERT_FALSE(SelectEngine("fabric").has_value());
    const auto impl = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    ASSERT_NE(impl, nullptr);
    impl->SetNextSequence((uint64_t{1} << 32) - 3);
    std::string log;
    std::vector<EventId> events;
    for (char letter = 'a'; letter <= 'f'; ++letter)
    {
        events.push_back(Simulator::Schedule(
            NanoSeconds(1),
            [&, letter]()
            {
                log += letter;
                for (size_t i = 0; i < events.size(); ++i)
                {
                    const bool expired = i <= static_cast<size_t>(letter - 'a') || i == 4;
                    EXPECT_EQ(events[i].IsExpired(), expired) << letter << ' ' << i;
                }
            }));
    }
    // Three uids are left before the wrap; 0 to 3 mean something else in an EventId.
    EXPECT_EQ(events[2].GetUid(), 0xffffffffU);
    EXPECT_EQ(events[3].GetUid(), 4U);
    Simulator::Remove(events[4]);
    Simulator::Run();
    EXPECT_EQ(log, "abcdf");
    Simulator::Destroy();
}

TEST(FabricSimulatorImplUidTest, TellsTheRunningEventFromOneOfAFabricEvent)
{
    // A fabric event at 5 ns posts an ns-3 event at 5 ns; the last ns-3 event ran long before,
    // under a uid that a comparison that wraps would take for a later one.
    struct Poster
    {
        void Post(SimTime)
        {
            const auto impl = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
            impl->SetNextSequence((uint64_t{3} << 32) - 10);
            posted = Simulator::ScheduleNow([this]() { ran = true; });
            expiredAtOnce = posted.IsExpired();
        }

        Event event;
        EventId posted;
        bool expiredAtOnce{true};
        bool ran{false};
    };

    ASSERT_FALSE(SelectEngine("fabric").has_value());
    Poster poster;
    poster.event.Bind<&Poster::Post>(&poster, EventOrder::Of(EventPhase::ARRIVAL, 1));
    Simulator::Schedule(NanoSeconds(1), []() {});
    EventQueue::Get().Schedule(poster.event, SimTime::Nanoseconds(5));
    Simulator::Run();
    EXPECT_FALSE(poster.expiredAtOnce);
    EXPECT_TRUE(poster.ran);
    EXPECT_TRUE(poster.posted.IsExpired());
    Simulator::Destroy();
}

} // namespace
} // namespace ns3::rdma
