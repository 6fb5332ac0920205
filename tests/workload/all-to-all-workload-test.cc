// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/generate.h"

#include <gmock/gmock.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

TEST(AllToAllWorkload, EveryOrderedPairOnce)
{
    const FlowList flows = MustGenerateFlows(MustGenerate("StarTopology", {{"Hosts", "5"}}),
                                             "AllToAllWorkload",
                                             {{"Start", "3us"}, {"Bytes", "1MiB"}});
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (const Flow& flow : flows)
    {
        EXPECT_NE(flow.source, flow.destination);
        EXPECT_EQ(flow.start, SimTime::Microseconds(3));
        EXPECT_EQ(flow.bytes, 1'048'576U);
        pairs.emplace(flow.source, flow.destination);
    }
    EXPECT_EQ(flows.size(), 20U);
    EXPECT_EQ(pairs.size(), 20U);
}

TEST(AllToAllWorkload, RefusesAnAbsurdNumber)
{
    // 20 000 hosts: 20 000 x 19 999.
    EXPECT_THAT(OnlyError(GenerateFlows(MustGenerate("StarTopology", {{"Hosts", "20000"}}),
                                        "AllToAllWorkload")),
                testing::HasSubstr("399980000 flows"));
}
