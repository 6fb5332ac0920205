// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "scenario/component-catalog.h"
#include "scenario/instrument.h"
#include "tests/instrument/instrument-fixture.h"
#include "tests/scenario/engines.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/**
 * A lossless and a lossy incast through two switches over cables that lose frames: marks, pauses in
 * a chain, drops for several reasons, retransmissions, many at the same picosecond; all
 * instruments.
 */
Scenario
MakeEverything()
{
    Scenario scenario = MakeRunScenario(
        MakeTwoSwitches({.leftHosts = 4, .rightHosts = 1, .trunkRate = BitRate::Gbps(400)}));
    for (TopologyLink& link : scenario.topology.links)
    {
        link.lossRate = 0.002;
    }
    for (uint32_t host = 0; host < 4; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 4, 300'000));
        scenario.flows.push_back(MakeFlow(host, 4, 300'000));
        scenario.flows.back().priority = 1;
        scenario.flows.back().destinationPort = 1;
    }
    scenario.transport.Set("Timeout", UintegerValue(6));
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{2'000'000}));
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.buffer.Set("EgressAlpha", FractionValue(Fraction{1, 16}));
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", ByteCountValue(ByteCount{5'000}));
    scenario.marker.Set("Kmax", ByteCountValue(ByteCount{200'000}));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    for (const Component& component : FindComponents("ns3::rdma::Instrument", "Instrument"))
    {
        ObjectFactory factory{component.type.GetName()};
        factory.Set("Interval", SimTimeValue(SimTime::Microseconds(3)));
        const auto sampled = factory.Create<Instrument>();
        if (!sampled->CheckSettings().empty())
        {
            factory.Set("Interval", SimTimeValue(SimTime{}));
        }
        scenario.instruments.push_back(factory);
    }
    scenario.instruments.push_back(MakeInstrument("Queues", {{"File", "changes.csv"}}));
    return scenario;
}

std::map<std::string, std::string>
ReadFiles(const RunInFolder& run)
{
    std::map<std::string, std::string> texts;
    for (const auto& entry : std::filesystem::directory_iterator{run.Folder()})
    {
        const std::string name = entry.path().filename();
        if (name != "run.json")
        {
            texts[name] = run.Read(name);
        }
    }
    return texts;
}

} // namespace

class EqualFiles : public testing::TestWithParam<EngineChoice>
{
};

TEST_P(EqualFiles, EveryInstrumentWritesTheSameBytesOnEveryEngine)
{
    const RunInFolder reference{MakeEverything()};
    Scenario scenario = MakeEverything();
    scenario.engine = GetParam();
    const RunInFolder other{scenario};
    const auto expected = ReadFiles(reference);
    const auto got = ReadFiles(other);
    EXPECT_GE(expected.size(), 15U) << "six of every run, nine instruments";
    for (const auto& [name, text] : expected)
    {
        ASSERT_TRUE(got.contains(name)) << name;
        EXPECT_TRUE(got.at(name) == text) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, EqualFiles, EveryEngine(), NameEngine);

// Worth comparing only if every table has something to tell.
TEST(EqualFilesScenario, EveryTableHasRows)
{
    const RunInFolder run{MakeEverything()};
    for (const auto& [name, text] : ReadFiles(run))
    {
        if (name.ends_with(".csv") && name != "events.csv")
        {
            EXPECT_GT(std::ranges::count(text, '\n'), 5) << name;
        }
    }
    const auto depths = ReadColumn(run, "pauses.csv", "depth");
    EXPECT_GT(std::ranges::count(depths, "1"), 0);
}

// Instruments look and change nothing.
TEST(EqualFilesScenario, WhatIsLookedAtGoesOnAsItWould)
{
    Scenario scenario = MakeEverything();
    const RunInFolder watched{scenario};
    scenario.instruments.clear();
    const RunInFolder plain{scenario};
    for (const auto& [name, text] : ReadFiles(plain))
    {
        EXPECT_TRUE(watched.Read(name) == text) << name;
    }
}

} // namespace ns3::rdma
