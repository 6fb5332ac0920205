// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/schedule-text.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CsvTraceReader, ReadsEveryColumn)
{
    Trace trace = OpenWell({TraceSample("csv/pipeline.csv")});
    EXPECT_EQ(trace.format, "csv");
    EXPECT_EQ(trace.timing, TraceTiming::PLANNED);
    ASSERT_EQ(trace.processes.size(), 4U); // in the order in which they are named
    EXPECT_EQ(trace.processes[0].name, "stage 0");
    EXPECT_EQ(trace.processes[1].name, "stage 1");
    EXPECT_EQ(trace.processes[2].name, "stage 1, the second");
    EXPECT_EQ(trace.processes[3].name, "control");
    ASSERT_EQ(trace.threads.size(), 5U);
    EXPECT_EQ(trace.threads[2].name, "rx");
    EXPECT_EQ(trace.threads[3].name, "tx");
    EXPECT_EQ(trace.threads[3].process, 1U);
    EXPECT_THAT(ScheduleTexts(trace),
                ElementsAre(ElementsAre("connect 0 to 1, priority 3, port 100",
                                        "connect 1 to 1",
                                        "compute 1500 ns, processor 0",
                                        "message 0 of 1000000 B, tag 1, at 2000 ns after 0:2",
                                        "message 1 of 500 B, opcode 2, tag 2 after start of 0:3"),
                            ElementsAre("connect 0 to 3", "message 0 of 8 B"),
                            ElementsAre("connect 0 to 0",
                                        "receive 0 of 1000000 B, tag 1",
                                        "receive 0 of 0 B, tag 2 after 2:1"),
                            ElementsAre("connect 1 to 3",
                                        "message 1 of 8 B, processor 1 after 2:1, 2:2 (1 enough)"),
                            ElementsAre("connect 0 to 1", "receive 0 of 8 B")));
    EXPECT_THAT(trace.notes, IsEmpty());
}

TEST(CsvTraceReader, WithoutTimesDependenciesAloneDecide)
{
    Trace trace = OpenWell({TraceSample("csv/untimed.csv")});
    EXPECT_EQ(trace.timing, TraceTiming::NONE);
    EXPECT_THAT(
        ScheduleTexts(trace),
        ElementsAre(
            ElementsAre("connect 0 to 1", "message 0 of 10 B", "receive 0 of 0 B"),
            ElementsAre("connect 0 to 0", "receive 0 of 0 B", "message 0 of 10 B after 1:1")));
}

} // namespace
} // namespace ns3::rdma
