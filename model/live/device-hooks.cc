// SPDX-License-Identifier: GPL-2.0-only
#include "live/device-hooks.h"

#include "live/control-call.h"
#include "live/details.h"
#include "live/real-function.h"
#include "live/recorder.h"
#include "tracefile/trace-manifest.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

// The header makes macros of some functions.
#undef ibv_query_port

/**
 * @file
 * Devices: opened, closed, and objects of theirs that were made unseen.
 */
namespace ns3::rdma
{

namespace
{

constexpr const char* LIBRARY = "libibverbs.so.1";

/** Opened devices; few, and found once for each call that creates. */
HandleTable&
GetDevices()
{
    static HandleTable* devices = new HandleTable;
    return *devices;
}

bool
IsZero(const ibv_gid& gid)
{
    return std::all_of(std::begin(gid.raw), std::end(gid.raw), [](uint8_t b) { return b == 0; });
}

/** ::ffff:a.b.c.d, which RoCEv2 over IPv4 has. */
bool
IsMapped(const ibv_gid& gid)
{
    constexpr std::size_t ONES_AT = 10;
    constexpr uint8_t ONES = 0xff;
    return std::all_of(gid.raw, gid.raw + ONES_AT, [](uint8_t b) { return b == 0; }) &&
           gid.raw[ONES_AT] == ONES && gid.raw[ONES_AT + 1] == ONES;
}

/**
 * A GID of the device: the first that is an IPv4 address, or else the first.
 *
 * Which one connections use is known when a queue pair becomes ready (RecordUsedGid).
 */
Gid
FindGid(ibv_context* context)
{
    RDMASIM_REAL(LIBRARY, ibv_query_gid);
    constexpr uint8_t FIRST_PORT = 1;
    constexpr int MOST = 16;
    ibv_gid best{};
    for (int index = 0; index < MOST; ++index)
    {
        ibv_gid gid{};
        if (real(context, FIRST_PORT, index, &gid) != 0)
        {
            break;
        }
        if (!IsZero(gid) && (IsZero(best) || (IsMapped(gid) && !IsMapped(best))))
        {
            best = gid;
        }
    }
    return ToGid(best);
}

/** Copies the calls that a context has; its size says how far it reaches back. */
void
CopyExtended(DeviceHooks& device, ibv_context* context)
{
    verbs_context* extended = verbs_get_ctx(context);
    if (extended == nullptr)
    {
        return;
    }
    const std::size_t size = std::min(extended->sz, sizeof(verbs_context));
    auto* from = reinterpret_cast<const std::byte*>(extended) + sizeof(verbs_context) - size;
    auto* to = reinterpret_cast<std::byte*>(&device.extended) + sizeof(verbs_context) - size;
    std::memcpy(to, from, offsetof(verbs_context, context) + size - sizeof(verbs_context));
    HookExtended(*extended);
}

} // namespace

DeviceHooks*
FindDeviceHooks(const ibv_context* context)
{
    return reinterpret_cast<DeviceHooks*>(GetDevices().Find(reinterpret_cast<uintptr_t>(context)));
}

void
HookDevice(ControlCall& call, ibv_context* context)
{
    static std::atomic<uint32_t> next{0};
    if (context == nullptr || FindDeviceHooks(context) != nullptr)
    {
        return;
    }
    auto* device = new DeviceHooks;
    device->index = next.fetch_add(1);
    device->ops = context->ops;
    HookDataPath(context->ops);
    CopyExtended(*device, context);
    GetDevices().Set(reinterpret_cast<uintptr_t>(context), reinterpret_cast<uintptr_t>(device));
    RawDevice detail{};
    snprintf(detail.name, sizeof(detail.name), "%s", context->device->name);
    detail.gid = FindGid(context);
    const LiveObject* object = call.Create(context, ObjectKind::DEVICE, device, ToBytes(detail));
    device->id = object == nullptr ? NO_OBJECT : object->id;
    Recorder::Get().AddToManifest(MakeManifestLine("gid", ToString(detail.gid)));
}

void
HookUnseenDevice(ibv_context* context)
{
    if (FindDeviceHooks(context) == nullptr)
    {
        ControlCall call{ControlCall::Scope::UNSEEN};
        HookDevice(call, context);
    }
}

void
RecordUsedGid(const ibv_qp& queuePair, const ibv_qp_attr& attributes, int mask)
{
    LiveObject* device = LiveObjects::Get().Find(queuePair.context);
    if ((mask & IBV_QP_AV) == 0 || attributes.ah_attr.is_global == 0 || device == nullptr)
    {
        return;
    }
    RDMASIM_REAL(LIBRARY, ibv_query_gid);
    ibv_gid gid{};
    RawDevice detail{};
    std::memcpy(&detail, device->created.bytes.data(), sizeof(detail));
    const bool isKnown = real(queuePair.context,
                              attributes.ah_attr.port_num,
                              attributes.ah_attr.grh.sgid_index,
                              &gid) == 0;
    if (isKnown && ToGid(gid) != detail.gid)
    {
        detail.gid = ToGid(gid);
        Recorder::Get().AddToManifest(MakeManifestLine("gid", ToString(detail.gid)));
        device->created = ToBytes(detail);
        ControlCall call{ControlCall::Scope::UNSEEN};
        call.Change(ControlVerb::MODIFY, *device, device->created, 0);
    }
}

LiveObject&
NeedQueuePair(ibv_qp* queuePair)
{
    if (LiveObject* object = LiveObjects::Get().Find(queuePair)) [[likely]]
    {
        return *object;
    }
    ControlCall call{ControlCall::Scope::UNSEEN};
    ibv_qp_init_attr attributes{};
    attributes.qp_type = queuePair->qp_type;
    attributes.send_cq = queuePair->send_cq;
    attributes.recv_cq = queuePair->recv_cq;
    attributes.srq = queuePair->srq;
    return *RecordQueuePair(call, queuePair, attributes);
}

LiveObject&
NeedCompletionQueue(ibv_cq* queue)
{
    if (LiveObject* object = LiveObjects::Get().Find(queue)) [[likely]]
    {
        return *object;
    }
    ControlCall call{ControlCall::Scope::UNSEEN};
    return *call.Create(
        queue,
        ObjectKind::COMPLETION_QUEUE,
        FindDeviceHooks(queue->context),
        ToBytes(CompletionQueueDetail{.entries = static_cast<uint32_t>(queue->cqe),
                                      .channel = LiveObjects::Get().FindId(queue->channel)}));
}

LiveObject&
NeedSharedReceiveQueue(ibv_srq* queue)
{
    if (LiveObject* object = LiveObjects::Get().Find(queue)) [[likely]]
    {
        return *object;
    }
    ControlCall call{ControlCall::Scope::UNSEEN};
    return *call.Create(queue,
                        ObjectKind::SHARED_RECEIVE_QUEUE,
                        FindDeviceHooks(queue->context),
                        ToBytes(SharedReceiveQueueDetail{
                            .protectionDomain = LiveObjects::Get().FindId(queue->pd)}));
}

LiveObject*
RecordQueuePair(ControlCall& call, ibv_qp* queuePair, const ibv_qp_init_attr& attributes)
{
    if (queuePair == nullptr)
    {
        return nullptr;
    }
    DeviceHooks* device = FindDeviceHooks(queuePair->context);
    LiveObject* object = call.Create(
        queuePair, ObjectKind::QUEUE_PAIR, device, ToBytes(ToDetail(*queuePair, attributes)));
    if (object != nullptr && device != nullptr)
    {
        LiveObjects::Get().SetNumber(device->index, queuePair->qp_num, object->id);
    }
    return object;
}

} // namespace ns3::rdma

using namespace ns3::rdma;

RDMASIM_HOOK ibv_context*
ibv_open_device(ibv_device* device)
{
    RDMASIM_REAL(LIBRARY, ibv_open_device);
    ControlCall call;
    ibv_context* context = real(device);
    HookDevice(call, context);
    return context;
}

RDMASIM_HOOK ibv_context*
ibv_import_device(int descriptor)
{
    RDMASIM_REAL(LIBRARY, ibv_import_device);
    ControlCall call;
    ibv_context* context = real(descriptor);
    HookDevice(call, context);
    return context;
}

RDMASIM_HOOK int
ibv_close_device(ibv_context* context)
{
    RDMASIM_REAL(LIBRARY, ibv_close_device);
    ControlCall call;
    call.BeginDestroy(context);
    // What the calls were stays in memory: other threads may be in them.
    const auto key = reinterpret_cast<uintptr_t>(context);
    const uint64_t device = GetDevices().Erase(key);
    const int result = real(context);
    if (result != 0)
    {
        GetDevices().Set(key, device);
    }
    return call.EndDestroy(result);
}
