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
 *     RESET -> INIT -> RTR -> RTS <-> SQD      any -> RESET, any but RESET -> ERR
 *              INIT    (itself) RTS   SQD      UC, UD: SQE -> RTS
 *
 * A device brings a queue pair to ERR or SQE itself; no modify leads to SQE.
 *
 * @choice a rate limit may be named wherever the state RTS is entered or kept: verbs have it as a
 * modify of its own, ibv_modify_qp_rate_limit(3)
 * @spec IBTA Vol 1 Rel 1.7 section 10.3.1 and 11.2.5.2 (modify queue pair)
 */
std::optional<TransitionRule> FindTransition(QueuePairType type,
                                             QueuePairState from,
                                             QueuePairState to);

/** A modify, as a device is asked for it. */
struct QueuePairModify
{
    QueuePairType type{QueuePairType::RC};
    QueuePairState from{QueuePairState::RESET};
    const QueuePairAttributes& attributes;
    uint32_t mask{0}; ///< QueuePairMask bits
};

/**
 * Whether a modify is allowed: transition, mask, ranges of the named values, limits of the device.
 *
 * A modify that does not name the state leads from the state to itself. The first thing that is
 * wrong is reported: its key is the field's name in ibv_modify_qp(3).
 *
 * Not modelled, and refused: alternate paths and their migration (no RoCE device of Linux has
 * them), resizing a queue pair (QP_CAP).
 *
 * @return what is wrong; nullopt: nothing
 */
std::optional<Diagnostic> CheckModify(const QueuePairModify& modify, const DeviceLimits& limits);

/**
 * Copies the fields that a mask names, the state among them.
 *
 * RESET brings all of them back to what they were when the queue pair was made. The wish to be told
 * of a drained send queue lasts while the state is SQD.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.3.1.1 and 10.3.1.5
 */
void ApplyModify(QueuePairAttributes& to, const QueuePairAttributes& from, uint32_t mask);

} // namespace ns3::rdma
