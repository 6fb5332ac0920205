// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "base/units.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/** Pause times count in units of 512 bit times. @spec IEEE 802.3-2018 annex 31B.2 */
constexpr uint64_t PFC_QUANTUM_BYTES = 512 / 8;

/** The longest pause that one frame can ask for. */
constexpr uint16_t PFC_MAX_QUANTA = 0xffff;

/** The time of a number of quanta at a port's rate. */
constexpr SimTime
QuantaToTime(uint32_t quanta, BitRate rate)
{
    return ByteTime{rate}.Of(quanta * PFC_QUANTUM_BYTES);
}

/** How long a port may take from the last bit of a PAUSE to its last frame, in quanta. */
struct PfcResponse
{
    BitRate rate;
    uint32_t quanta;
};

/**
 * Allowed response times by speed.
 *
 * @spec IEEE 802.3-2018 annex 31B.3.7, as tabulated in sonic-net/sonic-swss
 * cfgmgr/buffer_headroom_mellanox.lua and sonic-net/sonic-mgmt issue 6223
 */
constexpr std::array<PfcResponse, 10> PFC_RESPONSES{{
    {BitRate::Mbps(100), 1},
    {BitRate::Gbps(1), 2},
    {BitRate::Gbps(10), 67},
    {BitRate::Gbps(25), 80},
    {BitRate::Gbps(40), 118},
    {BitRate::Gbps(50), 147},
    {BitRate::Gbps(100), 394},
    {BitRate::Gbps(200), 453},
    {BitRate::Gbps(400), 905},
    {BitRate::Gbps(800), 905},
}};

/** A response time and whether it stands in the table. */
struct PfcResponseTime
{
    uint32_t quanta{0};
    bool isTabulated{false};
};

/**
 * The response time of a port, in quanta.
 *
 * @choice a speed that is not in the table takes the quanta of the next faster one, which is never
 * too little; above the table the quanta grow with the rate, so that the time stays the same
 */
constexpr PfcResponseTime
GetPfcResponse(BitRate rate)
{
    for (const PfcResponse& row : PFC_RESPONSES)
    {
        if (rate <= row.rate)
        {
            return {row.quanta, rate == row.rate};
        }
    }
    const PfcResponse& last = PFC_RESPONSES.back();
    const uint64_t quanta = (last.quanta * rate.bps + last.rate.bps - 1) / last.rate.bps;
    return {static_cast<uint32_t>(quanta), false};
}

/** What a port does about priority-based flow control; the same at both ends of a link. */
struct PfcConfig
{
    PriorityMask lossless{0};            ///< priorities that pause and are paused
    uint16_t quanta{PFC_MAX_QUANTA};     ///< pause time of a PAUSE, in quanta
    std::optional<SimTime> responseTime; ///< reaction delay; by the table of speeds if absent
    uint32_t refreshPercent{50};         ///< a PAUSE is repeated after this part of its time
    bool isLinkPause{false};             ///< 802.3x PAUSE instead, which stops all priorities

    /** The delay from the reception of a PAUSE until no further frame of the class starts. */
    constexpr SimTime GetResponseTime(BitRate rate) const
    {
        return responseTime.value_or(QuantaToTime(GetPfcResponse(rate).quanta, rate));
    }

    constexpr bool IsLossless(uint8_t priority) const
    {
        return (lossless & PriorityBit(priority)) != 0;
    }

    /** Whether a pause can stop a priority. */
    constexpr bool CanStop(uint8_t priority) const
    {
        return isLinkPause ? lossless != 0 : IsLossless(priority);
    }
};

/** A priority may not start a frame at t while from <= t < until. */
struct PfcPause
{
    SimTime from{};
    SimTime until{};
    SimTime total{}; ///< of pauses that are over

    bool Holds(SimTime t) const
    {
        return from <= t && t < until;
    }
};

} // namespace ns3::rdma
