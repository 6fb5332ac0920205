// SPDX-License-Identifier: GPL-2.0-only
// Schedules that others published, through their readers onto a fabric, beside counts of the files'
// own words: a line of a GOAL file that sends is a message, a line of a connection matrix is one.
#include "tests/replay/memory-trace.h"
#include "tests/support/source-folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <string>

namespace ns3::rdma
{

namespace
{

/** A file, which lines of it are messages, and the group of these that is the size. */
struct Sample
{
    std::string file;
    std::string message;
    uint32_t hosts{0};
};

void
PrintTo(const Sample& sample, std::ostream* out)
{
    *out << sample.file;
}

const std::string GOAL = R"(\bsend (\d+)b to )";
const std::string HTSIM = R"(^\d+->\d+.* size (\d+))";

class Samples : public testing::TestWithParam<Sample>
{
};

TEST_P(Samples, EveryMessageIsSentAndAcknowledged)
{
    const Sample& sample = GetParam();
    const auto path = (GetSourceFolder() / "../shared/samples" / sample.file).lexically_normal();
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no samples beside the project";
    }
    std::ifstream stream{path};
    const std::regex pattern{sample.message};
    uint64_t messages = 0;
    uint64_t bytes = 0;
    for (std::string line; std::getline(stream, line);)
    {
        std::smatch match;
        if (std::regex_search(line, match, pattern))
        {
            ++messages;
            bytes += std::stoull(match[1]);
        }
    }
    ASSERT_GT(messages, 0U);
    const Scenario star =
        MakeRunScenario(MakeStar(sample.hosts, BitRate::Gbps(400), SimTime::Microseconds(1)));
    const RunInFolder run{MakeReplayScenario(star, {{"Files", path.string()}})};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    uint64_t sent = 0;
    uint64_t carried = 0;
    for (std::size_t row = 1; run.Cell("messages.csv", row, "messages") != "?"; ++row)
    {
        sent += std::stoull(run.Cell("messages.csv", row, "messages"));
        carried += std::stoull(run.Cell("messages.csv", row, "bytes"));
    }
    EXPECT_EQ(sent, messages);
    EXPECT_EQ(carried, bytes);
}

INSTANTIATE_TEST_SUITE_P(OfOthers,
                         Samples,
                         testing::Values(Sample{"goal/binary_tree_32.goal", GOAL, 32},
                                         Sample{"goal/comp.goal", GOAL, 32},
                                         Sample{"goal/incast_8_1_2MiB.goal", GOAL, 16},
                                         Sample{"goal/one_send.goal", GOAL, 16},
                                         Sample{"htsim/one.cm", HTSIM, 128},
                                         Sample{"htsim/bidir.cm", HTSIM, 128},
                                         Sample{"htsim/incast_collateral_128.cm", HTSIM, 128}));

} // namespace

} // namespace ns3::rdma
