// SPDX-License-Identifier: GPL-2.0-only
#include "topology/table-reader.h"

#include <gmock/gmock.h>

using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

std::vector<std::string>
Cut(std::string_view line)
{
    std::vector<std::string> cells;
    for (const TextToken& cell : CutAtCommas(line, 1))
    {
        cells.push_back(std::to_string(cell.column) + ":" + std::string{cell.text});
    }
    return cells;
}

} // namespace

TEST(TableReader, CutsAtCommasThatAreNotInQuotes)
{
    EXPECT_THAT(Cut("a, b ,,c"), ElementsAre("1:a", "4:b", "7:", "8:c"));
    EXPECT_THAT(Cut("\"a, b\", \"\" ,\"c"), ElementsAre("1:a, b", "9:", "13:\"c"));
    EXPECT_THAT(Cut("a\"b,c\""), ElementsAre("1:a\"b", "5:c\"")) << "not at the start of a cell";
    EXPECT_THAT(Cut(""), ElementsAre("1:"));
    EXPECT_THAT(Cut(",\r"), ElementsAre("1:", "3:"));
}

TEST(TableReader, ReadsNamesAndRows)
{
    DiagnosticList errors{"t.csv"};
    TableReader table{"\xef\xbb\xbf# comment\n\nb,a\n1,2\n\n#\n3\n4,5", errors};
    ASSERT_TRUE(table.ReadNames({"a", "b", "c"}, {"a"}));
    EXPECT_THAT(table.Names(), ElementsAre("b", "a"));
    EXPECT_EQ(table.Find("a"), 1U);
    EXPECT_FALSE(table.Find("c"));
    std::vector<TextToken> cells;
    ASSERT_TRUE(table.Next(cells));
    EXPECT_EQ(cells[1].text, "2");
    EXPECT_EQ(table.Line(), 4U);
    ASSERT_TRUE(table.Next(cells)) << "the row of one cell is passed over";
    EXPECT_EQ(cells[0].text, "4");
    EXPECT_FALSE(table.Next(cells));
    const Diagnostics findings = errors.Take();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(ToString(findings[0]), HasSubstr("t.csv:7"));
}

TEST(TableReader, ReportsNamesThatAreWrong)
{
    DiagnosticList errors{"t.csv"};
    TableReader table{"time,sise,bytes,bytes\n", errors};
    EXPECT_FALSE(table.ReadNames({"time_ns", "size", "bytes", "peer"}, {"peer"}));
    const Diagnostics findings = errors.Take();
    ASSERT_EQ(findings.size(), 4U);
    EXPECT_EQ(findings[0].nearest, "time_ns") << "a unit belongs to the name";
    EXPECT_EQ(findings[1].nearest, "size");
    EXPECT_THAT(ToString(findings[2]), HasSubstr("twice"));
    EXPECT_THAT(ToString(findings[3]), AllOf(HasSubstr("missing"), HasSubstr("peer")));
    DiagnosticList empty{"t.csv"};
    EXPECT_FALSE((TableReader{"# nothing\n", empty}.ReadNames({"a"}, {})));
    EXPECT_FALSE(empty.IsEmpty());
}
