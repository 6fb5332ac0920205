// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-output.h"
#include "tests/support/temporary-folder.h"

#include <fstream>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

SweepPlan
MakePlan()
{
    SweepPlan plan;
    plan.keys = {"a.b", "seed"};
    plan.runs = {{{}, {"x", "1"}, "000-x-seed1"}, {{}, {"y, z", "2"}, "001-y-seed2"}};
    plan.digest = "0123";
    return plan;
}

void
WriteText(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream{path} << text;
}

std::string
ReadText(const std::filesystem::path& path)
{
    std::ifstream stream{path};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST(SweepOutput, ExitCodesHaveWords)
{
    EXPECT_EQ(ToString(ToSweepStatus(0)), "ok");
    EXPECT_EQ(ToString(ToSweepStatus(1)), "failed");
    EXPECT_EQ(ToString(ToSweepStatus(2)), "bad-input");
    EXPECT_EQ(ToString(ToSweepStatus(130)), "interrupted");
    EXPECT_EQ(ToString(ToSweepStatus(77)), "crashed");
}

TEST(SweepOutput, OnlyWholeRunsAreFoundAgain)
{
    const TemporaryFolder temporary;
    const SweepPlan plan = MakePlan();
    const SweepFolder folder{temporary.Path() / "o"};
    ASSERT_TRUE(folder.Open(plan, false).empty());
    EXPECT_EQ(folder.FindStatus(plan.runs[0]), SweepStatus::NOT_RUN);
    folder.Clear(plan.runs[0]);
    EXPECT_EQ(folder.Mark(plan.runs[0], SweepStatus::FAILED), "");
    EXPECT_EQ(folder.FindStatus(plan.runs[0]), SweepStatus::NOT_RUN); // no summary
    WriteText(folder.GetRunPath(plan.runs[0]) / "summary.json", "{}");
    EXPECT_EQ(folder.FindStatus(plan.runs[0]), SweepStatus::FAILED);
    folder.Mark(plan.runs[0], SweepStatus::INTERRUPTED);
    EXPECT_EQ(folder.FindStatus(plan.runs[0]), SweepStatus::NOT_RUN);
    folder.Clear(plan.runs[0]);
    EXPECT_FALSE(std::filesystem::exists(folder.GetRunPath(plan.runs[0]) / "summary.json"));
}

TEST(SweepOutput, AFolderOfAnotherPlanIsRefused)
{
    const TemporaryFolder temporary;
    SweepPlan plan = MakePlan();
    const SweepFolder folder{temporary.Path() / "o"};
    ASSERT_TRUE(folder.Open(plan, false).empty());
    EXPECT_TRUE(folder.Open(plan, false).empty());
    plan.digest = "4567";
    EXPECT_THAT(ToString(folder.Open(plan, false)),
                testing::HasSubstr("the folder holds another sweep; got 'plan 0123"));
    std::filesystem::remove(folder.GetPath() / "sweep.json");
    EXPECT_THAT(ToString(folder.Open(plan, false)), testing::HasSubstr("runs without a plan"));
    EXPECT_TRUE(folder.Open(plan, true).empty());
}

TEST(SweepOutput, ARowForEachRunWithItsMetrics)
{
    const TemporaryFolder temporary;
    const SweepPlan plan = MakePlan();
    const SweepFolder folder{temporary.Path() / "o"};
    ASSERT_TRUE(folder.Open(plan, false).empty());
    folder.Clear(plan.runs[1]);
    // 1250 bytes in 100 ns are 100 Gb/s.
    WriteText(folder.GetRunPath(plan.runs[1]) / "summary.json",
              R"({"simulated_ns": 100.0, "flows": {"total": 3, "finished": 2, "failed": 1,
                  "acked_bytes": 1250}, "window": {"censored": 0},
                  "completion_times": {"slowdown_delivered": {"p50": 1.5, "p99": 2.5}},
                  "network": {"dropped": {"a": {"frames": 3}, "b": {"frames": 4}},
                              "ecn_marked_frames": 5, "pause_frames_sent": 6, "paused_ns": 7.5,
                              "max_queue_bytes": 8}})");
    EXPECT_EQ(folder.WriteTable(plan, {SweepStatus::NOT_RUN, SweepStatus::FAILED}), "");
    const std::string text = ReadText(folder.GetPath() / "sweep.csv");
    EXPECT_THAT(text, testing::StartsWith("run,a.b,seed,folder,status,flows,finished,"));
    EXPECT_THAT(text,
                testing::EndsWith("\n0,x,1,runs/000-x-seed1,not-run,,,,,,,,,,,,,,,,\n"
                                  "1,\"y, z\",2,runs/001-y-seed2,failed,3,2,1,0,1.500000,,"
                                  "2.500000,,,,100000000000,7,5,6,7.500000,8\n"));
}

} // namespace ns3::rdma
