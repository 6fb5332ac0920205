// SPDX-License-Identifier: GPL-2.0-only
#include "engine/event-queue.h"
#include "engine/random-stream.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

/**
 * The cost of one event that is scheduled and runs, at a constant population.
 *
 *   event-queue-benchmark                        all delays, 10 to 100 000 pending
 *   valgrind --tool=callgrind --toggle-collect='*RunSome*' event-queue-benchmark
 *       --benchmark_filter=fabric/1000 --benchmark_min_time=0.01     instructions
 */
namespace ns3::rdma
{
namespace
{

/** Delays in picoseconds, of ports and of timers. */
struct Delays
{
    std::vector<uint64_t> ports;
    std::vector<uint64_t> timers;
};

constexpr size_t TABLE_SIZE = 4096; ///< a power of two; drawn beforehand, out of the measurement
constexpr size_t TIMER_ONE_IN = 20;

/** Serialisation and cables of 80 ns to 2 us; one event in 20 is a timer of 1 to 100 ms. */
Delays
FabricDelays()
{
    RandomStream random{1, "fabric"};
    Delays table;
    for (size_t i = 0; i < TABLE_SIZE; ++i)
    {
        table.ports.push_back(80'000 + random.NextBelow(1'920'000));
        table.timers.push_back(1'000'000'000 + random.NextBelow(99'000'000'000));
    }
    return table;
}

/** Every event takes a timer's delay once in 20 times, so that nearly all are timers. */
Delays
TimerDelays()
{
    RandomStream random{1, "timers"};
    Delays table = FabricDelays();
    for (size_t i = 0; i < TABLE_SIZE; ++i)
    {
        table.ports[i] = random.NextBelow(TIMER_ONE_IN) == 0 ? table.timers[i] : table.ports[i];
    }
    return table;
}

/** One delay for all, as on equal cables: each picosecond that has an event has all of them. */
Delays
EqualDelays()
{
    const std::vector<uint64_t> equal(TABLE_SIZE, 1'081'920); // 1 us and 1024 bytes at 100 Gb/s
    return {equal, equal};
}

/** 90 % of 0.7 to 1.5 us, 9 % of 16 to 24 us, 1 % of 1 ms. */
Delays
MixedDelays()
{
    RandomStream random{1, "mixed"};
    Delays table;
    for (size_t i = 0; i < TABLE_SIZE; ++i)
    {
        const uint64_t kind = random.NextBelow(100);
        table.ports.push_back(kind == 0   ? 1'000'000'000
                              : kind < 10 ? 16'000'000 + random.NextBelow(8'000'000)
                                          : 700'000 + random.NextBelow(800'000));
    }
    table.timers = table.ports;
    return table;
}

/** Events that schedule themselves again, as the arrivals of a link direction do. */
class Population
{
  public:
    Population(size_t size, Delays delays) : m_delays{std::move(delays)}, m_members(size)
    {
        for (size_t i = 0; i < size; ++i)
        {
            m_members[i].population = this;
            m_members[i].delays =
                i % TIMER_ONE_IN == 1 ? m_delays.timers.data() : m_delays.ports.data();
            m_members[i].event.Bind<&Member::Fire>(&m_members[i],
                                                   EventOrder::Of(EventPhase::ARRIVAL, i));
            m_queue.Schedule(m_members[i].event, SimTime{m_members[i].NextDelay()});
        }
        RunSome(20 * size + 100'000); // until the geometry has settled
    }

    [[gnu::noinline]] void RunSome(uint64_t events)
    {
        m_stopAt = m_queue.GetEventCount() + events;
        while (m_queue.GetEventCount() < m_stopAt)
        {
            m_queue.RunBefore(SimTime::Never());
        }
    }

    WheelGeometry GetGeometry() const
    {
        return m_queue.GetGeometry();
    }

  private:
    struct Member
    {
        void Fire(SimTime now)
        {
            population->m_queue.Schedule(event, now + SimTime{NextDelay()});
            if (population->m_queue.GetEventCount() >= population->m_stopAt)
            {
                population->m_queue.Interrupt();
            }
        }

        uint64_t NextDelay()
        {
            return delays[population->m_next++ % TABLE_SIZE];
        }

        Event event;
        const uint64_t* delays{nullptr};
        Population* population{nullptr};
    };

    EventQueue m_queue;
    Delays m_delays;
    size_t m_next{0};
    uint64_t m_stopAt{0};
    std::vector<Member> m_members;
};

void
ScheduleAndRun(benchmark::State& state, Delays (*makeDelays)())
{
    constexpr uint64_t CHUNK = 10'000;
    Population population(static_cast<size_t>(state.range(0)), makeDelays());
    for ([[maybe_unused]] auto _ : state)
    {
        population.RunSome(CHUNK);
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * CHUNK));
    state.counters["width_bits"] = population.GetGeometry().widthBits;
    state.counters["slot_bits"] = population.GetGeometry().slotBits;
    state.counters["ns_per_event"] =
        benchmark::Counter(static_cast<double>(state.iterations() * CHUNK) * 1e-9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(ScheduleAndRun, fabric, FabricDelays)->RangeMultiplier(10)->Range(10, 100'000);
BENCHMARK_CAPTURE(ScheduleAndRun, equal, EqualDelays)->RangeMultiplier(10)->Range(10, 100'000);
BENCHMARK_CAPTURE(ScheduleAndRun, timers, TimerDelays)->RangeMultiplier(10)->Range(10, 100'000);
BENCHMARK_CAPTURE(ScheduleAndRun, mixed, MixedDelays)->RangeMultiplier(10)->Range(10, 100'000);

} // namespace
} // namespace ns3::rdma

BENCHMARK_MAIN();
