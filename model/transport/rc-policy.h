// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/sim-time.h"
#include "verbs/work-completion.h"
#include "wire/aeth.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * How an implementation fills what the standard leaves open, and where it departs from it.
 *
 * A plain value, shared by all connections of a device; named ones are in rc-policies.h. The
 * defaults are the policy "standard".
 */
struct RcPolicy
{
    static constexpr uint32_t ACK_LAST_OF_MESSAGE = 0;

    /** AckReq also on each n-th packet since the last that had it; 0: only where it must stand. */
    uint32_t ackEvery{1};

    /** Request packets unacknowledged at most; PSNs of READ responses count. */
    uint32_t maxPacketsInFlight{Psn::HALF_WINDOW - 1};

    /** Credits in ACKs, and requests that wait for them. @spec IBTA section 9.7.7.2 */
    bool hasEndToEndCredits{false};

    /** retry_cnt 7 retries for ever; the standard means seven. */
    bool isRetryCountSevenEndless{false};

    /**
     * A hole inside the response of one READ is an implied NAK and repeats the request at once;
     * else only the timeout finds it. A response or an ACK behind a whole pending READ or atomic
     * is an implied NAK with every policy.
     *
     * @spec IBTA Vol 1 Rel 1.7 section 9.7.5 (acknowledge messages; implied NAK)
     */
    bool retriesReadGapAtOnce{true};

    /** An error completes unsignalled requests behind the failed one, too. */
    bool flushesUnsignalled{true};

    /** A request packet behind one that drew an RNR NAK draws a NAK of sequence, once. */
    bool answersBehindRnr{false};

    /** Answer to, and receiver's status of, a SEND longer than the receive request. */
    uint8_t tooLongSyndrome{SYNDROME_NAK_INVALID_REQUEST};
    CompletionStatus tooLongStatus{CompletionStatus::LOC_LEN_ERR};

    /**
     * The R_Key's range is checked a packet at a time: packets before the one that leaves the
     * region are written, and the NAK has that one's PSN (measured on ConnectX-5). Else the whole
     * range of a WRITE is checked at its first packet.
     */
    bool checksEachWritePacket{false};

    /** Every duplicate is acknowledged, whether it asks or not. */
    bool acksEveryDuplicate{true};

    /** Where sending goes on after a loss. */
    enum class GoBack : uint8_t
    {
        TO_LOST_PACKET,  ///< go-back-N
        TO_FIRST_PACKET, ///< of the message: go-back-0
    };

    /**
     * Go-back-0: the responder forgets a message in which it finds a gap and expects its first
     * packet again; acknowledgements count in whole messages. @choice a repeat after a timeout,
     * without a NAK, finds what has arrived of the message still there.
     */
    GoBack goBack{GoBack::TO_LOST_PACKET};

    /** Timing of retransmission: see retransmission-timer.h. */
    enum class Timer : uint8_t
    {
        EXACT,    ///< one period of 4.096 us x 2^timeout each
        ADAPTIVE, ///< early repeats, then doubled periods with a floor (ConnectX, default)
        ROUGH,    ///< a first expiry without a repeat, then periods (ConnectX, floor switched off)
    };

    Timer timer{Timer::EXACT};

    /** ROUGH: the first expiry as a part of the period; measured between 0.51 and 1.16 (B33, B34
     * of the measurements named in retransmission-timer.cc). */
    double firstExpiry{0.57};

    bool operator==(const RcPolicy&) const = default;
};

} // namespace ns3::rdma
