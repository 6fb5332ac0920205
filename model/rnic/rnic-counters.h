// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/drop-reason.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** What a network interface has counted. */
struct RnicCounters
{
    uint64_t dataFramesSent{0}; ///< requests and READ responses
    uint64_t ackFramesSent{0};
    uint64_t cnpFramesSent{0};
    uint64_t foreignFramesSent{0}; ///< of another stack, put into its queues
    uint64_t ceSent{0};            ///< of these, with a mark that the stack itself has set
    uint64_t ceArrivals{0};
    uint64_t bytesAcked{0}; ///< payload of all its queue pairs that was acknowledged
    uint64_t timerEvents{0};
    std::array<uint64_t, DROP_REASON_COUNT> drops{};
};

} // namespace ns3::rdma
