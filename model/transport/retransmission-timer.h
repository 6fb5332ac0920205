// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "transport/rc-policy.h"

#include <cstdint>

namespace ns3::rdma
{

/** What an expiry of the retransmission timer asks of the requester. */
enum class ExpiryAction : uint8_t
{
    RETRY,  ///< sends again and counts against retry_cnt; fails when that is used up
    REPEAT, ///< sends again and does not count
    WAIT,   ///< sends nothing; the timer runs on
    FAIL,   ///< gives up: RETRY_EXC_ERR
};

/** One period of the retransmission timer, and what follows it. */
struct TimerStep
{
    SimTime period{SimTime::Never()};
    ExpiryAction action{ExpiryAction::RETRY};

    bool operator==(const TimerStep&) const = default;
};

/**
 * The local ACK timeout: 4.096 us x 2^timeout.
 *
 * @param timeout code 0 .. 31; 0: never
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.6.1.3
 */
constexpr SimTime
LocalAckTimeout(uint8_t timeout)
{
    constexpr SimTime UNIT = SimTime::Nanoseconds(4096);
    return timeout == 0 ? SimTime::Never() : SimTime{UNIT.ps << timeout};
}

/** The attributes of a queue pair that its retransmission timer depends on. */
struct TimerSettings
{
    uint8_t timeout{0};    ///< code 0 .. 31
    uint8_t retryCount{0}; ///< 0 .. 7
};

/**
 * The step of a requester's timer, counted from the last acknowledgement of something new.
 *
 * EXACT: each step is one period and a retry. @choice a period of exactly one local ACK timeout;
 * section 9.7.6.1.3 lets it take longer.
 *
 * ADAPTIVE and ROUGH: a ConnectX-6 as measured, see retransmission-timer.cc.
 *
 * @param index 0 for the first expiry
 */
TimerStep GetTimerStep(const RcPolicy& policy, const TimerSettings& settings, uint32_t index);

} // namespace ns3::rdma
