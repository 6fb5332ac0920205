// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/device-hooks.h"
#include "live/recorder.h"
#include "live/work-request.h"

#include <cerrno>
#include <endian.h>

/**
 * @file
 * The calls that go through ibv_context::ops: posts, polls, arming, memory windows of type 1.
 *
 * A post's requests are read before the real call: afterwards they are the program's again, and
 * another thread may have seen the completion and freed them. Its time is taken before, too. That
 * of completions and empty polls is taken after the real call, so that an empty poll in a row of
 * them costs no look at the clock.
 */
namespace ns3::rdma
{

namespace
{

/** Begins an operation of a request. */
RawOperation*
BeginRequest(RawOperation* raw, OperationKind kind, const LiveObject& object, uint64_t ticks)
{
    raw->ticks = ticks;
    raw->result = 0;
    raw->object = object.id;
    raw->other = NO_OBJECT;
    raw->kind = kind;
    return raw;
}

/** That a call returned an error. */
template <typename Request>
struct Refusal
{
    const Request* first; ///< of the list
    const Request* bad;   ///< where the call stopped
    int result;
};

/** Marks the request that was refused, and takes back those behind it. */
template <typename Request>
void
Refuse(ThreadLog& log, uint64_t position, const Refusal<Request>& refusal)
{
    const Request* request = refusal.first;
    log.Revisit(position,
                [&](RawOperation* raw)
                {
                    if (request == nullptr)
                    {
                        raw->kind = OperationKind::NONE;
                        return;
                    }
                    const bool isBad = request == refusal.bad;
                    raw->result = isBad ? ToResult(refusal.result) : raw->result;
                    request = isBad ? nullptr : request->next;
                });
}

/** Records a list of receives around the call that posts it. */
template <typename Post>
int
RecordReceives(OperationKind kind, const LiveObject& object, ibv_recv_wr* requests, Post post)
{
    ibv_recv_wr* bad = nullptr;
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return post(&bad);
    }
    log->Open();
    const uint64_t position = log->GetPosition();
    const uint64_t ticks = ReadTicks();
    for (const ibv_recv_wr* request = requests; request != nullptr; request = request->next)
    {
        FillReceive(BeginRequest(log->Reserve(), kind, object, ticks), *request);
    }
    const int result = post(&bad);
    if (result != 0) [[unlikely]]
    {
        Refuse<ibv_recv_wr>(*log, position, {requests, bad, result});
    }
    log->Close();
    return result;
}

int
PostSend(ibv_qp* queuePair, ibv_send_wr* requests, ibv_send_wr** bad)
{
    const LiveObject& object = NeedQueuePair(queuePair);
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return object.device->ops.post_send(queuePair, requests, bad);
    }
    const ibv_qp_type type = queuePair->qp_type;
    log->Open();
    const uint64_t position = log->GetPosition();
    const uint64_t ticks = ReadTicks();
    for (const ibv_send_wr* request = requests; request != nullptr; request = request->next)
    {
        const bool isExtended = NeedsExtension(*request, type);
        RawOperation* raw = isExtended ? log->Reserve(2) : log->Reserve();
        FillSend(BeginRequest(raw, OperationKind::POST_SEND, object, ticks), *request);
        if (isExtended)
        {
            FillSendExtension(raw, *request, type);
        }
    }
    const int result = object.device->ops.post_send(queuePair, requests, bad);
    if (result != 0) [[unlikely]]
    {
        Refuse<ibv_send_wr>(*log, position, {requests, bad == nullptr ? nullptr : *bad, result});
    }
    log->Close();
    return result;
}

int
PostReceive(ibv_qp* queuePair, ibv_recv_wr* requests, ibv_recv_wr** bad)
{
    const LiveObject& object = NeedQueuePair(queuePair);
    return RecordReceives(OperationKind::POST_RECEIVE,
                          object,
                          requests,
                          [&](ibv_recv_wr** refused)
                          {
                              const int result =
                                  object.device->ops.post_recv(queuePair, requests, bad);
                              *refused = result != 0 && bad != nullptr ? *bad : nullptr;
                              return result;
                          });
}

int
PostSharedReceive(ibv_srq* queue, ibv_recv_wr* requests, ibv_recv_wr** bad)
{
    const LiveObject& object = NeedSharedReceiveQueue(queue);
    return RecordReceives(OperationKind::POST_SHARED_RECEIVE,
                          object,
                          requests,
                          [&](ibv_recv_wr** refused)
                          {
                              const int result =
                                  object.device->ops.post_srq_recv(queue, requests, bad);
                              *refused = result != 0 && bad != nullptr ? *bad : nullptr;
                              return result;
                          });
}

/** An entry of a completion queue; of one that failed only what then is defined. */
void
FillCompletion(RawOperation* raw, const LiveObject& queue, const ibv_wc& entry)
{
    const bool isGood = entry.status == IBV_WC_SUCCESS;
    raw->opcode = isGood ? static_cast<uint8_t>(entry.opcode) : 0;
    raw->flags = isGood ? static_cast<uint8_t>(entry.wc_flags) : 0;
    raw->status = static_cast<uint8_t>(entry.status);
    raw->elements = 0;
    raw->result = 0;
    raw->object = LiveObjects::Get().FindNumber(queue.device->index, entry.qp_num);
    raw->other = queue.id;
    raw->wrId = entry.wr_id;
    raw->bytes = isGood ? entry.byte_len : 0;
    raw->localAddress = 0;
    raw->remoteAddress = 0;
    raw->localKey = isGood ? entry.src_qp : 0;
    raw->rkey = 0;
    if (isGood && (entry.wc_flags & IBV_WC_WITH_IMM) != 0)
    {
        raw->rkey = be32toh(entry.imm_data);
    }
    else if (isGood && (entry.wc_flags & IBV_WC_WITH_INV) != 0)
    {
        raw->rkey = entry.invalidated_rkey;
    }
    raw->kind = OperationKind::COMPLETION;
}

int
Poll(ibv_cq* queue, int count, ibv_wc* entries)
{
    const LiveObject& object = NeedCompletionQueue(queue);
    const int found = object.device->ops.poll_cq(queue, count, entries);
    ThreadLog* log = GetThreadLog();
    if (log == nullptr || found < 0)
    {
        return found;
    }
    if (found == 0)
    {
        log->CountEmptyPoll(object.id);
        return 0;
    }
    log->Open();
    const uint64_t ticks = ReadTicks();
    for (int i = 0; i < found; ++i)
    {
        RawOperation* raw = log->Reserve();
        raw->ticks = ticks;
        FillCompletion(raw, object, entries[i]);
    }
    log->Close();
    return found;
}

int
RequestNotify(ibv_cq* queue, int solicitedOnly)
{
    const LiveObject& object = NeedCompletionQueue(queue);
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return object.device->ops.req_notify_cq(queue, solicitedOnly);
    }
    log->Open();
    RawOperation* raw = log->Reserve();
    *raw = {.ticks = ReadTicks(),
            .flags = static_cast<uint8_t>(solicitedOnly != 0 ? 1 : 0),
            .object = object.id};
    const int result = object.device->ops.req_notify_cq(queue, solicitedOnly);
    raw->result = ToResult(result);
    raw->kind = OperationKind::ARM;
    log->Close();
    return result;
}

int
BindWindow(ibv_qp* queuePair, ibv_mw* window, ibv_mw_bind* bind)
{
    const LiveObject& object = NeedQueuePair(queuePair);
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return object.device->ops.bind_mw(queuePair, window, bind);
    }
    log->Open();
    RawOperation* raw = log->Reserve();
    *raw = {.ticks = ReadTicks(),
            .opcode = IBV_WR_BIND_MW,
            .flags = static_cast<uint8_t>(bind->send_flags),
            .object = object.id,
            .other = LiveObjects::Get().FindId(window),
            .wrId = bind->wr_id,
            .bytes = bind->bind_info.length,
            .remoteAddress = bind->bind_info.addr,
            .localKey = bind->bind_info.mr == nullptr ? 0 : bind->bind_info.mr->lkey};
    const int result = object.device->ops.bind_mw(queuePair, window, bind);
    raw->rkey = window->rkey;
    raw->result = ToResult(result);
    raw->kind = OperationKind::POST_SEND;
    log->Close();
    return result;
}

ibv_mw*
AllocateWindow(ibv_pd* domain, ibv_mw_type type)
{
    DeviceHooks* device = FindDeviceHooks(domain->context);
    ControlCall call;
    ibv_mw* window = device->ops.alloc_mw(domain, type);
    call.Create(window,
                ObjectKind::MEMORY_WINDOW,
                device,
                ToBytes(MemoryRegionDetail{.protectionDomain = LiveObjects::Get().FindId(domain),
                                           .rkey = window == nullptr ? 0 : window->rkey}));
    return window;
}

int
FreeWindow(ibv_mw* window)
{
    DeviceHooks* device = FindDeviceHooks(window->context);
    ControlCall call;
    call.BeginDestroy(window);
    return call.EndDestroy(device->ops.dealloc_mw(window));
}

/** Takes the place of a call that the device has. */
template <typename Function>
void
Replace(Function*& place, Function* hook)
{
    if (place != nullptr)
    {
        place = hook;
    }
}

} // namespace

void
HookDataPath(ibv_context_ops& ops)
{
    Replace(ops.post_send, &PostSend);
    Replace(ops.post_recv, &PostReceive);
    Replace(ops.post_srq_recv, &PostSharedReceive);
    Replace(ops.poll_cq, &Poll);
    Replace(ops.req_notify_cq, &RequestNotify);
    Replace(ops.bind_mw, &BindWindow);
    Replace(ops.alloc_mw, &AllocateWindow);
    Replace(ops.dealloc_mw, &FreeWindow);
}

} // namespace ns3::rdma
