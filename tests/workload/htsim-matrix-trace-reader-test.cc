// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tests/workload/schedule-text.h"

namespace ns3::rdma
{
namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/** A matrix of flows 0->1, one for each start. */
class StartUnits : public testing::Test
{
  protected:
    std::string Write(const std::vector<std::string>& starts)
    {
        const std::string path = (m_folder.Path() / "x.cm").string();
        std::ofstream file{path};
        file << "Nodes 2\nConnections " << starts.size() << "\n";
        for (const std::string& start : starts)
        {
            file << "0->1 start " << start << " size 1000\n";
        }
        return path;
    }

    /** The times that were read. */
    std::vector<int64_t> Times(Trace& trace)
    {
        std::vector<int64_t> times;
        for (const KeptOperation& kept : ReadOperations(*trace.threads[0].operations))
        {
            if (kept.operation.kind == OperationKind::MESSAGE)
            {
                times.push_back(kept.operation.timeNs);
            }
        }
        return times;
    }

    TemporaryFolder m_folder;
};

TEST_F(StartUnits, WholeNumbersArePicosecondsAndItIsTold)
{
    Trace trace = OpenWell({Write({"934000", "2000000", "0", "1499", "1500"})});
    EXPECT_THAT(Times(trace), ElementsAre(934, 2000, 0, 1, 2));
    EXPECT_THAT(trace.notes,
                ElementsAre(AllOf(HasSubstr("taken as picoseconds"),
                                  HasSubstr("whole numbers"),
                                  HasSubstr("start_unit=us")),
                            HasSubstr("2 start times were rounded")));
}

TEST_F(StartUnits, FractionsAreMicrosecondsAndItIsTold)
{
    Trace trace = OpenWell({Write({"0", "1.5", "10"})});
    EXPECT_THAT(Times(trace), ElementsAre(0, 1500, 10000));
    EXPECT_THAT(trace.notes,
                ElementsAre(AllOf(HasSubstr("taken as microseconds"),
                                  HasSubstr("line 4 has a fraction"),
                                  HasSubstr("start_unit=ps"))));
}

TEST_F(StartUnits, NumbersBelowANanosecondAreMicroseconds)
{
    Trace trace = OpenWell({Write({"999", "3"})});
    EXPECT_THAT(Times(trace), ElementsAre(999'000, 3'000));
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("none would reach a nanosecond")));
}

TEST_F(StartUnits, WhereAllAreZeroTheUnitDoesNotMatter)
{
    Trace trace = OpenWell({Write({"0", "0"})});
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("the unit does not matter")));
}

TEST_F(StartUnits, TheOptionDecides)
{
    const std::string path = Write({"934000"});
    Trace us = OpenWell({path}, {{"start_unit", "us"}});
    EXPECT_THAT(Times(us), ElementsAre(934'000'000));
    EXPECT_THAT(us.notes, ElementsAre(HasSubstr("start_unit says so")));
    Trace ps = OpenWell({Write({"5000"})}, {{"start_unit", "ps"}});
    EXPECT_THAT(Times(ps), ElementsAre(5));
    const auto wrong =
        OpenTrace({.paths = {path}, .format = "", .options = {{"start_unit", "seconds"}}});
    EXPECT_FALSE(wrong);
}

/** A float has 24 bits: 16777217 ps and its like came out as another number. */
TEST_F(StartUnits, LargeStartsKeepAllTheirDigits)
{
    Trace trace = OpenWell({Write({"16777217000", "9007199254740993000"})});
    EXPECT_THAT(Times(trace), ElementsAre(16'777'217, 9'007'199'254'740'993));
}

TEST(HtsimMatrixTraceReader, TriggersAreDependenciesAcrossThreads)
{
    Trace trace = OpenWell({TraceSample("htsim-matrix/triggers.cm")});
    EXPECT_EQ(trace.format, "htsim-matrix");
    EXPECT_EQ(trace.timing, TraceTiming::PLANNED);
    EXPECT_EQ(trace.processes[3].name, "host 3");
    EXPECT_EQ(trace.processes[3].host, "3");
    // Trigger 1 lets the k-th of flows 3 and 4 start after any k of flows 1 and 2; trigger 2 is the
    // arrival of flow 2; trigger 3 needs the acknowledgement of flow 5 and the arrival of flow 6.
    EXPECT_THAT(ScheduleTexts(trace),
                ElementsAre(ElementsAre("connect 0 to 1",
                                        "connect 1 to 2",
                                        "message 0 of 8000 B",
                                        "message 1 of 5000000000 B, tag 4 after 2:3"),
                            ElementsAre("connect 0 to 2",
                                        "connect 1 to 3",
                                        "message 0 of 16000 B, tag 1, at 3 ns",
                                        "message 1 of 3000 B, tag 5 after 2:3"),
                            ElementsAre("connect 0 to 1",
                                        "connect 1 to 3",
                                        "connect 2 to 0",
                                        "receive 0 of 16000 B, tag 1",
                                        "message 1 of 1000 B, tag 2 after 0:2, 1:2 (1 enough)",
                                        "message 2 of 1 B, tag 6 after 0:3, 3:3"),
                            ElementsAre("connect 0 to 0",
                                        "connect 1 to 1",
                                        "message 0 of 1000 B, tag 3 after 0:2, 1:2",
                                        "receive 1 of 3000 B, tag 5")));
    EXPECT_THAT(trace.notes,
                ElementsAre(HasSubstr("picoseconds"),
                            HasSubstr("1 start times were rounded"),
                            HasSubstr("prio of 1 flows is not used"),
                            AllOf(HasSubstr("1 failures of links are not part of a trace"),
                                  HasSubstr("switch_type TOR switch_id 1 link_id 0"))));
}

TEST(HtsimMatrixTraceReader, ReadsMicrosecondsAsItsWriterWritesThem)
{
    Trace trace = OpenWell({TraceSample("htsim-matrix/microseconds.cm")});
    EXPECT_THAT(ScheduleTexts(trace)[2],
                ElementsAre("connect 0 to 0", "message 0 of 1000 B, tag 2, at 100000 ns"));
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("microseconds"), HasSubstr("1 start times")));
}

TEST(HtsimMatrixTraceReader, WhatContradictsItselfIsTold)
{
    const std::string path = TraceSample("htsim-matrix/bad/undefined.cm");
    Trace trace = OpenWell({path});
    EXPECT_THAT(ScheduleTexts(trace)[1],
                ElementsAre("connect 0 to 2", "message 0 of 1000 B, tag 1 after 0:2"));
    EXPECT_THAT(trace.notes, testing::Contains(HasSubstr("2 triggers are used and not defined")));
    Trace counts = OpenWell({TraceSample("htsim-matrix/bad/counts.cm")});
    EXPECT_THAT(counts.notes,
                testing::Contains(HasSubstr("announces 2 Connections, there are 1 lines")));
}

} // namespace
} // namespace ns3::rdma
