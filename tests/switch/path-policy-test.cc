// SPDX-License-Identifier: GPL-2.0-only
// No number stands for "no path", "unknown path" or "any path" in what chooses routes: a simulator
// in which 0 meant "unknown" sent every frame after a timeout over path 0.
#include "engine/random-stream.h"
#include "switch/forwarding-table.h"
#include "switch/path-policy.h"
#include "tests/topology/generate.h"
#include "topology/routing.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace ns3::rdma
{
namespace
{

std::vector<TypeId>
GetPathPolicies()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(PathPolicy::GetTypeId()) && type.HasConstructor())
        {
            types.push_back(type);
        }
    }
    return types;
}

/**
 * Every policy, whatever the hash: the choice is a candidate, and no candidate is favoured. Of n
 * draws each of k has n/k on average with a standard deviation below sqrt(n/k); six of these.
 */
TEST(PathPolicy, EveryChoiceIsACandidateAndNoneIsSpecial)
{
    const auto types = GetPathPolicies();
    ASSERT_FALSE(types.empty());
    for (const TypeId& type : types)
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        const auto policy = factory.Create<PathPolicy>();
        for (const uint32_t candidates : {2U, 3U, 7U, 64U})
        {
            constexpr uint32_t DRAWS = 64'000;
            RandomStream random{candidates, "hashes"};
            std::vector<uint32_t> chosen(candidates, 0);
            for (uint32_t i = 0; i < DRAWS; i++)
            {
                const auto hash = static_cast<uint32_t>(random.NextBelow(1ULL << 32));
                const uint32_t choice = policy->Choose(hash, candidates, 1);
                ASSERT_LT(choice, candidates) << type.GetName() << " at " << hash;
                chosen[choice]++;
            }
            const double mean = double{DRAWS} / candidates;
            for (const uint32_t count : chosen)
            {
                EXPECT_NEAR(count, mean, 6 * std::sqrt(mean)) << type.GetName();
            }
        }
        for (const uint32_t hash : {0U, 1U, 0x7fffffffU, 0xffffffffU})
        {
            EXPECT_LT(policy->Choose(hash, 5, UINT64_MAX), 5U) << type.GetName();
        }
    }
}

/** The lowest and the highest port can be a way; no way is a group without ports. */
TEST(ForwardingTable, NoPortStandsForNoWay)
{
    constexpr uint16_t PORTS = UINT16_MAX;
    ForwardingTable table{PORTS};
    const std::vector<uint32_t> lowest{0};
    const std::vector<uint32_t> highest{PORTS - 1U};
    table.AddDestination(lowest);
    table.AddDestination({});
    table.AddDestination(highest);
    EXPECT_EQ(table.Find(0).count, 1U);
    EXPECT_EQ(table.GetPort(table.Find(0).first), 0U);
    EXPECT_EQ(table.Find(1).count, 0U);
    EXPECT_EQ(table.Find(2).count, 1U);
    EXPECT_EQ(table.GetPort(table.Find(2).first), PORTS - 1U);
}

/** NO_ROUTE is a group that has no port, and no destination with a way has it. */
TEST(RoutingTables, NoRouteIsNoGroupWithAPort)
{
    Topology topology = MustGenerate("FatTreeTopology", {{"K", "4"}});
    topology.nodes.push_back({NodeKind::HOST, "alone"});
    const auto alone = static_cast<uint32_t>(topology.nodes.size() - 1);
    const RoutingTables routes{topology};
    for (uint32_t node = 0; node < topology.nodes.size(); node++)
    {
        EXPECT_TRUE(routes.Group(node, RoutingTables::NO_ROUTE).empty());
        for (const uint32_t host : routes.Hosts())
        {
            if (host == node)
            {
                continue;
            }
            const bool hasWay = host != alone && node != alone;
            EXPECT_EQ(routes.GroupOf(node, host) != RoutingTables::NO_ROUTE, hasWay);
            EXPECT_EQ(!routes.NextPorts(node, host).empty(), hasWay);
        }
    }
}

} // namespace
} // namespace ns3::rdma
