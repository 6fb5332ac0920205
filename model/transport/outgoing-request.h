// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "transport/rc-policy.h"
#include "verbs/memory-table.h"
#include "verbs/queue-pair-attributes.h"
#include "wire/opcode.h"
#include "wire/reth.h"

#include <cstdint>

namespace ns3::rdma
{

/** One request packet as the requester wants it sent. */
struct OutgoingRequest
{
    Opcode opcode{Opcode::RC_RDMA_WRITE_ONLY};
    Psn psn{};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    bool isSolicited{false};
    bool isRetransmission{false}; ///< its PSN was sent before
    Reth reth{};                  ///< valid where the opcode carries one, else zero
    uint32_t immediate{0};        ///< ImmDt or R_Key of an IETH, where the opcode carries one
    uint32_t entry{0};  ///< of the send queue, for GetAtomic and Gather; valid until the next call
    uint32_t offset{0}; ///< of its payload, or of what it reads, in the message

    bool operator==(const OutgoingRequest&) const = default;
};

/** What an answer, a timeout or a local operation did to the requester. */
struct RequesterOutcome
{
    uint64_t ackedBytes{0};  ///< payload newly acknowledged, or newly read (8 for an atomic)
    bool goesBack{false};    ///< sending restarts at the oldest unacknowledged packet
    bool completes{false};   ///< PopCompletion has something
    bool isDuplicate{false}; ///< the answer told nothing new: it is a ghost
    bool fails{false};       ///< the queue pair goes to ERR

    bool operator==(const RequesterOutcome&) const = default;
};

/** What a requester needs of its queue pair; all of it outlives the requester. */
struct RequesterContext
{
    const RcPolicy* policy{nullptr};
    const QueuePairAttributes* attributes{nullptr}; ///< after a change call OnModified
    MemoryTable* memory{nullptr};
    uint32_t protectionDomain{0};
    Qpn qpn{};
    QueuePairCapabilities capabilities{};
    bool signalsAll{false}; ///< sq_sig_all
};

} // namespace ns3::rdma
