// SPDX-License-Identifier: GPL-2.0-only
#include "engine/event-queue.h"
#include "engine/random-stream.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

/** An event that calls a function of the test. */
class TestEvent
{
  public:
    explicit TestEvent(std::function<void(SimTime)> action,
                       EventOrder order = EventOrder::Of(EventPhase::ARRIVAL, 0))
        : m_action{std::move(action)}
    {
        event.Bind<&TestEvent::Fire>(this, order);
    }

    Event event;

  private:
    void Fire(SimTime now)
    {
        m_action(now);
    }

    std::function<void(SimTime)> m_action;
};

/** Events that write their letter into a log when they run. */
class EventQueueTest : public testing::Test
{
  protected:
    std::unique_ptr<TestEvent> Letter(char letter,
                                      EventOrder order = EventOrder::Of(EventPhase::ARRIVAL, 0))
    {
        return std::make_unique<TestEvent>([this, letter](SimTime) { log += letter; }, order);
    }

    void RunAll()
    {
        while (queue.RunNext())
        {
        }
    }

    EventQueue queue;
    std::string log;
};

TEST_F(EventQueueTest, RunsByTimeThenPhaseThenOwnerThenInsertion)
{
    const auto sample = Letter('f', EventOrder::Of(EventPhase::SAMPLE, 0));
    const auto timer = Letter('e', EventOrder::Of(EventPhase::TIMER, 0));
    const auto arrival2 = Letter('d', EventOrder::Of(EventPhase::ARRIVAL, 2));
    const auto arrival1First = Letter('b', EventOrder::Of(EventPhase::ARRIVAL, 1));
    const auto arrival1Second = Letter('c', EventOrder::Of(EventPhase::ARRIVAL, 1));
    const auto departure = Letter('a', EventOrder::Of(EventPhase::DEPARTURE, 9));
    const auto change = Letter('1', EventOrder::Of(EventPhase::CHANGE, 9));
    const auto earlier = Letter('0', EventOrder::Of(EventPhase::SAMPLE, 9));
    for (const auto* event :
         {&sample, &timer, &arrival2, &arrival1First, &arrival1Second, &departure, &change})
    {
        queue.Schedule((*event)->event, SimTime{1000});
    }
    queue.Schedule(earlier->event, SimTime{999});
    RunAll();
    EXPECT_EQ(log, "01abcdef");
    EXPECT_EQ(queue.GetEventCount(), 8U);
}

TEST_F(EventQueueTest, MovesAPendingEventAndCountsItAsTheLatest)
{
    const auto a = Letter('a');
    const auto b = Letter('b');
    queue.Schedule(a->event, SimTime{10});
    queue.Schedule(b->event, SimTime{10});
    queue.Schedule(a->event, SimTime{10});
    EXPECT_EQ(queue.GetPendingCount(), 2U);
    RunAll();
    EXPECT_EQ(log, "ba");
}

TEST_F(EventQueueTest, ReportsWhatIsPending)
{
    const auto a = Letter('a');
    EXPECT_FALSE(a->event.IsPending());
    EXPECT_TRUE(a->event.GetTime().IsNever());
    EXPECT_TRUE(queue.NextTime().IsNever());
    queue.Schedule(a->event, SimTime::Milliseconds(100));
    EXPECT_TRUE(a->event.IsPending());
    EXPECT_EQ(a->event.GetTime(), SimTime::Milliseconds(100));
    EXPECT_EQ(queue.NextTime(), SimTime::Milliseconds(100));
    queue.Cancel(a->event);
    queue.Cancel(a->event);
    EXPECT_FALSE(a->event.IsPending());
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_FALSE(queue.RunNext());
    EXPECT_EQ(log, "");
}

TEST_F(EventQueueTest, TakesNeverAsNoEvent)
{
    const auto a = Letter('a');
    queue.Schedule(a->event, SimTime::Never());
    EXPECT_FALSE(a->event.IsPending());
    queue.Schedule(a->event, SimTime{5});
    queue.Schedule(a->event, SimTime::Never());
    EXPECT_FALSE(a->event.IsPending());
    EXPECT_TRUE(queue.IsEmpty());
}

TEST_F(EventQueueTest, ForgetsAnEventThatIsDestroyed)
{
    for (const SimTime time : {SimTime{5}, SimTime::Microseconds(1), SimTime::Seconds(1)})
    {
        auto a = Letter('a');
        queue.Schedule(a->event, time);
        a.reset();
        EXPECT_TRUE(queue.IsEmpty());
        EXPECT_TRUE(queue.NextTime().IsNever());
    }
}

TEST_F(EventQueueTest, LeavesEventsFreeWhenItIsDestroyed)
{
    const auto a = Letter('a');
    {
        EventQueue other;
        other.Schedule(a->event, SimTime{5});
    }
    EXPECT_FALSE(a->event.IsPending());
    queue.Schedule(a->event, SimTime{5});
    RunAll();
    EXPECT_EQ(log, "a");
}

TEST_F(EventQueueTest, LetsAHandlerChangeEverything)
{
    const SimTime time{1000};
    auto victim = Letter('v', EventOrder::Of(EventPhase::TIMER, 1));
    const auto cancelled = Letter('c', EventOrder::Of(EventPhase::TIMER, 2));
    const auto added = Letter('n', EventOrder::Of(EventPhase::DEPARTURE, 1));
    int left = 3;
    TestEvent* self = nullptr;
    TestEvent actor{[&](SimTime now)
                    {
                        log += 's';
                        victim.reset();
                        queue.Cancel(cancelled->event);
                        queue.Schedule(added->event, now);
                        if (--left > 0)
                        {
                            queue.Schedule(self->event, now);
                        }
                    }};
    self = &actor;
    for (Event* event : {&victim->event, &cancelled->event, &actor.event})
    {
        queue.Schedule(*event, time);
    }
    queue.RunAllAt(time);
    // Each round adds a departure, which precedes the actor's own next arrival.
    EXPECT_EQ(log, "snsnsn");
    EXPECT_EQ(queue.Now(), time);
}

TEST_F(EventQueueTest, LetsAnEventDestroyItself)
{
    std::unique_ptr<TestEvent> suicide;
    suicide = std::make_unique<TestEvent>(
        [&](SimTime)
        {
            log += 'x';
            suicide.reset();
        });
    queue.Schedule(suicide->event, SimTime{7});
    RunAll();
    EXPECT_EQ(log, "x");
}

TEST_F(EventQueueTest, RunsWholePicosecondsBeforeALimit)
{
    const auto a = Letter('a');
    const auto b = Letter('b');
    const auto c = Letter('c');
    TestEvent interrupter{[this](SimTime) { queue.Interrupt(); }};
    queue.Schedule(a->event, SimTime{10});
    queue.Schedule(interrupter.event, SimTime{20});
    queue.Schedule(b->event, SimTime{20});
    queue.Schedule(c->event, SimTime{30});
    EXPECT_TRUE(queue.RunBefore(SimTime{20}));
    EXPECT_EQ(log, "a");
    EXPECT_FALSE(queue.RunBefore(SimTime{31}));
    EXPECT_EQ(log, "ab");
    EXPECT_TRUE(queue.RunBefore(SimTime{30}));
    EXPECT_EQ(log, "ab");
    EXPECT_TRUE(queue.RunBefore(SimTime{31}));
    EXPECT_EQ(log, "abc");
}

TEST_F(EventQueueTest, LowersALimitFromInside)
{
    const auto b = Letter('b');
    const auto c = Letter('c');
    TestEvent limiter{[this](SimTime now) { queue.LowerLimit(now); }};
    queue.Schedule(limiter.event, SimTime{20});
    queue.Schedule(b->event, SimTime{20});
    queue.Schedule(c->event, SimTime{21});
    EXPECT_FALSE(queue.RunBefore(SimTime::Never()));
    EXPECT_EQ(log, "b");
}

TEST_F(EventQueueTest, AcceptsAnEventBeforeTheOneItHasPeekedAt)
{
    const auto late = Letter('z');
    const auto early = Letter('a');
    queue.Schedule(late->event, SimTime{1'000'000});
    EXPECT_TRUE(queue.RunBefore(SimTime{999'999}));
    EXPECT_EQ(queue.NextTime(), SimTime{1'000'000});
    queue.Schedule(early->event, SimTime{1});
    EXPECT_EQ(queue.NextTime(), SimTime{1});
    RunAll();
    EXPECT_EQ(log, "az");
}

TEST_F(EventQueueTest, RefusesThePast)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto a = Letter('a');
    queue.Schedule(a->event, SimTime{1'000'000});
    RunAll();
    EXPECT_DEATH(queue.Schedule(a->event, SimTime{999'999}), "scheduled at 999999 ps");
}

/** The order in which a std::multimap runs the same operations. */
class Oracle
{
  public:
    void Schedule(uint32_t id, uint64_t time, uint64_t order)
    {
        Cancel(id);
        const Key key{time, order, ++m_sequence};
        m_pending.emplace(key, id);
        m_keys[id] = key;
    }

    void Cancel(uint32_t id)
    {
        const auto known = m_keys.find(id);
        if (known != m_keys.end())
        {
            m_pending.erase(known->second);
            m_keys.erase(known);
        }
    }

    std::optional<std::pair<uint64_t, uint32_t>> TakeFirst()
    {
        if (m_pending.empty())
        {
            return std::nullopt;
        }
        const auto [key, id] = *m_pending.begin();
        Cancel(id);
        return std::pair{std::get<0>(key), id};
    }

    uint64_t NextTime() const
    {
        return m_pending.empty() ? SimTime::Never().ps : std::get<0>(m_pending.begin()->first);
    }

    size_t GetSize() const
    {
        return m_pending.size();
    }

  private:
    using Key = std::tuple<uint64_t, uint64_t, uint64_t>;

    std::map<Key, uint32_t> m_pending;
    std::map<uint32_t, Key> m_keys;
    uint64_t m_sequence{0};
};

/** One population of events under random operations, compared with the oracle at each step. */
class OracleRun
{
  public:
    OracleRun(uint64_t seed, uint32_t events) : m_random{seed, "oracle"}, m_events{events}
    {
        for (uint32_t id = 0; id < events; ++id)
        {
            const EventOrder order{m_random.NextBelow(8)};
            m_orders.push_back(order.value);
            m_events[id].id = id;
            m_events[id].run = this;
            m_events[id].event.Bind<&Member::Fire>(&m_events[id], order);
        }
    }

    /** How long the delays of a stretch of the run are. */
    struct Regime
    {
        uint64_t grain;  ///< all times are multiples of it: ties
        uint64_t spread; ///< most delays are below
        uint32_t farOneIn;
    };

    void Step(const Regime& regime)
    {
        const uint64_t choice = m_random.NextBelow(100);
        const auto id = static_cast<uint32_t>(m_random.NextBelow(m_events.size()));
        if (choice < 50)
        {
            Put(id, regime);
        }
        else if (choice < 55)
        {
            queue.Cancel(m_events[id].event);
            m_oracle.Cancel(id);
        }
        else if (choice < 99)
        {
            RunOne(regime);
        }
        else
        {
            RunSpan(regime);
        }
        ASSERT_EQ(queue.GetPendingCount(), m_oracle.GetSize());
    }

    void Drain()
    {
        while (m_oracle.GetSize() > 0)
        {
            ASSERT_EQ(queue.NextTime().ps, m_oracle.NextTime());
            RunOne({});
        }
        ASSERT_FALSE(queue.RunNext());
    }

    EventQueue queue;

  private:
    struct Member
    {
        void Fire(SimTime now)
        {
            run->m_fired = std::pair{now.ps, id};
            if (run->m_inSpan)
            {
                run->m_spanAgrees &= run->m_oracle.TakeFirst() == run->m_fired;
            }
            if (run->m_regime.spread != 0 && run->m_random.NextBelow(2) == 0)
            {
                run->Put(id, run->m_regime); // As a port does that arms itself for its next frame.
            }
        }

        Event event;
        uint32_t id{0};
        OracleRun* run{nullptr};
    };

    void Put(uint32_t id, const Regime& regime)
    {
        const bool far = m_random.NextBelow(regime.farOneIn) == 0;
        const uint64_t reach = far ? 1000 * regime.spread : regime.spread;
        const uint64_t delay = m_random.NextBelow(reach / regime.grain + 1) * regime.grain;
        const uint64_t now = queue.Now().ps;
        const uint64_t when = (now + delay + regime.grain - 1) / regime.grain * regime.grain;
        queue.Schedule(m_events[id].event, SimTime{when});
        m_oracle.Schedule(id, when, m_orders[id]);
    }

    void RunOne(const Regime& regime)
    {
        m_regime = regime;
        m_fired.reset();
        const auto expected = m_oracle.TakeFirst();
        const bool ran = queue.RunNext();
        ASSERT_EQ(ran, expected.has_value());
        ASSERT_EQ(m_fired, expected);
    }

    /** Runs up to a limit, and goes on from there as after an ns-3 event of that time. */
    void RunSpan(const Regime& regime)
    {
        const SimTime limit{queue.Now().ps + m_random.NextBelow(regime.spread + 1)};
        m_regime = {}; // An event that repeats itself with no delay would never let this end.
        m_inSpan = true;
        ASSERT_TRUE(queue.RunBefore(limit));
        m_inSpan = false;
        ASSERT_TRUE(m_spanAgrees);
        ASSERT_GE(m_oracle.NextTime(), limit.ps);
        queue.AdvanceTo(limit);
    }

    RandomStream m_random;
    Oracle m_oracle;
    bool m_inSpan{false};
    bool m_spanAgrees{true};
    Regime m_regime{};
    std::optional<std::pair<uint64_t, uint32_t>> m_fired;
    std::vector<uint64_t> m_orders;
    std::vector<Member> m_events;
};

class EventQueueOracleTest : public testing::TestWithParam<uint64_t>
{
};

TEST_P(EventQueueOracleTest, RunsAsAMultimapDoes)
{
    // Ties of every degree, delays from within a bucket to far beyond the wheel, populations from
    // 3 to 20 000: the geometry has to change many times.
    const std::vector<OracleRun::Regime> regimes{{1000, 2'000'000, 20},
                                                 {1, 50'000, 1000},
                                                 {100'000, 1'000'000, 50},
                                                 {1, 100'000'000, 5},
                                                 {1'000'000, 10, 1'000'000},
                                                 {1, 1, 2},
                                                 {80'000, 2'000'000'000, 3}};
    for (const uint32_t events : {3U, 300U, 20'000U})
    {
        OracleRun run{GetParam(), events};
        std::vector<WheelGeometry> seen;
        for (const auto& regime : regimes)
        {
            for (int i = 0; i < 60'000; ++i)
            {
                run.Step(regime);
                ASSERT_FALSE(HasFatalFailure());
                if (seen.empty() || seen.back() != run.queue.GetGeometry())
                {
                    seen.push_back(run.queue.GetGeometry());
                }
            }
        }
        run.Drain();
        EXPECT_GE(seen.size(), 3U) << "the geometry has not followed the traffic";
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EventQueueOracleTest, testing::Values(1, 2, 3));

/** Fixes a geometry before each step: the order must not depend on it. */
TEST(EventQueueGeometryTest, NeverChangesTheOrder)
{
    RandomStream random{4, "geometry"};
    OracleRun run{4, 500};
    for (int i = 0; i < 100'000; ++i)
    {
        if (i % 50 == 0)
        {
            const auto width = static_cast<uint32_t>(random.NextBelow(40));
            const auto slots = static_cast<uint32_t>(6 + random.NextBelow(9));
            run.queue.SetGeometry({width, slots});
        }
        run.Step({1000, 500'000, 30});
        ASSERT_FALSE(testing::Test::HasFatalFailure());
    }
    run.Drain();
}

/** Ten thousand insertions in random order into the bucket that is being run. */
/** An event of a crowd that comes again and again, and counts how often it was prepared for. */
class CrowdEvent
{
  public:
    CrowdEvent(EventQueue& queue, uint64_t id, std::vector<uint64_t>& log)
        : m_queue{queue},
          m_id{id},
          m_log{log},
          m_stream{7, "crowd/" + std::to_string(id)}
    {
        m_event.Bind<&CrowdEvent::Fire>(this, EventOrder::Of(EventPhase::ARRIVAL, id));
        m_event.BindPrepare<&CrowdEvent::Prepare, CrowdEvent>();
    }

    void Start(SimTime when)
    {
        m_queue.Schedule(m_event, when);
    }

    static inline uint64_t prepared = 0;

  private:
    void Fire(SimTime now)
    {
        m_log.push_back(now.ps ^ m_id << 48);
        if (now < SimTime::Nanoseconds(2000))
        {
            m_queue.Schedule(m_event, {now.ps + 1 + m_stream.NextBelow(1'000'000)});
        }
    }

    void Prepare() const
    {
        EXPECT_TRUE(m_event.IsPending());
        ++prepared;
    }

    EventQueue& m_queue;
    uint64_t m_id;
    std::vector<uint64_t>& m_log;
    RandomStream m_stream;
    Event m_event;
};

/** What a crowd of a size does, in order. */
std::vector<uint64_t>
RunCrowd(uint64_t size, WheelGeometry geometry)
{
    EventQueue queue;
    queue.SetGeometry(geometry);
    std::vector<uint64_t> log;
    std::vector<std::unique_ptr<CrowdEvent>> crowd;
    for (uint64_t id = 0; id < size; ++id)
    {
        crowd.push_back(std::make_unique<CrowdEvent>(queue, id, log));
        crowd.back()->Start({1 + id * 131});
    }
    while (queue.RunNext())
    {
    }
    return log;
}

// Looking ahead is for the cache alone: only a crowd is worth it, only pending events are asked,
// and the order is that of a wheel which never sees two buckets ahead.
TEST(EventQueueLookAheadTest, AsksPendingEventsOfACrowdAndChangesNothing)
{
    CrowdEvent::prepared = 0;
    RunCrowd(500, {13, 8});
    EXPECT_EQ(CrowdEvent::prepared, 0U);
    const std::vector<uint64_t> log = RunCrowd(3000, {8, 14});
    EXPECT_GT(CrowdEvent::prepared, log.size() / 4);
    EXPECT_EQ(log, RunCrowd(3000, {30, 6}));
}

TEST(EventQueueGeometryTest, TakesACrowdIntoTheCurrentBucket)
{
    constexpr uint32_t CROWD = 10'000;
    EventQueue queue;
    queue.SetGeometry({40, 6});
    std::vector<uint64_t> ran;
    std::vector<std::unique_ptr<TestEvent>> crowd;
    RandomStream random{5, "crowd"};
    for (uint32_t i = 0; i < CROWD; ++i)
    {
        const EventOrder order{random.NextBelow(CROWD)};
        crowd.push_back(std::make_unique<TestEvent>(
            [&ran, order](SimTime now) { ran.push_back(now.ps * CROWD + order.value); }, order));
    }
    TestEvent start{[&](SimTime now)
                    {
                        for (const auto& member : crowd)
                        {
                            queue.Schedule(member->event, now + SimTime{random.NextBelow(3)});
                        }
                    }};
    queue.Schedule(start.event, SimTime{1000});
    EXPECT_TRUE(queue.RunBefore(SimTime::Never()));
    EXPECT_EQ(ran.size(), CROWD);
    EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

} // namespace
} // namespace ns3::rdma
