// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/comparison.h"
#include "tests/conformance/decoded-file.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::rdma
{
namespace
{

/** A line of a SEND of so many bytes, or of its answer. */
std::string
Send(double time, uint32_t psn, uint32_t bytes)
{
    std::ostringstream line;
    line << "1 " << time << " 1>2 RC SEND_ONLY qp=1 psn=" << psn << " A-- plen=" << bytes << "\n";
    return line.str();
}

std::string
Answer(double time, uint32_t psn, const std::string& aeth)
{
    std::ostringstream line;
    line << "1 " << time << " 2>1 RC ACK qp=2 psn=" << psn << " --- AETH " << aeth << " plen=0\n";
    return line.str();
}

const std::string ACK = "ACK credits=31 msn=1";
const std::string RNR = "RNR_NAK timer=14 msn=0";

std::vector<Connection>
ReadRun(const std::string& text)
{
    std::istringstream stream{text};
    const Expected<Packets> packets = ReadDecoded(stream, "test");
    EXPECT_TRUE(packets);
    return packets ? SplitConnections(*packets) : std::vector<Connection>{};
}

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

// ------------------------------------------------------------------- repeats of rxe's timer

constexpr double TIMEOUT = 0.067108864; // 4.096 us x 2^14

std::optional<TimerRepeat>
FindRepeat(const std::string& captured, const std::string& modelled)
{
    const auto run = ReadRun(captured);
    const auto difference = FindDifference(run, ReadRun(modelled), false);
    return difference ? FindTimerRepeat(run, *difference, TIMEOUT) : std::nullopt;
}

TEST(FindTimerRepeat, PacketsSentAgainATimeoutAfterTheFirst)
{
    const std::string sent = Send(0, 1, 9) + Send(0.06, 2, 9) + Send(0.061, 3, 9);
    const auto repeat = FindRepeat(sent + Send(0.068, 2, 9) + Send(0.068, 3, 9) + Send(0.07, 4, 9),
                                   sent + Send(0.07, 4, 9));
    ASSERT_TRUE(repeat);
    EXPECT_EQ(repeat->index, 3U);
    EXPECT_EQ(repeat->source, 1U);
    EXPECT_EQ(repeat->count, 2U);
}

TEST(FindTimerRepeat, NotBeforeATimeout)
{
    const std::string sent = Send(0, 1, 9) + Send(0.05, 2, 9);
    EXPECT_FALSE(FindRepeat(sent + Send(0.06, 2, 9), sent));
}

TEST(FindTimerRepeat, NotAfterANak)
{
    const std::string sent = Send(0, 1, 9) + Send(0.06, 2, 9);
    const std::string nak = Answer(0.065, 2, "NAK PSN_SEQ_ERR msn=1");
    EXPECT_FALSE(FindRepeat(sent + nak + Send(0.07, 2, 9), sent + nak));
}

TEST(FindTimerRepeat, NotAPacketThatIsNew)
{
    const std::string sent = Send(0, 1, 9);
    EXPECT_FALSE(FindRepeat(sent + Send(0.07, 2, 9), sent));
    EXPECT_FALSE(FindRepeat(sent + Send(0.07, 1, 8), sent)); // another length
}

TEST(FindTimerRepeat, NotAMissingPacketOfTheCapture)
{
    const std::string sent = Send(0, 1, 9);
    EXPECT_FALSE(FindRepeat(sent, sent + Send(0.07, 1, 9)));
}

// ----------------------------------------------------------------------------- RNR rounds

TEST(CollapseRnrRounds, RoundsBecomeOne)
{
    auto run = ReadRun(Send(0, 1, 9) + Answer(1, 1, RNR) + Send(2, 1, 9) + Answer(3, 1, RNR) +
                       Send(4, 1, 9) + Answer(5, 1, ACK) + Answer(5, 1, ACK) + Send(6, 2, 9) +
                       Answer(7, 2, ACK));
    EXPECT_EQ(CollapseRnrRounds(run.at(0)), 2U);
    const auto expected = ReadRun(Send(0, 1, 9) + Answer(1, 1, RNR) + Answer(5, 1, ACK) +
                                  Send(6, 2, 9) + Answer(7, 2, ACK));
    EXPECT_FALSE(FindDifference(expected, run, false));
}

TEST(CollapseRnrRounds, RoundsOfSeveralPackets)
{
    const std::string round = Send(0, 1, 9) + Send(0, 2, 9);
    auto run = ReadRun(round + Answer(1, 1, RNR) + round + Answer(1, 1, RNR) + round +
                       Answer(2, 1, ACK) + Answer(2, 2, ACK));
    EXPECT_EQ(CollapseRnrRounds(run.at(0)), 2U);
    EXPECT_EQ(run[0].requests[0].size(), 2U);
    EXPECT_EQ(run[0].responses[1].size(), 3U);
}

// What was repeated for another reason stays.
TEST(CollapseRnrRounds, OtherRepeatsStay)
{
    auto run = ReadRun(Send(0, 1, 9) + Send(1, 1, 9) + Answer(2, 1, ACK) + Answer(2, 1, ACK));
    EXPECT_EQ(CollapseRnrRounds(run.at(0)), 0U);
    EXPECT_EQ(run[0].requests[0].size(), 2U);
    EXPECT_EQ(run[0].responses[1].size(), 2U);
}

} // namespace
} // namespace ns3::rdma
