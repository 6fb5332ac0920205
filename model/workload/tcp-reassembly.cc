// SPDX-License-Identifier: GPL-2.0-only
#include "workload/tcp-reassembly.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

constexpr uint64_t FIRST_POSITION = uint64_t{1} << 40; ///< its low 32 bits are sequence numbers

} // namespace

void
TcpReassembly::Start(uint32_t sequence)
{
    m_next = FIRST_POSITION | sequence;
    m_hasStarted = true;
    m_held.clear();
}

uint64_t
TcpReassembly::Extend(uint32_t sequence) const
{
    const auto distance = static_cast<int32_t>(sequence - static_cast<uint32_t>(m_next));
    return m_next + static_cast<uint64_t>(static_cast<int64_t>(distance));
}

TcpReassembly::Outcome
TcpReassembly::OnSegment(const CapturedPacket& packet, const Sink& sink)
{
    const uint64_t position = Extend(packet.tcp.sequence);
    const std::size_t wireBytes = packet.payloadBytes;
    if (position + wireBytes <= m_next)
    {
        return Outcome::REPEATED;
    }
    if (position > m_next)
    {
        const auto [entry, isNew] = m_held.try_emplace(position);
        if (isNew || entry->second.wireBytes < wireBytes)
        {
            entry->second = {{packet.payload.begin(), packet.payload.end()}, wireBytes};
        }
        if (m_held.size() > MAX_HELD)
        {
            SkipTo(m_held.begin()->first, sink);
        }
        return isNew ? Outcome::HELD : Outcome::REPEATED;
    }
    Take(position, packet.payload, wireBytes, sink);
    TakeHeld(sink);
    return Outcome::TAKEN;
}

void
TcpReassembly::Take(uint64_t position,
                    std::span<const std::byte> bytes,
                    std::size_t wireBytes,
                    const Sink& sink)
{
    const std::size_t known = m_next - position; // was there before
    if (known >= wireBytes)
    {
        return;
    }
    const Piece piece{.position = m_next,
                      .bytes = bytes.subspan(std::min(known, bytes.size())),
                      .wireBytes = wireBytes - known};
    m_next += piece.wireBytes;
    sink(piece);
}

void
TcpReassembly::TakeHeld(const Sink& sink)
{
    while (!m_held.empty() && m_held.begin()->first <= m_next)
    {
        const auto held = m_held.extract(m_held.begin());
        Take(held.key(), held.mapped().bytes, held.mapped().wireBytes, sink);
    }
}

void
TcpReassembly::SkipTo(uint64_t position, const Sink& sink)
{
    while (m_next < position)
    {
        const bool isHeld = !m_held.empty() && m_held.begin()->first < position;
        const uint64_t end = isHeld ? m_held.begin()->first : position;
        if (end > m_next)
        {
            const Piece gap{.position = m_next, .bytes = {}, .wireBytes = end - m_next};
            m_next = end;
            sink(gap);
        }
        TakeHeld(sink);
    }
}

} // namespace ns3::rdma
