// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-words.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<OptionRule> RULES{{"--out", "folder", ""}, {"--quiet", "", ""}};

CommandWords
Split(const std::vector<std::string>& words)
{
    return SplitWords(words, RULES);
}

} // namespace

TEST(CommandWords, OptionsAndOperandsComeInAnyOrder)
{
    const CommandWords words = Split({"a", "--out", "x", "b", "--out=y=z", "--quiet"});
    EXPECT_THAT(words.errors, IsEmpty());
    EXPECT_THAT(words.operands, ElementsAre("a", "b"));
    EXPECT_THAT(words.GetAll("--out"), ElementsAre("x", "y=z"));
    EXPECT_EQ(words.GetLast("--out"), "y=z");
    EXPECT_TRUE(words.Has("--quiet"));
    EXPECT_FALSE(Split({"a"}).Has("--quiet"));
    EXPECT_EQ(Split({"a"}).GetLast("--out"), "");
}

TEST(CommandWords, BehindTwoDashesAllWordsAreOperands)
{
    const CommandWords words = Split({"--quiet", "--", "program", "--out", "--", "-x"});
    EXPECT_THAT(words.errors, IsEmpty());
    EXPECT_THAT(words.operands, ElementsAre("program", "--out", "--", "-x"));
    EXPECT_FALSE(words.Has("--out"));
}

TEST(CommandWords, AllMistakesAreNamedAtOnce)
{
    const std::string errors = ToString(Split({"--quite", "--quiet=1", "--out"}).errors);
    EXPECT_THAT(errors, HasSubstr("unknown option; got '--quite'; did you mean '--quiet'?"));
    EXPECT_THAT(errors, HasSubstr("the option takes no value; got '--quiet=1'"));
    EXPECT_THAT(errors,
                HasSubstr("the option's value is missing; got '--out'; expected --out folder"));
}

} // namespace ns3::rdma
