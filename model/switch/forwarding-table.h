// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::rdma
{

/**
 * Ports that lead to destinations, in groups of equal cost.
 *
 * A destination has the number of its group, in two bytes: what every frame looks at stays small,
 * on a fabric of many switches and hosts. A group is a range of the list of ports. The list begins
 * with all ports in order, so that the usual groups (one port, or neighbouring uplinks) need
 * nothing beyond it.
 */
class ForwardingTable
{
  public:
    struct Group
    {
        uint32_t first{0}; ///< position in the list
        uint32_t count{0}; ///< 0: no way

        bool operator==(const Group&) const = default;
    };

    explicit ForwardingTable(uint16_t ports = 0);

    /** Appends the next destination interface. @param ports ascending; empty: no way */
    void AddDestination(std::span<const uint32_t> ports);

    Group Find(uint32_t destination) const
    {
        return m_groups[m_groupOf[destination]];
    }

    uint16_t GetPort(uint32_t position) const
    {
        return m_ports[position];
    }

  private:
    std::vector<uint16_t> m_groupOf; ///< by destination interface
    std::vector<Group> m_groups;     ///< each once
    std::vector<uint16_t> m_ports;
};

} // namespace ns3::rdma
