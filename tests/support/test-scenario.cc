// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "engine/simulator-choice.h"
#include "topology/topology-generator.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>

namespace ns3::rdma
{

Scenario
MakeTestScenario(Topology topology)
{
    Scenario scenario;
    scenario.name = "test";
    scenario.topology = std::move(topology);
    scenario.routing.SetTypeId("ns3::rdma::RoutingSettings");
    scenario.switchNode.SetTypeId("ns3::rdma::RdmaSwitch");
    scenario.buffer.SetTypeId("ns3::rdma::SharedBuffer");
    scenario.marker.SetTypeId("ns3::rdma::NoMarker");
    scenario.scheduler.SetTypeId("ns3::rdma::StrictPriorityScheduler");
    scenario.path.SetTypeId("ns3::rdma::EcmpPath");
    scenario.watchdog.SetTypeId("ns3::rdma::WatchdogSettings");
    scenario.nic.SetTypeId("ns3::rdma::Rnic");
    scenario.nicWatchdog.SetTypeId("ns3::rdma::NicWatchdogSettings");
    scenario.congestion.SetTypeId("ns3::rdma::NoCongestionControl");
    scenario.pfc.SetTypeId("ns3::rdma::PfcSettings");
    scenario.transport.SetTypeId("ns3::rdma::TransportSettings");
    return scenario;
}

namespace
{

/** A cable without loss. */
TopologyLink
MakeCable(uint32_t a, uint32_t b, BitRate rate, SimTime delay)
{
    TopologyLink link;
    link.a = a;
    link.b = b;
    link.rate = rate;
    link.delay = delay;
    return link;
}

} // namespace

Topology
MakeStar(uint32_t hosts, BitRate rate, SimTime delay)
{
    Topology topology;
    topology.family = "star";
    for (uint32_t host = 0; host < hosts; ++host)
    {
        topology.nodes.push_back({NodeKind::HOST, "h" + std::to_string(host)});
        topology.links.push_back(MakeCable(host, hosts, rate, delay));
    }
    topology.nodes.push_back({NodeKind::SWITCH, "s"});
    return topology;
}

Topology
MakePath(const std::vector<PathHop>& hops)
{
    Topology topology;
    topology.family = "path";
    topology.nodes = {{NodeKind::HOST, "h0"}, {NodeKind::HOST, "h1"}};
    uint32_t from = 0;
    for (std::size_t hop = 0; hop < hops.size(); ++hop)
    {
        const bool isLast = hop + 1 == hops.size();
        const uint32_t to = isLast ? 1 : static_cast<uint32_t>(topology.nodes.size());
        if (!isLast)
        {
            topology.nodes.push_back({NodeKind::SWITCH, "s" + std::to_string(hop)});
        }
        topology.links.push_back(MakeCable(from, to, hops[hop].rate, hops[hop].delay));
        from = to;
    }
    return topology;
}

Topology
MakeTwoSwitches(const TwoSwitches& shape)
{
    Topology topology;
    topology.family = "two-switches";
    const uint32_t hosts = shape.leftHosts + shape.rightHosts;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        topology.nodes.push_back({NodeKind::HOST, "h" + std::to_string(host)});
        const uint32_t device = host < shape.leftHosts ? hosts : hosts + 1;
        topology.links.push_back(MakeCable(host, device, shape.hostRate, shape.delay));
    }
    topology.nodes.push_back({NodeKind::SWITCH, "s0"});
    topology.nodes.push_back({NodeKind::SWITCH, "s1"});
    for (uint32_t trunk = 0; trunk < shape.trunks; ++trunk)
    {
        topology.links.push_back(MakeCable(hosts, hosts + 1, shape.trunkRate, shape.delay));
    }
    return topology;
}

Topology
GenerateTopology(const std::string& typeId,
                 const std::vector<std::pair<std::string, std::string>>& attributes)
{
    ObjectFactory factory{typeId};
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue(value));
    }
    const auto topology = factory.Create<TopologyGenerator>()->Generate();
    if (!topology)
    {
        ADD_FAILURE() << ToString(topology.Errors().front());
        throw std::runtime_error{"the topology cannot be made"};
    }
    return *topology;
}

Flow
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, SimTime start)
{
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = bytes;
    flow.start = start;
    return flow;
}

TestRun::TestRun(const Scenario& scenario) : m_scenario{scenario}
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
    auto timeline = Timeline::Make({m_scenario, *m_fabric, *m_runner});
    if (!timeline)
    {
        ADD_FAILURE() << ToString(timeline.Errors().front());
        throw std::runtime_error{"the timeline cannot be carried out"};
    }
    m_timeline = std::move(*timeline);
}

TestRun::~TestRun()
{
    m_timeline.reset();
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

uint64_t
TestRun::CountDropped() const
{
    uint64_t dropped = 0;
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        dropped += CountDropped(static_cast<DropReason>(reason));
    }
    return dropped;
}

uint64_t
TestRun::CountMarked() const
{
    uint64_t marked = 0;
    for (const Ptr<RdmaSwitch>& device : m_fabric->GetSwitches())
    {
        marked += device->GetCounters().markedFrames;
    }
    return marked;
}

uint64_t
TestRun::CountPauses() const
{
    uint64_t pauses = 0;
    for (const FabricLink& link : m_fabric->GetLinks())
    {
        pauses += link.port->GetCounters().pauseFramesSent;
    }
    return pauses;
}

uint64_t
TestRun::CountFinished() const
{
    uint64_t finished = 0;
    for (const FlowRecord& record : m_runner->GetRecords())
    {
        finished += record.IsFinished() ? 1 : 0;
    }
    return finished;
}

const FabricLink&
TestRun::FindLink(const std::string& from, const std::string& to) const
{
    for (const FabricLink& link : m_fabric->GetLinks())
    {
        if (link.from == from && link.to == to)
        {
            return link;
        }
    }
    throw std::runtime_error{"no cable from " + from + " to " + to};
}

std::vector<std::string>
TestRun::DescribeResults() const
{
    std::vector<std::string> lines;
    const auto add = [&lines](const std::string& name, const auto&... numbers)
    {
        std::ostringstream line;
        line << name;
        ((line << ' ' << numbers), ...);
        lines.push_back(line.str());
    };
    const SimTime now = m_fabric->GetEvents().Now();
    for (uint32_t flow = 0; flow < m_runner->GetRecords().size(); ++flow)
    {
        const FlowRecord& record = GetRecord(flow);
        const QueuePairStatistics counters = m_runner->GetStatistics(flow);
        add("flow " + std::to_string(flow),
            record.delivered.ps,
            record.acked.ps,
            record.deliveredBytes,
            counters.packetsSent,
            counters.packetsRetransmitted,
            counters.naksReceived,
            counters.timeouts,
            counters.cnpsReceived);
    }
    for (const Ptr<Rnic>& device : m_fabric->GetInterfaces())
    {
        const RnicCounters& counters = device->GetCounters();
        add(device->GetName(),
            counters.dataFramesSent,
            counters.ackFramesSent,
            counters.cnpFramesSent,
            counters.ceArrivals);
    }
    for (const FabricLink& link : m_fabric->GetLinks())
    {
        const PortCounters& counters = link.port->GetCounters();
        const std::string name = link.from + " to " + link.to;
        add(name,
            counters.frames,
            counters.wireBytes,
            counters.lostFrames,
            counters.pauseFramesSent,
            counters.resumeFramesSent,
            counters.pauseFramesReceived,
            counters.resumeFramesReceived,
            counters.maxQueueBytes,
            link.fromSwitch != nullptr ? link.fromSwitch->GetMarkedFrames(link.fromPort) : 0);
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            add(name + " paused", link.port->GetPausedTime(priority, now).ps);
        }
    }
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        const auto name = static_cast<DropReason>(reason);
        add(std::string{ToString(name)},
            m_fabric->GetLedger().GetDropped(name).frames,
            m_fabric->GetLedger().GetDropped(name).bytes);
    }
    return lines;
}

void
TestRun::ExpectInvariants() const
{
    FrameCount held;
    for (const FabricLink& link : m_fabric->GetLinks())
    {
        const FrameCount here = link.port->CountHeld().all;
        held.frames += here.frames;
        held.bytes += here.bytes;
    }
    for (const Ptr<Rnic>& device : m_fabric->GetInterfaces())
    {
        const FrameCount inside = device->CountHeld().all;
        held.frames += inside.frames;
        held.bytes += inside.bytes;
    }
    FrameLedger& ledger = m_fabric->GetLedger();
    FrameCount ended = ledger.GetConsumed();
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        ended.frames += ledger.GetDropped(static_cast<DropReason>(reason)).frames;
        ended.bytes += ledger.GetDropped(static_cast<DropReason>(reason)).bytes;
    }
    EXPECT_EQ(ledger.GetCreated().frames, ended.frames + held.frames);
    EXPECT_EQ(ledger.GetCreated().bytes, ended.bytes + held.bytes);
    for (uint32_t flow = 0; flow < m_runner->GetRecords().size(); ++flow)
    {
        const FlowRecord& record = GetRecord(flow);
        if (!record.IsFinished())
        {
            continue;
        }
        const SimTime start = m_scenario.flows[flow].start;
        const FlowIdeals ideals = m_runner->GetIdeals(flow);
        EXPECT_LE(start + ideals.delivered, record.delivered) << "flow " << flow;
        EXPECT_LE(start + ideals.acked, record.acked) << "flow " << flow;
        EXPECT_EQ(record.deliveredBytes, m_scenario.flows[flow].bytes) << "flow " << flow;
    }
}

} // namespace ns3::rdma
