// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tests/tracefile/random-operations.h"
#include "tracefile/trace-writer.h"
#include "workload/trace-reader.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

/** A trace of two processes with a thread each. */
Trace
MakeTrace()
{
    Trace trace;
    trace.processes.resize(2);
    RandomOperations random{4};
    for (uint32_t i = 0; i < 2; ++i)
    {
        trace.processes[i].name = "p" + std::to_string(i);
        std::vector<StoredOperation> stored;
        for (int j = 0; j < 10; ++j)
        {
            TraceOperation operation = random.Make();
            operation.dependencies = {};
            operation.control.detail = std::monostate{};
            stored.emplace_back(operation);
        }
        trace.threads.push_back(
            {i, "t", ThreadOrder::PROGRAM, std::make_unique<StoredStream>(std::move(stored))});
    }
    return trace;
}

class RdmasimTraceReaderTest : public testing::Test
{
  protected:
    RdmasimTraceReaderTest()
    {
        Trace trace = MakeTrace();
        EXPECT_TRUE(WriteTrace(trace, m_out));
    }

    std::size_t CountThreads(const std::vector<std::string>& paths) const
    {
        const auto trace = OpenTrace({paths, "", {}});
        EXPECT_TRUE(trace) << ToString(trace.Errors());
        EXPECT_EQ(trace->format, "rdmasim");
        return trace->threads.size();
    }

    TemporaryFolder m_folder;
    std::string m_out{m_folder.Path() / "out"};
};

} // namespace

TEST_F(RdmasimTraceReaderTest, FoldersManifestsAndThreadFilesAreFoundByContent)
{
    EXPECT_EQ(CountThreads({m_out}), 2u);
    EXPECT_EQ(CountThreads({m_out + "/process-1"}), 1u);
    EXPECT_EQ(CountThreads({m_out + "/process-1", m_out + "/process-0"}), 2u);
    EXPECT_EQ(CountThreads({m_out + "/process-1/manifest"}), 1u);
    EXPECT_EQ(CountThreads({m_out + "/process-0/thread-0.rdt"}), 1u);
}

TEST_F(RdmasimTraceReaderTest, OtherFilesAndFoldersAreNot)
{
    const std::string file = m_folder.Path() / "text";
    std::ofstream{file} << "hello";
    const auto trace = OpenTrace({{file}, "rdmasim", {}});
    ASSERT_FALSE(trace);
    EXPECT_THAT(ToString(trace.Errors()), HasSubstr("neither a manifest nor a thread file"));
    std::filesystem::create_directory(m_folder.Path() / "empty");
    EXPECT_FALSE(OpenTrace({{m_folder.Path() / "empty"}, "", {}}));
}

} // namespace ns3::rdma
