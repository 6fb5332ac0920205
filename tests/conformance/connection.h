// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/packet.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The packets of one connection as four streams: each side's requests and its responses.
 *
 * Requester and responder of a queue pair are machines of their own: in which order packets of the
 * two leave is a matter of the host's speed, and is not compared.
 */
struct Connection
{
    std::array<Packets, 2> requests;  ///< by sender
    std::array<Packets, 2> responses; ///< by sender

    /** The PSN of a side's first request; nullopt if it sent none. */
    std::optional<Psn> GetFirstPsn(uint32_t side) const;

    void Add(const Packet& packet)
    {
        (packet.IsRequest() ? requests : responses)[packet.sender].push_back(packet);
    }
};

/**
 * Sorts a capture's packets into connections, in the order of their first packets.
 *
 * The two directions of a connection bear different queue pair numbers; they belong together where
 * responses have the PSNs of requests.
 */
std::vector<Connection> SplitConnections(const Packets& packets);

/**
 * Makes packets of two runs comparable, in place: keys become numbers in the order of their
 * appearance, addresses are counted from the first that was used with their key, and results of
 * atomic operations from the first of their address.
 *
 * @param knowsMemory results of atomic operations stay as they are
 */
void Normalize(Connection& connection, bool knowsMemory);

} // namespace ns3::rdma
