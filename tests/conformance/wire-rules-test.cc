// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/wire-rules.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

Expected<WireRules>
Read(const std::string& text)
{
    return ReadWireRules(YAML::Load(text));
}

TEST(WireRules, AsTheLogsShowThem)
{
    const auto rules = Read(R"([{"dir": "ab", "match": {"opcode": [7], "psn": [1193051]},
                                 "n": [1, 3], "act": "drop"},
                                {"dir": "ba", "match": {"aeth": [96]}, "act": "delay", "by": 2}])");
    ASSERT_TRUE(rules);
    ASSERT_EQ((*rules)[1].size(), 1U);
    const FaultRule& toServer = (*rules)[1][0];
    EXPECT_EQ(toServer.action, FaultAction::DROP);
    EXPECT_THAT(toServer.match.opcodes, ElementsAre(Opcode::RC_RDMA_WRITE_MIDDLE));
    EXPECT_THAT(toServer.match.psns, ElementsAre(Psn{0x12345b}));
    EXPECT_THAT(toServer.which, ElementsAre(1, 3));
    const FaultRule& toClient = (*rules)[0].at(0);
    EXPECT_EQ(toClient.action, FaultAction::DELAY);
    EXPECT_EQ(toClient.delayFrames, 2U);
    EXPECT_THAT(toClient.match.syndromes, ElementsAre(SYNDROME_NAK_SEQUENCE));
}

struct ActionRow
{
    const char* name;
    FaultAction action;
};

class WireRuleActions : public testing::TestWithParam<ActionRow>
{
};

TEST_P(WireRuleActions, EachName)
{
    const auto rules = Read("[{dir: ab, act: " + std::string{GetParam().name} + "}]");
    ASSERT_TRUE(rules);
    EXPECT_EQ((*rules)[1].at(0).action, GetParam().action);
}

INSTANTIATE_TEST_SUITE_P(All,
                         WireRuleActions,
                         testing::Values(ActionRow{"drop", FaultAction::DROP},
                                         ActionRow{"dup", FaultAction::DUPLICATE},
                                         ActionRow{"delay", FaultAction::DELAY},
                                         ActionRow{"icrc", FaultAction::DAMAGE_ICRC},
                                         ActionRow{"corrupt", FaultAction::CORRUPT_PAYLOAD},
                                         ActionRow{"ce", FaultAction::MARK_CE}));

TEST(WireRules, NothingAndText)
{
    EXPECT_TRUE(ReadWireRules(YAML::Node{}));
    const auto quoted = Read(R"('[{"dir": "ab", "act": "dup"}]')");
    ASSERT_TRUE(quoted);
    EXPECT_EQ((*quoted)[1].size(), 1U);
}

class WrongRules : public testing::TestWithParam<const char*>
{
};

TEST_P(WrongRules, AreErrors)
{
    EXPECT_FALSE(Read(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All,
                         WrongRules,
                         testing::Values("[{dir: ab, act: burn}]",
                                         "[{dir: up, act: drop}]",
                                         "[{dir: ab}]",
                                         "[{dir: ab, act: drop, when: now}]",
                                         "[{dir: ab, act: drop, match: {port: 1}}]",
                                         "[{dir: ab, act: drop, n: [x]}]"));

} // namespace
} // namespace ns3::rdma
