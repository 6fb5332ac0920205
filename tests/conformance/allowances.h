// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/comparison.h"
#include "tests/conformance/script.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How a repeated request comes from the one that was sent before. */
struct RepeatedRequest
{
    std::size_t source{0};     ///< index in the stream of the packet of which it is a repeat
    bool ackRequest{false};    ///< counts on over a repeat, so it may stand elsewhere
    int32_t skippedPackets{0}; ///< of a READ whose first packets had arrived
    uint64_t skippedBytes{0};  ///< likewise

    bool operator==(const RepeatedRequest&) const = default;
};

/** Requests that a requester sent again for no other reason than its timer. */
struct TimerRepeat
{
    StreamName stream{};
    std::size_t index{0}; ///< of the first repeated packet in the stream
    std::vector<RepeatedRequest> requests;
};

/**
 * Whether a difference is a repeat of rxe's retransmission timer.
 *
 * That timer is not restarted by acknowledgements, so it repeats requests that nobody lost. The
 * rule: the captured packets repeat earlier ones of their stream (of a READ perhaps the rest), they
 * come a local ACK timeout or more after the stream's first packet, and no NAK came between them
 * and the packet before them.
 *
 * @param timeout seconds; the timer ticks in steps of 4 ms, and fires up to one step early
 */
std::optional<TimerRepeat> FindTimerRepeat(const std::vector<Connection>& captured,
                                           const Difference& difference,
                                           double timeout);

/**
 * Takes out the repeated rounds of waits for a receive request: requests that drew an RNR NAK and
 * were sent again, alike, and those NAKs. Of the final answer's copies one remains.
 *
 * How many rounds there are depends only on when the receive was posted.
 *
 * @return rounds taken out
 */
uint64_t CollapseRnrRounds(Connection& connection);

/**
 * Takes out requests with PSNs behind one that drew a NAK of an error (invalid request, remote
 * access, remote operation).
 *
 * How many of them had left before the NAK came depends only on how long it took.
 *
 * @return packets taken out
 */
uint64_t TrimBehindError(Connection& connection);

/**
 * Gives answers to the repeat of a part of a READ the opcodes of the standard.
 *
 * rxe answers such a request with the opcodes that its packets had in the answer to the first
 * request (MIDDLE and LAST); by the standard it is a READ of its own (FIRST, or ONLY).
 *
 * @param pathMtu bytes
 * @return answers renamed
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.5.1.3 (acknowledging duplicate requests)
 */
uint64_t RenamePartialReadAnswers(Connection& connection, uint16_t pathMtu);

/** What two runs are, that are the same up to a known departure of rxe from the standard. */
struct Runs
{
    const std::vector<Connection>& captured;
    const std::vector<Connection>& modelled;
    const Script& script;
};

/**
 * The known departure of rxe at which two runs part, all before it being the same; "": none.
 *
 * - A READ or atomic request beyond the responder's resources is answered; the standard refuses.
 * - A SEND with Invalidate of a key that may not be invalidated is acknowledged.
 * - retry_cnt 7 repeats for ever, until the tool has stopped waiting.
 */
std::string FindDeparture(const Runs& runs);

} // namespace ns3::rdma
