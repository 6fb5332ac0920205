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

/** Whether two normalised packets are the same in all that is compared. */
bool IsAlike(const Packet& a, const Packet& b);

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

/**
 * The first request that was sent again at another time; "": none.
 *
 * Hosts of the captures take milliseconds for what the model does at once, so only waits long
 * against that are looked at: 50 ms and more behind the packet before (ACK timeouts from 2^14, RNR
 * waits); they may be 20 ms shorter than the model's and 60 ms longer.
 *
 * @param captured,modelled equal but for their times
 */
std::string CompareRetransmissionTimes(const std::vector<Connection>& captured,
                                       const std::vector<Connection>& modelled);

} // namespace ns3::rdma
