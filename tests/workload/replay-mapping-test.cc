// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"
#include "workload/replay-mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<MappedProcess>
MakeProcesses(const std::vector<std::pair<std::string, std::string>>& namesAndHosts)
{
    std::vector<MappedProcess> processes;
    for (const auto& [name, host] : namesAndHosts)
    {
        processes.push_back({.name = name, .host = host});
    }
    return processes;
}

Topology
MakeHosts(uint32_t hosts)
{
    return MakeStar(hosts, BitRate::Gbps(100), {});
}

/** Places that have to be found. */
std::vector<std::pair<std::string, uint32_t>>
Name(const Expected<ReplayPlaces>& places, const Topology& topology)
{
    std::vector<std::pair<std::string, uint32_t>> names;
    EXPECT_TRUE(places) << ToString(places.Errors());
    for (const auto& ofDevices : *places)
    {
        for (const ReplayPlace& place : ofDevices)
        {
            names.emplace_back(topology.nodes[place.node].name, place.interface);
        }
    }
    return names;
}

TEST(ReplayMapping, ProcessesOfAHostShareOneInTheOrderOfAppearance)
{
    const Topology topology = MakeHosts(3);
    const auto processes = MakeProcesses({{"p", "vm2"}, {"q", "vm1"}, {"r", "vm2"}, {"s", ""}});
    EXPECT_THAT(
        Name(MapInOrder(processes, topology, false), topology),
        ElementsAre(
            std::pair{"h0", 0U}, std::pair{"h1", 0U}, std::pair{"h0", 0U}, std::pair{"h2", 0U}));
}

TEST(ReplayMapping, ProcessesRunOnTheHostsThatTheyName)
{
    Topology topology = MakeHosts(3);
    const auto numbers = MakeProcesses({{"host 2", "2"}, {"host 0", "0"}});
    EXPECT_THAT(Name(MapInOrder(numbers, topology, false), topology),
                ElementsAre(std::pair{"h2", 0U}, std::pair{"h0", 0U}));
    const auto unknown = MakeProcesses({{"host 2", "2"}, {"host 3", "3"}});
    EXPECT_THAT(Name(MapInOrder(unknown, topology, false), topology),
                ElementsAre(std::pair{"h0", 0U}, std::pair{"h1", 0U}))
        << "one is no host of the fabric: the order counts";
    topology.nodes[1].name = "7"; // as in a file of the HPCC simulator
    const auto mixed = MakeProcesses({{"host 7", "7"}, {"host 7b", "7"}, {"x", "h0"}});
    EXPECT_THAT(Name(MapInOrder(mixed, topology, false), topology),
                ElementsAre(std::pair{"7", 0U}, std::pair{"7", 0U}, std::pair{"h0", 0U}));
}

TEST(ReplayMapping, TooFewHostsAreNamedWithBothNumbers)
{
    const Topology topology = MakeHosts(2);
    const auto processes = MakeProcesses({{"p", "a"}, {"q", "b"}, {"r", "c"}});
    const auto places = MapInOrder(processes, topology, false);
    ASSERT_FALSE(places);
    EXPECT_THAT(ToString(places.Errors()), HasSubstr("the trace needs 3 hosts, the fabric has 2"));
    EXPECT_THAT(Name(MapInOrder(processes, topology, true), topology),
                ElementsAre(std::pair{"h0", 0U}, std::pair{"h1", 0U}, std::pair{"h0", 0U}));
}

TEST(ReplayMapping, ProcessesOfAHostTakeItsInterfacesInTurn)
{
    Topology topology = MakeHosts(2);
    topology.links.push_back(topology.links.front());
    const auto processes = MakeProcesses({{"p", "a"}, {"q", "a"}, {"r", "a"}, {"s", "b"}});
    EXPECT_THAT(
        Name(MapInOrder(processes, topology, false), topology),
        ElementsAre(
            std::pair{"h0", 0U}, std::pair{"h0", 1U}, std::pair{"h0", 0U}, std::pair{"h1", 0U}));
}

TEST(ReplayMapping, DevicesOfAProcessTakeInterfacesInTurn)
{
    Topology topology = MakeHosts(2);
    topology.links.push_back(topology.links.front());
    auto processes = MakeProcesses({{"p", "a"}, {"q", "b"}});
    processes[0].devices = {"mlx5_0", "mlx5_1"};
    EXPECT_THAT(Name(MapInOrder(processes, topology, false), topology),
                ElementsAre(std::pair{"h0", 0U}, std::pair{"h0", 1U}, std::pair{"h1", 0U}));
    const auto find = [&](const std::string& text)
    { return MapByTable(text, "map.csv", processes, topology); };
    EXPECT_THAT(
        Name(find("process,host,interface,device\np,h0,1,mlx5_0\np,h0,0\nq,h1\n"), topology),
        ElementsAre(std::pair{"h0", 1U}, std::pair{"h0", 0U}, std::pair{"h1", 0U}));
    EXPECT_THAT(Name(find("p,h1,,mlx5_1\n*,h0\n"), topology),
                ElementsAre(std::pair{"h0", 0U}, std::pair{"h1", 0U}, std::pair{"h0", 1U}));
    EXPECT_THAT(ToString(find("p,h0,0,mlx5_0\nq,h1\n").Errors()),
                HasSubstr("no line says where a process runs; got 'p, device mlx5_1'"));
    EXPECT_THAT(ToString(find("p,h0,0,mlx4_0\np,h0\nq,h1\n").Errors()),
                HasSubstr("map.csv:1: no device of the process is so called"));
    EXPECT_THAT(ToString(find("p,h0\nq,h1,0,mlx5_0\nq,h1\n").Errors()),
                HasSubstr("map.csv:2: the trace does not say on which device"));
    EXPECT_THAT(ToString(find("p,h0\np,h0,0,mlx5_0\nq,h1\n").Errors()),
                HasSubstr("map.csv:2: lines before it fit all that this one does"));
}

TEST(ReplayMapping, ATableTakesPatterns)
{
    const Topology topology = MakeHosts(4);
    const auto processes = MakeProcesses({{"rank 3", ""}, {"rank 1", ""}, {"vm1/rping:7", ""}});
    const auto places = MapByTable("process,host\n"
                                   "# the odd one\n"
                                   "vm1/*:7 , h0,0\n"
                                   "\n"
                                   "rank *,h*\r\n",
                                   "map.csv",
                                   processes,
                                   topology);
    EXPECT_THAT(Name(places, topology),
                ElementsAre(std::pair{"h3", 0U}, std::pair{"h1", 0U}, std::pair{"h0", 0U}));
}

TEST(ReplayMapping, WhatIsWrongWithATableHasItsLine)
{
    const Topology topology = MakeHosts(2);
    const auto processes = MakeProcesses({{"p", ""}, {"q", ""}});
    const auto find = [&](const std::string& text)
    {
        const auto places = MapByTable(text, "map.csv", processes, topology);
        return places ? "" : ToString(places.Errors());
    };
    EXPECT_THAT(find("p,h0\nq,h9\n"), HasSubstr("map.csv:2: no host of the fabric is so called"));
    EXPECT_THAT(find("p,h0,7\nq,h1\n"), HasSubstr("map.csv:1: the host has no such interface"));
    EXPECT_THAT(find("p\nq,h1\n"), HasSubstr("map.csv:1: not a process and its host"));
    EXPECT_THAT(find("p,h0,one\nq,h1\n"), HasSubstr("map.csv:1: not a process and its host"));
    EXPECT_THAT(find("p,h0\n"), HasSubstr("no line says where a process runs"));
    EXPECT_THAT(find("p,h0\nq,h1\nr,h1\n"),
                HasSubstr("map.csv:3: no process of the trace is so called"));
    EXPECT_EQ(find("*,h0\n"), "");
}

} // namespace

} // namespace ns3::rdma
