// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/details.h"
#include "live/device-hooks.h"
#include "live/extended-queue-pair.h"
#include "live/real-function.h"

/**
 * @file
 * Queue pairs: created, changed, destroyed.
 */
namespace
{

using namespace ns3::rdma;

constexpr const char* LIBRARY = "libibverbs.so.1";

/** Keeps a transition for a forked process; from INIT on everything counts anew. */
void
Remember(LiveObject& object, const QueuePairChange& change)
{
    constexpr uint8_t INIT = IBV_QPS_INIT;
    const bool isState = (change.mask & IBV_QP_STATE) != 0;
    if (change.result != 0)
    {
        return;
    }
    if (isState && change.state <= INIT)
    {
        object.changes.clear();
    }
    if (isState)
    {
        object.changes.push_back(ToBytes(change));
    }
}

} // namespace

RDMASIM_HOOK ibv_qp*
ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* attributes)
{
    RDMASIM_REAL(LIBRARY, ibv_create_qp);
    ControlCall call;
    ibv_qp* queuePair = real(domain, attributes);
    RecordQueuePair(call, queuePair, *attributes);
    return queuePair;
}

RDMASIM_HOOK int
ibv_modify_qp(ibv_qp* queuePair, ibv_qp_attr* attributes, int mask)
{
    RDMASIM_REAL(LIBRARY, ibv_modify_qp);
    LiveObject& object = NeedQueuePair(queuePair);
    ControlCall call;
    const int result = real(queuePair, attributes, mask);
    const QueuePairChange change = ToChange(*attributes, mask, result);
    call.Change(ControlVerb::MODIFY, object, ToBytes(change), result);
    Remember(object, change);
    if (result == 0)
    {
        RecordUsedGid(*queuePair, *attributes, mask);
    }
    return result;
}

RDMASIM_HOOK int
ibv_destroy_qp(ibv_qp* queuePair)
{
    RDMASIM_REAL(LIBRARY, ibv_destroy_qp);
    ControlCall call;
    call.BeginDestroy(queuePair);
    return call.EndDestroy(real(queuePair));
}

RDMASIM_HOOK ibv_qp_ex*
ibv_qp_to_qp_ex(ibv_qp* queuePair)
{
    RDMASIM_REAL(LIBRARY, ibv_qp_to_qp_ex);
    ibv_qp_ex* extended = real(queuePair);
    if (extended != nullptr)
    {
        HookExtendedQueuePair(extended, NeedQueuePair(queuePair));
    }
    return extended;
}
