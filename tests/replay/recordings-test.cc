// SPDX-License-Identifier: GPL-2.0-only
// Recorded calls of unmodified programs on Linux hosts, beside the capture of the same run.
#include "tests/replay/memory-trace.h"
#include "tests/replay/wire-messages.h"
#include "tests/support/source-folder.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t VM1 = 0x0a000001;
constexpr uint32_t VM2 = 0x0a000002;

/**
 * A recording: what each of its two processes posts and takes, counted in its files.
 *
 * The numbers are those of the captures' own description, which a script of its authors counted
 * ("work requests posted, completions"); they are the numbers of "post_send" entries and of entries
 * of "wc" in the two files.
 */
struct Recording
{
    std::string name;
    uint64_t posts1{0};
    uint64_t completions1{0};
    uint64_t posts2{0};
    uint64_t completions2{0};
};

void
PrintTo(const Recording& recording, std::ostream* out)
{
    *out << recording.name;
}

class Recordings : public testing::TestWithParam<Recording>
{
  public:
    static std::filesystem::path Captures()
    {
        return (GetSourceFolder() / "../shared/captures").lexically_normal();
    }

    static Scenario MakeScenario(const std::string& name, const std::string& mode)
    {
        const std::string base = (Captures() / "verbs-calls" / name).string();
        Scenario scenario = MakePairScenario();
        scenario.results.Set("Pcap", StringValue("h0 h1"));
        scenario.results.Set("PcapDirection", StringValue("out"));
        return MakeReplayScenario(
            scenario, {{"Files", base + ".vm1.jsonl " + base + ".vm2.jsonl"}, {"Mode", mode}});
    }

    void SetUp() override
    {
        if (!std::filesystem::exists(Captures()))
        {
            GTEST_SKIP() << "no captures beside the project";
        }
    }
};

TEST_P(Recordings, TheSameMessagesAreOnTheWireAndTheSameCompletionsTaken)
{
    const Recording& recording = GetParam();
    for (const char* mode : {"dependent", "fast"})
    {
        SCOPED_TRACE(mode);
        const RunInFolder run{MakeScenario(recording.name, mode)};
        ASSERT_EQ(run.ExitCode(), 0) << run.Err();
        const std::string capture = (Captures() / "pcap" / (recording.name + ".pcap")).string();
        const auto ours1 = ReadWireMessages((run.Folder() / "h0-0.pcap").string(), ANY);
        const auto ours2 = ReadWireMessages((run.Folder() / "h1-0.pcap").string(), ANY);
        EXPECT_EQ(ours1, ReadWireMessages(capture, VM1));
        EXPECT_EQ(ours2, ReadWireMessages(capture, VM2));
        EXPECT_FALSE(ours1.empty());
        for (std::size_t row = 1; row <= 2; ++row)
        {
            for (const char* column :
                 {"other_status", "other_opcode", "other_length", "refused", "late"})
            {
                EXPECT_EQ(run.Cell("replay.csv", row, column), "0") << column << row;
            }
        }
    }
}

TEST_P(Recordings, EveryCallIsReplayed)
{
    const Recording& recording = GetParam();
    const RunInFolder run{MakeScenario(recording.name, "dependent")};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    // Each completion that was taken is one of the recording, and none is left.
    uint64_t messages = 0;
    for (std::size_t row = 1; run.Cell("messages.csv", row, "messages") != "?"; ++row)
    {
        messages += std::stoull(run.Cell("messages.csv", row, "messages"));
    }
    EXPECT_LE(messages, recording.posts1 + recording.posts2);
    EXPECT_GT(messages, 0U);
    EXPECT_GE(std::stoull(run.Cell("replay.csv", 1, "operations")),
              recording.posts1 + recording.completions1);
    EXPECT_GE(std::stoull(run.Cell("replay.csv", 2, "operations")),
              recording.posts2 + recording.completions2);
}

INSTANTIATE_TEST_SUITE_P(OfLinux,
                         Recordings,
                         testing::Values(Recording{"trace_ib_atomic_lat", 10, 10, 0, 0},
                                         Recording{"trace_ib_send_bw", 10, 1, 0, 10},
                                         Recording{"trace_ib_send_lat", 10, 20, 10, 20},
                                         Recording{"trace_ib_write_bw", 10, 1, 0, 0},
                                         Recording{"trace_ib_write_bw_R", 26, 33, 16, 32},
                                         Recording{"trace_ib_write_lat", 10, 10, 10, 10},
                                         Recording{"trace_rc_pingpong_events", 5, 10, 5, 10},
                                         Recording{"trace_rping", 6, 13, 12, 19},
                                         Recording{"trace_srq_pingpong", 12, 24, 12, 24}),
                         [](const auto& info) { return info.param.name; });

} // namespace

} // namespace ns3::rdma
