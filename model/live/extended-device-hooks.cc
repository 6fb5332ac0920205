// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/details.h"
#include "live/device-hooks.h"
#include "live/extended-queue-pair.h"
#include "live/extended-queue.h"

#include <cstddef>

/**
 * @file
 * The calls that inline functions find in verbs_context.
 */
namespace ns3::rdma
{

namespace
{

ibv_qp*
CreateQueuePair(ibv_context* context, ibv_qp_init_attr_ex* attributes)
{
    ControlCall call;
    ibv_qp* queuePair = FindDeviceHooks(context)->extended.create_qp_ex(context, attributes);
    // The extended attributes begin as the others do.
    const auto& plain = *reinterpret_cast<const ibv_qp_init_attr*>(attributes);
    RecordQueuePair(call, queuePair, plain);
    return queuePair;
}

ibv_qp*
OpenQueuePair(ibv_context* context, ibv_qp_open_attr* attributes)
{
    ControlCall call;
    ibv_qp* queuePair = FindDeviceHooks(context)->extended.open_qp(context, attributes);
    ibv_qp_init_attr plain{};
    plain.qp_type = attributes->qp_type;
    RecordQueuePair(call, queuePair, plain);
    return queuePair;
}

int
LimitRate(ibv_qp* queuePair, ibv_qp_rate_limit_attr* attributes)
{
    const LiveObject& object = NeedQueuePair(queuePair);
    ControlCall call;
    const int result = object.device->extended.modify_qp_rate_limit(queuePair, attributes);
    call.Change(ControlVerb::MODIFY,
                object,
                ToBytes(QueuePairChange{.mask = IBV_QP_RATE_LIMIT,
                                        .rateLimit = attributes->rate_limit,
                                        .result = result}),
                result);
    return result;
}

ibv_cq_ex*
CreateQueue(ibv_context* context, ibv_cq_init_attr_ex* attributes)
{
    DeviceHooks* device = FindDeviceHooks(context);
    ControlCall call;
    ibv_cq_init_attr_ex wider = *attributes;
    wider.wc_flags |= NEEDED_ENTRY_FLAGS;
    ibv_cq_ex* queue = device->extended.create_cq_ex(context, &wider);
    if (queue == nullptr)
    {
        wider.wc_flags = attributes->wc_flags;
        queue = device->extended.create_cq_ex(context, attributes);
    }
    RecordExtendedQueue(call, queue, attributes->channel, wider.wc_flags);
    return queue;
}

ibv_srq*
CreateSharedReceiveQueue(ibv_context* context, ibv_srq_init_attr_ex* attributes)
{
    DeviceHooks* device = FindDeviceHooks(context);
    ControlCall call;
    ibv_srq* queue = device->extended.create_srq_ex(context, attributes);
    const bool hasDomain = (attributes->comp_mask & IBV_SRQ_INIT_ATTR_PD) != 0;
    call.Create(
        queue,
        ObjectKind::SHARED_RECEIVE_QUEUE,
        device,
        ToBytes(SharedReceiveQueueDetail{
            .protectionDomain = hasDomain ? LiveObjects::Get().FindId(attributes->pd) : NO_OBJECT,
            .maxRequests = attributes->attr.max_wr,
            .maxElements = attributes->attr.max_sge,
            .limit = attributes->attr.srq_limit}));
    return queue;
}

ibv_xrcd*
OpenXrcDomain(ibv_context* context, ibv_xrcd_init_attr* attributes)
{
    DeviceHooks* device = FindDeviceHooks(context);
    ControlCall call;
    ibv_xrcd* domain = device->extended.open_xrcd(context, attributes);
    call.Create(domain, ObjectKind::XRC_DOMAIN, device, {});
    return domain;
}

int
CloseXrcDomain(ibv_xrcd* domain)
{
    DeviceHooks* device = FindDeviceHooks(domain->context);
    ControlCall call;
    call.BeginDestroy(domain);
    return call.EndDestroy(device->extended.close_xrcd(domain));
}

ibv_pd*
AllocateParentDomain(ibv_context* context, ibv_parent_domain_init_attr* attributes)
{
    DeviceHooks* device = FindDeviceHooks(context);
    ControlCall call;
    ibv_pd* domain = device->extended.alloc_parent_domain(context, attributes);
    call.Create(domain, ObjectKind::PROTECTION_DOMAIN, device, {});
    return domain;
}

ibv_mr*
RegisterDeviceMemory(ibv_pd* domain,
                     ibv_dm* memory,
                     uint64_t offset,
                     size_t length,
                     unsigned access)
{
    DeviceHooks* device = FindDeviceHooks(domain->context);
    ControlCall call;
    ibv_mr* region = device->extended.reg_dm_mr(domain, memory, offset, length, access);
    if (region != nullptr)
    {
        call.Create(
            region, ObjectKind::MEMORY_REGION, device, ToBytes(ToDetail(*region, 0, access)));
    }
    return region;
}

/**
 * Takes the place of a call that the context has.
 *
 * @param size of the context in front of ibv_context: fields that are farther away are not there
 */
template <typename Function>
void
Replace(verbs_context& context, Function*& place, Function* hook)
{
    const auto* end = reinterpret_cast<const std::byte*>(&context + 1);
    const auto distance =
        static_cast<std::size_t>(end - reinterpret_cast<const std::byte*>(&place));
    if (distance <= context.sz && place != nullptr)
    {
        place = hook;
    }
}

} // namespace

void
HookExtended(verbs_context& context)
{
    Replace(context, context.create_qp_ex, &CreateQueuePair);
    Replace(context, context.open_qp, &OpenQueuePair);
    Replace(context, context.modify_qp_rate_limit, &LimitRate);
    Replace(context, context.create_cq_ex, &CreateQueue);
    Replace(context, context.create_srq_ex, &CreateSharedReceiveQueue);
    Replace(context, context.open_xrcd, &OpenXrcDomain);
    Replace(context, context.close_xrcd, &CloseXrcDomain);
    Replace(context, context.alloc_parent_domain, &AllocateParentDomain);
    Replace(context, context.reg_dm_mr, &RegisterDeviceMemory);
}

} // namespace ns3::rdma
