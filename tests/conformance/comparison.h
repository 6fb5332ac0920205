// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/connection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Which of a connection's four streams. */
struct StreamName
{
    uint32_t connection{0};
    uint32_t side{0};
    bool isRequests{false};

    bool operator==(const StreamName&) const = default;
};

/** "client requests", "server responses of connection 2" */
std::string ToString(const StreamName& stream);

const Packets& GetStream(const std::vector<Connection>& run, const StreamName& stream);

/** The first packet in which two runs differ. */
struct Difference
{
    StreamName stream{};
    std::size_t index{0};           ///< in the stream, from 0
    std::optional<Packet> captured; ///< nullopt: the capture's stream has ended
    std::optional<Packet> modelled; ///< nullopt: the model's stream has ended
};

/** Both packets of a difference, a line each. */
std::string ToString(const Difference& difference);

/**
 * The first difference between two normalised runs, requests before responses; nullopt: none.
 *
 * @param isCut the captured streams may end early
 */
std::optional<Difference> FindDifference(const std::vector<Connection>& captured,
                                         const std::vector<Connection>& modelled,
                                         bool isCut);

/** A request that a requester sent again for no other reason than its timer. */
struct TimerRepeat
{
    StreamName stream{};
    std::size_t index{0};  ///< of the first repeated packet in the stream
    std::size_t source{0}; ///< index of the packet of which it is a repeat
    std::size_t count{0};  ///< packets repeated
};

/**
 * Whether a difference is a repeat of rxe's retransmission timer.
 *
 * That timer is not restarted by acknowledgements, so it repeats requests that nobody lost. The
 * rule: the captured packets equal earlier ones of their stream, they come a local ACK timeout or
 * more after the stream's first packet, and no NAK came between them and the packet before them.
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
 * @return rounds taken out
 */
uint64_t CollapseRnrRounds(Connection& connection);

} // namespace ns3::rdma
