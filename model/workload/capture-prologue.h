// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/capture-conversation.h"
#include "workload/capture-summary.h"

#include <vector>

namespace ns3::rdma
{

/** What the objects of one end are made from. */
struct CapturePrologueInput
{
    const ConversationPlan* plan{nullptr};
    unsigned end{0};
    uint32_t thread{0};     ///< number of its objects
    uint32_t ownNumber{0};  ///< its QP number
    uint32_t peerNumber{0}; ///< of the other end; 0: UD
    uint32_t localKey{0};   ///< of its buffer
    const CaptureSummary* summary{nullptr};
    bool isFirstOfProcess{false};
    std::map<uint32_t, CapturedRegion> regions; ///< of the process, if it is its first thread
};

/** Bytes of the buffer that an end sends from and receives to. */
uint64_t GetBufferBytes(const CaptureSummary& summary);

/**
 * What creates and connects the objects of an end, as a verbs program would have done it.
 *
 * A device, a protection domain and the regions that others named come with the first thread of a
 * process; a completion queue, a buffer and a queue pair with each.
 *
 * @choice What a capture does not show: timeout 14, 7 retries, RNR timer 12 (the defaults of
 *         perftest 4.5), and a path MTU of 1024 where no packet tells it.
 */
std::vector<TraceOperation> MakeCapturePrologue(const CapturePrologueInput& input);

} // namespace ns3::rdma
