// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"
#include "engine/simulator-choice.h"
#include "engine/stock-event-driver.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{
namespace
{

/** A fabric event that calls a function of the test. */
struct Caller
{
    Caller(std::function<void()> action, EventOrder order) : action{std::move(action)}
    {
        event.Bind<&Caller::Fire>(this, order);
    }

    void Fire(SimTime)
    {
        action();
    }

    Event event;
    std::function<void()> action;
};

/** The same expectations for the queue inside FabricSimulatorImpl and for one that hangs. */
class StockEventDriverTest : public testing::TestWithParam<std::string>
{
  protected:
    void SetUp() override
    {
        ASSERT_FALSE(SelectEngine(GetParam()).has_value());
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    std::unique_ptr<Caller> Fabric(std::string letter, uint64_t owner)
    {
        return std::make_unique<Caller>([this, letter]() { log += letter; },
                                        EventOrder::Of(EventPhase::ARRIVAL, owner));
    }

    std::string log;
};

TEST_P(StockEventDriverTest, RunsStockEventsThenFabricEventsUntilNoneIsLeft)
{
    EventQueue& queue = EventQueue::Get();
    const auto late = Fabric("G", 1);
    Caller first{[&]()
                 {
                     log += 'E';
                     Simulator::ScheduleNow(
                         [&]()
                         {
                             log += 'd';
                             queue.Schedule(late->event, queue.Now());
                             Simulator::ScheduleNow([this]() { log += 'e'; });
                         });
                 },
                 EventOrder::Of(EventPhase::ARRIVAL, 1)};
    const auto second = Fabric("F", 2);
    Simulator::Schedule(PicoSeconds(9),
                        [&]()
                        {
                            log += 'a';
                            queue.Schedule(second->event, queue.Now());
                            Simulator::ScheduleNow([this]() { log += 'c'; });
                        });
    queue.Schedule(first.event, SimTime{9});
    Simulator::Schedule(PicoSeconds(9), [this]() { log += 'b'; });
    Simulator::Run();
    EXPECT_EQ(log, "abcEFdeG");
}

TEST_P(StockEventDriverTest, TellsTheTimeInAllEvents)
{
    EventQueue& queue = EventQueue::Get();
    Caller fabric{[&]()
                  {
                      EXPECT_EQ(queue.Now(), SimTime{5});
                      EXPECT_EQ(Simulator::Now(), PicoSeconds(5));
                      EXPECT_EQ(Simulator::GetContext(), Simulator::NO_CONTEXT);
                      log += 'f';
                  },
                  EventOrder::Of(EventPhase::ARRIVAL, 1)};
    Simulator::ScheduleWithContext(3,
                                   PicoSeconds(2),
                                   [&]()
                                   {
                                       EXPECT_EQ(queue.Now(), SimTime{2});
                                       queue.Schedule(fabric.event, queue.Now() + SimTime{3});
                                   });
    Simulator::ScheduleWithContext(3,
                                   PicoSeconds(7),
                                   [&]()
                                   {
                                       EXPECT_EQ(queue.Now(), SimTime{7});
                                       log += 's';
                                   });
    Simulator::Run();
    EXPECT_EQ(log, "fs");
    EXPECT_EQ(queue.GetEventCount(), 1U);
}

TEST_P(StockEventDriverTest, EndsAtTheLastEventNotAtOneThatWasTakenAway)
{
    EventQueue& queue = EventQueue::Get();
    const auto moved = Fabric("m", 1);
    const auto cancelled = Fabric("c", 2);
    auto destroyed = Fabric("d", 3);
    queue.Schedule(moved->event, SimTime::Milliseconds(100));
    Simulator::Schedule(NanoSeconds(1),
                        [&]()
                        {
                            queue.Schedule(moved->event, SimTime::Nanoseconds(7));
                            queue.Schedule(cancelled->event, SimTime::Nanoseconds(3));
                            queue.Schedule(destroyed->event, SimTime::Nanoseconds(2));
                        });
    Simulator::Schedule(PicoSeconds(1500),
                        [&]()
                        {
                            destroyed.reset();
                            queue.Cancel(cancelled->event);
                            EXPECT_FALSE(Simulator::IsFinished());
                        });
    Simulator::Run();
    EXPECT_EQ(log, "m");
    EXPECT_EQ(Simulator::Now(), NanoSeconds(7));
    EXPECT_TRUE(Simulator::IsFinished());
}

TEST_P(StockEventDriverTest, StopsBeforeTheFabricEventsOfThatTime)
{
    const auto before = Fabric("a", 1);
    const auto at = Fabric("b", 2);
    EventQueue::Get().Schedule(before->event, SimTime{4});
    EventQueue::Get().Schedule(at->event, SimTime{5});
    Simulator::Stop(PicoSeconds(5));
    Simulator::Run();
    EXPECT_EQ(log, "a");
    EXPECT_EQ(EventQueue::Get().Now(), SimTime{5});
    Simulator::Run();
    EXPECT_EQ(log, "ab");
}

TEST_P(StockEventDriverTest, FinishesThePicosecondInWhichAFabricEventStops)
{
    Caller stopper{[this]()
                   {
                       Simulator::Stop();
                       log += 's';
                   },
                   EventOrder::Of(EventPhase::ARRIVAL, 1)};
    const auto same = Fabric("b", 2);
    const auto later = Fabric("c", 3);
    EventQueue::Get().Schedule(stopper.event, SimTime{4});
    EventQueue::Get().Schedule(same->event, SimTime{4});
    EventQueue::Get().Schedule(later->event, SimTime{5});
    Simulator::Run();
    EXPECT_EQ(log, "sb");
    EXPECT_TRUE(Simulator::IsFinished());
    Simulator::Run();
    EXPECT_EQ(log, "sbc");
}

TEST_P(StockEventDriverTest, LetsModelsDieInsideDestroy)
{
    auto model = Fabric("x", 1);
    EventQueue& queue = EventQueue::Get();
    queue.Schedule(model->event, SimTime{5});
    Simulator::ScheduleDestroy(
        [&]()
        {
            queue.Cancel(model->event);
            model.reset();
        });
    Simulator::Destroy();
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(EventQueue::Get().GetEventCount(), 0U);
    EXPECT_TRUE(EventQueue::Get().IsEmpty());
}

TEST_P(StockEventDriverTest, FreesEventsThatOutliveTheRun)
{
    const auto model = Fabric("x", 1);
    EventQueue::Get().Schedule(model->event, SimTime{5});
    Simulator::Destroy();
    EXPECT_FALSE(model->event.IsPending());
    EventQueue::Get().Schedule(model->event, SimTime{3});
    Simulator::Run();
    EXPECT_EQ(log, "x");
    EXPECT_EQ(Simulator::Now(), PicoSeconds(3));
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         StockEventDriverTest,
                         testing::ValuesIn(GetEngineNames()),
                         [](const auto& info)
                         {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/**
 * Fabric and ns-3 events that schedule, move, cancel and remove each other at random, on a grid
 * of few times so that nearly everything happens in ties.
 */
class MixedWorkload
{
  public:
    static constexpr uint32_t FABRIC_EVENTS = 40;
    static constexpr uint32_t STOCK_EVENTS = 20;
    static constexpr uint64_t GRID = 1000; ///< picoseconds
    static constexpr int ACTIONS = 20'000;

    explicit MixedWorkload(uint64_t seed) : m_random{seed, "mixed"}
    {
        for (uint32_t i = 0; i < FABRIC_EVENTS; ++i)
        {
            m_fabric.push_back(std::make_unique<Caller>(
                [this, i]() { OnFabric(i); }, EventOrder{m_random.NextBelow(FABRIC_EVENTS / 4)}));
        }
        m_stock.resize(STOCK_EVENTS);
    }

    /** @return everything that happened, in order, with times */
    std::string Run()
    {
        for (uint32_t i = 0; i < FABRIC_EVENTS; ++i)
        {
            PutFabric(i);
        }
        Simulator::Stop(PicoSeconds(GRID * 50));
        for (uint32_t i = 0; i < STOCK_EVENTS; ++i)
        {
            PutStock(i);
        }
        uint32_t runs = 0;
        for (int before = -1; m_actions != before; ++runs)
        {
            before = m_actions;
            Simulator::Run();
            Note("run", runs);
        }
        Note("pending", static_cast<uint32_t>(EventQueue::Get().GetPendingCount()));
        Note("count", static_cast<uint32_t>(EventQueue::Get().GetEventCount()));
        return m_log;
    }

  private:
    void Note(const char* what, uint32_t which)
    {
        m_log += std::to_string(Simulator::Now().GetTimeStep()) + ' ' +
                 std::to_string(EventQueue::Get().Now().ps) + ' ' + what + ' ' +
                 std::to_string(which) + '\n';
    }

    void OnFabric(uint32_t i)
    {
        Note("fabric", i);
        Act();
    }

    void OnStock(uint32_t i)
    {
        Note("stock", i);
        Act();
    }

    uint64_t Delay()
    {
        constexpr uint64_t FAR_ONE_IN = 50;
        const bool far = m_random.NextBelow(FAR_ONE_IN) == 0;
        return m_random.NextBelow(far ? 100'000 : 4) * GRID;
    }

    void PutFabric(uint32_t i)
    {
        EventQueue& queue = EventQueue::Get();
        queue.Schedule(m_fabric[i]->event, queue.Now() + SimTime{Delay()});
    }

    void PutStock(uint32_t i)
    {
        Simulator::Cancel(m_stock[i]);
        m_stock[i] = Simulator::Schedule(PicoSeconds(Delay()), [this, i]() { OnStock(i); });
    }

    void Act()
    {
        if (++m_actions > ACTIONS)
        {
            return;
        }
        for (int i = 0; i < 3; ++i)
        {
            ActOnce();
        }
    }

    void ActOnce()
    {
        const auto fabric = static_cast<uint32_t>(m_random.NextBelow(FABRIC_EVENTS));
        const auto stock = static_cast<uint32_t>(m_random.NextBelow(STOCK_EVENTS));
        const uint64_t choice = m_random.NextBelow(100);
        if (choice < 60)
        {
            PutFabric(fabric);
        }
        else if (choice < 85)
        {
            PutStock(stock);
        }
        else if (choice < 90)
        {
            EventQueue::Get().Cancel(m_fabric[fabric]->event);
        }
        else if (choice < 95)
        {
            Simulator::Remove(m_stock[stock]);
        }
        else if (choice < 99)
        {
            Note(m_stock[stock].IsExpired() ? "expired" : "pending", stock);
        }
        else
        {
            Simulator::Stop();
        }
    }

    RandomStream m_random;
    std::vector<std::unique_ptr<Caller>> m_fabric;
    std::vector<EventId> m_stock;
    std::string m_log;
    int m_actions{0};
};

std::string
RunMixed(const std::string& engine, uint64_t seed)
{
    const auto problem = SelectEngine(engine);
    EXPECT_FALSE(problem.has_value());
    MixedWorkload workload{seed};
    std::string log = workload.Run();
    Simulator::Destroy();
    return log;
}

class StockEventDriverEqualityTest : public testing::TestWithParam<uint64_t>
{
};

TEST_P(StockEventDriverEqualityTest, GivesTheSameLogOnAllEngines)
{
    const std::string expected = RunMixed("fabric", GetParam());
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), MixedWorkload::ACTIONS);
    for (const std::string& engine : GetEngineNames())
    {
        const std::string log = RunMixed(engine, GetParam());
        const auto [mine, theirs] =
            std::mismatch(expected.begin(), expected.end(), log.begin(), log.end());
        EXPECT_TRUE(log == expected)
            << engine << " differs at character " << mine - expected.begin() << ": expected "
            << std::string(mine, std::min(mine + 60, expected.end())) << " got "
            << std::string(theirs, std::min(theirs + 60, log.end()));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StockEventDriverEqualityTest, testing::Values(1, 2, 3, 4));

} // namespace
} // namespace ns3::rdma
