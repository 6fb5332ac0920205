// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/connection.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** Packets from one side to one queue pair. */
struct Direction
{
    uint32_t sender;
    uint32_t destinationQp;
    Packets packets;
};

std::vector<Direction>
SplitDirections(const Packets& packets)
{
    std::vector<Direction> directions;
    for (const Packet& packet : packets)
    {
        auto found = std::find_if(directions.begin(),
                                  directions.end(),
                                  [&packet](const Direction& direction) {
                                      return direction.sender == packet.sender &&
                                             direction.destinationQp == packet.destinationQp;
                                  });
        if (found == directions.end())
        {
            found = directions.insert(found, {packet.sender, packet.destinationQp, {}});
        }
        found->packets.push_back(packet);
    }
    return directions;
}

/** How many responses of one direction have a PSN near the first request of the other. */
uint64_t
CountAnswers(const Direction& requests, const Direction& responses)
{
    constexpr int32_t NEAR = 1 << 20;
    const auto first = std::find_if(requests.packets.begin(),
                                    requests.packets.end(),
                                    [](const Packet& packet) { return packet.IsRequest(); });
    if (first == requests.packets.end())
    {
        return 0;
    }
    return static_cast<uint64_t>(
        std::count_if(responses.packets.begin(),
                      responses.packets.end(),
                      [first](const Packet& packet)
                      {
                          const int32_t distance = Psn::Distance(first->psn, packet.psn);
                          return !packet.IsRequest() && distance >= 0 && distance < NEAR;
                      }));
}

/** The direction that answers another best; nullptr: none does. */
Direction*
FindReverse(const Direction& direction, std::vector<Direction>& all)
{
    Direction* best = nullptr;
    uint64_t most = 0;
    for (Direction& other : all)
    {
        const uint64_t answers =
            other.sender == direction.sender
                ? 0
                : CountAnswers(direction, other) + CountAnswers(other, direction);
        best = answers > most ? &other : best;
        most = std::max(most, answers);
    }
    return best;
}

/** Gives keys their numbers and addresses their origin. */
class KeyNames
{
  public:
    void Rename(uint32_t& rkey, uint64_t& address)
    {
        const auto [entry, isNew] =
            m_names.try_emplace(rkey, static_cast<uint32_t>(m_names.size()) + 1, address);
        rkey = entry->second.first;
        address -= entry->second.second;
    }

    void Rename(uint32_t& rkey)
    {
        const auto entry = m_names.find(rkey);
        rkey = entry == m_names.end() ? 0 : entry->second.first;
    }

  private:
    std::map<uint32_t, std::pair<uint32_t, uint64_t>> m_names; ///< key: its number, first address
};

/** Counts results of atomics from the first of their address. */
void
NormalizeResults(const Packets& requests, Packets& responses)
{
    std::map<uint32_t, uint64_t> addresses; // by PSN
    for (const Packet& request : requests)
    {
        if (GetOpcodeInfo(request.opcode).Has(HEADER_ATOMIC_ETH))
        {
            addresses.emplace(request.psn.Get(), request.atomic.virtualAddress);
        }
    }
    std::map<uint64_t, uint64_t> firsts; // by address
    for (Packet& response : responses)
    {
        if (response.opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE)
        {
            const uint64_t address = addresses[response.psn.Get()];
            const uint64_t first =
                firsts.try_emplace(address, response.atomicOriginal).first->second;
            response.atomicOriginal -= first;
        }
    }
}

} // namespace

std::optional<Psn>
Connection::GetFirstPsn(uint32_t side) const
{
    return requests[side].empty() ? std::nullopt : std::optional{requests[side].front().psn};
}

std::vector<Connection>
SplitConnections(const Packets& packets)
{
    std::vector<Direction> directions = SplitDirections(packets);
    std::vector<Connection> connections;
    for (Direction& direction : directions)
    {
        if (direction.packets.empty())
        {
            continue; // the reverse of an earlier one
        }
        Direction* reverse = FindReverse(direction, directions);
        Connection connection;
        for (const Packet& packet : direction.packets)
        {
            connection.Add(packet);
        }
        for (const Packet& packet : reverse == nullptr ? Packets{} : reverse->packets)
        {
            connection.Add(packet);
        }
        connections.push_back(std::move(connection));
        direction.packets.clear();
        if (reverse != nullptr)
        {
            reverse->packets.clear();
        }
    }
    return connections;
}

void
Normalize(Connection& connection, bool knowsMemory)
{
    for (uint32_t side = 0; side < connection.requests.size(); ++side)
    {
        KeyNames names;
        for (Packet& packet : connection.requests[side])
        {
            const OpcodeInfo& info = GetOpcodeInfo(packet.opcode);
            if (info.Has(HEADER_RETH))
            {
                names.Rename(packet.reth.rkey, packet.reth.virtualAddress);
            }
            else if (info.Has(HEADER_ATOMIC_ETH))
            {
                names.Rename(packet.atomic.rkey, packet.atomic.virtualAddress);
            }
            else if (info.Has(HEADER_IETH))
            {
                names.Rename(packet.immediate);
            }
        }
        if (!knowsMemory)
        {
            NormalizeResults(connection.requests[side], connection.responses[1 - side]);
        }
    }
}

} // namespace ns3::rdma
