// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;

TEST(HtsimFileTopology, ReadsTheFileAndKeepsItsNotes)
{
    const auto path = TemporaryPath("topo");
    std::ofstream{path} << "Nodes 4\nTiers 2\nPodsize 4\n"
                           "Tier 0\nDownlink_speed_Gbps 100\nDownlink_Latency_ns 1000\n"
                           "Radix_Down 2\nRadix_Up 1\nOversubscribed 2\nSwitch_Latency_ns 5\n"
                           "Tier 1\nDownlink_speed_Gbps 100\nDownlink_Latency_ns 1000\n"
                           "Radix_Down 2\n";
    const auto generator = Make<TopologyGenerator>("HtsimFileTopology", {{"File", path}});
    const auto topology = generator->Generate();
    ASSERT_TRUE(topology);
    EXPECT_EQ(topology->family, "htsim-file");
    EXPECT_EQ(topology->links.size(), 6U);
    EXPECT_THAT(generator->Notes(), testing::ElementsAre(HasSubstr("Switch_Latency_ns 5")));
    std::filesystem::remove(path);
    EXPECT_THAT(OnlyError(generator->Generate()), HasSubstr("does not exist"));
}

TEST(HtsimFileTopology, NeedsAFile)
{
    EXPECT_THAT(OnlyError(Generate("HtsimFileTopology")), HasSubstr("file"));
}
