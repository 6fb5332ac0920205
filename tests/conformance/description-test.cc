// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/description.h"
#include "tests/support/temporary-folder.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

class DescriptionTest : public testing::Test
{
  protected:
    Expected<Description> ReadText(const std::string& text)
    {
        std::ofstream{m_folder.Path() / "one.yaml"} << text;
        return ReadDescription(m_folder.Path() / "one.yaml");
    }

    void Touch(const std::string& name)
    {
        std::ofstream{m_folder.Path() / name};
    }

    TemporaryFolder m_folder;
};

const std::string PROGRAMS = "client: vt -c 10.0.0.2 W:10\nserver: vt -s\n";

TEST_F(DescriptionTest, CapturesBesideIt)
{
    Touch("one.pcap");
    Touch("one.peer.txt");
    const auto description = ReadText(PROGRAMS);
    ASSERT_TRUE(description);
    EXPECT_EQ(description->name, "one");
    EXPECT_EQ(description->capture.filename(), "one.pcap");
    EXPECT_EQ(description->peerCapture.filename(), "one.peer.txt");
    EXPECT_EQ(description->policy, "rxe");
    EXPECT_FALSE(description->isCut);
    EXPECT_FALSE(description->outputs[CLIENT]);
}

TEST_F(DescriptionTest, EveryKey)
{
    Touch("other.pcap");
    const auto description = ReadText(
        "capture: other\ncut: true\npolicy: standard\n" + PROGRAMS +
        "wire: [{\"dir\": \"ab\", \"match\": {\"opcode\": [7]}, \"n\": [5], \"act\": \"drop\"}]\n"
        "client_output: |\n"
        "  1795972848.61 send wr_id 1 status 10 (remote access error) opcode 0 len 0 imm 0x0\n"
        "  final qp state 6\n"
        "server_output: |\n"
        "  recv wr_id 1000 status 0 (success) opcode 129 len 10 vend 0x0 imm 0xc0ffee01 flags 0x3\n"
        "  final qp state 3  buf[0..7] 6465666768696a6b\n");
    ASSERT_TRUE(description);
    EXPECT_TRUE(description->isCut);
    EXPECT_EQ(description->policy, "standard");
    EXPECT_EQ(description->wire[SERVER].size(), 1U);
    const ProgramOutput& client = *description->outputs[CLIENT];
    ASSERT_EQ(client.sends.size(), 1U);
    EXPECT_EQ(ToString(client.sends[0], false), "wr 1 REM_ACCESS_ERR");
    const ProgramOutput& server = *description->outputs[SERVER];
    ASSERT_EQ(server.receives.size(), 1U);
    EXPECT_EQ(ToString(server.receives[0], true),
              "wr 1000 SUCCESS RECV_RDMA_WITH_IMM len 10 imm 0xc0ffee01");
    EXPECT_EQ(server.buffer, "6465666768696a6b");
}

TEST_F(DescriptionTest, OperationsInsteadOfPrograms)
{
    Touch("one.pcap");
    const auto description = ReadText("settings: -m 2048 --rd 4\n"
                                      "operations:\n"
                                      "  - client: \"&R:100 drain\"\n"
                                      "    server: [\"receive:4x100\", \"S:16\"]\n"
                                      "  - client: W:1\n");
    ASSERT_TRUE(description);
    const auto script = MakeScript(*description, 100);
    ASSERT_TRUE(script);
    ASSERT_EQ(script->connections.size(), 2U);
    EXPECT_EQ(script->connections[0][SERVER].size(), 2U);
    EXPECT_EQ(script->sides[CLIENT].pathMtu, 2048);
    EXPECT_EQ(script->sides[SERVER].maxReadAtomic, 4);
    EXPECT_EQ(script->sides[CLIENT].psn, std::nullopt);
}

TEST_F(DescriptionTest, EndlessProgramsStopWithTheCapture)
{
    Touch("one.pcap");
    const auto description = ReadText("client: rping -c -a 10.0.0.2\nserver: rping -s\n");
    ASSERT_TRUE(description);
    const auto script = MakeScript(*description, 3);
    ASSERT_TRUE(script);
    EXPECT_EQ(script->connections.at(0)[CLIENT].size(), 1U + 3 * 4);
}

class WrongDescriptions : public DescriptionTest, public testing::WithParamInterface<const char*>
{
};

TEST_P(WrongDescriptions, AreErrorsThatNameTheFile)
{
    Touch("one.pcap");
    const auto description = ReadText(GetParam());
    ASSERT_FALSE(description);
    EXPECT_NE(ToString(description.Errors()).find("one.yaml"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All,
                         WrongDescriptions,
                         testing::Values("client: [",
                                         "clients: vt",
                                         "client: no_such_program\nserver: vt -s\n",
                                         "client: vt X:1\nserver: vt -s\n",
                                         "client: vt\nserver: vt -s\ncapture: nowhere\n",
                                         "client: vt\nserver: vt -s\nwire: [{dir: ab}]\n",
                                         "client: vt\nserver: vt -s\ncut: perhaps\n"));

} // namespace
} // namespace ns3::rdma
