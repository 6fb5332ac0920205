// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/route-check.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::IsEmpty;
using testing::SizeIs;

std::vector<Channel>
FindIn(const Topology& topology)
{
    return FindDependencyCycle(topology, ComputeRoutes(topology));
}

/** Where a channel begins and where it ends. */
std::pair<uint32_t, uint32_t>
EndsOf(const Topology& topology, Channel channel)
{
    const TopologyLink& link = topology.links[channel / 2];
    return channel % 2 == 0 ? std::pair{link.a, link.b} : std::pair{link.b, link.a};
}

/** That each channel of a cycle ends where the next one begins, at a switch. */
void
ExpectClosed(const Topology& topology, const std::vector<Channel>& cycle)
{
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const uint32_t end = EndsOf(topology, cycle[i]).second;
        EXPECT_EQ(EndsOf(topology, cycle[(i + 1) % cycle.size()]).first, end);
        EXPECT_EQ(topology.nodes[end].kind, NodeKind::SWITCH);
    }
}

} // namespace

// Routes that go up and then down, or that are one switch long, are free of deadlock (Leiserson,
// IEEE Transactions on Computers C-34 (10), 1985, for fat-trees).
TEST(RouteCheck, FabricsOfUpAndDownRoutesHaveNoCycle)
{
    EXPECT_THAT(FindIn(MustGenerate("StarTopology", {{"Hosts", "5"}})), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("DumbbellTopology")), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("ParkingLotTopology")), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("FullMeshTopology")), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("BackToBackTopology")), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("LeafSpineTopology")), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("FatTreeTopology", {{"K", "8"}})), IsEmpty());
    EXPECT_THAT(FindIn(MustGenerate("ClosTopology")), IsEmpty());
}

// Dally and Seitz 1987: a ring with shortest paths has a cycle of dependencies as soon as routes
// turn into each other all around it. With three switches each route has one link of the ring; with
// four, the routes to the opposite switch go both ways.
TEST(RouteCheck, ARingHasACycleAsSoonAsRoutesAreLongerThanOneLink)
{
    EXPECT_THAT(FindIn(MustGenerate("RingTopology", {{"Switches", "3"}})), IsEmpty());
    for (const char* switches : {"4", "5", "9"})
    {
        const Topology ring = MustGenerate("RingTopology", {{"Switches", switches}});
        const auto cycle = FindIn(ring);
        EXPECT_THAT(cycle, SizeIs(std::stoul(switches)));
        ExpectClosed(ring, cycle);
    }
}

// All three long routes of a ring of three, clockwise: the recipe of a deadlock. Any two of them
// leave one turn out.
TEST(RouteCheck, DirectedRoutesCount)
{
    const Topology ring = MustGenerate("RingTopology", {{"Switches", "3"}});
    RoutingTables routes = ComputeRoutes(ring);
    const auto direct = [&routes](uint32_t ringSwitch)
    { routes.SetNext(3 + ringSwitch, (ringSwitch + 2) % 3, 3 + (ringSwitch + 1) % 3); };
    direct(0);
    direct(1);
    EXPECT_THAT(FindDependencyCycle(ring, routes), IsEmpty());
    direct(2);
    const auto cycle = FindDependencyCycle(ring, routes);
    EXPECT_THAT(cycle, SizeIs(3));
    ExpectClosed(ring, cycle);
}

// Links that no host's route takes depend on nothing: hosts at one switch of a ring only.
TEST(RouteCheck, WhatNoRouteTakesDoesNotCount)
{
    Topology ring = MustGenerate("RingTopology", {{"Switches", "5"}});
    for (uint32_t host = 1; host < 5; ++host)
    {
        ring.links[host].b = 5;
    }
    EXPECT_THAT(FindIn(ring), IsEmpty());
}

} // namespace ns3::rdma
