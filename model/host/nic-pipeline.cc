// SPDX-License-Identifier: GPL-2.0-only
#include "host/nic-pipeline.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Headers of an entry with inline data, bytes. @spec see GetEntryBytes */
constexpr uint64_t INLINE_HEADERS = 36;

/**
 * Bytes around the data of a transaction packet: framing 2, data link layer 6, header and address.
 *
 * @spec Neugebauer et al., SIGCOMM 2018, section 3: memory write 24 (64-bit address), completion 20
 */
constexpr uint64_t WRITE_HEADERS = 24;
constexpr uint64_t COMPLETION_HEADERS = 20;
constexpr uint64_t READ_REQUEST_BYTES = 24; // without data, towards memory

constexpr uint64_t
DivideUp(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit;
}

/** Takes a resource for a span. @return when it is free again */
SimTime
Occupy(SimTime& busyUntil, SimTime now, SimTime span)
{
    busyUntil = std::max(busyUntil, now) + span;
    return busyUntil;
}

} // namespace

NicPipeline::NicPipeline(const NicProfile& profile)
    : m_profile{profile},
      m_contexts{profile.nicContextEntries},
      m_sendUnits(std::max(profile.nicUnits, 1U)),
      m_receiveUnits(std::max(profile.nicUnits, 1U))
{
    if (profile.pcieLanes > 0)
    {
        m_link.emplace(profile.GetLinkRate());
    }
}

uint64_t
NicPipeline::GetEntryBytes(uint64_t inlineBytes) const
{
    const uint64_t unit = m_profile.nicRequestBytes.value;
    return inlineBytes == 0 || unit == 0 ? unit
                                         : DivideUp(INLINE_HEADERS + inlineBytes, unit) * unit;
}

SimTime
NicPipeline::OnPost(uint32_t requests, uint64_t entryBytes, SimTime now)
{
    SimTime arrival = Occupy(m_processorBusy, now, m_profile.hostPost * requests);
    arrival += m_profile.hostDoorbell;
    if (requests > 1 || entryBytes > m_profile.nicDoorbellBytes.value)
    {
        arrival += m_profile.pcieReadRoundTrip + LinkTime(entryBytes, COMPLETION_HEADERS);
    }
    // Doorbells of a device are served in order, even where the first leads to a fetch.
    m_entriesArrived = std::max(m_entriesArrived, arrival);
    return m_entriesArrived;
}

SimTime
NicPipeline::OnRequest(Qpn qpn, uint64_t fetchedBytes, SimTime now)
{
    SimTime ready = Occupy(UnitOf(m_sendUnits, qpn), now, m_profile.nicRequest) + MissTime(qpn);
    if (fetchedBytes > 0)
    {
        ready += GetFetchTime(fetchedBytes);
    }
    return ready + m_profile.nicTransmitLatency;
}

SimTime
NicPipeline::OnPacketSent(Qpn qpn, uint64_t payloadBytes, SimTime now)
{
    const SimTime unit = Occupy(UnitOf(m_sendUnits, qpn), now, m_profile.nicPacket);
    if (payloadBytes == 0)
    {
        return unit;
    }
    if (m_link)
    {
        const uint64_t requests = DivideUp(payloadBytes, m_profile.pcieMaxRead.value);
        Occupy(m_writeBusy, now, m_link->Of(requests * READ_REQUEST_BYTES));
    }
    const SimTime data = Occupy(m_readBusy, now, LinkTime(payloadBytes, COMPLETION_HEADERS));
    return std::max(unit, data);
}

SimTime
NicPipeline::OnPacketReceived(Qpn qpn, SimTime now)
{
    return Occupy(UnitOf(m_receiveUnits, qpn), now, m_profile.nicPacket) + MissTime(qpn) +
           m_profile.nicReceiveLatency;
}

SimTime
NicPipeline::OnReadRequest(uint64_t firstBytes, SimTime now)
{
    return now + GetFetchTime(firstBytes) + m_profile.nicTransmitLatency;
}

SimTime
NicPipeline::OnAtomicRequest(SimTime now)
{
    return Occupy(m_atomicBusy, now, m_profile.nicAtomic) + m_profile.nicTransmitLatency;
}

SimTime
NicPipeline::OnMemoryWrite(uint64_t bytes, SimTime now)
{
    return Occupy(m_writeBusy, now, LinkTime(bytes, WRITE_HEADERS)) + m_profile.pcieWriteLatency +
           m_profile.hostPoll;
}

SimTime
NicPipeline::OnCompletion(SimTime now)
{
    return std::max(m_writeBusy, now) +
           LinkTime(m_profile.nicCompletionBytes.value, WRITE_HEADERS) +
           m_profile.pcieWriteLatency + m_profile.hostPoll;
}

void
NicPipeline::OnPolled(SimTime now)
{
    const SimTime began = now.ps > m_profile.hostPoll.ps ? now - m_profile.hostPoll : SimTime{};
    Occupy(m_processorBusy, began, m_profile.hostPoll);
}

SimTime
NicPipeline::LinkTime(uint64_t bytes, uint64_t headerBytes) const
{
    if (!m_link)
    {
        return {};
    }
    return m_link->Of(bytes + DivideUp(bytes, m_profile.pcieMaxPayload.value) * headerBytes);
}

SimTime
NicPipeline::GetFetchTime(uint64_t bytes) const
{
    return LinkTime(bytes, COMPLETION_HEADERS) + m_profile.pcieReadRoundTrip;
}

SimTime
NicPipeline::MissTime(Qpn qpn)
{
    return m_contexts.Touch(qpn) ? SimTime{} : m_profile.nicContextMiss;
}

SimTime&
NicPipeline::UnitOf(std::vector<SimTime>& units, Qpn qpn) const
{
    return units[qpn.value % units.size()];
}

} // namespace ns3::rdma
