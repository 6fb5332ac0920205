// SPDX-License-Identifier: GPL-2.0-only
#include "tests/tracefile/random-operations.h"
#include "tracefile/trace-statistics.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::Pair;
using testing::UnorderedElementsAre;

TraceOperation
Make(OperationKind kind, uint64_t bytes, int64_t timeNs)
{
    TraceOperation operation;
    operation.kind = kind;
    operation.bytes = bytes;
    operation.timeNs = timeNs;
    return operation;
}

Trace
MakeTrace()
{
    std::vector<StoredOperation> first;
    TraceOperation create = Make(OperationKind::CONTROL, 0, 5);
    create.control.kind = ObjectKind::QUEUE_PAIR;
    first.emplace_back(create);
    for (uint64_t i = 1; i <= 200; ++i)
    {
        first.emplace_back(Make(OperationKind::POST_SEND, i, 100));
    }
    TraceOperation completion = Make(OperationKind::COMPLETION, 77, 200);
    completion.opcode = 128;
    first.emplace_back(completion);
    completion.status = 12;
    first.emplace_back(completion);
    TraceOperation polls = Make(OperationKind::EMPTY_POLLS, 0, 200);
    polls.count = 30;
    first.emplace_back(polls);
    std::vector<StoredOperation> second;
    TraceOperation message = Make(OperationKind::MESSAGE, 1000, 7);
    const std::vector<Dependency> dependencies(3);
    message.opcode = 4;
    message.dependencies = dependencies;
    second.emplace_back(message);

    Trace trace;
    trace.processes.resize(2);
    trace.processes[0].originNs = 1000;
    trace.processes[1].originNs = 2000;
    trace.threads.push_back(
        {0, "a", ThreadOrder::PROGRAM, std::make_unique<StoredStream>(std::move(first))});
    trace.threads.push_back(
        {1, "b", ThreadOrder::GRAPH, std::make_unique<StoredStream>(std::move(second))});
    return trace;
}

} // namespace

TEST(TraceStatistics, EverythingIsCounted)
{
    Trace trace = MakeTrace();
    const TraceStatistics statistics = CollectStatistics(trace);
    EXPECT_EQ(statistics.total, 205u);
    EXPECT_EQ(statistics.sentBytes, 200u * 201 / 2 + 1000);
    EXPECT_EQ(statistics.emptyPolls, 30u);
    EXPECT_EQ(statistics.dependencies, 3u);
    EXPECT_EQ(statistics.firstNs, 1005);
    EXPECT_EQ(statistics.lastNs, 2007);
    EXPECT_THAT(statistics.statuses,
                UnorderedElementsAre(Pair("SUCCESS", 1u), Pair("RETRY_EXC_ERR", 1u)));
    const auto& posts = statistics.operations.at({OperationKind::POST_SEND, "RDMA_WRITE"});
    EXPECT_EQ(posts.count, 200u);
    EXPECT_EQ(posts.bytes, 200u * 201 / 2);
    EXPECT_EQ(statistics.operations.at({OperationKind::COMPLETION, "RECV"}).bytes, 154u);
    EXPECT_EQ(statistics.operations.at({OperationKind::CONTROL, "CREATE QUEUE_PAIR"}).count, 1u);
    EXPECT_EQ(statistics.operations.at({OperationKind::MESSAGE, "RDMA_READ"}).count, 1u);
    ASSERT_EQ(statistics.processes.size(), 2u);
    EXPECT_EQ(statistics.processes[0].operations, 204u);
    EXPECT_EQ(statistics.processes[0].queuePairs, 1u);
    EXPECT_EQ(statistics.processes[1].sentBytes, 1000u);
    EXPECT_EQ(statistics.processes[1].threads, 1u);
    EXPECT_TRUE(statistics.damages.empty());
}

TEST(TraceStatistics, WithoutTimesThereIsNoSpan)
{
    Trace trace = MakeTrace();
    trace.timing = TraceTiming::NONE;
    EXPECT_EQ(CollectStatistics(trace).firstNs, std::nullopt);
}

TEST(SizeTally, PercentilesAreByNearestRank)
{
    SizeTally sizes;
    EXPECT_EQ(sizes.GetPercentile(500), 0u);
    for (uint64_t i = 1; i <= 200; ++i)
    {
        sizes.Add(i);
    }
    EXPECT_EQ(sizes.GetPercentile(0), 1u);
    EXPECT_EQ(sizes.GetPercentile(500), 100u);
    EXPECT_EQ(sizes.GetPercentile(501), 101u);
    EXPECT_EQ(sizes.GetPercentile(950), 190u);
    EXPECT_EQ(sizes.GetPercentile(999), 200u);
    EXPECT_EQ(sizes.GetPercentile(1000), 200u);
    EXPECT_TRUE(sizes.IsExact());
}

TEST(SizeTally, BeyondManySizesDigitsAreKeptNotAll)
{
    SizeTally sizes;
    for (uint64_t i = 0; i < SizeTally::MAX_SIZES; ++i)
    {
        sizes.Add(i);
    }
    EXPECT_TRUE(sizes.IsExact());
    constexpr uint64_t SIZE = 123'456'789;
    for (int i = 0; i < 200'000; ++i)
    {
        sizes.Add(SIZE);
    }
    EXPECT_FALSE(sizes.IsExact());
    EXPECT_LE(sizes.GetPercentile(1000), SIZE);
    EXPECT_GT(sizes.GetPercentile(1000), SIZE - SIZE / 1000);
    EXPECT_EQ(sizes.GetCount(), SizeTally::MAX_SIZES + 200'000);
}

} // namespace ns3::rdma
