// SPDX-License-Identifier: GPL-2.0-only
#include "stack/ip-hosts.h"

#include "base/hash.h"
#include "wire/frame-bytes.h"

#include "ns3/arp-cache.h"
#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/** Streams of a stack's random variables: far more than it has. */
constexpr int64_t STREAMS_PER_HOST = 1000;

/** Packets above a device that is full, of each priority: Linux's default (txqueuelen). */
constexpr const char* QUEUE_PACKETS = "1000p";

/** @choice no limit of a turn: ns-3 does not go on with what a turn has left */
constexpr uint32_t TURN_PACKETS = 1'000'000;

constexpr const char* NETWORK_MASK = "255.0.0.0";

void
AddQueueDiscs(Ptr<NetDevice> device)
{
    TrafficControlHelper helper;
    const uint16_t root =
        helper.SetRootQueueDisc("ns3::MqQueueDisc", "Quota", UintegerValue(TURN_PACKETS));
    const auto classes = helper.AddQueueDiscClasses(root, PRIORITY_COUNT, "ns3::QueueDiscClass");
    helper.AddChildQueueDiscs(root,
                              classes,
                              "ns3::FifoQueueDisc",
                              "MaxSize",
                              StringValue(QUEUE_PACKETS),
                              "Quota",
                              UintegerValue(TURN_PACKETS));
    helper.Install(device);
}

Ptr<Ipv4Interface>
GetInterface(const IpEnd& end)
{
    const auto ipv4 = end.node->GetObject<Ipv4L3Protocol>();
    return ipv4->GetInterface(
        static_cast<uint32_t>(ipv4->GetInterfaceForAddress(Ipv4Address{end.address})));
}

void
AddNeighbour(const IpEnd& own, const IpEnd& peer)
{
    const auto interface = GetInterface(own);
    const Ptr<ArpCache> cache = interface->GetArpCache();
    const Ipv4Address address{peer.address};
    ArpCache::Entry* entry = cache->Lookup(address);
    if (entry == nullptr)
    {
        entry = cache->Add(address);
    }
    entry->SetMacAddress(GetInterface(peer)->GetDevice()->GetAddress());
    entry->MarkPermanent();
}

} // namespace

IpHosts::IpHosts(uint64_t seed) : m_channel{CreateObject<RdmaChannel>()}
{
    constexpr uint32_t HIGHEST_SEED = UINT32_MAX - 1; // ns-3 takes no 0
    RngSeedManager::SetSeed(static_cast<uint32_t>(1 + Mix64(seed) % HIGHEST_SEED));
    RngSeedManager::SetRun(1);
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
}

IpEnd
IpHosts::Get(Ptr<Rnic> interface)
{
    const uint32_t number = interface->GetForeignPort()->GetSetup().address;
    auto found = m_devices.find(number);
    if (found == m_devices.end())
    {
        found = m_devices.emplace(number, Make(interface)).first;
    }
    return {PeekPointer(found->second->GetNode()), InterfaceIpv4(number), found->second->GetMtu()};
}

Ptr<RdmaNetDevice>
IpHosts::FindDevice(uint32_t interface) const
{
    const auto found = m_devices.find(interface);
    return found == m_devices.end() ? nullptr : found->second;
}

Ptr<RdmaNetDevice>
IpHosts::Make(Ptr<Rnic> interface)
{
    const uint32_t number = interface->GetForeignPort()->GetSetup().address;
    const auto node = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetIpv4ArpJitter(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper{});
    stack.Install(node);
    stack.AssignStreams(NodeContainer{node}, STREAMS_PER_HOST * number);

    const auto device = CreateObject<RdmaNetDevice>();
    device->Attach(interface, m_channel);
    node->AddDevice(device);
    const auto ipv4 = node->GetObject<Ipv4>();
    const uint32_t index = ipv4->AddInterface(device);
    ipv4->AddAddress(index, {Ipv4Address{InterfaceIpv4(number)}, Ipv4Mask{NETWORK_MASK}});
    ipv4->SetUp(index);
    AddQueueDiscs(device);
    return device;
}

void
IpHosts::Introduce(const IpEnd& a, const IpEnd& b)
{
    AddNeighbour(a, b);
    AddNeighbour(b, a);
}

} // namespace ns3::rdma
