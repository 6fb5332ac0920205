// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/schedule-text.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(HpccFlowTraceReader, EachFlowHasItsOwnConnectionAndItsExactStart)
{
    Trace trace = OpenWell({TraceSample("hpcc-flow/six-columns.txt")});
    EXPECT_EQ(trace.format, "hpcc-flow");
    EXPECT_EQ(trace.timing, TraceTiming::PLANNED);
    ASSERT_EQ(trace.processes.size(), 4U); // hosts 0, 2, 3 and 9
    EXPECT_EQ(trace.processes[3].name, "host 9");
    EXPECT_EQ(trace.processes[3].host, "9");
    EXPECT_THAT(ScheduleTexts(trace),
                ElementsAre(ElementsAre("connect 0 to 2, priority 3, port 100",
                                        "message 0 of 1000000 B, at 2000000934 ns"),
                            ElementsAre("connect 0 to 2, priority 3, port 100",
                                        "message 0 of 64000 B, at 2000001500 ns"),
                            IsEmpty(),
                            ElementsAre("connect 0 to 0, priority 5, port 200",
                                        "connect 1 to 0, priority 5, port 200",
                                        "message 0 of 4294967296 B, at 2000000000 ns",
                                        "message 1 of 1 B, at 2000000000 ns")));
    EXPECT_THAT(trace.notes,
                ElementsAre(HasSubstr("1 lines after the 4 announced flows"),
                            HasSubstr("not in order of start time"),
                            HasSubstr("1 start times were rounded")));
}

TEST(HpccFlowTraceReader, ReadsConWeavesFiveColumns)
{
    Trace trace = OpenWell({TraceSample("hpcc-flow/five-columns.txt")});
    EXPECT_THAT(ScheduleTexts(trace),
                ElementsAre(ElementsAre("connect 0 to 1, priority 3, port 100",
                                        "message 0 of 1000 B, at 500000000 ns"),
                            ElementsAre("connect 0 to 0, priority 3, port 100",
                                        "message 0 of 5000000000000 B, at 250000000 ns")));
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("five columns"), HasSubstr("not in order")));
}

TEST(HpccFlowTraceReader, AListMayBeEmpty)
{
    const Trace trace = OpenWell({TraceSample("hpcc-flow/empty.txt")});
    EXPECT_THAT(trace.processes, IsEmpty());
}

} // namespace
} // namespace ns3::rdma
