// SPDX-License-Identifier: GPL-2.0-only
/*
 * A switch pauses its senders: the trace source "Pfc" of network interfaces.
 *
 * Three hosts send to one at full rate, without congestion control. The switch may hold 100 KB per
 * sender before it asks for a pause; it lets them go again two largest frames below that. Each
 * line is a PFC frame as a host receives it.
 */
#include "engine/simulator-choice.h"
#include "scenario/flow-runner.h"
#include "scenario/scenario.h"
#include "topology/topology-generator.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cinttypes>
#include <cstdio>

using namespace ns3::rdma;

namespace
{

void
PrintPfc(std::string host, uint16_t, uint8_t priority, uint16_t quanta, SimTime now)
{
    std::printf("%11" PRIu64 " ps  %s: priority %u %s\n",
                now.ps,
                host.c_str(),
                priority,
                quanta == 0 ? "may send again" : "must stop");
}

Scenario
ThreeToOne()
{
    ns3::ObjectFactory star{"ns3::rdma::StarTopology"};
    star.Set("Hosts", ns3::UintegerValue(4));
    star.Set("Delay", ns3::StringValue("500ns"));
    auto topology = star.Create<TopologyGenerator>()->Generate();

    Scenario scenario = MakeDefaultScenario(std::move(*topology));
    scenario.congestion.SetTypeId("ns3::rdma::NoCongestionControl");
    scenario.buffer.Set("Xoff", ns3::StringValue("100KB"));
    for (const uint32_t host : {1, 2, 3})
    {
        scenario.flows.push_back({.source = host, .destination = 0, .bytes = 300'000});
    }
    return scenario;
}

} // namespace

int
main()
{
    ns3::Time::SetResolution(ns3::Time::PS);
    if (SelectEngine("fabric"))
    {
        return 1;
    }
    const Scenario scenario = ThreeToOne();
    auto fabric = Fabric::Build(scenario);
    if (!fabric)
    {
        std::fprintf(stderr, "%s\n", ToString(fabric.Errors().front()).c_str());
        return 2;
    }
    auto runner = FlowRunner::Make(**fabric, scenario.flows, scenario.seed);
    for (const auto& host : (*fabric)->GetInterfaces())
    {
        host->TraceConnectWithoutContext("Pfc", ns3::MakeCallback(&PrintPfc));
    }
    ns3::Simulator::Run();

    for (std::size_t flow = 0; flow < scenario.flows.size(); ++flow)
    {
        std::printf("%11" PRIu64 " ps  h%u has delivered everything\n",
                    (*runner)->GetRecords()[flow].delivered.ps,
                    scenario.flows[flow].source);
    }
    runner->reset();
    fabric->reset();
    ns3::Simulator::Destroy();
    return 0;
}
