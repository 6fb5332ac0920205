// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "verbs/device-limits.h"
#include "verbs/queue-pair-attributes.h"

#include <optional>

namespace ns3::rdma
{

/** What a modify must and may name for one transition; the state itself always stands. */
struct TransitionRule
{
    uint32_t required{0}; ///< QueuePairMask bits
    uint32_t optional{0};

    bool operator==(const TransitionRule&) const = default;
};

/**
 * The rule of a transition; nullopt if the state table has no such transition.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.3.1 and 11.2.5.2 (modify queue pair)
 */
std::optional<TransitionRule> FindTransition(QueuePairType type,
                                             QueuePairState from,
                                             QueuePairState to);

/**
 * Whether a modify is allowed: transition, mask, ranges of the named values, limits of the device.
 *
 * @return what is wrong; nullopt: nothing
 */
std::optional<Diagnostic> CheckModify(QueuePairType type,
                                      QueuePairState from,
                                      const QueuePairAttributes& attributes,
                                      uint32_t mask,
                                      const DeviceLimits& limits);

/** Copies the fields that a mask names, the state among them. */
void ApplyModify(QueuePairAttributes& to, const QueuePairAttributes& from, uint32_t mask);

} // namespace ns3::rdma
