// SPDX-License-Identifier: GPL-2.0-only
#include "workload/fpdu-stream.h"

#include "base/reflected-crc.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

constexpr uint64_t MARKER_DISTANCE = 512; ///< @spec RFC 5044 section 4.3
constexpr std::size_t MARKER_BYTES = 4;

} // namespace

void
FpduStream::OnPiece(const Piece& piece, std::vector<Found>& found)
{
    Piece rest = piece;
    if (m_isLost && CanResume(piece))
    {
        m_isLost = false;
        m_unit.clear();
        m_hole.reset();
    }
    while (rest.wireBytes > 0 && !m_isLost)
    {
        if (m_start && m_hasMarkers && m_fpduBytes % MARKER_DISTANCE == 0 && m_markerLeft == 0)
        {
            m_markerLeft = MARKER_BYTES;
        }
        if (m_markerLeft > 0)
        {
            PassMarker(rest);
            continue;
        }
        std::size_t bytes = std::min(CountNeeded() - m_unit.size(), rest.wireBytes);
        if (m_start && m_hasMarkers)
        {
            bytes = std::min<std::size_t>(bytes, MARKER_DISTANCE - m_fpduBytes % MARKER_DISTANCE);
        }
        Append(rest, bytes);
        if (m_unit.size() == CountNeeded())
        {
            OnWhole(rest.position, found);
        }
    }
}

std::size_t
FpduStream::CountNeeded() const
{
    if (!m_start)
    {
        constexpr std::size_t LENGTH = MpaStart::SIZE - 2;
        return m_unit.size() < MpaStart::SIZE
                   ? MpaStart::SIZE
                   : MpaStart::SIZE + LoadBigEndian<uint16_t>(m_unit, LENGTH);
    }
    return m_unit.size() < Fpdu::LENGTH_BYTES
               ? Fpdu::LENGTH_BYTES
               : Fpdu::WholeBytes(LoadBigEndian<uint16_t>(m_unit, 0));
}

void
FpduStream::PassMarker(Piece& rest)
{
    const std::size_t bytes = std::min(m_markerLeft, rest.wireBytes);
    rest.bytes = rest.bytes.subspan(std::min(bytes, rest.bytes.size()));
    rest.wireBytes -= bytes;
    rest.position += bytes;
    m_markerLeft -= bytes;
    m_fpduBytes += bytes;
}

void
FpduStream::Append(Piece& rest, std::size_t bytes)
{
    const auto known = rest.bytes.first(std::min(bytes, rest.bytes.size()));
    m_unit.insert(m_unit.end(), known.begin(), known.end());
    if (known.size() < bytes && !m_hole)
    {
        m_hole = m_unit.size();
    }
    m_unit.resize(m_unit.size() + bytes - known.size());
    rest.bytes = rest.bytes.subspan(known.size());
    rest.wireBytes -= bytes;
    rest.position += bytes;
    m_fpduBytes += m_start ? bytes : 0;
    // What says how long the unit is has to be known.
    const std::size_t lengthBytes = m_start ? Fpdu::LENGTH_BYTES : MpaStart::SIZE;
    m_isLost = m_hole && *m_hole < lengthBytes && m_unit.size() >= lengthBytes;
}

void
FpduStream::OnWhole(uint64_t position, std::vector<Found>& found)
{
    if (m_isLost)
    {
        return;
    }
    if (m_start)
    {
        OnFpdu(position, found);
    }
    else
    {
        m_start = MpaStart::Parse(m_unit);
        m_isLost = !m_start;
    }
    m_unit.clear();
    m_hole.reset();
}

void
FpduStream::OnFpdu(uint64_t position, std::vector<Found>& found)
{
    const std::size_t ulpduBytes = LoadBigEndian<uint16_t>(m_unit, 0);
    const auto head = std::span{std::as_const(m_unit)}.first(Fpdu::HeaderBytes(ulpduBytes));
    const auto fpdu = Fpdu::Parse(head.first(std::min(head.size(), m_hole.value_or(head.size()))));
    if (!fpdu)
    {
        m_isLost = true;
        return;
    }
    Found& entry = found.emplace_back(Found{.fpdu = *fpdu, .end = position});
    if (m_hasCrc && !m_hasMarkers && !m_hole)
    {
        const std::size_t covered = m_unit.size() - Fpdu::CRC_BYTES;
        Crc32c crc;
        crc.Update(std::span{m_unit}.first(covered));
        entry.hasWrongCrc = crc.Get() != LoadLittleEndian<uint32_t>(m_unit, covered);
    }
}

bool
FpduStream::CanResume(const Piece& piece) const
{
    if (!m_start || m_hasMarkers || piece.bytes.size() < Fpdu::LENGTH_BYTES)
    {
        return false;
    }
    const std::size_t ulpduBytes = LoadBigEndian<uint16_t>(piece.bytes, 0);
    const std::size_t head = std::min(piece.bytes.size(), Fpdu::HeaderBytes(ulpduBytes));
    return Fpdu::WholeBytes(ulpduBytes) == piece.wireBytes && Fpdu::Parse(piece.bytes.first(head));
}

} // namespace ns3::rdma
