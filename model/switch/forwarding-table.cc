// SPDX-License-Identifier: GPL-2.0-only
#include "switch/forwarding-table.h"

#include "ns3/abort.h"

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
    const Group group{first, static_cast<uint32_t>(ports.size())};
    const auto known = std::ranges::find(m_groups, group);
    m_groupOf.push_back(static_cast<uint16_t>(known - m_groups.begin()));
    if (known == m_groups.end())
    {
        NS_ABORT_MSG_IF(m_groups.size() > UINT16_MAX, "too many different groups of ports");
        m_groups.push_back(group);
    }
}

} // namespace ns3::rdma
