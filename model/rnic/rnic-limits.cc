// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast and how far ahead a queue pair of the interface may send, and what can be asked of it.
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
Rnic::BeforeChange(SimTime now)
{
    if (now.ps == 0)
    {
        return;
    }
    GetPort().Advance(now - SimTime{1});
    for (const auto& pair : m_pairs)
    {
        if (pair)
        {
            AdvanceCongestion(*pair, now - SimTime{1});
        }
    }
}

void
Rnic::AfterChange(SimTime now)
{
    m_cnpInterval = m_congestion->GetCnpInterval();
    for (const auto& pair : m_pairs)
    {
        if (pair && pair->congestion)
        {
            pair->congestion->OnParametersChanged(m_rate);
            ApplyLimits(*pair);
            pair->transmitter->Update(*pair, now);
        }
    }
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

void
Rnic::Describe(Qpn qpn, SimTime now, StateSink& sink)
{
    m_wire->GetPort().Advance(now);
    QueuePair& pair = Get(qpn);
    AdvanceCongestion(pair, now);
    if (pair.windowBytes != SendLimits::NO_WINDOW)
    {
        sink.Put("window_bytes", static_cast<double>(pair.windowBytes));
    }
    sink.Put("in_flight_bytes", static_cast<double>(pair.requester.GetInFlightBytes()));
    sink.Put("cnps", static_cast<double>(pair.statistics.cnpsReceived));
    if (pair.congestion)
    {
        pair.congestion->Describe(now, sink);
    }
}

const QueuePairAttributes*
Rnic::FindAttributes(Qpn qpn) const
{
    const QueuePair* pair = Find(qpn.value);
    return pair == nullptr ? nullptr : &pair->attributes;
}

const EthernetPort*
Rnic::GetLoopback() const
{
    return m_loopback ? &m_loopback->GetPort() : nullptr;
}

} // namespace ns3::rdma
