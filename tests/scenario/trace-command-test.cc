// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-command.h"
#include "tests/support/source-folder.h"
#include "tests/support/temporary-folder.h"
#include "workload/trace-reader.h"

#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{

namespace
{

struct Outcome
{
    int exitCode{0};
    std::string out;
    std::string err;
};

Outcome
Call(const std::vector<std::string>& words)
{
    std::ostringstream out;
    std::ostringstream err;
    const Command command = MakeTraceCommand();
    const int code = command.run(SplitWords(words, command.options), {nullptr, out, err});
    return {code, out.str(), err.str()};
}

const std::string TRACE = GetSourceFolder() / "scenarios" / "traces" / "rc-pingpong";

} // namespace

TEST(TraceCommand, FormatsAreThoseOfTheReaders)
{
    std::string expected;
    for (const std::string& name : GetTraceFormats())
    {
        expected += name + "\n";
    }
    EXPECT_EQ(Call({"formats"}).out, expected);
}

TEST(TraceCommand, UnknownActionsAreRefusedWithThoseThatThereAre)
{
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{}, {"format"}, {"nothing"}})
    {
        const Outcome outcome = Call(words);
        EXPECT_EQ(outcome.exitCode, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, testing::HasSubstr("formats"));
    }
}

TEST(TraceCommand, ShowEndsAtItsLimit)
{
    const Outcome all = Call({"show", TRACE});
    EXPECT_EQ(all.exitCode, 0) << all.err;
    const Outcome some = Call({"show", TRACE, "--limit", "3"});
    EXPECT_EQ(some.exitCode, 0);
    EXPECT_EQ(std::ranges::count(some.out, '\n'), 3);
    EXPECT_THAT(all.out, testing::StartsWith(some.out));
}

TEST(TraceCommand, WhatIsConvertedHasTheSameOperations)
{
    const TemporaryFolder folder;
    const std::string out = folder.Path() / "out";
    const Outcome convert = Call({"convert", TRACE, "--out", out});
    EXPECT_EQ(convert.exitCode, 0) << convert.err;
    EXPECT_THAT(convert.out, testing::HasSubstr(" operations of 2 processes, in " + out));
    EXPECT_EQ(Call({"show", out}).out, Call({"show", TRACE}).out);
    const Outcome again = Call({"convert", TRACE, "--out", out});
    EXPECT_EQ(again.exitCode, 2);
    EXPECT_EQ(again.out, "");
    EXPECT_THAT(again.err, testing::HasSubstr("is there already"));
}

TEST(TraceCommand, DamageIsToldBehindWhatCouldBeRead)
{
    const TemporaryFolder folder;
    const auto copy = folder.Path() / "copy";
    std::filesystem::copy(TRACE, copy, std::filesystem::copy_options::recursive);
    const auto file = copy / "server" / "0.rdt";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    for (const char* action : {"show", "stats"})
    {
        const Outcome outcome = Call({action, copy});
        EXPECT_EQ(outcome.exitCode, 1);
        EXPECT_THAT(outcome.out, testing::HasSubstr("client/ibv_rc_pingpong"));
        EXPECT_THAT(outcome.err, testing::HasSubstr("not all could be read:\n" + file.string()));
    }
    const Outcome convert = Call({"convert", copy, "--out", folder.Path() / "out"});
    EXPECT_EQ(convert.exitCode, 1);
    EXPECT_TRUE(std::filesystem::exists(folder.Path() / "out" / "process-0" / "manifest"));
}

TEST(TraceCommand, BadWordsAreRefused)
{
    const auto errorsOf = [](const std::vector<std::string>& words)
    {
        const Outcome outcome = Call(words);
        EXPECT_EQ(outcome.exitCode, 2);
        EXPECT_EQ(outcome.out, "");
        return outcome.err;
    };
    EXPECT_THAT(errorsOf({"show"}), testing::HasSubstr("no trace file was given"));
    EXPECT_THAT(errorsOf({"show", "/nowhere"}), testing::HasSubstr("/nowhere"));
    EXPECT_THAT(errorsOf({"show", TRACE, "--limit", "x"}), testing::HasSubstr("not such a number"));
    EXPECT_THAT(errorsOf({"show", TRACE, "--limit", "-1"}),
                testing::HasSubstr("not such a number"));
    EXPECT_THAT(errorsOf({"show", TRACE, "--out", "x"}),
                testing::HasSubstr("this action has no such option; got '--out'"));
    EXPECT_THAT(errorsOf({"convert", TRACE}), testing::HasSubstr("no folder to convert into"));
    EXPECT_THAT(errorsOf({"stats", TRACE, "--option", "x"}),
                testing::HasSubstr("not a name and a value"));
    EXPECT_THAT(errorsOf({"stats", TRACE, "--option", "x=1"}),
                testing::HasSubstr("no such option"));
    EXPECT_THAT(errorsOf({"stats", TRACE, "--format", "nonsense"}),
                testing::HasSubstr("unknown trace format"));
    EXPECT_THAT(errorsOf({"formats", "--format", "x"}), testing::HasSubstr("no such option"));
}

} // namespace ns3::rdma
