// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-show.h"
#include "tests/tracefile/random-operations.h"

#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

TraceOperation
Make(OperationKind kind, int64_t timeNs)
{
    TraceOperation operation;
    operation.kind = kind;
    operation.timeNs = timeNs;
    operation.bytes = kind == OperationKind::MESSAGE ? 8 : 0;
    return operation;
}

/** Two processes whose clocks begin at 100 and at 130. */
Trace
MakeTrace()
{
    const std::vector<Dependency> dependencies{{0, DependencyEvent::END, 1},
                                               {1, DependencyEvent::START, 0}};
    TraceOperation waiting = Make(OperationKind::COMPUTE, 20);
    waiting.dependencies = dependencies;
    std::vector<StoredOperation> first{StoredOperation{Make(OperationKind::MESSAGE, 10)},
                                       StoredOperation{Make(OperationKind::MESSAGE, 60)}};
    std::vector<StoredOperation> second{StoredOperation{Make(OperationKind::MESSAGE, 1)},
                                        StoredOperation{waiting}};
    Trace trace;
    trace.format = "test";
    trace.notes = {"something to know"};
    trace.processes.resize(2);
    trace.processes[0] = {"a", "h", {}, 100};
    trace.processes[1] = {"b", "", {}, 130};
    trace.threads.push_back(
        {0, "t", ThreadOrder::PROGRAM, std::make_unique<StoredStream>(std::move(first))});
    trace.threads.push_back(
        {1, "", ThreadOrder::GRAPH, std::make_unique<StoredStream>(std::move(second))});
    return trace;
}

std::string
Show(Trace trace, uint64_t limit = 100)
{
    std::ostringstream out;
    EXPECT_TRUE(ShowTrace(trace, out, limit).empty());
    return out.str();
}

} // namespace

TEST(TraceShow, LinesComeByTimeOverAllThreads)
{
    EXPECT_EQ(Show(MakeTrace()),
              "          10 ns  a/t #0  MESSAGE RDMA_WRITE bytes=8\n"
              "          31 ns  b #0  MESSAGE RDMA_WRITE bytes=8\n"
              "          50 ns  b #1  COMPUTE after a/t #1, start of #0\n"
              "          60 ns  a/t #1  MESSAGE RDMA_WRITE bytes=8\n");
    EXPECT_EQ(Show(MakeTrace(), 1), "          10 ns  a/t #0  MESSAGE RDMA_WRITE bytes=8\n");
    EXPECT_EQ(Show(MakeTrace(), 0), "");
}

TEST(TraceShow, WithoutTimesThreadsComeOneAfterTheOther)
{
    Trace trace = MakeTrace();
    for (TraceProcess& process : trace.processes)
    {
        process.originNs = 0;
    }
    trace.timing = TraceTiming::NONE;
    const std::string text = Show(std::move(trace));
    EXPECT_THAT(text, testing::Not(HasSubstr(" ns ")));
    EXPECT_THAT(text, testing::StartsWith("b #0"));
}

TEST(TraceShow, StatisticsAreTables)
{
    Trace trace = MakeTrace();
    const TraceStatistics statistics = CollectStatistics(trace);
    std::ostringstream out;
    ShowStatistics(trace, statistics, out);
    EXPECT_EQ(out.str(),
              "format test, times: recorded\n"
              "2 processes, 2 threads, 4 operations, 24 bytes sent, waits for others: 2\n"
              "50 ns from the first operation to the last\n"
              "note: something to know\n"
              "\n"
              "  process  host  threads  operations  sent bytes  queue pairs\n"
              "  a        h     1        2           16          0\n"
              "  b        -     1        2           8           0\n"
              "\n"
              "  operation  opcode      count  bytes\n"
              "  MESSAGE    RDMA_WRITE  3      24\n"
              "  COMPUTE    -           1      0\n"
              "\n"
              "  message sizes  min  p50  p95  p99  p99.9  max\n"
              "  3              8    8    8    8    8      8\n");
}

} // namespace ns3::rdma
