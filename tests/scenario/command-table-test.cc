// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-line.h"
#include "scenario/command-table.h"

#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

/** What the program writes to its error output. */
std::string
ErrorsOf(const std::vector<std::string>& words)
{
    std::ostringstream out;
    std::ostringstream err;
    const int code = RunCommandLine(words, nullptr, out, err);
    EXPECT_EQ(code, 2);
    EXPECT_EQ(out.str(), "");
    return err.str();
}

} // namespace

TEST(CommandTable, HelpShowsEachCommandAndItsOptions)
{
    const std::string usage = GetUsage();
    ASSERT_FALSE(GetCommandTable().empty());
    for (const Command& command : GetCommandTable())
    {
        EXPECT_THAT(usage, HasSubstr("rdmasim " + command.name + " " + command.operands));
        EXPECT_THAT(usage, HasSubstr(command.summary));
        for (const OptionRule& option : command.options)
        {
            EXPECT_THAT(usage, HasSubstr(option.name + " " + option.value));
        }
    }
}

TEST(CommandTable, EachCommandRefusesWordsThatItDoesNotKnow)
{
    for (const Command& command : GetCommandTable())
    {
        EXPECT_THAT(ErrorsOf({command.name, "--no-such"}), HasSubstr("unknown option"));
        EXPECT_THAT(ErrorsOf({command.name, "--plugin", "/nowhere.so"}), HasSubstr("/nowhere.so"));
    }
    EXPECT_THAT(ErrorsOf({"trase"}), HasSubstr("did you mean 'trace'?"));
}

TEST(CommandTable, BadInputIsExitCodeTwo)
{
    std::ostringstream err;
    EXPECT_EQ(ReportBadInput({MakeWordDiagnostic("not so", "x")}, err), 2);
    EXPECT_EQ(err.str(), "command line: not so; got 'x'\n");
}

} // namespace ns3::rdma
