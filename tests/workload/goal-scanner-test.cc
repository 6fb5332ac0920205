// SPDX-License-Identifier: GPL-2.0-only
#include "workload/goal-scanner.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

/** Tokens as "line:column text"; ends of lines as "newline". */
std::vector<std::string>
Scan(std::string_view text)
{
    GoalScanner scanner{text};
    std::vector<std::string> tokens;
    for (GoalToken token = scanner.Next(); token.kind != GoalTokenKind::END; token = scanner.Next())
    {
        tokens.push_back(
            std::to_string(token.at.line) + ":" + std::to_string(token.at.column) + " " +
            (token.kind == GoalTokenKind::NEWLINE ? "newline" : std::string{token.at.text}));
    }
    return tokens;
}

TEST(GoalScanner, CutsNumbersFromTheirUnits)
{
    EXPECT_THAT(
        Scan("l1:send 10b to -1"),
        ElementsAre("1:1 l1", "1:3 :", "1:4 send", "1:9 10", "1:11 b", "1:13 to", "1:16 -1"));
}

TEST(GoalScanner, SkipsCommentsAndCountsTheirLines)
{
    EXPECT_THAT(Scan("a // b\r\n/* c\n d */ e /**/ f"),
                ElementsAre("1:1 a", "1:8 newline", "3:7 e", "3:14 f"));
    EXPECT_THAT(Scan("/* open"), ElementsAre("1:1 /", "1:2 *", "1:4 open"));
    EXPECT_THAT(Scan("// to the end"), ElementsAre());
}

TEST(GoalScanner, WhatHasNoPlaceIsOneCharacter)
{
    EXPECT_THAT(Scan("{-}#"), ElementsAre("1:1 {", "1:2 -", "1:3 }", "1:4 #"));
}

} // namespace
} // namespace ns3::rdma
