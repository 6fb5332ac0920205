// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tests/tracefile/random-operations.h"
#include "tracefile/trace-folder.h"
#include "tracefile/trace-writer.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t PROCESSES = 3;
constexpr uint32_t THREADS = 7;

/** A stream that ends by damage after its operations. */
class DamagedStream final : public OperationStream
{
  public:
    bool Next(TraceOperation& operation) override
    {
        operation = TraceOperation{};
        operation.kind = OperationKind::COMPUTE;
        if (m_left == 0)
        {
            SetDamage({"source", 12, "", "nonsense", "", "", "", {}});
            return false;
        }
        --m_left;
        return true;
    }

  private:
    int m_left{3};
};

/** Some processes with threads in an order that is not theirs; operations name all of them. */
Trace
MakeTrace(uint64_t seed, int operations)
{
    Trace trace;
    trace.timing = TraceTiming::PLANNED;
    trace.notes = {"made by a test"};
    for (uint32_t i = 0; i < PROCESSES; ++i)
    {
        TraceProcess process;
        process.name = "rank " + std::to_string(i);
        process.host = i == 0 ? "" : "host";
        process.originNs = 1000 + i;
        process.gids.resize(i);
        trace.processes.push_back(process);
    }
    RandomOperations random{seed};
    for (uint32_t i = 0; i < THREADS; ++i)
    {
        std::vector<StoredOperation> stored;
        for (int j = 0; j < operations; ++j)
        {
            TraceOperation operation = random.Make();
            std::vector<Dependency> dependencies{operation.dependencies.begin(),
                                                 operation.dependencies.end()};
            for (Dependency& dependency : dependencies)
            {
                dependency.thread %= THREADS;
            }
            if (auto* peer = std::get_if<ConnectionDetail>(&operation.control.detail))
            {
                peer->peerProcess %= PROCESSES;
            }
            operation.dependencies = dependencies;
            stored.emplace_back(operation);
        }
        const auto order = i % 2 == 0 ? ThreadOrder::PROGRAM : ThreadOrder::GRAPH;
        trace.threads.push_back({i % PROCESSES,
                                 "t" + std::to_string(i),
                                 order,
                                 std::make_unique<StoredStream>(std::move(stored))});
    }
    return trace;
}

/** All operations of a thread, with its name and that of its process. */
std::string
DescribeThread(const Trace& trace, const TraceThread& thread)
{
    std::string text = trace.processes[thread.process].name + " " + thread.name + " " +
                       std::to_string(static_cast<int>(thread.order)) + "\n";
    TraceOperation operation;
    while (thread.operations->Next(operation))
    {
        // By names, because the numbers of threads may be others.
        std::vector<Dependency> dependencies{operation.dependencies.begin(),
                                             operation.dependencies.end()};
        for (Dependency& dependency : dependencies)
        {
            text += trace.threads[dependency.thread].name + " ";
            dependency.thread = 0;
        }
        operation.dependencies = dependencies;
        auto* peer = std::get_if<ConnectionDetail>(&operation.control.detail);
        if (operation.kind == OperationKind::CONTROL && peer != nullptr)
        {
            text += trace.processes[peer->peerProcess].name + " ";
            peer->peerProcess = 0;
        }
        text += Describe(operation) + "\n";
    }
    EXPECT_FALSE(thread.operations->GetDamage().has_value())
        << ToString(*thread.operations->GetDamage());
    return text;
}

std::vector<std::string>
DescribeThreads(const Trace& trace)
{
    std::vector<std::string> texts;
    for (const TraceThread& thread : trace.threads)
    {
        texts.push_back(DescribeThread(trace, thread));
    }
    std::ranges::sort(texts);
    return texts;
}

} // namespace

TEST(TraceWriter, AnyTraceComesBack)
{
    const TemporaryFolder folder;
    const std::string out = folder.Path() / "deep" / "out/";
    Trace trace = MakeTrace(1, 3000);
    const auto written = WriteTrace(trace, out);
    ASSERT_TRUE(written) << ToString(written.Errors());
    EXPECT_EQ(written->operations, 3000u * THREADS);
    EXPECT_THAT(written->damages, IsEmpty());

    const auto read = OpenTraceFolders({out});
    ASSERT_TRUE(read) << ToString(read.Errors());
    EXPECT_EQ(read->timing, TraceTiming::PLANNED);
    EXPECT_THAT(read->notes, ElementsAre("made by a test"));
    ASSERT_EQ(read->processes.size(), PROCESSES);
    for (uint32_t i = 0; i < PROCESSES; ++i)
    {
        EXPECT_EQ(read->processes[i].name, trace.processes[i].name);
        EXPECT_EQ(read->processes[i].host, trace.processes[i].host);
        EXPECT_EQ(read->processes[i].gids, trace.processes[i].gids);
        EXPECT_EQ(read->processes[i].originNs, trace.processes[i].originNs);
    }
    EXPECT_TRUE(DescribeThreads(*read) == DescribeThreads(MakeTrace(1, 3000)));
}

TEST(TraceWriter, TheSameTraceIsTheSameBytes)
{
    const TemporaryFolder folder;
    std::vector<std::string> all;
    for (const char* name : {"a", "b"})
    {
        Trace trace = MakeTrace(2, 50);
        ASSERT_TRUE(WriteTrace(trace, folder.Path() / name));
        std::string bytes;
        for (uint32_t i = 0; i < PROCESSES; ++i)
        {
            const std::string process = std::string{name} + "/process-" + std::to_string(i) + "/";
            bytes += folder.Read(process + "manifest");
            for (uint32_t t = i; t < THREADS; t += PROCESSES)
            {
                bytes += folder.Read(process + "thread-" + std::to_string(t) + ".rdt");
            }
        }
        all.push_back(bytes);
    }
    EXPECT_GT(all[0].size(), 10000u);
    EXPECT_TRUE(all[0] == all[1]);
}

TEST(TraceWriter, WhatADamagedStreamGaveIsWritten)
{
    const TemporaryFolder folder;
    Trace trace;
    trace.processes.resize(1);
    trace.threads.push_back({0, "t", ThreadOrder::PROGRAM, std::make_unique<DamagedStream>()});
    const auto written = WriteTrace(trace, folder.Path() / "out");
    ASSERT_TRUE(written);
    EXPECT_EQ(written->operations, 3u);
    EXPECT_THAT(ToString(written->damages), HasSubstr("source:12: nonsense"));
    const auto read = OpenTraceFolders({folder.Path() / "out"});
    ASSERT_TRUE(read);
    EXPECT_THAT(read->notes, ElementsAre("ended by damage: source:12: nonsense"));
}

TEST(TraceWriter, ManyDependenciesMakeAnOversizedBlock)
{
    const TemporaryFolder folder;
    const std::vector<Dependency> many(100'000, {0, DependencyEvent::START, 1});
    const auto make = [&many](std::size_t count)
    {
        TraceOperation operation;
        operation.kind = OperationKind::COMPUTE;
        operation.dependencies = std::span{many}.first(count);
        Trace trace;
        trace.processes.resize(1);
        trace.processes[0].name = "p";
        std::vector<StoredOperation> stored(3, StoredOperation{operation});
        trace.threads.push_back(
            {0, "t", ThreadOrder::GRAPH, std::make_unique<StoredStream>(std::move(stored))});
        return trace;
    };
    Trace trace = make(many.size());
    ASSERT_TRUE(WriteTrace(trace, folder.Path() / "out"));
    const auto read = OpenTraceFolders({folder.Path() / "out"});
    ASSERT_TRUE(read);
    EXPECT_TRUE(DescribeThreads(*read) == DescribeThreads(make(many.size())));
}

TEST(TraceWriter, WhatCannotBeWrittenLeavesNothing)
{
    const TemporaryFolder folder;
    const auto out = folder.Path() / "out";
    std::filesystem::create_directory(out);
    std::ofstream{out / "mine"} << "x";
    Trace trace = MakeTrace(3, 5);
    const auto occupied = WriteTrace(trace, out);
    ASSERT_FALSE(occupied);
    EXPECT_THAT(ToString(occupied.Errors()), HasSubstr("is there already, and not empty"));

    Trace wrong;
    wrong.processes.resize(1);
    std::vector<StoredOperation> stored(1, StoredOperation{TraceOperation{}});
    wrong.threads.push_back(
        {0, "t", ThreadOrder::GRAPH, std::make_unique<StoredStream>(std::move(stored))});
    const auto refused = WriteTrace(wrong, folder.Path() / "new");
    ASSERT_FALSE(refused);
    EXPECT_THAT(ToString(refused.Errors()),
                HasSubstr("operation 0 cannot be written; got 'kind 0"));

    const auto elsewhere = WriteTrace(trace, out / "mine" / "out");
    ASSERT_FALSE(elsewhere);
    EXPECT_THAT(ToString(elsewhere.Errors()), HasSubstr("cannot be made"));
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator{folder.Path()})
    {
        ++entries;
    }
    EXPECT_EQ(entries, 1u);
}

} // namespace ns3::rdma
