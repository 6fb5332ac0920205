// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/action.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

Action
Parse(const std::string& word)
{
    const Expected<Action> action = ParseAction(word);
    EXPECT_TRUE(action) << word;
    return action ? *action : Action{};
}

struct OpcodeRow
{
    const char* word;
    SendOpcode opcode;
    uint8_t flags;
    uint64_t length;
    bool waits;
};

class ActionOpcodes : public testing::TestWithParam<OpcodeRow>
{
};

TEST_P(ActionOpcodes, LettersAndPrefixes)
{
    const auto& [word, opcode, flags, length, waits] = GetParam();
    const Action action = Parse(word);
    EXPECT_EQ(action.kind, ActionKind::POST);
    EXPECT_EQ(action.opcode, opcode);
    EXPECT_EQ(action.flags, flags);
    EXPECT_EQ(action.length, length);
    EXPECT_EQ(action.waits, waits);
}

INSTANTIATE_TEST_SUITE_P(
    Words,
    ActionOpcodes,
    testing::Values(
        OpcodeRow{"W:10", SendOpcode::RDMA_WRITE, SEND_SIGNALED, 10, true},
        OpcodeRow{"&R:4096", SendOpcode::RDMA_READ, SEND_SIGNALED, 4096, false},
        OpcodeRow{"+S:0", SendOpcode::SEND, 0, 0, false},
        OpcodeRow{"WI:0x10", SendOpcode::RDMA_WRITE_WITH_IMM, SEND_SIGNALED, 16, true},
        OpcodeRow{"SI:7", SendOpcode::SEND_WITH_IMM, SEND_SIGNALED, 7, true},
        OpcodeRow{"SE:5", SendOpcode::SEND, SEND_SIGNALED | SEND_SOLICITED, 5, true},
        OpcodeRow{"SV:20", SendOpcode::SEND_WITH_INV, SEND_SIGNALED, 20, true},
        OpcodeRow{"&WF:9", SendOpcode::RDMA_WRITE, SEND_SIGNALED | SEND_FENCE, 9, false},
        OpcodeRow{"FA:5", SendOpcode::ATOMIC_FETCH_AND_ADD, SEND_SIGNALED, 8, true},
        OpcodeRow{"CS:5:7", SendOpcode::ATOMIC_CMP_AND_SWP, SEND_SIGNALED, 8, true}));

TEST(Action, OperandsOfAtomics)
{
    EXPECT_EQ(Parse("FA:5").compareAdd, 5U);
    EXPECT_EQ(Parse("FA:1:4").offset, 4);
    EXPECT_EQ(Parse("CS:5:7").compareAdd, 5U);
    EXPECT_EQ(Parse("CS:5:7").swap, 7U);
    EXPECT_EQ(Parse("CS:5:7:8").offset, 8);
}

TEST(Action, KeysOffsetsAndRegions)
{
    EXPECT_TRUE(Parse("RB:3000").hasBadKey);
    EXPECT_FALSE(Parse("R:3000").hasBadKey);
    EXPECT_EQ(Parse("WO:100").offset, 0xffff0); // as in the capture of local errors
    EXPECT_EQ(Parse("W:100:64").offset, 64);
    EXPECT_EQ(Parse("W:100@2").region, 1U);
}

TEST(Action, WhatIsNotPosted)
{
    EXPECT_EQ(Parse("drain").kind, ActionKind::DRAIN);
    EXPECT_EQ(Parse("receive:16x65536").count, 16U);
    EXPECT_EQ(Parse("receive:16x65536").length, 65536U);
    EXPECT_EQ(Parse("received:2").kind, ActionKind::AWAIT_RECEIVE);
    EXPECT_EQ(Parse("executed:3").count, 3U);
    EXPECT_EQ(Parse("sleep:300").duration, SimTime::Milliseconds(300));
}

class WrongWords : public testing::TestWithParam<const char*>
{
};

TEST_P(WrongWords, AreErrors)
{
    EXPECT_FALSE(ParseAction(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All,
                         WrongWords,
                         testing::Values("",
                                         "W",
                                         "W:",
                                         "W:x",
                                         "X:1",
                                         "RI:1",
                                         "WV:1",
                                         "CS:1",
                                         "W:1:2:3",
                                         "W:1@3",
                                         "received:",
                                         "receive:16",
                                         "sleep"));

TEST(SplitWords, TakesQuotesOff)
{
    EXPECT_THAT(SplitWords("vt -c  10.0.0.2 '&R:1' \"W:2\""),
                ElementsAre("vt", "-c", "10.0.0.2", "&R:1", "W:2"));
}

} // namespace
} // namespace ns3::rdma
