// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/routing.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <queue>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::ElementsAre;
using testing::IsEmpty;

namespace
{

Topology
Nodes(const std::string& kinds, const std::vector<std::pair<uint32_t, uint32_t>>& links)
{
    Topology topology;
    for (size_t i = 0; i < kinds.size(); ++i)
    {
        topology.nodes.push_back(
            {kinds[i] == 'h' ? NodeKind::HOST : NodeKind::SWITCH, std::to_string(i)});
    }
    for (const auto& [a, b] : links)
    {
        topology.links.push_back({a, b, BitRate::Gbps(100), SimTime::Microseconds(1), 0.0, ""});
    }
    return topology;
}

std::vector<uint32_t>
Next(const RoutingTables& routes, uint32_t node, uint32_t destination)
{
    const auto ports = routes.NextPorts(node, destination);
    return {ports.begin(), ports.end()};
}

/** The same answer by a search from one destination, without columns and groups. */
std::vector<uint32_t>
SlowNext(const Topology& topology, uint32_t node, uint32_t destination)
{
    const auto ports = ComputePorts(topology);
    std::vector<int> distance(topology.nodes.size(), -1);
    std::queue<uint32_t> queue;
    distance[destination] = 0;
    queue.push(destination);
    while (!queue.empty())
    {
        const uint32_t at = queue.front();
        queue.pop();
        if (at != destination && topology.nodes[at].kind == NodeKind::HOST)
        {
            continue;
        }
        for (const TopologyPort& port : ports[at])
        {
            if (distance[port.peer] < 0)
            {
                distance[port.peer] = distance[at] + 1;
                queue.push(port.peer);
            }
        }
    }
    std::vector<uint32_t> next;
    for (uint32_t port = 0; port < ports[node].size(); ++port)
    {
        const uint32_t peer = ports[node][port].peer;
        const bool forwards = peer == destination || topology.nodes[peer].kind == NodeKind::SWITCH;
        if (forwards && distance[peer] >= 0 && distance[peer] + 1 == distance[node])
        {
            next.push_back(port);
        }
    }
    return next;
}

} // namespace

TEST(RoutingTables, PortsFollowTheOrderOfLinks)
{
    const auto ports = ComputePorts(Nodes("hsh", {{2, 1}, {0, 1}, {0, 1}}));
    EXPECT_THAT(ports[0], ElementsAre(TopologyPort{1, 1}, TopologyPort{2, 1}));
    EXPECT_THAT(ports[1], ElementsAre(TopologyPort{0, 2}, TopologyPort{1, 0}, TopologyPort{2, 0}));
}

TEST(RoutingTables, ParallelLinksAreSeparatePorts)
{
    const RoutingTables routes{Nodes("hssh", {{0, 1}, {1, 2}, {1, 2}, {2, 3}, {1, 2}})};
    EXPECT_THAT(Next(routes, 1, 3), ElementsAre(1, 2, 3));
    EXPECT_THAT(Next(routes, 2, 3), ElementsAre(2));
    EXPECT_THAT(Next(routes, 0, 3), ElementsAre(0));
    EXPECT_THAT(routes.FirstPath(0, 3), testing::Optional(ElementsAre(0, 1, 3)));
    EXPECT_THAT(routes.FirstPath(0, 0), testing::Optional(IsEmpty()));
}

TEST(RoutingTables, HostsDoNotForward)
{
    // 0 - 1 - 2 in a row, all hosts: neighbours only.
    const RoutingTables routes{Nodes("hhh", {{0, 1}, {1, 2}})};
    EXPECT_THAT(Next(routes, 0, 1), ElementsAre(0));
    EXPECT_THAT(Next(routes, 1, 2), ElementsAre(1));
    EXPECT_THAT(Next(routes, 0, 2), IsEmpty());
    EXPECT_EQ(routes.GroupOf(0, 2), RoutingTables::NO_ROUTE);
    EXPECT_EQ(routes.FirstPath(0, 2), std::nullopt);
}

TEST(RoutingTables, ADirectCableIsShorterThanASwitch)
{
    const RoutingTables routes{Nodes("hhs", {{0, 2}, {1, 2}, {0, 1}})};
    EXPECT_THAT(Next(routes, 0, 1), ElementsAre(1));
    EXPECT_THAT(Next(routes, 1, 0), ElementsAre(1));
}

TEST(RoutingTables, AHostWithTwoNicsIsReachedByTheNearer)
{
    // Host 0 at switches 2 and 3; host 1 at switch 3 only.
    const RoutingTables routes{Nodes("hhss", {{0, 2}, {0, 3}, {1, 3}, {2, 3}})};
    EXPECT_THAT(Next(routes, 0, 1), ElementsAre(1));
    EXPECT_THAT(Next(routes, 1, 0), ElementsAre(0));
    EXPECT_THAT(Next(routes, 3, 0), ElementsAre(0));
    EXPECT_THAT(Next(routes, 2, 1), ElementsAre(1));
}

TEST(RoutingTables, SeparatePartsHaveNoRoute)
{
    const RoutingTables routes{Nodes("hshs", {{0, 1}, {2, 3}})};
    EXPECT_THAT(Next(routes, 0, 2), IsEmpty());
    EXPECT_THAT(Next(routes, 1, 2), IsEmpty());
    EXPECT_THAT(Next(routes, 3, 2), ElementsAre(0));
}

TEST(RoutingTables, AgreeWithASearchFromEveryHost)
{
    std::mt19937 random{17};
    for (int round = 0; round < 50; ++round)
    {
        const uint32_t count = 4 + random() % 12;
        std::string kinds;
        for (uint32_t i = 0; i < count; ++i)
        {
            kinds += random() % 2 == 0 ? 'h' : 's';
        }
        std::vector<std::pair<uint32_t, uint32_t>> links;
        for (uint32_t i = 0; i < 2 * count; ++i)
        {
            const uint32_t a = random() % count;
            links.emplace_back(a, (a + 1 + random() % (count - 1)) % count);
        }
        const Topology topology = Nodes(kinds, links);
        const RoutingTables routes{topology};
        for (const uint32_t destination : routes.Hosts())
        {
            for (uint32_t node = 0; node < count; ++node)
            {
                if (node != destination)
                {
                    ASSERT_EQ(Next(routes, node, destination),
                              SlowNext(topology, node, destination))
                        << kinds << " " << node << " -> " << destination;
                }
            }
        }
    }
}

// Leaving cables out is the same as a topology without them, but ports keep their numbers.
TEST(RoutingTables, CablesCanBeLeftOut)
{
    std::mt19937 random{29};
    for (int round = 0; round < 50; ++round)
    {
        const Topology whole = MustGenerate("LeafSpineTopology",
                                            {{"Leaves", "4"},
                                             {"Spines", "3"},
                                             {"HostsPerLeaf", "2"},
                                             {"HostNics", "2"},
                                             {"ParallelLinks", "2"}});
        std::vector<bool> isOut;
        std::vector<uint32_t> numbers;
        Topology reduced = whole;
        reduced.links.clear();
        for (uint32_t link = 0; link < whole.links.size(); ++link)
        {
            isOut.push_back(random() % 2 == 0);
            if (!isOut.back())
            {
                numbers.push_back(link);
                reduced.links.push_back(whole.links[link]);
            }
        }
        const RoutingTables routes{whole, isOut};
        const auto ports = ComputePorts(reduced);
        for (const uint32_t destination : routes.Hosts())
        {
            for (uint32_t node = 0; node < whole.nodes.size(); ++node)
            {
                std::vector<uint32_t> expected;
                std::vector<uint32_t> found;
                for (const uint32_t port : SlowNext(reduced, node, destination))
                {
                    expected.push_back(numbers[ports[node][port].link]);
                }
                for (const uint32_t port : Next(routes, node, destination))
                {
                    found.push_back(routes.Ports()[node][port].link);
                }
                ASSERT_TRUE(node == destination || found == expected)
                    << round << ": " << node << " -> " << destination;
            }
        }
    }
}

TEST(RoutingTables, FatTreeOf1024HostsIsCompact)
{
    // k = 16: an edge switch knows 8 hosts of its own (a group each) and all 8 uplinks as one
    // group; a core switch reaches each of 16 pods by one port; NO_ROUTE is one more.
    const Topology topology = MustGenerate("FatTreeTopology", {{"K", "16"}});
    ASSERT_EQ(CountHosts(topology), 1024U);
    const RoutingTables routes{topology};
    const uint32_t firstEdge = 1024;
    const uint32_t firstCore = 1024 + 128 + 128;
    EXPECT_EQ(topology.nodes[firstEdge].name, "edge0");
    EXPECT_EQ(topology.nodes[firstCore].name, "core0");
    EXPECT_EQ(routes.GroupCount(firstEdge), 1U + 8 + 1);
    EXPECT_EQ(routes.GroupCount(firstCore), 1U + 16);
    EXPECT_EQ(Next(routes, firstEdge, 1023).size(), 8U);
    EXPECT_EQ(Next(routes, firstCore, 1023), std::vector<uint32_t>{15});
    EXPECT_EQ(routes.FirstPath(0, 1023)->size(), 6U);
    EXPECT_EQ(routes.FirstPath(0, 1)->size(), 2U);
}

// A ring of three switches with a host at each: hosts 0 to 2, switches 3 to 5.
class DirectedRoutes : public testing::Test
{
  protected:
    Topology m_ring = MustGenerate("RingTopology", {{"Switches", "3"}});
    RoutingTables m_routes{m_ring};
};

TEST_F(DirectedRoutes, GoWhereTheyAreSentAndTheOthersStay)
{
    const auto peers = [this](uint32_t node, uint32_t destination)
    {
        std::vector<uint32_t> nodes;
        for (const uint32_t port : m_routes.NextPorts(node, destination))
        {
            nodes.push_back(m_routes.Ports()[node][port].peer);
        }
        return nodes;
    };
    EXPECT_THAT(peers(3, 2), ElementsAre(5));
    m_routes.SetNext(3, 2, 4);
    EXPECT_THAT(peers(3, 2), ElementsAre(4));
    EXPECT_THAT(peers(4, 2), ElementsAre(5));
    EXPECT_THAT(peers(3, 1), ElementsAre(4));
    EXPECT_EQ(m_routes.FirstPath(0, 2)->size(), 4U) << "two links of the ring instead of one";
    EXPECT_THAT(m_routes.FindLoop(2), IsEmpty());
}

TEST_F(DirectedRoutes, ALoopIsFound)
{
    m_routes.SetNext(3, 2, 4);
    m_routes.SetNext(4, 2, 3);
    EXPECT_THAT(m_routes.FindLoop(2), testing::UnorderedElementsAre(3, 4));
    EXPECT_THAT(m_routes.FindLoop(1), IsEmpty());
}

TEST_F(DirectedRoutes, ADirectedHostStandsForItself)
{
    const Topology twins =
        MustGenerate("RingTopology", {{"Switches", "3"}, {"HostsPerSwitch", "4"}});
    RoutingTables routes{twins};
    EXPECT_THAT(routes.RepresentativeHosts(), ElementsAre(0, 4, 8));
    routes.SetNext(12, 9, 13);
    EXPECT_THAT(routes.RepresentativeHosts(), testing::UnorderedElementsAre(0, 4, 8, 9));
}
