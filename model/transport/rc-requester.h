// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "base/sim-time.h"
#include "transport/rc-config.h"
#include "verbs/work-completion.h"
#include "verbs/work-request.h"
#include "wire/frame.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** One request packet as the requester wants it sent. */
struct RequestPacket
{
    Opcode opcode{Opcode::RC_RDMA_WRITE_ONLY};
    Psn psn{};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    bool isRetransmission{false}; ///< its PSN was sent before
    Reth reth{};                  ///< valid where the opcode carries one, else zero

    bool operator==(const RequestPacket&) const = default;
};

/** What an acknowledgement or a timeout did to the requester. */
struct RcRequesterOutcome
{
    uint64_t ackedBytes{0};  ///< payload newly acknowledged
    bool goesBack{false};    ///< sending restarts at the oldest unacknowledged packet
    bool completes{false};   ///< PopCompletion has something
    bool isDuplicate{false}; ///< the acknowledgement told nothing new

    bool operator==(const RcRequesterOutcome&) const = default;
};

using RequesterOutcome = RcRequesterOutcome;

/**
 * The requester of a reliable connection: turns work requests into packets and acknowledgements
 * into completions.
 *
 * A plain value. PSNs are kept as 64-bit packet numbers inside (number & 0xffffff is the PSN), so
 * wrap-around is a matter of the edge only; at most 2^23 - 1 packets are in flight.
 *
 *     oldest unacknowledged <= next to be sent <= beyond the newest ever sent
 *
 * Going back moves the middle mark to the left one; a packet left of the right mark is a
 * retransmission. The local ACK timer runs while a packet is on its way: from the first Next,
 * again from each acknowledgement of something new, off when nothing is left or sending went back.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7 (reliable service), 9.7.6 (retry), 11.6.2 (completions)
 * @choice the local ACK timer runs for exactly one period; section 9.7.6.1.3 lets it take longer
 * @choice after going back the timer starts with the first packet sent again: a QP that flow
 * control keeps from sending spends no retries
 *
 * Not modelled: operations other than RDMA WRITE, end-to-end credits, path migration; NAKs other
 * than that of a sequence error, which the model's responder never sends, are ignored.
 */
class RcRequester
{
  public:
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    /**
     * @param config  outlives the requester; shared by all connections of a device
     * @param qpn     for completions
     * @param initialPsn PSN of the first packet (sq_psn)
     */
    RcRequester(const RcConfig& config, Qpn qpn, Psn initialPsn);

    /**
     * Adds a work request to the send queue.
     *
     * @return false, and nothing changes, if the message is longer than MAX_MESSAGE_BYTES
     *
     * In the error state the request is taken and completes with WR_FLUSH_ERR.
     */
    bool Post(const WorkRequest& request);

    /**
     * Whether a packet may be sent now.
     *
     * @param windowBytes payload that may be unacknowledged, the next packet included; a packet
     *        may always go when nothing is in flight, so that a small window cannot stop a QP
     */
    bool CanSend(uint64_t windowBytes) const
    {
        return HasUnsent() && HasRoom(windowBytes);
    }

    /** Whether there is anything left to send, whatever the window says. */
    bool HasUnsent() const
    {
        return m_sending != m_posted && m_state == State::READY;
    }

    /**
     * Makes the next packet and moves on; only when CanSend. Starts the timer if it is off.
     *
     * @param windowBytes the window given to CanSend: the last packet that fits into it asks for
     *        an acknowledgement, or a window smaller than a message would stop the QP
     */
    RequestPacket Next(SimTime now, uint64_t windowBytes = NO_WINDOW);

    /**
     * An AETH came: an ACK, or a NAK of a PSN gap.
     *
     * An acknowledgement of something already acknowledged, or never sent, changes nothing.
     *
     * @param psn of the BTH
     * @spec IBTA Vol 1 Rel 1.7 section 9.7.5 (acknowledge messages; coalesced, implied by a NAK)
     */
    RequesterOutcome OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now);

    /** When the local ACK timer runs out; Never() while it is off. */
    SimTime GetDeadline() const
    {
        return m_deadline;
    }

    /**
     * The local ACK timer has run out; before its deadline nothing happens.
     *
     * @spec IBTA Vol 1 Rel 1.7 section 9.7.6.1.3
     */
    RequesterOutcome OnTimeout(SimTime now);

    /** The next completion in posted order. */
    std::optional<WorkCompletion> PopCompletion();

    /** Payload sent and not acknowledged; what waits to be sent again does not count. */
    uint64_t GetInFlightBytes() const
    {
        return m_inFlightBytes;
    }

    bool IsInError() const
    {
        return m_state != State::READY;
    }

    /** Bytes of memory outside the object. */
    uint64_t GetHeapBytes() const
    {
        return m_ring.capacity() * sizeof(Message);
    }

  private:
    /** Send queue entry. */
    struct Message
    {
        uint64_t wrId;
        uint64_t remoteAddress;
        uint64_t firstPacket; ///< number of its first packet
        uint32_t packetCount;
        uint32_t bytes;
        uint32_t rkey;
    };

    enum class State : uint8_t
    {
        READY,
        FAILING,  ///< retries used up; the oldest unacknowledged request completes with the reason
        FLUSHING, ///< that completion is out; all others are flushed
    };

    Message& At(uint32_t index)
    {
        return m_ring[index & m_ringMask];
    }

    const Message& At(uint32_t index) const
    {
        return m_ring[index & m_ringMask];
    }

    /** Payload of the packet that starts at an offset of a message. */
    uint32_t PayloadAt(const Message& message, uint32_t offset) const
    {
        return std::min(m_config->pathMtu, message.bytes - offset);
    }

    /** Whether window and PSN space take the next packet. */
    bool HasRoom(uint64_t windowBytes) const
    {
        if (m_nextPacket - m_oldestPacket >= MAX_PACKETS_IN_FLIGHT)
        {
            return false;
        }
        return m_nextPacket == m_oldestPacket ||
               m_inFlightBytes + PayloadAt(At(m_sending), m_sentBytes) <= windowBytes;
    }

    /** Whether the packet just counted as sent must ask for an acknowledgement. */
    bool NeedsAck(bool isLast, uint64_t windowBytes);

    void Grow();

    /** All packets before a number are acknowledged. @return their payload */
    uint64_t AcknowledgeBefore(uint64_t packet);

    /** Sending restarts at the oldest unacknowledged packet. */
    void GoBack();

    /** One more attempt is needed: goes back, or gives up. */
    void Retry(RequesterOutcome& outcome);

    /** @spec IBTA Vol 1 Rel 1.7 section 9.7.1: less than half of the PSN space in flight */
    static constexpr uint64_t MAX_PACKETS_IN_FLIGHT = Psn::HALF_WINDOW - 1;

    const RcConfig* m_config;
    uint64_t m_nextPacket;   ///< number of the next packet to be sent
    uint64_t m_oldestPacket; ///< number of the oldest unacknowledged packet
    uint64_t m_newPacket;    ///< one beyond the newest packet ever sent
    uint64_t m_postedPacket; ///< number of the first packet of the next message to be posted
    uint64_t m_inFlightBytes{0};
    SimTime m_deadline{SimTime::Never()};

    // The ring holds the messages m_first .. m_posted - 1; the counters run on and are taken
    // modulo the ring's size, a power of two. Before m_oldest all is acknowledged.
    std::vector<Message> m_ring;
    uint32_t m_ringMask{0};
    uint32_t m_first{0};   ///< next to be completed
    uint32_t m_oldest{0};  ///< message of the oldest unacknowledged packet
    uint32_t m_sending{0}; ///< message of the next packet to be sent
    uint32_t m_posted{0};
    uint32_t m_sentBytes{0};       ///< of message m_sending
    uint32_t m_ackedBytes{0};      ///< of message m_oldest
    uint32_t m_sinceAckRequest{0}; ///< packets since one asked for an acknowledgement
    Qpn m_qpn;
    uint8_t m_retries{0}; ///< since something new was acknowledged
    State m_state{State::READY};
};

} // namespace ns3::rdma
