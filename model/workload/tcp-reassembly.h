// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/captured-packet.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * Puts the segments of one direction of a TCP connection in order, each byte once.
 *
 * Positions are 64-bit numbers that go on where 32 bits of sequence number wrap.
 *
 * @spec RFC 9293 section 3.4
 */
class TcpReassembly
{
  public:
    /** A piece of the stream; the capture may hold fewer bytes than there were. */
    struct Piece
    {
        uint64_t position{0};
        std::span<const std::byte> bytes;
        std::size_t wireBytes{0};
    };

    using Sink = std::function<void(const Piece&)>;

    /** What a segment was. */
    enum class Outcome : uint8_t
    {
        TAKEN,
        HELD, ///< what lies before it is not there yet
        REPEATED,
    };

    /** Begins the stream with a sequence number. */
    void Start(uint32_t sequence);

    bool HasStarted() const
    {
        return m_hasStarted;
    }

    /** @param sink is called with what goes on, at once or when what lay between has come */
    Outcome OnSegment(const CapturedPacket& packet, const Sink& sink);

    /** The position of a sequence or acknowledgement number that is near the next byte. */
    uint64_t Extend(uint32_t sequence) const;

    /** The position of the byte that goes on. */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** What lies up to a position is not in the capture: goes on there. */
    void SkipTo(uint64_t position, const Sink& sink);

  private:
    /** What is held at most for one direction, in segments: more is given up. */
    static constexpr std::size_t MAX_HELD = 4096;

    struct Held
    {
        std::vector<std::byte> bytes;
        std::size_t wireBytes{0};
    };

    void Take(uint64_t position,
              std::span<const std::byte> bytes,
              std::size_t wireBytes,
              const Sink& sink);
    void TakeHeld(const Sink& sink);

    bool m_hasStarted{false};
    uint64_t m_next{0};
    std::map<uint64_t, Held> m_held;
};

} // namespace ns3::rdma
