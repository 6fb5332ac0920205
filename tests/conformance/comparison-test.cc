// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/comparison.h"
#include "tests/conformance/decoded-lines.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TEST(FindDifference, EqualRunsHaveNone)
{
    const std::string text = Send(0, 1, 9) + Answer(0.1, 1, ACK);
    EXPECT_FALSE(FindDifference(ReadRun(text), ReadRun(text), false));
}

// Time is not compared, nor which of the two directions came first.
TEST(FindDifference, OrderOfRequestsAndResponsesIsNotCompared)
{
    EXPECT_FALSE(FindDifference(ReadRun(Send(0, 1, 9) + Send(1, 2, 9) + Answer(2, 1, ACK)),
                                ReadRun(Send(5, 1, 9) + Answer(6, 1, ACK) + Send(7, 2, 9)),
                                false));
}

struct FieldRow
{
    const char* what;
    const char* line;
};

class FindDifferenceFields : public testing::TestWithParam<FieldRow>
{
};

// The same packet but for one field: each makes a difference.
TEST_P(FindDifferenceFields, EachIsCompared)
{
    const std::string same =
        "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 A-- pad=1 IMM=0x00000001 plen=3\n"
        "2 0.0 2>1 RC ACK qp=2 psn=7 --- AETH ACK credits=31 msn=1 plen=0\n";
    const std::string other = std::string{GetParam().line} + "\n";
    const bool isAnswer = other.find("2>1") != std::string::npos;
    const std::size_t end = same.find('\n') + 1;
    const std::string changed = isAnswer ? same.substr(0, end) + other : other + same.substr(end);
    EXPECT_FALSE(FindDifference(ReadRun(same), ReadRun(same), false));
    EXPECT_TRUE(FindDifference(ReadRun(same), ReadRun(changed), false)) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    All,
    FindDifferenceFields,
    testing::Values(
        FieldRow{"opcode", "1 0.0 1>2 RC SEND_LAST_IMM qp=1 psn=7 A-- pad=1 IMM=0x1 plen=3"},
        FieldRow{"psn", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=6 A-- pad=1 IMM=0x1 plen=3"},
        FieldRow{"ackreq", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 --- pad=1 IMM=0x1 plen=3"},
        FieldRow{"solicited", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 AS- pad=1 IMM=0x1 plen=3"},
        FieldRow{"pad", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 A-- IMM=0x1 plen=3"},
        FieldRow{"immediate", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 A-- pad=1 IMM=0x2 plen=3"},
        FieldRow{"length", "1 0.0 1>2 RC SEND_ONLY_IMM qp=1 psn=7 A-- pad=1 IMM=0x1 plen=7"},
        FieldRow{"credits", "2 0.0 2>1 RC ACK qp=2 psn=7 --- AETH ACK credits=30 msn=1 plen=0"},
        FieldRow{"syndrome", "2 0.0 2>1 RC ACK qp=2 psn=7 --- AETH RNR_NAK timer=31 msn=1 plen=0"},
        FieldRow{"msn", "2 0.0 2>1 RC ACK qp=2 psn=7 --- AETH ACK credits=31 msn=2 plen=0"},
        FieldRow{"icrc",
                 "2 0.0 2>1 RC ACK qp=2 psn=7 --- AETH ACK credits=31 msn=1 plen=0 icrc=BAD"}),
    [](const auto& info) { return info.param.what; });

TEST(FindDifference, StreamThatEndsEarlyDiffersUnlessItWasCut)
{
    const auto shorter = ReadRun(Send(0, 1, 9));
    const auto longer = ReadRun(Send(0, 1, 9) + Send(1, 2, 9));
    const auto difference = FindDifference(shorter, longer, false);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->index, 1U);
    EXPECT_FALSE(difference->captured);
    EXPECT_TRUE(FindDifference(longer, shorter, true));
    EXPECT_FALSE(FindDifference(shorter, longer, true));
}

struct WaitRow
{
    const char* what;
    double captured; ///< seconds until the packet is sent again
    double modelled;
    bool isEqual;
};

class RetransmissionTimes : public testing::TestWithParam<WaitRow>
{
};

TEST_P(RetransmissionTimes, LongWaitsAreCompared)
{
    const auto& [what, captured, modelled, isEqual] = GetParam();
    const std::string text =
        CompareRetransmissionTimes(ReadRun(Send(0, 1, 9) + Send(captured, 1, 9)),
                                   ReadRun(Send(0, 1, 9) + Send(modelled, 1, 9)));
    EXPECT_EQ(text.empty(), isEqual) << text;
}

INSTANTIATE_TEST_SUITE_P(All,
                         RetransmissionTimes,
                         testing::Values(WaitRow{"AlikeIsEqual", 0.0677, 0.0671, true},
                                         WaitRow{"WithinTheTolerance", 0.0677, 0.086, true},
                                         WaitRow{"TwiceAsLong", 0.0677, 0.1342, false},
                                         WaitRow{"HalfAsLong", 0.1342, 0.0671, false},
                                         WaitRow{"LateHost", 0.12, 0.0671, true},
                                         WaitRow{"AtOnce", 0.0677, 0.001, false},
                                         WaitRow{"ShortWaitsMeanNothing", 0.03, 0.001, true}),
                         [](const auto& info) { return info.param.what; });

TEST(CompareRetransmissionTimes, OfNewPacketsAreNotCompared)
{
    EXPECT_EQ(CompareRetransmissionTimes(ReadRun(Send(0, 1, 9) + Send(1.7, 2, 9)),
                                         ReadRun(Send(0, 1, 9) + Send(0.001, 2, 9))),
              "");
}

} // namespace
} // namespace ns3::rdma
