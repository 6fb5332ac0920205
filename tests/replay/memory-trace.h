// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/scenario/run-fixture.h"
#include "workload/trace-reader.h"

#include "ns3/string.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** An operation with what it depends on. */
struct MemoryOperation
{
    TraceOperation operation;
    std::vector<Dependency> dependencies;
};

struct MemoryThread
{
    uint32_t process{0};
    ThreadOrder order{ThreadOrder::GRAPH};
    std::vector<MemoryOperation> operations;
};

/** A trace that a test writes. */
struct MemoryTrace
{
    TraceTiming timing{TraceTiming::NONE};
    std::vector<TraceProcess> processes;
    std::vector<MemoryThread> threads;
};

/** Traces that the reader "memory" opens, by the name that stands for a path. */
std::map<std::string, MemoryTrace>& GetMemoryTraces();

/** Steps of a schedule: a process and a thread for each rank. */
class ScheduleWriter
{
  public:
    explicit ScheduleWriter(uint32_t ranks);

    /** Adds a step. @return its number in its rank */
    uint64_t Send(uint32_t rank, uint32_t to, uint64_t bytes, std::vector<Dependency> after = {});
    uint64_t Receive(uint32_t rank, uint32_t from, std::vector<Dependency> after = {});
    uint64_t Compute(uint32_t rank, int64_t ns, std::vector<Dependency> after = {});

    /** The step that was added last to a rank. */
    TraceOperation& Last(uint32_t rank)
    {
        return m_trace.threads[rank].operations.back().operation;
    }

    MemoryTrace& Get()
    {
        return m_trace;
    }

  private:
    uint64_t Add(uint32_t rank, MemoryOperation step);
    ObjectId Connect(uint32_t rank, uint32_t peer);

    MemoryTrace m_trace;
    std::map<std::pair<uint32_t, uint32_t>, ObjectId> m_connections;
};

/** Attributes of the replay as text. */
using Attributes = std::map<std::string, std::string>;

/** A scenario that replays a trace. @param name unique in the test */
Scenario MakeReplayScenario(Scenario scenario,
                            const MemoryTrace& trace,
                            Attributes attributes = {});

/** A scenario that replays files. */
Scenario MakeReplayScenario(Scenario scenario, Attributes attributes);

/** Two hosts on one cable of 100 Gb/s and 1 us, ideal interfaces. */
Scenario MakePairScenario();

/** Picoseconds from the first bit of a frame to its last at the other end of that cable. */
uint64_t FramePs(uint32_t extendedHeaders, uint32_t payload);

/** The time during which a frame keeps the wire busy, with the gap behind it. */
uint64_t SlotPs(uint32_t extendedHeaders, uint32_t payload);

/** Picoseconds as result tables write them, in nanoseconds. */
std::string ToNsText(uint64_t ps);

} // namespace ns3::rdma
