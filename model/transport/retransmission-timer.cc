// SPDX-License-Identifier: GPL-2.0-only
#include "transport/retransmission-timer.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

// The measurements: ConnectX-6, firmware 20.43.4100, RoCEv2, retry exhaustion against timeout code
// and retry count; https://github.com/unionxic/rdma-fault-characterization, tables A and B of
// harness/ack_timeout and its notes (observations B27 .. B44). tests/transport/data holds the rows.

/** Early repeats, from the packet's first transmission: B35 .. B44, in units of 0.1 ms. */
constexpr std::array<uint32_t, 10>
    EARLY_REPEATS_100US{207, 377, 714, 1384, 2391, 4404, 9773, 17824, 39303, 82251};

static_assert(std::ranges::is_sorted(EARLY_REPEATS_100US));

constexpr SimTime EARLY_UNIT = SimTime::Microseconds(100);

/** A smaller timeout code is raised to it: tables A and B show equal times for codes 14 and 16. */
constexpr uint8_t CODE_FLOOR = 16;

/** With retry_cnt 0 the times are those of retry_cnt 4, but eight packets are all that is sent. */
constexpr uint8_t RETRIES_INSTEAD_OF_NONE = 4;
constexpr uint32_t REPEATS_INSTEAD_OF_NONE = 7;

/**
 * ROUGH: an expiry is seen at the next tick.
 *
 * @choice fitted: intervals with timeout code 8 (1.05 ms) are 0.78 and 1.16 ms, two and three
 * ticks, while those with longer timeouts are exact.
 */
constexpr SimTime TICK = SimTime::Microseconds(388);

SimTime
AtTick(SimTime time)
{
    return (time.ps + TICK.ps - 1) / TICK.ps * TICK;
}

/** Early repeats as long as they come before the regular interval, which then goes on. */
TimerStep
AdaptiveStep(const TimerSettings& settings, uint32_t index)
{
    const SimTime interval = 2 * LocalAckTimeout(std::max(settings.timeout, CODE_FLOOR)); // B27
    const auto isEarly = [&](uint32_t repeat) { return repeat * EARLY_UNIT < interval; };
    const auto* end = std::ranges::partition_point(EARLY_REPEATS_100US, isEarly);
    const auto earlyRepeats = static_cast<uint32_t>(end - EARLY_REPEATS_100US.begin());
    const bool hasNone = settings.retryCount == 0;
    // The regular timeouts are retry_cnt - 1 (B31), the last of which is the end.
    const uint32_t retries = hasNone ? RETRIES_INSTEAD_OF_NONE : settings.retryCount;
    const uint32_t last = earlyRepeats + retries - 2;

    TimerStep step{.period = interval, .action = ExpiryAction::REPEAT};
    if (index < earlyRepeats)
    {
        const uint32_t before = index == 0 ? 0 : EARLY_REPEATS_100US[index - 1];
        step.period = (EARLY_REPEATS_100US[index] - before) * EARLY_UNIT;
    }
    if (index >= last)
    {
        step.action = ExpiryAction::FAIL;
    }
    else if (hasNone && index >= REPEATS_INSTEAD_OF_NONE)
    {
        step.action = ExpiryAction::WAIT;
    }
    return step;
}

/** A first expiry that repeats nothing, then retries one period apart (B29, B30, B33, B34). */
TimerStep
RoughStep(const RcPolicy& policy, const TimerSettings& settings, uint32_t index)
{
    const SimTime period = LocalAckTimeout(settings.timeout);
    const SimTime first{static_cast<uint64_t>(policy.firstExpiry * static_cast<double>(period.ps))};
    if (index == 0)
    {
        return {.period = AtTick(first), .action = ExpiryAction::WAIT};
    }
    const SimTime before = AtTick(first + (index - 1) * period);
    return {.period = AtTick(first + index * period) - before, .action = ExpiryAction::RETRY};
}

} // namespace

TimerStep
GetTimerStep(const RcPolicy& policy, const TimerSettings& settings, uint32_t index)
{
    if (settings.timeout == 0)
    {
        return {};
    }
    switch (policy.timer)
    {
    case RcPolicy::Timer::ADAPTIVE:
        return AdaptiveStep(settings, index);
    case RcPolicy::Timer::ROUGH:
        return RoughStep(policy, settings, index);
    case RcPolicy::Timer::EXACT:
        break;
    }
    return {.period = LocalAckTimeout(settings.timeout), .action = ExpiryAction::RETRY};
}

} // namespace ns3::rdma
