// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;

TEST(HpccFileTopology, ReadsTheFileAndKeepsItsNotes)
{
    const auto path = TemporaryPath("file");
    std::ofstream{path} << "2 0 1\n0 1 100Gbps 1us 0\na legend\n";
    const auto generator = Make<TopologyGenerator>("HpccFileTopology", {{"File", path}});
    for (int round = 0; round < 2; ++round)
    {
        const auto topology = generator->Generate();
        ASSERT_TRUE(topology);
        EXPECT_EQ(topology->links.size(), 1U);
        EXPECT_THAT(generator->Notes(), testing::ElementsAre(HasSubstr("1 lines after the 1")));
    }
    std::ofstream{path} << "2 0 1\n0 1 1Mbps 1us 0\n";
    EXPECT_THAT(OnlyError(generator->Generate()), HasSubstr(":2: the rate of link 0 - 1"));
    std::filesystem::remove(path);
    EXPECT_THAT(OnlyError(generator->Generate()), HasSubstr("does not exist"));
}

TEST(HpccFileTopology, NeedsAFile)
{
    EXPECT_THAT(OnlyError(Generate("HpccFileTopology")), HasSubstr("file"));
}
