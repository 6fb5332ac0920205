// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "workload/trace-reader.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/** What files of both readers begin with; no file of another reader does. */
constexpr unsigned char BOTH = 0xf0;

/** Reads files that begin with its letter's byte, as many processes as an option says. */
template <char FIRST>
class WordTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId{"ns3::rdma::Test" + std::string(1, FIRST) + "WordTraceReader"}
                                .SetParent<TraceReader>()
                                .AddConstructor<WordTraceReader<FIRST>>()
                                .AddAttribute("ProcessCount",
                                              "How many.",
                                              UintegerValue{1},
                                              MakeUintegerAccessor(&WordTraceReader::m_count),
                                              MakeUintegerChecker<uint32_t>(1, 9));
        return tid;
    }

  private:
    Match DoProbe(const std::string& path, std::span<const std::byte> head) const override
    {
        const auto letter = static_cast<std::byte>(FIRST | 0x80);
        EXPECT_LE(head.size(), PROBE_BYTES);
        EXPECT_FALSE(path.empty());
        if (head.empty() || (head.front() != letter && head.front() != std::byte{BOTH}))
        {
            return Match::NO;
        }
        return head.size() > 1 && head[1] == std::byte{'!'} ? Match::YES : Match::MAYBE;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        Trace trace;
        trace.processes.resize(m_count);
        trace.notes = paths;
        return trace;
    }

    uint32_t m_count{1};
};

class TraceReaderTest : public testing::Test
{
  protected:
    TraceReaderTest()
    {
        WordTraceReader<'A'>::GetTypeId();
        WordTraceReader<'B'>::GetTypeId();
    }

    std::string MakeFile(const std::string& name, const std::string& text)
    {
        const std::string path = m_folder.Path() / name;
        std::ofstream{path} << text;
        return path;
    }

    static std::string ErrorsOf(const TraceRequest& request)
    {
        const auto trace = OpenTrace(request);
        return trace ? "" : ToString(trace.Errors());
    }

    TemporaryFolder m_folder;
};

} // namespace

TEST_F(TraceReaderTest, NamesOfFormatsAreMadeFromThoseOfClasses)
{
    EXPECT_THAT(GetTraceFormats(), AllOf(Contains("test-a-word"), Contains("test-b-word")));
}

TEST_F(TraceReaderTest, TheReaderThatIsSurestIsChosen)
{
    const auto trace = OpenTrace({{MakeFile("a", "\xc1 text")}, "", {}});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    EXPECT_EQ(trace->format, "test-a-word");
    const auto two = OpenTrace({{MakeFile("b", "\xc2!"), MakeFile("c", "\xc2 ")}, "", {}});
    ASSERT_TRUE(two) << ToString(two.Errors());
    EXPECT_EQ(two->format, "test-b-word");
    EXPECT_EQ(two->notes.size(), 2u);
}

TEST_F(TraceReaderTest, FilesThatFitNoneOrTwoAreRefusedWithTheNames)
{
    EXPECT_THAT(ErrorsOf({{MakeFile("none", "\x01\x02")}, "", {}}),
                AllOf(HasSubstr("no trace format has such content"), HasSubstr("test-a-word")));
    EXPECT_THAT(ErrorsOf({{MakeFile("both", "\xf0")}, "", {}}),
                HasSubstr("fits test-a-word, test-b-word; say which by --format"));
    EXPECT_EQ(ErrorsOf({{MakeFile("both", "\xf0")}, "test-a-word", {}}), "");
    EXPECT_THAT(ErrorsOf({{MakeFile("a", "\xc1"), MakeFile("b", "\xc2")}, "", {}}),
                HasSubstr("files of two formats cannot be one trace"));
    EXPECT_THAT(ErrorsOf({{"/nowhere"}, "", {}}), HasSubstr("/nowhere: cannot be opened"));
    EXPECT_THAT(ErrorsOf({{}, "", {}}), HasSubstr("no trace file was given"));
    EXPECT_THAT(ErrorsOf({{"x"}, "test-a-wort", {}}), HasSubstr("did you mean 'test-a-word'"));
}

TEST_F(TraceReaderTest, OptionsAreAttributesOfTheReader)
{
    const std::string file = MakeFile("a", "\xc1");
    const auto trace = OpenTrace({{file}, "", {{"process_count", "3"}}});
    ASSERT_TRUE(trace) << ToString(trace.Errors());
    EXPECT_EQ(trace->processes.size(), 3u);
    EXPECT_THAT(ErrorsOf({{file}, "", {{"process_cuont", "3"}, {"process_count", "10"}}}),
                AllOf(HasSubstr("did you mean 'process_count'?"),
                      HasSubstr("process_count: not a value of this option; got '10'")));
}

} // namespace ns3::rdma
