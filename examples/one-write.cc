// SPDX-License-Identifier: GPL-2.0-only
/*
 * One RDMA WRITE through the verbs interface.
 *
 * Two hosts, a switch between them, memory and a queue pair at each end, one work request. The
 * times that are printed follow from the framing alone: a packet of 1024 bytes has 62 bytes of
 * headers and FCS (the first 16 more for the RETH) and 20 of preamble and gap; a byte lasts 80 ps
 * at 100 Gb/s.
 */
#include "engine/simulator-choice.h"
#include "scenario/fabric.h"
#include "scenario/scenario.h"
#include "verbs/bring-up.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cinttypes>
#include <cstdio>

using namespace ns3::rdma;

namespace
{

/** An application on one interface: what it needs to post, and it prints what it is told. */
class Program : public CompletionChannel, public DeviceObserver
{
  public:
    explicit Program(Rnic& device) : m_device{device}
    {
        m_device.AllocateProtectionDomain(m_domain);
        m_device.RegisterMemory({.protectionDomain = m_domain.value,
                                 .address = 0x1000,
                                 .length = 1 << 20,
                                 .access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE},
                                m_region);
        m_device.CreateCompletionQueue(16, this, m_queue);
        m_device.GetCompletionQueue(m_queue).RequestNotify(Notify::NEXT);
        m_device.SetObserver(this);
        m_device.CreateQueuePair(
            {.protectionDomain = m_domain, .sendQueue = m_queue, .receiveQueue = m_queue}, m_qpn);
    }

    void Connect(uint32_t peer, Qpn peerQpn)
    {
        QueuePairAttributes attributes{.accessFlags = ACCESS_REMOTE_WRITE};
        attributes.address.destination = peer;
        attributes.destinationQp = peerQpn;
        BringToReadyToSend(m_device, m_qpn, attributes, {});
    }

    void Write(uint64_t wrId, uint32_t bytes, uint32_t rkey)
    {
        const ScatterGatherElement element{0x1000, bytes, m_region.lkey};
        const SendRequest request{.wrId = wrId,
                                  .opcode = SendOpcode::RDMA_WRITE,
                                  .sgList = {&element, 1},
                                  .remoteAddress = 0x1000,
                                  .rkey = rkey};
        m_device.PostSend(m_qpn, {&request, 1}, {});
    }

    Qpn GetQpn() const
    {
        return m_qpn;
    }

    uint32_t GetRkey() const
    {
        return m_region.rkey;
    }

  private:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override
    {
        std::array<WorkCompletion, 1> completion;
        while (queue.Poll(completion) == 1)
        {
            std::printf("%12" PRIu64 " ps  work request %" PRIu64 ": %s\n",
                        now.ps,
                        completion[0].wrId,
                        std::string{ToString(completion[0].status)}.c_str());
        }
        queue.RequestNotify(Notify::NEXT);
    }

    void OnDelivered(uint32_t, uint64_t bytes, SimTime now) override
    {
        std::printf(
            "%12" PRIu64 " ps  %" PRIu64 " bytes are in the receiver's memory\n", now.ps, bytes);
    }

    void OnAsyncEvent(const AsyncEvent&, SimTime) override {}

    Rnic& m_device;
    ProtectionDomainId m_domain;
    MemoryRegion m_region;
    CompletionQueueId m_queue;
    Qpn m_qpn;
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
    Program a{*(*fabric)->GetInterfaces()[0]};
    Program b{*(*fabric)->GetInterfaces()[1]};
    a.Connect(1, b.GetQpn());
    b.Connect(0, a.GetQpn());
    a.Write(7, 1 << 20, b.GetRkey());

    ns3::Simulator::Run();
    fabric->reset();
    ns3::Simulator::Destroy();
    return 0;
}
