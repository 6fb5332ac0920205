// SPDX-License-Identifier: GPL-2.0-only
#include "switch/forwarding-table.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

ForwardingTable::ForwardingTable(uint16_t ports) : m_ports(ports)
{
    std::iota(m_ports.begin(), m_ports.end(), uint16_t{0});
}

void
ForwardingTable::AddDestination(std::span<const uint32_t> ports)
{
    const auto found = std::ranges::search(m_ports, ports);
    const auto first = static_cast<uint32_t>(found.begin() - m_ports.begin());
    if (found.empty())
    {
        m_ports.insert(m_ports.end(), ports.begin(), ports.end());
    }
    m_groups.push_back({first, static_cast<uint32_t>(ports.size())});
}

} // namespace ns3::rdma
