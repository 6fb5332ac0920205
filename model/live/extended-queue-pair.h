// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/raw-operation.h"

#include <infiniband/verbs.h>
#include <vector>

namespace ns3::rdma
{

struct LiveObject;

/** The ibv_wr_* calls of a queue pair as they were, and the requests that they are building. */
struct ExtendedQueuePair
{
    /** A request between wr_start and wr_complete. */
    struct Request
    {
        RawOperation operation;
        RawExtension extension;
    };

    ibv_qp_ex real{};              ///< only its calls
    std::vector<Request> requests; ///< its memory stays: nothing is allocated again and again
};

/** Takes the places of the ibv_wr_* calls of a queue pair, once. */
void HookExtendedQueuePair(ibv_qp_ex* queuePair, LiveObject& object);

} // namespace ns3::rdma
