// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/bench.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::Each;
using testing::ElementsAre;
using testing::Field;

/** A run over a wire that loses, copies, reorders and damages frames by chance. */
struct FaultyRun
{
    uint64_t seed;
    const char* policy;
};

class RandomFaults : public testing::TestWithParam<FaultyRun>
{
  protected:
    static RunResult Run(const std::string& words)
    {
        const Expected<Script> script =
            ExpandCommands({"vt -c 10.0.0.2 --rd 4 " + words, "vt -s --rd 4"});
        EXPECT_TRUE(script);
        Experiment experiment;
        experiment.script = *script;
        experiment.policy = GetParam().policy;
        experiment.firstPsns = {{Psn{0xfffff0}, Psn{5}}}; // the PSNs wrap early
        experiment.seed = GetParam().seed;
        experiment.chance = FaultProbabilities{
            .loss = 0.02, .duplication = 0.02, .reordering = 0.02, .corruption = 0.01};
        experiment.maxFrames = 1'000'000;
        const Expected<RunResult> result = RunModel(experiment);
        EXPECT_TRUE(result);
        return *result;
    }

    static std::vector<uint64_t> Numbers(const std::vector<WorkCompletion>& completions)
    {
        std::vector<uint64_t> numbers;
        for (const WorkCompletion& completion : completions)
        {
            numbers.push_back(completion.wrId);
        }
        return numbers;
    }
};

// What the reliable service promises, whatever the network does: every request completes with
// success, once and in its order; every SEND is received once, whole and in order; an atomic is
// executed once, so that the eight of them add up.
TEST_P(RandomFaults, EverythingHappensOnceAndInOrder)
{
    const RunResult result =
        Run("&WI:20 &S:100 &R:5000 &S:3000 &FA:1 &FA:1 &W:9000:64 &S:1 &FA:1 &R:2000 &FA:1 &S:5000 "
            "&FA:1 &FA:1 &SI:700 &W:3000:64 &FA:1 &FA:1 &R:9 drain &S:12 &S:13 drain");
    const ProgramOutput& client = result.outputs.at(0)[CLIENT];
    const ProgramOutput& server = result.outputs.at(0)[SERVER];
    EXPECT_EQ(result.refused, 0U);
    EXPECT_THAT(
        Numbers(client.sends),
        ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21));
    EXPECT_THAT(client.sends, Each(Field(&WorkCompletion::status, CompletionStatus::SUCCESS)));
    EXPECT_THAT(Numbers(server.receives),
                ElementsAre(1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007));
    std::vector<uint32_t> lengths;
    for (const WorkCompletion& completion : server.receives)
    {
        lengths.push_back(completion.byteLength);
    }
    EXPECT_THAT(lengths, ElementsAre(20, 100, 3000, 1, 5000, 700, 12, 13));
    // WI wrote the client's first bytes, 64 to 6b, before any READ could change them; then eight
    // was added to the word 0x6b...64.
    EXPECT_EQ(server.buffer, "6c65666768696a6b");
}

TEST_P(RandomFaults, SameSeedGivesTheSameRun)
{
    const std::string words = "&W:20000 &R:20000 &S:3000 drain";
    const auto first = Run(words).views[CLIENT];
    const auto second = Run(words).views[CLIENT];
    EXPECT_FALSE(FindDifference(first, second, false));
}

std::vector<FaultyRun>
AllRuns()
{
    std::vector<FaultyRun> runs;
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        runs.push_back({seed, "rxe"});
        runs.push_back({seed, "standard"});
    }
    return runs;
}

INSTANTIATE_TEST_SUITE_P(Seeds,
                         RandomFaults,
                         testing::ValuesIn(AllRuns()),
                         [](const auto& info)
                         { return info.param.policy + std::to_string(info.param.seed); });

} // namespace
} // namespace ns3::rdma
