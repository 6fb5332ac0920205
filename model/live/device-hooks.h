// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/live-object.h"

#include <infiniband/verbs.h>

namespace ns3::rdma
{

class ControlCall;

/** An opened device: what its calls were before the recorder took their places. */
struct DeviceHooks
{
    uint32_t index{0};        ///< unique among those that were ever opened
    ObjectId id{NO_OBJECT};   ///< of the device in the trace
    ibv_context_ops ops{};    ///< the data path
    verbs_context extended{}; ///< fields that the context has; others are nullptr
};

/** What the hooks of an opened device begin with; nullptr if it was opened unseen. */
DeviceHooks* FindDeviceHooks(const ibv_context* context);

/**
 * Takes the places of a context's calls and records that it was opened.
 *
 * @param call of the opening; the context may be nullptr
 */
void HookDevice(ControlCall& call, ibv_context* context);

/** The same for a context that was opened unseen, by a vendor's own call. */
void HookUnseenDevice(ibv_context* context);

/** @name Puts the recorder's own functions where a program finds them. @{ */
void HookDataPath(ibv_context_ops& ops);
void HookExtended(verbs_context& context);
/** @} */

/** Records a new queue pair; nullptr if there is none, or the call is a library's own. */
LiveObject* RecordQueuePair(ControlCall& call,
                            ibv_qp* queuePair,
                            const ibv_qp_init_attr& attributes);

/** Records the GID that a queue pair is given, if the device was recorded with another. */
void RecordUsedGid(const ibv_qp& queuePair, const ibv_qp_attr& attributes, int mask);

/**
 * The object behind a handle that a data path call got.
 *
 * One that was made unseen, by a vendor's own call, is made known now.
 */
LiveObject& NeedQueuePair(ibv_qp* queuePair);
LiveObject& NeedCompletionQueue(ibv_cq* queue);
LiveObject& NeedSharedReceiveQueue(ibv_srq* queue);

} // namespace ns3::rdma
