// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/send-request.h"

namespace ns3::rdma
{

/**
 * Whether an operation takes a receive request of the peer.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.4 (transport functions)
 */
constexpr bool
TakesReceive(SendOpcode opcode)
{
    switch (opcode)
    {
    case SendOpcode::SEND:
    case SendOpcode::SEND_WITH_IMM:
    case SendOpcode::SEND_WITH_INV:
    case SendOpcode::RDMA_WRITE_WITH_IMM:
        return true;
    default:
        return false;
    }
}

} // namespace ns3::rdma
