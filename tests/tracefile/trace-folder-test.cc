// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tracefile/block-encoder.h"
#include "tracefile/thread-file-header.h"
#include "tracefile/trace-folder.h"
#include "tracefile/trace-manifest.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

/** A thread file with some COMPUTEs, as a recorder leaves it. */
void
WriteThreadFile(const fs::path& path, uint32_t number, uint64_t operations)
{
    fs::create_directories(path.parent_path());
    ThreadFileHeader header;
    header.number = number;
    header.name = "thread " + std::to_string(number);
    header.order = number == 1 ? ThreadOrder::GRAPH : ThreadOrder::PROGRAM;
    std::vector<std::byte> buffer(1 << 14);
    std::string bytes(reinterpret_cast<const char*>(buffer.data()), header.Emit(buffer));
    BlockEncoder encoder;
    encoder.Begin(buffer);
    TraceOperation operation;
    operation.kind = OperationKind::COMPUTE;
    for (uint64_t i = 0; i < operations; ++i)
    {
        operation.timeNs = static_cast<int64_t>(i) * 1000;
        ASSERT_TRUE(encoder.Append(operation));
    }
    bytes.append(reinterpret_cast<const char*>(buffer.data()), encoder.Finish());
    std::ofstream{path, std::ios::binary} << bytes;
}

void
WriteManifest(const fs::path& folder, const std::string& lines)
{
    fs::create_directories(folder);
    std::ofstream{folder / TraceManifest::FILE_NAME} << GetManifestHead() << lines;
}

/** Name of its process, name, and number of its operations, of each thread. */
std::vector<std::string>
Describe(const Trace& trace)
{
    std::vector<std::string> texts;
    for (const TraceThread& thread : trace.threads)
    {
        TraceOperation operation;
        std::size_t count = 0;
        while (thread.operations->Next(operation))
        {
            ++count;
        }
        texts.push_back(trace.processes[thread.process].name + "/" + thread.name + " " +
                        (thread.order == ThreadOrder::GRAPH ? "graph " : "") +
                        std::to_string(count));
    }
    return texts;
}

class TraceFolderTest : public testing::Test
{
  protected:
    fs::path Path(const std::string& name) const
    {
        return m_folder.Path() / name;
    }

    std::string ErrorsOf(const std::vector<std::string>& paths) const
    {
        const auto trace = OpenTraceFolders(paths);
        return trace ? "" : ToString(trace.Errors());
    }

    TemporaryFolder m_folder;
};

} // namespace

TEST_F(TraceFolderTest, AFolderIsOpenedByItsManifest)
{
    WriteManifest(Path("a"),
                  "host: vm1\nexecutable: /usr/bin/rping\npid: 77\n"
                  "thread: 1 graph t1.rdt second\nthread: 0 program t0.rdt first\nclosed: yes\n");
    WriteThreadFile(Path("a/t0.rdt"), 0, 3);
    WriteThreadFile(Path("a/t1.rdt"), 1, 4);
    for (const std::string path : {Path("a"), Path("a/"), Path("a/manifest"), m_folder.Path()})
    {
        const auto trace = OpenTraceFolders({path});
        ASSERT_TRUE(trace) << ToString(trace.Errors());
        EXPECT_THAT(Describe(*trace),
                    ElementsAre("vm1/rping:77/first 3", "vm1/rping:77/second graph 4"));
        EXPECT_EQ(trace->processes.front().host, "vm1");
        EXPECT_THAT(trace->notes, IsEmpty());
    }
    const auto thread = OpenTraceFolders({Path("a/t1.rdt")});
    ASSERT_TRUE(thread);
    EXPECT_THAT(Describe(*thread), ElementsAre("vm1/rping:77/second graph 4"));
}

TEST_F(TraceFolderTest, WithoutManifestThreadsAreFoundByName)
{
    WriteThreadFile(Path("killed/thread-10.rdt"), 10, 1);
    WriteThreadFile(Path("killed/thread-1.rdt"), 1, 2);
    const auto trace = OpenTraceFolders({Path("killed")});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    EXPECT_THAT(Describe(*trace), ElementsAre("killed/thread 1 graph 2", "killed/thread 10 1"));
    EXPECT_THAT(trace->notes,
                ElementsAre(HasSubstr("no manifest: thread files were found by name"),
                            HasSubstr("not in the manifest: thread-1.rdt, thread-10.rdt")));
}

TEST_F(TraceFolderTest, AKilledProgramIsReadAndTold)
{
    WriteManifest(Path("a"), "name: x\nthread: 0 program t0.rdt first\nthread: 1 prog");
    WriteThreadFile(Path("a/t0.rdt"), 0, 3);
    WriteThreadFile(Path("a/t1.rdt"), 1, 5);
    fs::resize_file(Path("a/t1.rdt"), fs::file_size(Path("a/t1.rdt")) - 1);
    const auto trace = OpenTraceFolders({Path("a")});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    EXPECT_THAT(Describe(*trace), ElementsAre("x/first 3", "x/thread 1 graph 0"));
    EXPECT_THAT(trace->notes,
                ElementsAre(HasSubstr("the recording was not closed"),
                            HasSubstr("not in the manifest: t1.rdt"),
                            HasSubstr("the last line is not whole")));
    EXPECT_THAT(ToString(trace->threads[1].operations->GetDamage().value()),
                HasSubstr("the file ends inside a block"));
}

TEST_F(TraceFolderTest, ThreadFilesThatCannotBeReadAreDamageOfTheirThread)
{
    WriteManifest(Path("a"),
                  "name: x\nthread: 0 program t0.rdt a\nthread: 1 program t1.rdt b\n"
                  "thread: 2 program t2.rdt c\n");
    WriteThreadFile(Path("a/t0.rdt"), 0, 3);
    std::ofstream{Path("a/t1.rdt")} << "nonsense";
    const auto trace = OpenTraceFolders({Path("a")});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    EXPECT_THAT(Describe(*trace), ElementsAre("x/a 3", "x/b 0", "x/c 0"));
    EXPECT_THAT(ToString(trace->threads[1].operations->GetDamage().value()),
                AllOf(HasSubstr("t1.rdt"), HasSubstr("not a thread file of a trace")));
    EXPECT_THAT(ToString(trace->threads[2].operations->GetDamage().value()),
                AllOf(HasSubstr("t2.rdt"), HasSubstr("cannot be opened")));
}

TEST_F(TraceFolderTest, SeveralFoldersAreOneTraceInTheirOrder)
{
    for (const std::string name : {"p-10", "p-2", "other"})
    {
        WriteManifest(Path("all/" + name), "name: same\nhost: " + name + "\nclosed: yes\n");
        WriteThreadFile(Path("all/" + name + "/t.rdt"), 0, 1);
    }
    std::ofstream{Path("all/note.txt")} << "not a trace";
    const auto trace = OpenTraceFolders({Path("all")});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    ASSERT_EQ(trace->processes.size(), 3u);
    EXPECT_EQ(trace->processes[0].host, "p-2");
    EXPECT_EQ(trace->processes[1].host, "p-10");
    EXPECT_EQ(trace->processes[2].host, "other");
    EXPECT_EQ(trace->processes[0].name, "same");
    EXPECT_EQ(trace->processes[1].name, "same (2)");
    EXPECT_EQ(trace->processes[2].name, "same (3)");
    const auto turned = OpenTraceFolders({Path("all/other"), Path("all/p-2")});
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->processes[0].host, "other");
}

TEST_F(TraceFolderTest, TheClockOfTheManifestStandsAboveThatOfTheFile)
{
    WriteManifest(Path("a"), "clock_ticks_per_second: 2000000000\nclock_origin_ticks: 500\n");
    WriteThreadFile(Path("a/t.rdt"), 0, 2);
    const auto trace = OpenTraceFolders({Path("a")});
    ASSERT_TRUE(trace);
    TraceOperation operation;
    ASSERT_TRUE(trace->threads[0].operations->Next(operation));
    EXPECT_EQ(operation.timeNs, -250);
    ASSERT_TRUE(trace->threads[0].operations->Next(operation));
    EXPECT_EQ(operation.timeNs, 250);
}

TEST_F(TraceFolderTest, WhatIsNoTraceIsRefused)
{
    fs::create_directories(Path("empty/within"));
    std::ofstream{Path("text")} << "hello";
    EXPECT_THAT(ErrorsOf({Path("empty")}), HasSubstr("no folder of a trace"));
    EXPECT_THAT(ErrorsOf({Path("text"), Path("nowhere")}),
                AllOf(HasSubstr("text: neither a manifest nor a thread file"),
                      HasSubstr("nowhere: neither")));
    WriteManifest(Path("bad"), "hots: x\n");
    EXPECT_THAT(ErrorsOf({Path("bad")}), HasSubstr("bad/manifest:2: unknown key"));
    WriteManifest(Path("planned"), "timing: planned\n");
    WriteManifest(Path("recorded"), "timing: recorded\n");
    EXPECT_THAT(ErrorsOf({Path("planned"), Path("recorded")}),
                HasSubstr("recorded: its times are not of the kind of those before"));
    WriteManifest(Path("set"), "set: 2 x\nprocess: 1\n");
    EXPECT_THAT(ErrorsOf({Path("set"), Path("set")}), HasSubstr("is there already"));
    EXPECT_FALSE(IsTraceFolder(Path("empty")));
    EXPECT_FALSE(IsTraceFolder(Path("text")));
    EXPECT_FALSE(IsTraceFolder(Path("nowhere")));
    EXPECT_TRUE(IsTraceFolder(Path("planned")));
    EXPECT_TRUE(IsTraceFolder(m_folder.Path()));
}

} // namespace ns3::rdma
