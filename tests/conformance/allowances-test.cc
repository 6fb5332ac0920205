// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/allowances.h"
#include "tests/conformance/decoded-lines.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

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
    EXPECT_EQ(repeat->requests, (std::vector<RepeatedRequest>{{1, true, 0, 0}, {2, true, 0, 0}}));
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

// AckReq is set after so many packets, repeats included: a repeat may have it elsewhere.
TEST(FindTimerRepeat, AckReqMayStandElsewhere)
{
    const std::string sent =
        "1 0.0 1>2 RC WRITE_MIDDLE qp=1 psn=1 --- plen=9\n" + Send(0.001, 2, 9);
    const auto repeat =
        FindRepeat(sent + "1 0.07 1>2 RC WRITE_MIDDLE qp=1 psn=1 A-- plen=9\n", sent);
    ASSERT_TRUE(repeat);
    EXPECT_EQ(repeat->requests, (std::vector<RepeatedRequest>{{0, true, 0, 0}}));
}

// Two of four packets of 1024 bytes have come: the rest is asked for.
TEST(FindTimerRepeat, RestOfARead)
{
    const std::string sent = "1 0.0 1>2 RC READ_REQ qp=1 psn=1 A-- RETH va=0x0 rkey=0x1 "
                             "len=4096 plen=0\n";
    const auto repeat = FindRepeat(sent + "1 0.07 1>2 RC READ_REQ qp=1 psn=3 A-- RETH va=0x800 "
                                          "rkey=0x1 len=2048 plen=0\n",
                                   sent);
    ASSERT_TRUE(repeat);
    EXPECT_EQ(repeat->requests, (std::vector<RepeatedRequest>{{0, true, 2, 2048}}));
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

// ------------------------------------------------------------------- behind an error

TEST(TrimBehindError, TakesOutWhatCameBehindTheFailedPacket)
{
    auto run = ReadRun(Send(0, 1, 9) + Send(0, 2, 9) + Send(0, 3, 9) +
                       Answer(1, 2, "NAK REMOTE_ACCESS_ERR msn=1"));
    EXPECT_EQ(TrimBehindError(run.at(0)), 1U);
    EXPECT_EQ(run[0].requests[0].size(), 2U);
}

TEST(TrimBehindError, SequenceAndRnrNaksAreNone)
{
    auto run = ReadRun(Send(0, 1, 9) + Send(0, 2, 9) + Answer(1, 1, RNR) +
                       Answer(1, 1, "NAK PSN_SEQ_ERR msn=1"));
    EXPECT_EQ(TrimBehindError(run.at(0)), 0U);
}

// ------------------------------------------------------------------ parts of a READ

std::string
Read(uint32_t number, uint32_t psn, uint32_t bytes)
{
    std::ostringstream line;
    line << number << " 0 1>2 RC READ_REQ qp=1 psn=" << psn
         << " A-- RETH va=0x0 rkey=0x1 len=" << bytes << " plen=0\n";
    return line.str();
}

std::string
Response(uint32_t number, const std::string& kind, uint32_t psn)
{
    std::ostringstream line;
    const std::string aeth = kind == "MIDDLE" ? "" : " AETH ACK credits=31 msn=1";
    line << number << " 0 2>1 RC READ_RESP_" << kind << " qp=2 psn=" << psn << " ---" << aeth
         << " plen=1024\n";
    return line.str();
}

TEST(RenamePartialReadAnswers, MiddleBecomesFirstAndLastBecomesOnly)
{
    const std::string begin = Read(1, 1, 3072) + Response(2, "FIRST", 1);
    auto middle =
        ReadRun(begin + Read(3, 2, 2048) + Response(4, "MIDDLE", 2) + Response(5, "LAST", 3));
    EXPECT_EQ(RenamePartialReadAnswers(middle.at(0), 1024), 1U);
    EXPECT_FALSE(FindDifference(
        ReadRun(begin + Read(3, 2, 2048) + Response(4, "FIRST", 2) + Response(5, "LAST", 3)),
        middle,
        false));
    auto last =
        ReadRun(begin + Response(3, "MIDDLE", 2) + Read(4, 3, 1024) + Response(5, "LAST", 3));
    EXPECT_EQ(RenamePartialReadAnswers(last.at(0), 1024), 1U);
    EXPECT_EQ(last[0].responses[1].back().opcode, Opcode::RC_RDMA_READ_RESPONSE_ONLY);
}

TEST(RenamePartialReadAnswers, OtherReadsKeepTheirs)
{
    auto run = ReadRun(Read(1, 1, 3072) + Response(2, "FIRST", 1) + Response(3, "MIDDLE", 2) +
                       Response(4, "LAST", 3) + Read(5, 1, 3072) + Response(6, "FIRST", 1) +
                       Read(7, 4, 1024) + Response(8, "ONLY", 4));
    EXPECT_EQ(RenamePartialReadAnswers(run.at(0), 1024), 0U);
}

// ------------------------------------------------------------------- departures of rxe

std::string
Departure(const std::string& captured, const std::string& modelled)
{
    Script script;
    script.connections.resize(1);
    return FindDeparture({ReadRun(captured), ReadRun(modelled), script});
}

TEST(FindDeparture, ReadsBeyondTheResources)
{
    const std::string reads = Read(1, 1, 1024) + Read(2, 2, 1024);
    const std::string first = Response(3, "ONLY", 1);
    EXPECT_NE(Departure(reads + first + Response(4, "ONLY", 2),
                        reads + first + Answer(1, 2, "NAK INVALID_REQUEST msn=1")),
              "");
    EXPECT_EQ(Departure(reads + first + Response(4, "ONLY", 2),
                        reads + first + Answer(1, 2, "NAK REMOTE_ACCESS_ERR msn=1")),
              "");
}

TEST(FindDeparture, SendWithInvalidateThatFails)
{
    const std::string send = "1 0.0 1>2 RC SEND_ONLY_INV qp=1 psn=1 A-- IETH rkey=0x1 plen=9\n";
    const std::string nak = Answer(1, 1, "NAK REMOTE_ACCESS_ERR msn=0");
    EXPECT_NE(Departure(send + Answer(1, 1, ACK), send + nak), "");
    EXPECT_EQ(Departure(Send(0, 1, 9) + Answer(1, 1, ACK), Send(0, 1, 9) + nak), "");
}

TEST(FindDeparture, RetriesWithoutAnEnd)
{
    const auto times = [](int count)
    {
        std::string text;
        for (int n = 0; n < count; ++n)
        {
            text += Send(n, 1, 9);
        }
        return text;
    };
    EXPECT_NE(Departure(times(9), times(20)), "");
    EXPECT_EQ(Departure(times(8), times(20)), ""); // seven retries are the standard's
    EXPECT_EQ(Departure(times(9), times(9) + Send(9, 2, 9) + Answer(9, 1, ACK)), "");
}

} // namespace
} // namespace ns3::rdma
