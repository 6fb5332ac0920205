// SPDX-License-Identifier: GPL-2.0-only
#include "stack/rdma-net-device.h"

#include "wire/foreign-frame.h"
#include "wire/frame-bytes.h"

#include "ns3/abort.h"
#include "ns3/arp-header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

constexpr uint16_t ETHERTYPE_ARP = 0x0806; ///< @spec IEEE registration authority
constexpr int CLASS_SELECTOR_SHIFT = 5;

MacAddress
ToMac(const Address& address)
{
    MacAddress mac;
    Mac48Address::ConvertFrom(address).CopyTo(reinterpret_cast<uint8_t*>(mac.data()));
    return mac;
}

Mac48Address
FromMac(std::span<const std::byte, std::tuple_size_v<MacAddress>> mac)
{
    Mac48Address address;
    address.CopyFrom(reinterpret_cast<const uint8_t*>(mac.data()));
    return address;
}

/** The transmit queue of a packet: its priority. */
std::size_t
SelectQueue(Ptr<QueueItem> item)
{
    uint8_t trafficClass = 0;
    const bool isIp = item->GetUint8Value(QueueItem::IP_DSFIELD, trafficClass);
    return isIp ? trafficClass >> CLASS_SELECTOR_SHIFT : 0;
}

/** The priority that DescribeForeign will find. */
uint8_t
PriorityOf(const Packet& packet, uint16_t protocol)
{
    std::array<uint8_t, 2> start{};
    if (protocol == ETHERTYPE_IPV4)
    {
        packet.CopyData(start.data(), start.size());
    }
    return static_cast<uint8_t>(start[1] >> CLASS_SELECTOR_SHIFT);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RdmaNetDevice);

TypeId
RdmaNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RdmaNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaNetDevice>()
            .AddTraceSource("MacTx",
                            "A packet of the stack enters a queue of the device",
                            MakeTraceSourceAccessor(&RdmaNetDevice::m_txTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet of the stack is refused: no room, or not supported",
                            MakeTraceSourceAccessor(&RdmaNetDevice::m_txDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet goes up to the stack",
                            MakeTraceSourceAccessor(&RdmaNetDevice::m_rxTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

void
RdmaNetDevice::Attach(Ptr<Rnic> interface, Ptr<RdmaChannel> channel)
{
    const ForeignPort::Setup& setup = interface->GetForeignPort()->GetSetup();
    m_interface = interface;
    m_channel = channel;
    m_mac = InterfaceMac(setup.address);
    m_mtu = setup.mtu;
    m_bytes.resize(MAX_FOREIGN_BYTES);
    m_queues = CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues",
                                                                   UintegerValue(PRIORITY_COUNT));
    m_queues->SetSelectQueueCallback(SelectQueue);
    AggregateObject(m_queues);
    channel->Add(this);
    interface->GetForeignPort()->Attach(this);
}

void
RdmaNetDevice::DoDispose()
{
    if (m_interface && m_interface->GetForeignPort() != nullptr)
    {
        m_interface->GetForeignPort()->Attach(nullptr);
    }
    m_interface = nullptr;
    m_channel = nullptr;
    m_node = nullptr;
    m_queues = nullptr;
    m_receive = ReceiveCallback();
    NetDevice::DoDispose();
}

bool
RdmaNetDevice::Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol)
{
    if (!IsLinkUp())
    {
        return Refuse(packet, m_counters.unsupported);
    }
    const MacAddress mac = ToMac(destination);
    if (protocol == ETHERTYPE_ARP && mac == ToMac(GetBroadcast()))
    {
        AnswerArp(packet);
        return true;
    }
    ForeignPort& port = *m_interface->GetForeignPort();
    const SimTime now = port.GetSetup().events->Now();
    const uint32_t bytes = ForeignFrameBytes(EthernetFields::SIZE + packet->GetSize());
    const uint8_t priority = PriorityOf(*packet, protocol);
    const bool isKnown = protocol == ETHERTYPE_IPV4 || protocol == ETHERTYPE_ARP;
    if (!isKnown || packet->GetSize() > m_mtu || !m_channel->Has(mac))
    {
        return Refuse(packet, m_counters.unsupported);
    }
    if (port.GetQueuedBytes(priority, now) + bytes > port.GetSetup().queueBytes)
    {
        return Refuse(packet, m_counters.queueFull);
    }
    ++m_counters.sent;
    m_txTrace(packet);
    port.Send(MakeFrame(packet, mac, protocol), now);
    StopIfFull(priority, now);
    return true;
}

bool
RdmaNetDevice::Refuse(Ptr<const Packet> packet, uint64_t& counter)
{
    ++counter;
    m_txDropTrace(packet);
    return false;
}

Frame*
RdmaNetDevice::MakeFrame(Ptr<const Packet> packet, const MacAddress& destination, uint16_t protocol)
{
    ForeignPort& port = *m_interface->GetForeignPort();
    Frame* frame = port.Create(EthernetFields::SIZE + packet->GetSize());
    const std::span<std::byte> bytes{frame->GetPayload()->bytes};
    EthernetFields{destination, m_mac, protocol}.Emit(bytes.first<EthernetFields::SIZE>());
    packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data() + EthernetFields::SIZE),
                     packet->GetSize());
    DescribeForeign(*frame, {port.GetSetup().address, *FindInterface(destination)});
    return frame;
}

/** Whether a queue that holds so much takes the largest frame. */
bool
RdmaNetDevice::HasRoom(uint64_t queueBytes) const
{
    return queueBytes + ForeignFrameBytes(EthernetFields::SIZE + m_mtu) <=
           m_interface->GetForeignPort()->GetSetup().queueBytes;
}

void
RdmaNetDevice::StopIfFull(uint8_t priority, SimTime now)
{
    ForeignPort& port = *m_interface->GetForeignPort();
    if (HasRoom(port.GetQueuedBytes(priority, now)))
    {
        return;
    }
    m_queues->GetTxQueue(priority)->Stop();
    m_stopped |= PriorityBit(priority);
    port.WatchStarts(true, now);
}

void
RdmaNetDevice::OnForeignStart(uint8_t priority, uint64_t queueBytes, SimTime)
{
    const bool isDue = (m_stopped & PriorityBit(priority)) != 0 &&
                       queueBytes <= m_interface->GetForeignPort()->GetSetup().queueBytes / 2;
    if (isDue && !m_isWaking)
    {
        // Not at once: the port is in the middle of a start.
        m_isWaking = true;
        Simulator::ScheduleWithContext(
            m_node->GetId(), TimeStep(0), &RdmaNetDevice::Wake, Ptr<RdmaNetDevice>(this));
    }
}

void
RdmaNetDevice::Wake()
{
    m_isWaking = false;
    if (!IsLinkUp())
    {
        return;
    }
    ForeignPort& port = *m_interface->GetForeignPort();
    const SimTime now = port.GetSetup().events->Now();
    const PriorityMask stopped = m_stopped;
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        if ((stopped & PriorityBit(priority)) != 0 &&
            port.GetQueuedBytes(priority, now) <= port.GetSetup().queueBytes / 2)
        {
            m_stopped &= static_cast<PriorityMask>(~PriorityBit(priority));
            m_queues->GetTxQueue(priority)->Wake();
        }
    }
    if (m_stopped == 0)
    {
        port.WatchStarts(false, now);
    }
}

void
RdmaNetDevice::AnswerArp(Ptr<const Packet> request)
{
    ArpHeader asked;
    request->PeekHeader(asked);
    const auto device = m_channel->FindByIpv4(asked.GetDestinationIpv4Address());
    if (!asked.IsRequest() || !device)
    {
        return; // Nobody there: the stack gives up by itself.
    }
    ArpHeader reply;
    reply.SetReply(device->GetAddress(),
                   asked.GetDestinationIpv4Address(),
                   asked.GetSourceHardwareAddress(),
                   asked.GetSourceIpv4Address());
    const auto packet = Create<Packet>();
    packet->AddHeader(reply);
    Simulator::ScheduleWithContext(m_node->GetId(),
                                   TimeStep(0),
                                   &RdmaNetDevice::Receive,
                                   Ptr<RdmaNetDevice>(this),
                                   packet,
                                   ETHERTYPE_ARP,
                                   FromMac(device->GetMac()));
}

void
RdmaNetDevice::OnForeignFrame(const Frame& frame, SimTime)
{
    const std::size_t size = WriteForeignFrame(frame, m_bytes);
    const auto ethernet = *EthernetFields::Parse(m_bytes);
    const auto packet =
        Create<Packet>(reinterpret_cast<const uint8_t*>(m_bytes.data() + EthernetFields::SIZE),
                       static_cast<uint32_t>(size - EthernetFields::SIZE));
    Simulator::ScheduleWithContext(m_node->GetId(),
                                   TimeStep(0),
                                   &RdmaNetDevice::Receive,
                                   Ptr<RdmaNetDevice>(this),
                                   packet,
                                   ethernet.etherType,
                                   FromMac(ethernet.source));
}

void
RdmaNetDevice::Receive(Ptr<Packet> packet, uint16_t protocol, Mac48Address source)
{
    if (m_receive.IsNull())
    {
        return;
    }
    ++m_counters.received;
    m_rxTrace(packet);
    m_receive(this, packet, protocol, source);
}

void
RdmaNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
RdmaNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
RdmaNetDevice::GetChannel() const
{
    return m_channel;
}

void
RdmaNetDevice::SetAddress(Address address)
{
    NS_ABORT_MSG_UNLESS(ToMac(address) == m_mac,
                        "a device has the address of its interface, and no other");
}

Address
RdmaNetDevice::GetAddress() const
{
    return FromMac(m_mac);
}

bool
RdmaNetDevice::SetMtu(const uint16_t mtu)
{
    if (mtu > MAX_FOREIGN_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
RdmaNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
RdmaNetDevice::IsLinkUp() const
{
    return m_interface && m_interface->GetForeignPort() != nullptr;
}

void
RdmaNetDevice::AddLinkChangeCallback(Callback<void>)
{
    // A cable that goes down holds frames back until it returns; the stack sees that they are late.
}

bool
RdmaNetDevice::IsBroadcast() const
{
    return true; // What ARP asks of an Ethernet device; see Send.
}

Address
RdmaNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
RdmaNetDevice::IsMulticast() const
{
    return false;
}

Address
RdmaNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
RdmaNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
RdmaNetDevice::IsBridge() const
{
    return false;
}

bool
RdmaNetDevice::IsPointToPoint() const
{
    return false;
}

bool
RdmaNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    NS_ABORT_MSG("RdmaNetDevice: sending with a foreign address is not modelled");
}

Ptr<Node>
RdmaNetDevice::GetNode() const
{
    return m_node;
}

void
RdmaNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
RdmaNetDevice::NeedsArp() const
{
    return true;
}

void
RdmaNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
RdmaNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback)
{
    NS_ABORT_MSG("RdmaNetDevice: promiscuous mode (bridging, packet sockets that see all) is not "
                 "modelled");
}

bool
RdmaNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::rdma
