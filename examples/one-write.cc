// SPDX-License-Identifier: GPL-2.0-only
/*
 * One RDMA WRITE through the verbs interface.
 *
 * Two hosts, a switch between them, a queue pair at each end, one work request. The times that are
 * printed follow from the framing alone: a packet of 1024 bytes has 62 bytes of headers and FCS
 * (the first 16 more for the RETH) and 20 of preamble and gap; a byte lasts 80 ps at 100 Gb/s.
 */
#include "engine/simulator-choice.h"
#include "scenario/fabric.h"
#include "scenario/scenario.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cinttypes>
#include <cstdio>

using namespace ns3::rdma;

namespace
{

/** Prints what the devices tell it. */
class Printer : public CompletionListener
{
  public:
    void OnCompletion(uint32_t, const WorkCompletion& completion, SimTime now) override
    {
        std::printf("%12" PRIu64 " ps  work request %" PRIu64 ": %s\n",
                    now.ps,
                    completion.wrId,
                    std::string{ToString(completion.status)}.c_str());
    }

    void OnDelivered(uint32_t, uint64_t bytes, SimTime now) override
    {
        std::printf(
            "%12" PRIu64 " ps  %" PRIu64 " bytes are in the receiver's memory\n", now.ps, bytes);
    }
};

Topology
TwoHostsAndASwitch()
{
    const TopologyLink cable{.rate = BitRate::Gbps(100), .delay = SimTime::Microseconds(1)};
    Topology topology{.family = "example"};
    topology.nodes = {{NodeKind::HOST, "a"}, {NodeKind::HOST, "b"}, {NodeKind::SWITCH, "s"}};
    topology.links = {cable, cable};
    topology.links[0].a = 0;
    topology.links[0].b = 2;
    topology.links[1].a = 1;
    topology.links[1].b = 2;
    return topology;
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
    const Scenario scenario = MakeDefaultScenario(TwoHostsAndASwitch());
    auto fabric = Fabric::Build(scenario);
    if (!fabric)
    {
        std::fprintf(stderr, "%s\n", ToString(fabric.Errors().front()).c_str());
        return 2;
    }
    Printer printer;
    Rnic& a = *(*fabric)->GetInterfaces()[0];
    Rnic& b = *(*fabric)->GetInterfaces()[1];
    a.SetListener(&printer);
    b.SetListener(&printer);

    const Qpn atA = a.CreateQueuePair();
    const Qpn atB = b.CreateQueuePair();
    a.Connect(atA, {.destination = 1, .destinationQp = atB}, {});
    b.Connect(atB, {.destination = 0, .destinationQp = atA}, {});
    a.Post(atA, {.wrId = 7, .bytes = 1 << 20}, {});

    ns3::Simulator::Run();
    fabric->reset();
    ns3::Simulator::Destroy();
    return 0;
}
