// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/control.h"
#include "verbs/queue-pair-attributes.h"

#include <string>

namespace ns3::rdma
{

/** Writes the fields of a change that its mask names over those known so far. */
void MergeChange(QueuePairChange& to, const QueuePairChange& from);

/** A type as ibv_qp_type has it, for people: "UD". */
std::string NameQueuePairType(uint8_t type);

/**
 * Attributes of a queue pair from those of a trace.
 *
 * What the trace does not say stays as it is; addresses, priority and queue pair numbers are the
 * replay's.
 */
void TakeOverAttributes(const QueuePairChange& change, QueuePairAttributes& attributes);

} // namespace ns3::rdma
