// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-statistics.h"

#include <algorithm>
#include <bit>

namespace ns3::rdma
{

void
ReplayStatistics::AddMessage(uint8_t opcode, uint64_t bytes, SimTime took)
{
    const std::size_t number =
        bytes == 0 ? 0 : std::min<std::size_t>(std::bit_width(bytes - 1) + 1, CLASSES - 1);
    auto& place = m_messages[opcode % OPCODES][number];
    if (!place)
    {
        const uint64_t most = number == 0 ? 0 : uint64_t{1} << (number - 1);
        place = std::make_unique<ReplayMessages>();
        place->opcode = opcode;
        place->leastBytes = number <= 1 ? most : most / 2 + 1;
        place->mostBytes = most;
    }
    place->bytes += bytes;
    place->times.Add(took.ps);
}

std::vector<const ReplayMessages*>
ReplayStatistics::GetMessages() const
{
    std::vector<const ReplayMessages*> messages;
    for (const auto& opcode : m_messages)
    {
        for (const auto& entry : opcode)
        {
            if (entry)
            {
                messages.push_back(entry.get());
            }
        }
    }
    return messages;
}

} // namespace ns3::rdma
