// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/ethernet.h"

#include "ns3/channel.h"
#include "ns3/ipv4-address.h"

#include <set>
#include <vector>

namespace ns3::rdma
{

class RdmaNetDevice;

/**
 * All devices of ns-3's stack on one fabric: what they see of each other.
 *
 * No frame goes through it; cables and switches are the fabric's. It knows who is there, so that
 * requests for addresses (ARP) are answered without a broadcast.
 */
class RdmaChannel : public Channel
{
  public:
    static TypeId GetTypeId();

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    void Add(Ptr<RdmaNetDevice> device);

    /** Whether a device has an address of the link. */
    bool Has(const MacAddress& address) const
    {
        return m_addresses.contains(address);
    }

    /** The device whose node has an address of IP there; null without one. */
    Ptr<RdmaNetDevice> FindByIpv4(Ipv4Address address) const;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<RdmaNetDevice>> m_devices;
    std::set<MacAddress> m_addresses;
};

} // namespace ns3::rdma
