// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-line.h"
#include "tests/scenario/sample-file.h"

#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;
using testing::IsEmpty;

const std::string SCENARIO = "topology: {family: star, hosts: 3}\n"
                             "workload: [{pattern: incast, bytes: 1KB}]\n";

/** What a call of the program gave. */
struct Outcome
{
    int exitCode{0};
    std::string out;
    std::string err;
    std::vector<std::string> ran; ///< names of the scenarios given to the runner
};

Outcome
Call(const std::vector<std::string>& words)
{
    Outcome outcome;
    std::ostringstream out;
    std::ostringstream err;
    const auto runner = [&outcome](const Scenario& scenario, const RunRequest& request)
    {
        outcome.ran.push_back(scenario.name + " to " + request.outFolder);
        return static_cast<int>(ExitCode::RUN_FAILED);
    };
    outcome.exitCode = RunCommandLine(words, runner, out, err);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

} // namespace

TEST(CommandLine, OptionsAreTakenInAnyPlaceAndForm)
{
    const auto line = ParseCommandLine({"run",
                                        "--seed",
                                        "7",
                                        "a.yaml",
                                        "--set=pfc.delay=1us",
                                        "--set",
                                        "b=c=d",
                                        "--quiet",
                                        "--out=results/x",
                                        "--duration",
                                        "5ms",
                                        "--hpcc",
                                        "c.txt"});
    ASSERT_TRUE(line) << ToString(line.Errors());
    EXPECT_EQ(line->command, "run");
    EXPECT_EQ(line->load.file, "a.yaml");
    EXPECT_EQ(line->load.hpccConfig, "c.txt");
    const std::vector<SettingOverride> expected{{"seed", "7", "--seed"},
                                                {"pfc.delay", "1us", "--set"},
                                                {"b", "c=d", "--set"},
                                                {"duration", "5ms", "--duration"}};
    EXPECT_EQ(line->load.overrides, expected);
    EXPECT_EQ(line->run.outFolder, "results/x");
    EXPECT_TRUE(line->run.isQuiet);
}

TEST(CommandLine, EveryMistakeIsNamedAtOnce)
{
    const auto line = ParseCommandLine({"runn", "--seeed", "a.yaml", "--set", "novalue", "--out"});
    ASSERT_FALSE(line);
    const std::string errors = ToString(line.Errors());
    EXPECT_THAT(errors, HasSubstr("unknown command; got 'runn'; did you mean 'run'?"));
    EXPECT_THAT(errors, HasSubstr("unknown option; got '--seeed'; did you mean '--seed'?"));
    EXPECT_THAT(errors, HasSubstr("not a key and a value; got 'novalue'"));
    EXPECT_THAT(errors, HasSubstr("the option's value is missing; got '--out'"));
}

TEST(CommandLine, OptionsBelongToCommands)
{
    const auto errorsOf = [](const std::vector<std::string>& words)
    {
        const auto line = ParseCommandLine(words);
        return line ? "" : ToString(line.Errors());
    };
    EXPECT_THAT(errorsOf({"check", "a.yaml", "--out", "x"}),
                HasSubstr("'check' has no such option"));
    EXPECT_THAT(errorsOf({"schema", "--seed", "1"}), HasSubstr("'schema' has no such option"));
    EXPECT_THAT(errorsOf({"run", "a.yaml", "--quiet=yes"}), HasSubstr("takes no value"));
    EXPECT_THAT(errorsOf({"run", "a.yaml", "b.yaml"}), HasSubstr("too many words; got 'b.yaml'"));
    EXPECT_THAT(errorsOf({"version", "now"}), HasSubstr("too many words"));
    EXPECT_THAT(errorsOf({"run"}), HasSubstr("no scenario"));
    EXPECT_THAT(errorsOf({}), HasSubstr("no command"));
    EXPECT_EQ(errorsOf({"run", "--hpcc", "c.txt"}), "");
}

TEST(CommandLine, BadInputIsExitCodeTwoAndRunsNothing)
{
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"runn"}, {"run", "/nowhere.yaml"}, {"list", "nothing"}, {"check", "/nowhere.yaml"}})
    {
        const Outcome outcome = Call(words);
        EXPECT_EQ(outcome.exitCode, 2) << words.front();
        EXPECT_THAT(outcome.out, IsEmpty());
        EXPECT_THAT(outcome.err, testing::Not(IsEmpty()));
        EXPECT_THAT(outcome.ran, IsEmpty());
    }
}

TEST(CommandLine, RunGivesTheScenarioToTheRunnerAndItsCodeBack)
{
    const SampleFile file{"command.yaml", SCENARIO};
    const Outcome outcome = Call({"run", file.GetPath(), "--out", "x"});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_THAT(outcome.ran, testing::ElementsAre("command to x"));
}

TEST(CommandLine, OptionsOfASweepNeedOne)
{
    const SampleFile file{"command.yaml", SCENARIO};
    const Outcome outcome = Call({"run", file.GetPath(), "--jobs", "2", "--restart"});
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--jobs: this scenario has no sweep"));
    EXPECT_THAT(outcome.err, HasSubstr("--restart: this scenario has no sweep"));
    EXPECT_THAT(outcome.ran, IsEmpty());
}

TEST(CommandLine, CheckAndExplainRunNothing)
{
    const SampleFile file{"command.yaml", SCENARIO};
    const Outcome check = Call({"check", file.GetPath()});
    EXPECT_EQ(check.exitCode, 0) << check.err;
    EXPECT_THAT(check.out, HasSubstr("3 hosts, 1 switch, 3 links, 2 flows of 0.002 MB in all"));
    EXPECT_THAT(check.ran, IsEmpty());
    const Outcome explain = Call({"explain", file.GetPath(), "--set", "topology.rate=25Gbps"});
    EXPECT_EQ(explain.exitCode, 0) << explain.err;
    EXPECT_THAT(explain.out, testing::ContainsRegex("topology.rate +25Gbps +--set +.rate, 10Mbps"));
    EXPECT_THAT(explain.ran, IsEmpty());
}

TEST(CommandLine, WhatIsAskedForIsShown)
{
    EXPECT_THAT(Call({"help"}).out, HasSubstr("rdmasim run [scenario.yaml]"));
    EXPECT_EQ(Call({"--help"}).out, Call({"help"}).out);
    EXPECT_THAT(Call({"version"}).out, HasSubstr("rdmasim "));
    EXPECT_THAT(Call({"schema"}).out, HasSubstr("\"$schema\""));
    EXPECT_THAT(Call({"list"}).out, HasSubstr("congestion"));
    EXPECT_THAT(Call({"list", "topology", "star"}).out, HasSubstr("hosts"));
}

} // namespace ns3::rdma
