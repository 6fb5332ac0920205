// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"
#include "switch/path-policy.h"
#include "wire/flow-hash.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// ECMP of 1000 flows over 16 links: the fullest link holds 1.229 times the mean on average (a Monte
// Carlo of 1000 balls into 16 bins). 1000 draws of other addresses and ports; their standard
// deviation is about 0.07, so that of the mean is 0.002.
TEST(EcmpPath, ThousandFlowsOnSixteenLinks)
{
    constexpr uint32_t DRAWS = 1000;
    constexpr uint32_t FLOWS = 1000;
    constexpr uint32_t LINKS = 16;
    const auto policy = ObjectFactory{"ns3::rdma::EcmpPath"}.Create<PathPolicy>();
    RandomStream random{1, "tuples"};
    double sum = 0;
    for (uint32_t draw = 0; draw < DRAWS; ++draw)
    {
        const auto first = static_cast<uint32_t>(random.NextBelow(1024));
        std::array<uint32_t, LINKS> load{};
        for (uint32_t flow = 0; flow < FLOWS; ++flow)
        {
            // Neighbouring hosts and ports, as they are in a fabric.
            const uint32_t source = first + flow / 8;
            const uint32_t destination = first + 1000 + flow % 8;
            const auto port = static_cast<uint16_t>(0xc000 + draw % 64 + flow / 64);
            ++load[policy->Choose(FlowHash(source, destination, port), LINKS, draw)];
        }
        sum += *std::ranges::max_element(load) / (static_cast<double>(FLOWS) / LINKS);
    }
    EXPECT_NEAR(sum / DRAWS, 1.229, 0.02);
}

TEST(EcmpPath, SeedPerSwitchDecidesUnlessTheyAreEqual)
{
    ObjectFactory factory{"ns3::rdma::EcmpPath"};
    const auto own = factory.Create<PathPolicy>();
    factory.Set("Seed", StringValue("equal"));
    const auto equal = factory.Create<PathPolicy>();
    int different = 0;
    for (uint32_t hash = 0; hash < 1000; ++hash)
    {
        EXPECT_EQ(equal->Choose(hash, 4, 1), equal->Choose(hash, 4, 2));
        different += own->Choose(hash, 4, 1) != own->Choose(hash, 4, 2) ? 1 : 0;
    }
    // Three of four on average.
    EXPECT_NEAR(different, 750, 60);
}

// Every choice is among the candidates, and with few of them all are used about equally: 30 000
// hashes over 3 ports have 10 000 each with standard deviation sqrt(30 000 x 1/3 x 2/3) = 81.6.
TEST(EcmpPath, ChoosesAmongTheCandidatesEvenly)
{
    const auto policy = ObjectFactory{"ns3::rdma::EcmpPath"}.Create<PathPolicy>();
    std::array<int, 3> load{};
    for (uint32_t flow = 0; flow < 30'000; ++flow)
    {
        const uint32_t choice = policy->Choose(FlowHash(flow, flow + 1, 0xc000), 3, 42);
        ASSERT_LT(choice, 3U);
        ++load[choice];
    }
    for (const int flows : load)
    {
        EXPECT_NEAR(flows, 10'000, 4 * 81.6);
    }
}

} // namespace
} // namespace ns3::rdma
