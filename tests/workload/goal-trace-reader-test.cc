// SPDX-License-Identifier: GPL-2.0-only
// Both forms of GOAL; the binary files are written by goal_binary.py.
#include "tests/support/temporary-folder.h"
#include "tests/workload/schedule-text.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Texts = std::vector<std::vector<std::string>>;

/** What ring.goal says, by hand. */
Texts
Ring()
{
    return {{"connect 0 to 1",
             "connect 1 to 2",
             "message 0 of 4096 B, tag 7, processor 0",
             "receive 1 of 4096 B, tag 7, processor 0 after 0:2",
             "compute 5000 ns, processor 0",
             "compute 2500 ns, processor 1 after start of 0:4",
             "compute 100 ns, processor 1 after 0:3, 0:5"},
            {"connect 0 to 0",
             "connect 1 to 2",
             "receive 0 of 4096 B, tag 7, processor 0",
             "message 1 of 4096 B, tag 7, processor 0 after 1:2"},
            {"connect 0 to 1",
             "connect 1 to 0",
             "receive 0 of 4096 B, tag 7, processor 0",
             "compute 250 ns, processor 0 after 2:2",
             "message 1 of 4096 B, tag 7, processor 0 after 2:3",
             "compute 0 ns, processor 0"}};
}

TEST(GoalTraceReader, ReadsEveryWord)
{
    Trace trace = OpenWell({TraceSample("goal/ring.goal")});
    EXPECT_EQ(trace.format, "goal");
    EXPECT_EQ(trace.timing, TraceTiming::NONE);
    EXPECT_EQ(ScheduleTexts(trace), Ring());
    EXPECT_EQ(trace.processes[2].name, "rank 2");
    EXPECT_EQ(trace.processes[2].host, "");
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("1 operations name another nic than 0")));
}

TEST(GoalBinaryTraceReader, SaysWhatTheTextSays)
{
    Trace trace = OpenWell({TraceSample("goal-binary/ring.bin")});
    EXPECT_EQ(trace.format, "goal-binary");
    EXPECT_EQ(ScheduleTexts(trace), Ring());
}

TEST(GoalTraceReader, RanksMayDoNothing)
{
    Trace trace = OpenWell({TraceSample("goal/idle.goal")});
    EXPECT_EQ(ScheduleTexts(trace), (Texts{{}, {}}));
}

TEST(GoalTraceReader, TellsOfMessagesThatNobodyReceivesAndOfOtherSizes)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "x.goal").string();
    std::ofstream{path} << "num_ranks 2\nrank 0 {\nsend 5b to 1\nsend 6b to 1 tag 1\n}\n"
                           "rank 1 {\nrecv 7b from 0\n}\n";
    EXPECT_THAT(
        OpenWell({path}).notes,
        ElementsAre(HasSubstr("1 messages have no recv"), HasSubstr("1 recvs name another size")));
}

TEST(GoalTraceReader, TakesOneFile)
{
    const std::string path = TraceSample("goal/ring.goal");
    const auto trace = OpenTrace({.paths = {path, path}, .format = "", .options = {}});
    ASSERT_FALSE(trace);
    EXPECT_THAT(ToString(trace.Errors()), HasSubstr("2 files"));
}

TEST(GoalBinaryTraceReader, RefusesEachPrefixOfAFile)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "x.bin").string();
    std::ifstream file{TraceSample("goal-binary/ring.bin"), std::ios::binary};
    const std::string whole{std::istreambuf_iterator<char>{file}, {}};
    ASSERT_EQ(whole.size(), 563U);
    for (std::size_t size = 0; size < whole.size(); size++)
    {
        std::ofstream{path, std::ios::binary} << whole.substr(0, size);
        EXPECT_FALSE(OpenTrace({.paths = {path}, .format = "goal-binary", .options = {}})) << size;
    }
}

} // namespace
} // namespace ns3::rdma
