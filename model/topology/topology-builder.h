// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/topology.h"

#include <string>
#include <utility>

namespace ns3::rdma
{

/** Rate and delay of a cable. */
struct Cable
{
    BitRate rate{};  ///< b/s, both directions
    SimTime delay{}; ///< one way

    bool operator==(const Cable&) const = default;
};

/** Puts nodes and links together; for generators. */
class TopologyBuilder
{
  public:
    explicit TopologyBuilder(std::string family)
    {
        m_topology.family = std::move(family);
    }

    /** Adds a number of nodes, named by the prefix and a number from 0; returns the first one. */
    uint32_t AddNodes(NodeKind kind, const std::string& prefix, uint32_t count)
    {
        const uint32_t first = static_cast<uint32_t>(m_topology.nodes.size());
        for (uint32_t i = 0; i < count; ++i)
        {
            m_topology.nodes.push_back({kind, prefix + std::to_string(i)});
        }
        return first;
    }

    /** Adds one node under its own name. */
    uint32_t AddNode(NodeKind kind, std::string name)
    {
        m_topology.nodes.push_back({kind, std::move(name)});
        return static_cast<uint32_t>(m_topology.nodes.size() - 1);
    }

    /** Joins two nodes by a number of equal cables. */
    void Connect(uint32_t a, uint32_t b, const Cable& cable, uint32_t count = 1)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_topology.links.push_back({a, b, cable.rate, cable.delay, 0.0, ""});
        }
    }

    Topology Take()
    {
        return std::move(m_topology);
    }

  private:
    Topology m_topology;
};

} // namespace ns3::rdma
