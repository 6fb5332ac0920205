// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/details.h"
#include "live/device-hooks.h"
#include "live/real-function.h"

/**
 * @file
 * Protection domains, completion channels and queues, shared receive queues, address handles.
 */
namespace
{

using namespace ns3::rdma;

constexpr const char* LIBRARY = "libibverbs.so.1";

ObjectId
IdOf(const void* handle)
{
    return LiveObjects::Get().FindId(handle);
}

/** Records a new completion queue. */
void
RecordQueue(ControlCall& call, const ibv_cq* queue, const ibv_comp_channel* channel)
{
    if (queue != nullptr)
    {
        call.Create(queue,
                    ObjectKind::COMPLETION_QUEUE,
                    FindDeviceHooks(queue->context),
                    ToBytes(CompletionQueueDetail{.entries = static_cast<uint32_t>(queue->cqe),
                                                  .channel = IdOf(channel)}));
    }
}

/** Records a call that destroys. */
template <typename Handle, typename Real>
int
RecordDestroy(Handle* handle, const Real& real)
{
    ControlCall call;
    call.BeginDestroy(handle);
    return call.EndDestroy(real(handle));
}

} // namespace

RDMASIM_HOOK ibv_pd*
ibv_alloc_pd(ibv_context* context)
{
    RDMASIM_REAL(LIBRARY, ibv_alloc_pd);
    HookUnseenDevice(context);
    ControlCall call;
    ibv_pd* domain = real(context);
    call.Create(domain, ObjectKind::PROTECTION_DOMAIN, FindDeviceHooks(context), {});
    return domain;
}

RDMASIM_HOOK int
ibv_dealloc_pd(ibv_pd* domain)
{
    RDMASIM_REAL(LIBRARY, ibv_dealloc_pd);
    return RecordDestroy(domain, real);
}

RDMASIM_HOOK ibv_comp_channel*
ibv_create_comp_channel(ibv_context* context)
{
    RDMASIM_REAL(LIBRARY, ibv_create_comp_channel);
    ControlCall call;
    ibv_comp_channel* channel = real(context);
    call.Create(channel, ObjectKind::COMPLETION_CHANNEL, FindDeviceHooks(context), {});
    return channel;
}

RDMASIM_HOOK int
ibv_destroy_comp_channel(ibv_comp_channel* channel)
{
    RDMASIM_REAL(LIBRARY, ibv_destroy_comp_channel);
    return RecordDestroy(channel, real);
}

RDMASIM_HOOK ibv_cq*
ibv_create_cq(ibv_context* context,
              int entries,
              void* queueContext,
              ibv_comp_channel* channel,
              int vector)
{
    RDMASIM_REAL(LIBRARY, ibv_create_cq);
    ControlCall call;
    ibv_cq* queue = real(context, entries, queueContext, channel, vector);
    RecordQueue(call, queue, channel);
    return queue;
}

RDMASIM_HOOK int
ibv_resize_cq(ibv_cq* queue, int entries)
{
    RDMASIM_REAL(LIBRARY, ibv_resize_cq);
    ControlCall call;
    const int result = real(queue, entries);
    call.Change(ControlVerb::MODIFY,
                NeedCompletionQueue(queue),
                ToBytes(CompletionQueueDetail{.entries = static_cast<uint32_t>(queue->cqe),
                                              .channel = IdOf(queue->channel)}),
                result);
    return result;
}

RDMASIM_HOOK int
ibv_destroy_cq(ibv_cq* queue)
{
    RDMASIM_REAL(LIBRARY, ibv_destroy_cq);
    return RecordDestroy(queue, real);
}

RDMASIM_HOOK int
ibv_get_cq_event(ibv_comp_channel* channel, ibv_cq** queue, void** queueContext)
{
    RDMASIM_REAL(LIBRARY, ibv_get_cq_event);
    ControlCall call;
    const int result = real(channel, queue, queueContext);
    if (result == 0)
    {
        call.Wait(OperationKind::CQ_EVENT, NeedCompletionQueue(*queue).id, result);
    }
    return result;
}

RDMASIM_HOOK void
ibv_ack_cq_events(ibv_cq* queue, unsigned count)
{
    RDMASIM_REAL(LIBRARY, ibv_ack_cq_events);
    ControlCall call;
    real(queue, count);
    call.Acknowledge(NeedCompletionQueue(queue).id, count);
}

RDMASIM_HOOK ibv_srq*
ibv_create_srq(ibv_pd* domain, ibv_srq_init_attr* attributes)
{
    RDMASIM_REAL(LIBRARY, ibv_create_srq);
    ControlCall call;
    ibv_srq* queue = real(domain, attributes);
    call.Create(queue,
                ObjectKind::SHARED_RECEIVE_QUEUE,
                FindDeviceHooks(domain->context),
                ToBytes(SharedReceiveQueueDetail{.protectionDomain = IdOf(domain),
                                                 .maxRequests = attributes->attr.max_wr,
                                                 .maxElements = attributes->attr.max_sge,
                                                 .limit = attributes->attr.srq_limit}));
    return queue;
}

RDMASIM_HOOK int
ibv_modify_srq(ibv_srq* queue, ibv_srq_attr* attributes, int mask)
{
    RDMASIM_REAL(LIBRARY, ibv_modify_srq);
    ControlCall call;
    const int result = real(queue, attributes, mask);
    SharedReceiveQueueDetail detail{.protectionDomain = IdOf(queue->pd)};
    detail.maxRequests = (mask & IBV_SRQ_MAX_WR) != 0 ? attributes->max_wr : 0;
    detail.limit = (mask & IBV_SRQ_LIMIT) != 0 ? attributes->srq_limit : 0;
    call.Change(ControlVerb::MODIFY, NeedSharedReceiveQueue(queue), ToBytes(detail), result);
    return result;
}

RDMASIM_HOOK int
ibv_destroy_srq(ibv_srq* queue)
{
    RDMASIM_REAL(LIBRARY, ibv_destroy_srq);
    return RecordDestroy(queue, real);
}

RDMASIM_HOOK ibv_ah*
ibv_create_ah(ibv_pd* domain, ibv_ah_attr* attributes)
{
    RDMASIM_REAL(LIBRARY, ibv_create_ah);
    ControlCall call;
    ibv_ah* handle = real(domain, attributes);
    call.Create(handle,
                ObjectKind::ADDRESS_HANDLE,
                FindDeviceHooks(domain->context),
                ToBytes(ToDetail(domain, *attributes)));
    return handle;
}

RDMASIM_HOOK ibv_ah*
ibv_create_ah_from_wc(ibv_pd* domain, ibv_wc* entry, ibv_grh* header, uint8_t port)
{
    RDMASIM_REAL(LIBRARY, ibv_create_ah_from_wc);
    RDMASIM_REAL_NAMED(initialize, LIBRARY, ibv_init_ah_from_wc);
    ControlCall call;
    ibv_ah* handle = real(domain, entry, header, port);
    ibv_ah_attr attributes{};
    if (handle != nullptr)
    {
        initialize(domain->context, port, entry, header, &attributes);
    }
    call.Create(handle,
                ObjectKind::ADDRESS_HANDLE,
                FindDeviceHooks(domain->context),
                ToBytes(ToDetail(domain, attributes)));
    return handle;
}

RDMASIM_HOOK int
ibv_destroy_ah(ibv_ah* handle)
{
    RDMASIM_REAL(LIBRARY, ibv_destroy_ah);
    return RecordDestroy(handle, real);
}
