// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/message-numbers.h"

#include <algorithm>

namespace ns3::rdma
{

std::optional<uint64_t>
MessageNumbers::OnRequest(const Frame& frame)
{
    // The packet number nearest to the newest that has this PSN (24 bits, half of them ahead).
    constexpr uint64_t AHEAD = uint64_t{1} << 23;
    const uint64_t psn = frame.psn.Get();
    uint64_t packet = psn;
    if (m_newest)
    {
        const uint64_t ahead = Psn{psn - *m_newest}.Get();
        packet = ahead < AHEAD ? *m_newest + ahead : *m_newest - Psn{*m_newest - psn}.Get();
    }
    if (!m_newest || packet > *m_newest)
    {
        m_newest = packet;
        if (GetOpcodeInfo(frame.opcode).startsMessage)
        {
            m_starts.push_back(packet);
        }
    }
    const auto after = std::ranges::upper_bound(m_starts, packet);
    return after == m_starts.begin()
               ? std::nullopt
               : std::optional{static_cast<uint64_t>(after - m_starts.begin() - 1)};
}

} // namespace ns3::rdma
