// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

enum class NodeKind : uint8_t
{
    HOST,
    SWITCH,
};

struct TopologyNode
{
    NodeKind kind{NodeKind::HOST};
    std::string name; ///< unique; "h3", "leaf0", or the id of the file it came from

    bool operator==(const TopologyNode&) const = default;
};

/** A full-duplex cable. Several between the same two nodes are several links. */
struct TopologyLink
{
    uint32_t a{0}; ///< index into Topology::nodes
    uint32_t b{0};
    BitRate rate{};       ///< 10 Mb/s .. 1.6 Tb/s
    SimTime delay{};      ///< one way, 0 .. 100 ms
    double lossRate{0.0}; ///< probability, 0 .. 1, that a frame is lost, each direction
    std::string origin;   ///< "file:line" where the link was read; empty if generated

    bool operator==(const TopologyLink&) const = default;
};

/**
 * Nodes, links and names; nothing of their behaviour.
 *
 * A node's ports are numbered by the order of its links, from 0. Each link of a host is a network
 * interface of its own.
 */
struct Topology
{
    std::string family; ///< "star", "leaf-spine", "fat-tree", "hpcc-file", ...
    std::vector<TopologyNode> nodes;
    std::vector<TopologyLink> links;

    bool operator==(const Topology&) const = default;
};

} // namespace ns3::rdma
