// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/script.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

Script
Expand(const std::string& client, const std::string& server)
{
    const Expected<Script> script = ExpandCommands({client, server});
    EXPECT_TRUE(script) << client;
    return script ? *script : Script{};
}

std::vector<std::string>
Words(const Script& script, uint32_t side, uint32_t connection = 0)
{
    std::vector<std::string> words;
    for (const Action& action : script.connections.at(connection)[side])
    {
        words.push_back(action.word);
    }
    return words;
}

TEST(VerbsTester, DefaultsAreThoseOfItsLogs)
{
    const Script script = Expand("vt -c 10.0.0.2 W:10", "vt -s");
    const SideSettings& side = script.sides[SERVER];
    EXPECT_EQ(side.pathMtu, 1024);
    EXPECT_EQ(side.timeout, 14);
    EXPECT_EQ(side.retryCount, 7);
    EXPECT_EQ(side.rnrRetry, 7);
    EXPECT_EQ(side.minRnrTimer, 12);
    EXPECT_EQ(side.maxReadAtomic, 1);
    EXPECT_EQ(side.psn, Psn{0x123456});
    EXPECT_THAT(Words(script, SERVER), ElementsAre("receive:16x65536"));
    EXPECT_THAT(Words(script, CLIENT), ElementsAre("receive:16x65536", "W:10"));
}

TEST(VerbsTester, Options)
{
    const Script script =
        Expand("vt -c 10.0.0.2 --psn 0xfffffd --badqpn 0x1234 --retry 2 -m 256 '&W:1' 'drain'",
               "vt -s --rdelay 300 --recvs 1 --rsize 131072 --minrnr 14 --noaccess 2 --rd 4");
    EXPECT_EQ(script.sides[CLIENT].psn, Psn{0xfffffd});
    EXPECT_EQ(script.sides[CLIENT].destinationQp, 0x1234U);
    EXPECT_EQ(script.sides[CLIENT].retryCount, 2);
    EXPECT_EQ(script.sides[CLIENT].pathMtu, 256);
    EXPECT_EQ(script.sides[SERVER].minRnrTimer, 14);
    EXPECT_TRUE(script.sides[SERVER].grantsMemory);
    EXPECT_FALSE(script.sides[SERVER].grantsQp);
    EXPECT_EQ(script.sides[SERVER].maxReadAtomic, 4);
    EXPECT_TRUE(script.receivesLate);
    EXPECT_THAT(Words(script, SERVER), ElementsAre("sleep:300", "receive:1x131072"));
}

TEST(VerbsTester, ConnectionManagerChoosesPsns)
{
    EXPECT_EQ(Expand("vt -c 10.0.0.2 -R W:1", "vt -s -R").sides[CLIENT].psn, std::nullopt);
}

TEST(Perftest, BandwidthWalksThroughTheBuffer)
{
    // 1024-byte steps in 4096 bytes, then from the start.
    const std::string line = "ib_write_bw -d rxe0 -F -m 1024 -x 1 -n 5 -s 1024";
    const Script script = Expand(line + " 10.0.0.2", line);
    EXPECT_THAT(
        Words(script, CLIENT),
        ElementsAre("&W:1024", "&W:1024:1024", "&W:1024:2048", "&W:1024:3072", "&W:1024", "drain"));
    EXPECT_THAT(Words(script, SERVER), ElementsAre());
}

TEST(Perftest, SmallOperationsStepByCacheLines)
{
    const std::string line = "ib_atomic_bw -F -n 2 -A FETCH_AND_ADD -o 4";
    EXPECT_THAT(Words(Expand(line, line), CLIENT), ElementsAre("&FA:1", "&FA:1:64", "drain"));
}

TEST(Perftest, LatencyTests)
{
    const std::string read = "ib_read_lat -F -n 2 -s 8";
    EXPECT_THAT(Words(Expand(read, read), CLIENT), ElementsAre("R:8", "R:8"));
    const std::string write = "ib_write_lat -F -n 1 -s 8";
    EXPECT_THAT(Words(Expand(write, write), CLIENT), ElementsAre("executed:1", "W:8"));
    EXPECT_THAT(Words(Expand(write, write), SERVER), ElementsAre("W:8", "executed:1"));
    const std::string send = "ib_send_lat -F -n 1 -s 8";
    EXPECT_THAT(Words(Expand(send, send), CLIENT), ElementsAre("receive:1x8", "S:8", "received:1"));
}

TEST(Perftest, ConnectionManagerExchangesParametersFirst)
{
    const std::string line = "ib_write_bw -F -R -n 1 -s 8";
    const Script script = Expand(line, line);
    ASSERT_EQ(script.connections.size(), 2U);
    EXPECT_TRUE(script.hasControl);
    // 16 messages each way: nine before the test, seven behind it.
    EXPECT_EQ(Words(script, CLIENT).size(), 1U + 2 * 16);
    EXPECT_THAT(Words(script, CLIENT, 1), ElementsAre("&W:8", "drain"));
}

TEST(Perftest, AllSizes)
{
    const std::string line = "ib_read_lat -F -a -n 1";
    const auto words = Words(Expand(line, line), CLIENT);
    EXPECT_EQ(words.size(), 23U); // 2 to 2^23
    EXPECT_EQ(words.front(), "R:2");
    EXPECT_EQ(words.back(), "R:8388608");
}

TEST(Examples, PingPongAndRping)
{
    const std::string pingPong = "ibv_rc_pingpong -g 1 -n 1 -s 64 -m 1024";
    EXPECT_THAT(Words(Expand(pingPong, pingPong), SERVER),
                ElementsAre("receive:1x64", "received:1", "S:64"));
    const Script rping = Expand("env A=b rping -c -a 10.0.0.2 -C 1 -S 64", "rping -s -C 1 -S 64");
    EXPECT_THAT(
        Words(rping, SERVER),
        ElementsAre("receive:2x16", "received:1", "R:64", "S:16", "received:1", "W:64@2", "S:16"));
}

TEST(Examples, SharedReceiveQueuePingPongSharesTheIterations)
{
    const std::string line = "ibv_srq_pingpong -q 3 -n 13 -s 64";
    const Script script = Expand(line, line);
    ASSERT_EQ(script.connections.size(), 3U);
    EXPECT_EQ(Words(script, CLIENT, 0).size(), 1U + 2 * 5);
    EXPECT_EQ(Words(script, CLIENT, 2).size(), 1U + 2 * 4);
}

class Refused : public testing::TestWithParam<const char*>
{
};

TEST_P(Refused, UnknownProgramsOptionsAndTransports)
{
    EXPECT_FALSE(ExpandCommands({GetParam(), "vt -s"}));
}

INSTANTIATE_TEST_SUITE_P(All,
                         Refused,
                         testing::Values("",
                                         "no_such_program",
                                         "vt --no-such-option 3",
                                         "vt -t ud S:10",
                                         "vt X:10",
                                         "ib_send_bw -c UC",
                                         "vt --timeout"));

} // namespace
} // namespace ns3::rdma
