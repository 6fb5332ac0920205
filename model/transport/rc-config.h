// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <cstdint>

namespace ns3::rdma
{

/** What all reliable connections of a device have in common. */
struct RcConfig
{
    static constexpr uint32_t ACK_LAST_OF_MESSAGE = 0;

    uint32_t pathMtu{1024};  ///< payload of a full packet, bytes
    uint32_t ackEvery{1};    ///< AckReq on each n-th packet and the last of a message; 0: last only
    uint8_t timeoutCode{14}; ///< local ACK timeout 4.096 us x 2^code, 0 .. 31; 0: never
    uint8_t retryCount{7};   ///< 0 .. 7 retries after the first transmission

    /** The local ACK timeout. @spec IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
    constexpr SimTime GetTimeout() const
    {
        constexpr SimTime UNIT = SimTime::Nanoseconds(4096);
        return timeoutCode == 0 ? SimTime::Never() : SimTime{UNIT.ps << timeoutCode};
    }

    bool operator==(const RcConfig&) const = default;
};

} // namespace ns3::rdma
