// SPDX-License-Identifier: GPL-2.0-only
#include "stack/rdma-channel.h"

#include "stack/rdma-net-device.h"

#include "ns3/ipv4.h"
#include "ns3/node.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RdmaChannel);

TypeId
RdmaChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::RdmaChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Rdma")
                            .AddConstructor<RdmaChannel>();
    return tid;
}

std::size_t
RdmaChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
RdmaChannel::GetDevice(std::size_t i) const
{
    return m_devices[i];
}

void
RdmaChannel::Add(Ptr<RdmaNetDevice> device)
{
    m_devices.push_back(device);
    m_addresses.insert(device->GetMac());
}

Ptr<RdmaNetDevice>
RdmaChannel::FindByIpv4(Ipv4Address address) const
{
    for (const auto& device : m_devices)
    {
        const auto ipv4 = device->GetNode() ? device->GetNode()->GetObject<Ipv4>() : nullptr;
        const int32_t interface = ipv4 ? ipv4->GetInterfaceForAddress(address) : -1;
        if (interface >= 0 && ipv4->GetInterfaceForDevice(device) == interface)
        {
            return device;
        }
    }
    return nullptr;
}

void
RdmaChannel::DoDispose()
{
    m_devices.clear();
    Channel::DoDispose();
}

} // namespace ns3::rdma
