// SPDX-License-Identifier: GPL-2.0-only
#include "tests/replay/memory-trace.h"
#include "wire/framing.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr SimTime CABLE = SimTime::Microseconds(1);
constexpr uint64_t BYTE_PS = 80; // at 100 Gb/s

class MemoryStream : public OperationStream
{
  public:
    explicit MemoryStream(const std::vector<MemoryOperation>& operations) : m_operations{operations}
    {
    }

    bool Next(TraceOperation& operation) override
    {
        if (m_next == m_operations.size())
        {
            return false;
        }
        const MemoryOperation& next = m_operations[m_next++];
        operation = next.operation;
        operation.dependencies = next.dependencies;
        return true;
    }

  private:
    const std::vector<MemoryOperation>& m_operations;
    std::size_t m_next{0};
};

/** Opens what GetMemoryTraces has; only when it is asked for by its name. */
class MemoryTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId{"ns3::rdma::MemoryTraceReader"}
                                .SetParent<TraceReader>()
                                .SetGroupName("Rdma")
                                .AddConstructor<MemoryTraceReader>();
        return tid;
    }

  private:
    Match DoProbe(const std::string&, std::span<const std::byte>) const override
    {
        return Match::NO;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        const MemoryTrace& written = GetMemoryTraces().at(paths.front());
        Trace trace;
        trace.timing = written.timing;
        trace.processes = written.processes;
        for (const MemoryThread& thread : written.threads)
        {
            trace.threads.push_back({thread.process,
                                     std::to_string(trace.threads.size()),
                                     thread.order,
                                     std::make_unique<MemoryStream>(thread.operations)});
        }
        return trace;
    }
};

NS_OBJECT_ENSURE_REGISTERED(MemoryTraceReader);

} // namespace

std::map<std::string, MemoryTrace>&
GetMemoryTraces()
{
    static std::map<std::string, MemoryTrace> traces;
    return traces;
}

ScheduleWriter::ScheduleWriter(uint32_t ranks)
{
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_trace.processes.push_back(
            {.name = "rank " + std::to_string(rank), .host = "", .gids = {}});
        m_trace.threads.push_back({.process = rank, .operations = {}});
    }
}

uint64_t
ScheduleWriter::Add(uint32_t rank, MemoryOperation step)
{
    auto& operations = m_trace.threads[rank].operations;
    operations.push_back(std::move(step));
    return operations.size() - 1;
}

ObjectId
ScheduleWriter::Connect(uint32_t rank, uint32_t peer)
{
    const auto [found, isNew] =
        m_connections.emplace(std::pair{rank, peer}, static_cast<ObjectId>(m_connections.size()));
    if (isNew)
    {
        MemoryOperation create;
        create.operation.kind = OperationKind::CONTROL;
        create.operation.object = found->second;
        create.operation.control = {
            ControlVerb::CREATE, ObjectKind::QUEUE_PAIR, ConnectionDetail{.peerProcess = peer}};
        Add(rank, create);
    }
    return found->second;
}

uint64_t
ScheduleWriter::Send(uint32_t rank, uint32_t to, uint64_t bytes, std::vector<Dependency> after)
{
    MemoryOperation step;
    step.operation.object = Connect(rank, to);
    step.operation.kind = OperationKind::MESSAGE;
    step.operation.bytes = bytes;
    step.dependencies = std::move(after);
    return Add(rank, step);
}

uint64_t
ScheduleWriter::Receive(uint32_t rank, uint32_t from, std::vector<Dependency> after)
{
    MemoryOperation step;
    step.operation.object = Connect(rank, from);
    step.operation.kind = OperationKind::MESSAGE_RECEIVE;
    step.dependencies = std::move(after);
    return Add(rank, step);
}

uint64_t
ScheduleWriter::Compute(uint32_t rank, int64_t ns, std::vector<Dependency> after)
{
    MemoryOperation step;
    step.operation.kind = OperationKind::COMPUTE;
    step.operation.durationNs = ns;
    step.dependencies = std::move(after);
    return Add(rank, step);
}

Scenario
MakeReplayScenario(Scenario scenario, Attributes attributes)
{
    ObjectFactory factory{"ns3::rdma::ReplayWorkload"};
    for (const auto& [name, text] : attributes)
    {
        factory.Set(name, StringValue{text});
    }
    scenario.applications.push_back({"workload.0", factory, nullptr});
    return scenario;
}

Scenario
MakeReplayScenario(Scenario scenario, const MemoryTrace& trace, Attributes attributes)
{
    const std::string name = "trace-" + std::to_string(GetMemoryTraces().size());
    GetMemoryTraces()[name] = trace;
    attributes["Files"] = name;
    attributes["Format"] = "memory";
    return MakeReplayScenario(std::move(scenario), std::move(attributes));
}

Scenario
MakePairScenario()
{
    return MakeRunScenario(MakePath({{BitRate::Gbps(100), CABLE}}));
}

uint64_t
FramePs(uint32_t extendedHeaders, uint32_t payload)
{
    return (PREAMBLE_BYTES + RoceFrameBytes(extendedHeaders, payload)) * BYTE_PS + CABLE.ps;
}

uint64_t
SlotPs(uint32_t extendedHeaders, uint32_t payload)
{
    return (PREAMBLE_BYTES + RoceFrameBytes(extendedHeaders, payload) + GAP_BYTES) * BYTE_PS;
}

std::string
ToNsText(uint64_t ps)
{
    char text[32];
    std::snprintf(text,
                  sizeof text,
                  "%llu.%03llu",
                  static_cast<unsigned long long>(ps / 1000),
                  static_cast<unsigned long long>(ps % 1000));
    return text;
}

namespace
{

TEST(MemoryTrace, ItsReaderGivesWhatWasWritten)
{
    ScheduleWriter writer{2};
    writer.Send(0, 1, 7);
    GetMemoryTraces()["written"] = writer.Get();
    auto trace = OpenTrace({.paths = {"written"}, .format = "memory", .options = {}});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    ASSERT_EQ(trace->threads.size(), 2U);
    TraceOperation operation;
    ASSERT_TRUE(trace->threads[0].operations->Next(operation));
    EXPECT_EQ(operation.kind, OperationKind::CONTROL);
    ASSERT_TRUE(trace->threads[0].operations->Next(operation));
    EXPECT_EQ(operation.bytes, 7U);
    EXPECT_FALSE(trace->threads[0].operations->Next(operation));
}

} // namespace

} // namespace ns3::rdma
