// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-command.h"
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

} // namespace ns3::rdma
