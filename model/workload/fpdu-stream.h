// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/mpa.h"
#include "workload/tcp-reassembly.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * Cuts one direction of an MPA connection into its first frame and FPDUs.
 *
 * Bytes that the capture does not hold are passed over as long as they are payload; where they are
 * headers, the stream is lost until a segment begins with an FPDU that fills it.
 *
 * Not modelled: the CRC of FPDUs in streams with markers is not checked.
 *
 * @spec RFC 5044 sections 4 (FPDUs, markers), 7 (start)
 */
class FpduStream
{
  public:
    /** An FPDU, and where the stream goes on behind it. */
    struct Found
    {
        Fpdu fpdu;
        uint64_t end{0};
        bool hasWrongCrc{false};
    };

    /** What both sides agreed on, known when the first FPDU comes. */
    void SetOptions(bool hasMarkers, bool hasCrc)
    {
        m_hasMarkers = hasMarkers;
        m_hasCrc = hasCrc;
    }

    /** Takes the next piece. @param found receives the FPDUs that end in it */
    void OnPiece(const TcpReassembly::Piece& piece, std::vector<Found>& found);

    /** The frame with which this side began, once it is whole. */
    const std::optional<MpaStart>& GetStart() const
    {
        return m_start;
    }

    bool IsLost() const
    {
        return m_isLost;
    }

  private:
    using Piece = TcpReassembly::Piece;

    std::size_t CountNeeded() const;
    void PassMarker(Piece& rest);
    void Append(Piece& rest, std::size_t bytes);
    void OnWhole(uint64_t position, std::vector<Found>& found);
    void OnFpdu(uint64_t position, std::vector<Found>& found);
    bool CanResume(const Piece& piece) const;

    bool m_hasMarkers{false};
    bool m_hasCrc{false};
    bool m_isLost{false};
    std::optional<MpaStart> m_start;
    std::vector<std::byte> m_unit;     ///< start frame or FPDU, as far as it is there
    std::optional<std::size_t> m_hole; ///< where the capture lacks bytes of the unit first
    uint64_t m_fpduBytes{0};           ///< since the start frame: where markers stand
    std::size_t m_markerLeft{0};       ///< of a marker whose first bytes were there
};

} // namespace ns3::rdma
