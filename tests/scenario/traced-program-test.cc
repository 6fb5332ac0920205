// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/traced-program.h"
#include "tests/support/temporary-folder.h"

#include <fstream>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using namespace std::string_literals;

} // namespace

TEST(TracedProgram, TheLibrariesStandAroundWhatWasToBeLoadedBefore)
{
    const RecorderLibraries both{.recorder = "/a/r.so", .standIn = "/a/i.so", .note = ""};
    EXPECT_EQ(MakePreload(both, ""), "/a/r.so:/a/i.so");
    EXPECT_EQ(MakePreload(both, "x.so y.so"), "/a/r.so:x.so y.so:/a/i.so");
    EXPECT_EQ(MakePreload({.recorder = "/a/r.so", .standIn = "", .note = ""}, "x.so"),
              "/a/r.so:x.so");
}

TEST(TracedProgram, VersionsThatTheStandInDoesNotHave)
{
    const TemporaryFolder folder;
    const std::string real = folder.Path() / "real";
    const std::string standIn = folder.Path() / "own";
    std::ofstream{real}
        << "\0IBVERBS_1.1\0IBVERBS_1.15\0xIBVERBS_2\0IBVERBS_3 \0IBVERBS_PRIVATE_50\0"s;
    std::ofstream{standIn} << "\0IBVERBS_1.1\0IBVERBS_1.1x\0IBVERBS_PRIVATE_34\0"s;
    EXPECT_THAT(FindMissingVersions(real, standIn),
                testing::ElementsAre("IBVERBS_1.15", "IBVERBS_PRIVATE_50"));
    EXPECT_THAT(FindMissingVersions(standIn, standIn), testing::IsEmpty());
}

TEST(TracedProgram, LibrariesAreLookedForBesideTheProgram)
{
    const auto libraries = FindRecorder();
    // Tests lie where the program lies, and so does the recorder if it has been built.
    if (libraries)
    {
        EXPECT_THAT(libraries->recorder, testing::EndsWith("/librdmasim-record.so"));
    }
    else
    {
        EXPECT_THAT(ToString(libraries.Errors()), testing::HasSubstr("librdmasim-"));
    }
}

TEST(TracedProgram, WhatCannotBeStartedIsAnError)
{
    const RecorderLibraries none{};
    const auto code = RunTracedProgram({"/no/such/program"}, none, "/tmp");
    ASSERT_FALSE(code);
    EXPECT_THAT(ToString(code.Errors()), testing::HasSubstr("/no/such/program: cannot be started"));
    EXPECT_EQ(*RunTracedProgram({"sh", "-c", "exit 9"}, none, "/tmp"), 9);
    EXPECT_EQ(*RunTracedProgram({"sh", "-c", "kill -2 $$"}, none, "/tmp"), 128 + 2);
}

} // namespace ns3::rdma
