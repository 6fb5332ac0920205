// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "rnic/rnic.h"
#include "stack/rdma-channel.h"

#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::rdma
{

/** Packets of the stack that a device has seen. */
struct NetDeviceCounters
{
    uint64_t sent{0};        ///< put into its queues
    uint64_t received{0};    ///< handed to the stack
    uint64_t queueFull{0};   ///< refused: no room in the queue of their priority
    uint64_t unsupported{0}; ///< refused: larger than the MTU, not IPv4 or ARP, to no such device
};

/**
 * An Ethernet device of ns3::Node over the port of an Rnic: ns-3's own IP stack sends its packets
 * through the fabric, beside the connections of the interface.
 *
 * Bytes are copied once into a frame and once out of it; headers and checksums are those of the
 * stack (set the global value ChecksumEnabled, else damage goes unseen). There is a transmit queue
 * for each priority, which is the class selector of the DSCP; one that is full stops the queue disc
 * above it, and goes on when half of it has left. ARP requests are answered at once, from what the
 * channel knows.
 *
 * Not modelled: IPv6, broadcast and multicast, a second receiver for foreign frames (promiscuous
 * mode), sending with foreign addresses, addresses other than the interface's own; packet tags do
 * not cross the wire.
 */
class RdmaNetDevice : public NetDevice, private ForeignStack
{
  public:
    static TypeId GetTypeId();

    /**
     * Puts the device on an interface, before it is added to a node.
     *
     * @param channel of all devices of the fabric
     */
    void Attach(Ptr<Rnic> interface, Ptr<RdmaChannel> channel);

    /** The address that the interface has. */
    const MacAddress& GetMac() const
    {
        return m_mac;
    }

    const NetDeviceCounters& GetCounters() const
    {
        return m_counters;
    }

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    /** Aborts unless it is the interface's own. */
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    /** @return false above MAX_FOREIGN_MTU */
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    /** @return false if the packet was refused; counted, and traced as MacTxDrop */
    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override;
    /** Aborts: not modelled. */
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& destination,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    /** Aborts: not modelled. */
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    void OnForeignFrame(const Frame& frame, SimTime now) override;
    void OnForeignStart(uint8_t priority, uint64_t queueBytes, SimTime start) override;

    /** @return null if the device cannot send it */
    Frame* MakeFrame(Ptr<const Packet> packet, const MacAddress& destination, uint16_t protocol);
    bool Refuse(Ptr<const Packet> packet, uint64_t& counter);
    bool HasRoom(uint64_t queueBytes) const;
    void StopIfFull(uint8_t priority, SimTime now);
    void Wake();
    void AnswerArp(Ptr<const Packet> request);
    void Receive(Ptr<Packet> packet, uint16_t protocol, Mac48Address source);

    Ptr<Rnic> m_interface;
    Ptr<RdmaChannel> m_channel;
    Ptr<Node> m_node;
    Ptr<NetDeviceQueueInterface> m_queues;
    MacAddress m_mac{};
    uint32_t m_ifIndex{0};
    uint16_t m_mtu{0};
    PriorityMask m_stopped{0}; ///< transmit queues
    bool m_isWaking{false};    ///< an event will look at them
    NetDeviceCounters m_counters;
    std::vector<std::byte> m_bytes; ///< of the frame at hand
    ReceiveCallback m_receive;
    TracedCallback<Ptr<const Packet>> m_txTrace;
    TracedCallback<Ptr<const Packet>> m_txDropTrace;
    TracedCallback<Ptr<const Packet>> m_rxTrace;
};

} // namespace ns3::rdma
