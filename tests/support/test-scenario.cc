// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "engine/simulator-choice.h"

#include <gtest/gtest.h>

#include "ns3/simulator.h"

namespace ns3::rdma
{

Scenario
MakeTestScenario(Topology topology)
{
    Scenario scenario;
    scenario.name = "test";
    scenario.topology = std::move(topology);
    scenario.switchNode.SetTypeId("ns3::rdma::RdmaSwitch");
    scenario.buffer.SetTypeId("ns3::rdma::SharedBuffer");
    scenario.marker.SetTypeId("ns3::rdma::NoMarker");
    scenario.scheduler.SetTypeId("ns3::rdma::StrictPriorityScheduler");
    scenario.path.SetTypeId("ns3::rdma::EcmpPath");
    scenario.nic.SetTypeId("ns3::rdma::Rnic");
    scenario.congestion.SetTypeId("ns3::rdma::NoCongestionControl");
    scenario.pfc.SetTypeId("ns3::rdma::PfcSettings");
    scenario.transport.SetTypeId("ns3::rdma::TransportSettings");
    return scenario;
}

Topology
MakeStar(uint32_t hosts, BitRate rate, SimTime delay)
{
    Topology topology;
    topology.family = "star";
    for (uint32_t host = 0; host < hosts; ++host)
    {
        topology.nodes.push_back({NodeKind::HOST, "h" + std::to_string(host)});
        topology.links.push_back({.a = host, .b = hosts, .rate = rate, .delay = delay});
    }
    topology.nodes.push_back({NodeKind::SWITCH, "s"});
    return topology;
}

Flow
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, SimTime start)
{
    return {.source = source, .destination = destination, .bytes = bytes, .start = start};
}

TestRun::TestRun(const Scenario& scenario)
    : m_scenario{scenario}
{
    const auto wrong = SelectEngine(m_scenario.engine.simulator);
    EXPECT_FALSE(wrong) << ToString(*wrong);
    auto fabric = Fabric::Build(m_scenario);
    if (!fabric)
    {
        ADD_FAILURE() << ToString(fabric.Errors().front());
        throw std::runtime_error{"the scenario cannot be built"};
    }
    m_fabric = std::move(*fabric);
    auto runner = FlowRunner::Make(*m_fabric, m_scenario.flows, m_scenario.seed);
    if (!runner)
    {
        ADD_FAILURE() << ToString(runner.Errors().front());
        throw std::runtime_error{"the flows cannot run"};
    }
    m_runner = std::move(*runner);
}

TestRun::~TestRun()
{
    m_runner.reset();
    m_fabric.reset();
    Simulator::Destroy();
}

void
TestRun::RunToEnd()
{
    m_runner->SetDoneCallback([](SimTime) { Simulator::Stop(); });
    Simulator::Run();
    m_fabric->Settle(m_fabric->GetEvents().Now());
}

void
TestRun::RunUntil(SimTime end)
{
    Simulator::Stop(PicoSeconds(static_cast<int64_t>(end.ps)) - Simulator::Now());
    Simulator::Run();
    m_fabric->Settle(end);
}

} // namespace ns3::rdma
