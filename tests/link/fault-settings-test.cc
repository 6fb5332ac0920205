// SPDX-License-Identifier: GPL-2.0-only
#include "link/fault-settings.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gmock/gmock.h>
#include <utility>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Ptr<FaultSettings>
Make(const std::string& type, const std::vector<std::pair<std::string, std::string>>& attributes)
{
    ObjectFactory factory{"ns3::rdma::" + type};
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue(value));
    }
    return factory.Create<FaultSettings>();
}

TEST(FaultSettings, EachActionIsAClass)
{
    for (const auto& [type, action] : std::vector<std::pair<std::string, FaultAction>>{
             {"DropFault", FaultAction::DROP},
             {"DuplicateFault", FaultAction::DUPLICATE},
             {"CorruptFault", FaultAction::CORRUPT_PAYLOAD},
             {"MarkFault", FaultAction::MARK_CE},
             {"DelayFault", FaultAction::DELAY}})
    {
        EXPECT_EQ(Make(type, {{"From", "a"}})->GetRule().action, action) << type;
    }
    EXPECT_EQ(Make("DelayFault", {{"ByFrames", "7"}})->GetRule().delayFrames, 7U);
}

TEST(FaultSettings, RuleHasAllThatIsSet)
{
    const auto settings = Make("DropFault",
                               {{"From", "a"},
                                {"Frames", "rc-rdma-write-last, rc-send-only"},
                                {"Psn", "5 16777215"},
                                {"Which", "1, 3"},
                                {"Every", "256"},
                                {"Probability", "0.25"}});
    EXPECT_THAT(settings->CheckSettings(), IsEmpty());
    const FaultRule rule = settings->GetRule();
    EXPECT_THAT(rule.match.opcodes,
                testing::UnorderedElementsAre(Opcode::RC_RDMA_WRITE_LAST, Opcode::RC_SEND_ONLY));
    EXPECT_THAT(rule.match.psns, ElementsAre(Psn{5}, Psn{0xffffff}));
    EXPECT_THAT(rule.which, ElementsAre(1, 3));
    EXPECT_EQ(rule.every, 256U);
    EXPECT_EQ(rule.probability, 0.25);
}

TEST(FaultSettings, NothingSetMeansAll)
{
    const FaultRule rule = Make("DropFault", {{"From", "a"}})->GetRule();
    EXPECT_THAT(rule.match.opcodes, IsEmpty());
    EXPECT_THAT(rule.match.psns, IsEmpty());
    EXPECT_THAT(rule.which, IsEmpty());
    EXPECT_EQ(rule.every, 1U);
    EXPECT_EQ(rule.probability, 1.0);
}

// IBTA Vol 1 Rel 1.7 section 9.2.1: RC READ responses 0x0d .. 0x10 and the atomic one 0x12, and the
// same of XRC, 0xad .. 0xb0 and 0xb2.
TEST(FaultSettings, ClassesAreWhatCapturesCallThem)
{
    const auto opcodes = [](const std::string& word) {
        return Make("DropFault", {{"From", "a"}, {"Frames", word}})->GetRule().match.opcodes;
    };
    EXPECT_THAT(opcodes("response"),
                testing::UnorderedElementsAreArray({Opcode{0x0d},
                                                    Opcode{0x0e},
                                                    Opcode{0x0f},
                                                    Opcode{0x10},
                                                    Opcode{0x12},
                                                    Opcode{0xad},
                                                    Opcode{0xae},
                                                    Opcode{0xaf},
                                                    Opcode{0xb0},
                                                    Opcode{0xb2}}));
    EXPECT_THAT(opcodes("cnp"), ElementsAre(Opcode::CNP));
    EXPECT_THAT(opcodes("acknowledge"),
                ElementsAre(Opcode::RC_ACKNOWLEDGE, Opcode::XRC_ACKNOWLEDGE));
    EXPECT_THAT(opcodes("request"), testing::Contains(Opcode::RC_FETCH_ADD));
}

TEST(FaultSettings, DirectionsByNamesAndNumber)
{
    const auto both = Make("DropFault", {{"From", "a"}, {"To", "s"}});
    EXPECT_TRUE(both->IsOn("a", "s", 0));
    EXPECT_FALSE(both->IsOn("s", "a", 0));
    EXPECT_FALSE(both->IsOn("a", "t", 0));
    EXPECT_EQ(both->GetPlace(), "from a, to s");
    const auto cable = Make("DropFault", {{"Link", "3"}});
    EXPECT_TRUE(cable->IsOn("a", "s", 3));
    EXPECT_TRUE(cable->IsOn("s", "a", 3));
    EXPECT_FALSE(cable->IsOn("a", "s", 4));
}

TEST(FaultSettings, TellsWhatIsWrong)
{
    const Diagnostics errors =
        Make("DropFault", {{"Frames", "acknowlege"}, {"Psn", "16777216"}, {"Which", "0 x"}})
            ->CheckSettings();
    ASSERT_THAT(errors, SizeIs(5));
    EXPECT_EQ(errors[0].key, "frames");
    EXPECT_EQ(errors[0].nearest, "acknowledge");
    EXPECT_EQ(errors[1].key, "psn");
    EXPECT_EQ(errors[1].expected, "whole numbers, 0 .. 16777215");
    EXPECT_EQ(errors[2].got, "0");
    EXPECT_EQ(errors[3].got, "x");
    EXPECT_EQ(errors[4].message, "the fault has no place");
}

} // namespace
} // namespace ns3::rdma
