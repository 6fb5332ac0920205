// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-manifest.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TraceManifest
MakeManifest()
{
    TraceManifest manifest;
    manifest.name = "rank 3\nof \\n four";
    manifest.host = "vm1";
    manifest.executable = "/usr/bin/rping";
    manifest.pid = 1539;
    manifest.timing = TraceTiming::PLANNED;
    manifest.clock = TraceClock{2'400'000'000, 123};
    manifest.originNs = 1'700'000'000'123'456'789;
    Gid gid{};
    gid[0] = std::byte{0xfe};
    gid[1] = std::byte{0x80};
    gid[15] = std::byte{0x0a};
    manifest.gids = {gid, Gid{}};
    manifest.set = "4 0badcafe";
    manifest.process = 3;
    manifest.threads = {{0, ThreadOrder::PROGRAM, "thread-0.rdt", "main thread"},
                        {1, ThreadOrder::GRAPH, "thread-1.rdt", ""}};
    manifest.notes = {"a note", "another"};
    manifest.isClosed = true;
    return manifest;
}

std::string
ErrorsOf(const std::string& lines)
{
    const auto manifest = ParseTraceManifest("m", GetManifestHead() + lines);
    return manifest ? "" : ToString(manifest.Errors());
}

} // namespace

TEST(TraceManifest, ComesBack)
{
    const TraceManifest manifest = MakeManifest();
    const auto read = ParseTraceManifest("m", ToString(manifest));
    ASSERT_TRUE(read) << ToString(read.Errors());
    EXPECT_EQ(*read, manifest);
    EXPECT_TRUE(IsTraceManifest(ToString(manifest)));
    EXPECT_EQ(*ParseTraceManifest("m", ToString(TraceManifest{})), TraceManifest{});
}

TEST(TraceManifest, LinesAreThoseOfTheDescription)
{
    TraceManifest manifest;
    manifest.host = "vm1";
    manifest.clock = TraceClock{};
    manifest.gids = {Gid{std::byte{0xfe}, std::byte{0x80}}};
    manifest.threads = {{2, ThreadOrder::PROGRAM, "thread-2.rdt", "1541"}};
    EXPECT_EQ(ToString(manifest),
              "rdmasim-trace: 1\n"
              "host: vm1\n"
              "timing: recorded\n"
              "clock_ticks_per_second: 1000000000\n"
              "clock_origin_ticks: 0\n"
              "origin_ns: 0\n"
              "gid: fe80:0000:0000:0000:0000:0000:0000:0000\n"
              "thread: 2 program thread-2.rdt 1541\n");
}

TEST(TraceManifest, TheLastLineOfAKeyHoldsAndAnUnfinishedOneIsLeftOut)
{
    const auto manifest = ParseTraceManifest("m",
                                             GetManifestHead() + "clock_ticks_per_second: 5\n"
                                                                 "\n# a remark\n"
                                                                 "clock_ticks_per_second: 7\n"
                                                                 "clock_origin_ticks: -9\n"
                                                                 "thread: 0 program t 1\n"
                                                                 "thread: 1 progr");
    ASSERT_TRUE(manifest) << ToString(manifest.Errors());
    EXPECT_EQ(manifest->clock, (TraceClock{7, -9}));
    EXPECT_EQ(manifest->threads.size(), 1u);
    EXPECT_FALSE(manifest->isClosed);
    EXPECT_THAT(manifest->notes, ElementsAre("m: the last line is not whole, left out"));
}

TEST(TraceManifest, WrongLinesAreNamedAtOnce)
{
    const std::string errors = ErrorsOf("hots: x\npid: 12x\nclock_ticks_per_second: 0\n");
    EXPECT_THAT(errors,
                HasSubstr("m:2: unknown key; got 'hots'; expected <key>: <value>; did you "
                          "mean 'host'?"));
    EXPECT_THAT(errors, HasSubstr("m:3: pid: not a value of this key; got '12x'"));
    EXPECT_THAT(errors, HasSubstr("m:4: clock_ticks_per_second: not a value of this key; got '0'"));
    for (const std::string line : {"gid: fe80::1",
                                   "gid: fe80:0000:0000:0000:0000:0000:0000:000g",
                                   "gid: fe80:0000:0000:0000:0000:0000:0000-0000",
                                   "thread: 0 program",
                                   "thread: x program t",
                                   "thread: 0 both t",
                                   "thread: 0 program ../t",
                                   "timing: now",
                                   "closed: no",
                                   "process: -1",
                                   "clock_ticks_per_second: 18000000001",
                                   "pid"})
    {
        EXPECT_THAT(ErrorsOf(line + "\n"), HasSubstr("m:2: ")) << line;
    }
    std::string many;
    for (int i = 0; i < 1000; ++i)
    {
        many += "x\n";
    }
    EXPECT_LT(ErrorsOf(many).size(), 10000u);
}

TEST(TraceManifest, OtherFilesAndVersionsAreRefused)
{
    for (const std::string text : {"", "rdmasim-trace: 1", "rdmasim-trace: 2\n", "host: x\n"})
    {
        const auto manifest = ParseTraceManifest("m", text);
        ASSERT_FALSE(manifest) << text;
        EXPECT_THAT(ToString(manifest.Errors()), HasSubstr("m:1: not the manifest of a trace"));
    }
    EXPECT_TRUE(IsTraceManifest("rdmasim-trace: 2\n"));
    EXPECT_FALSE(IsTraceManifest("rdmasim"));
}

} // namespace ns3::rdma
