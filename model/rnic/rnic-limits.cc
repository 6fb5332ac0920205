// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast and how far ahead a queue pair of the interface may send.
 */
#include "rnic/rnic.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_BYTE_AT_1_BPS = 8e12; // 8 bits x 1e12 ps/s

} // namespace

BitRate
Rnic::GetSendRate(Qpn qpn, SimTime now)
{
    m_wire->GetPort().Advance(now);
    QueuePair& pair = Get(qpn);
    AdvanceCongestion(pair, now);
    BitRate rate = pair.congestion ? pair.congestion->GetLimits().rate : m_rate;
    if (pair.attributes.rateLimit.bps != 0)
    {
        rate = std::min(rate, pair.attributes.rateLimit);
    }
    return std::min(rate, m_rate);
}

void
Rnic::ApplyLimits(QueuePair& pair)
{
    BitRate rate = m_rate;
    pair.windowBytes = m_windowBytes;
    if (pair.congestion)
    {
        const SendLimits limits = pair.congestion->GetLimits();
        rate = std::min(rate, limits.rate);
        pair.windowBytes = std::min(pair.windowBytes, limits.windowBytes);
    }
    if (pair.attributes.rateLimit.bps != 0)
    {
        rate = std::min(rate, pair.attributes.rateLimit);
    }
    if (rate != pair.pacedRate)
    {
        pair.pacedRate = rate;
        pair.paceTimePerByte =
            rate == m_rate ? 0.0 : PS_PER_BYTE_AT_1_BPS / static_cast<double>(rate.bps);
        pair.isPaced = rate != m_rate || m_host;
    }
}

} // namespace ns3::rdma
