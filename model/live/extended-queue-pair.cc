// SPDX-License-Identifier: GPL-2.0-only
#include "live/extended-queue-pair.h"

#include "live/control-call.h"
#include "live/device-hooks.h"
#include "live/recorder.h"
#include "live/work-request.h"

#include <endian.h>

/**
 * @file
 * The ibv_wr_* calls: requests are collected from wr_start on and recorded by wr_complete, whose
 * time is theirs.
 */
namespace ns3::rdma
{

namespace
{

ExtendedQueuePair&
GetExtended(ibv_qp_ex* queuePair)
{
    return *LiveObjects::Get().Find(queuePair)->requests;
}

RawOperation&
GetLast(ibv_qp_ex* queuePair)
{
    return GetExtended(queuePair).requests.back().operation;
}

/** Begins a request; what it has besides is filled by the caller. */
ExtendedQueuePair::Request&
Add(ExtendedQueuePair& extended, const ibv_qp_ex* queuePair, ibv_wr_opcode opcode)
{
    auto& request = extended.requests.emplace_back();
    request.operation.kind = OperationKind::POST_SEND;
    request.operation.opcode = static_cast<uint8_t>(opcode);
    request.operation.flags = static_cast<uint8_t>(queuePair->wr_flags);
    request.operation.wrId = queuePair->wr_id;
    return request;
}

/** Begins a request that has a remote address. */
ExtendedQueuePair::Request&
AddRemote(ExtendedQueuePair& extended,
          const ibv_qp_ex* queuePair,
          ibv_wr_opcode opcode,
          std::pair<uint32_t, uint64_t> remote)
{
    auto& request = Add(extended, queuePair, opcode);
    request.operation.rkey = remote.first;
    request.operation.remoteAddress = remote.second;
    return request;
}

void
CompareAndSwap(ibv_qp_ex* queuePair,
               uint32_t rkey,
               uint64_t address,
               uint64_t compare,
               uint64_t swap)
{
    auto& extended = GetExtended(queuePair);
    auto& request = AddRemote(extended, queuePair, IBV_WR_ATOMIC_CMP_AND_SWP, {rkey, address});
    request.operation.slots = 2;
    request.extension.compareAdd = compare;
    request.extension.swap = swap;
    extended.real.wr_atomic_cmp_swp(queuePair, rkey, address, compare, swap);
}

void
FetchAndAdd(ibv_qp_ex* queuePair, uint32_t rkey, uint64_t address, uint64_t add)
{
    auto& extended = GetExtended(queuePair);
    auto& request = AddRemote(extended, queuePair, IBV_WR_ATOMIC_FETCH_AND_ADD, {rkey, address});
    request.operation.slots = 2;
    request.extension.compareAdd = add;
    extended.real.wr_atomic_fetch_add(queuePair, rkey, address, add);
}

void
BindWindow(ibv_qp_ex* queuePair, ibv_mw* window, uint32_t rkey, const ibv_mw_bind_info* info)
{
    auto& extended = GetExtended(queuePair);
    auto& operation = AddRemote(extended, queuePair, IBV_WR_BIND_MW, {rkey, info->addr}).operation;
    operation.other = LiveObjects::Get().FindId(window);
    operation.bytes = info->length;
    operation.localKey = info->mr == nullptr ? 0 : info->mr->lkey;
    extended.real.wr_bind_mw(queuePair, window, rkey, info);
}

void
LocalInvalidate(ibv_qp_ex* queuePair, uint32_t key)
{
    auto& extended = GetExtended(queuePair);
    Add(extended, queuePair, IBV_WR_LOCAL_INV).operation.rkey = key;
    extended.real.wr_local_inv(queuePair, key);
}

void
Read(ibv_qp_ex* queuePair, uint32_t rkey, uint64_t address)
{
    auto& extended = GetExtended(queuePair);
    AddRemote(extended, queuePair, IBV_WR_RDMA_READ, {rkey, address});
    extended.real.wr_rdma_read(queuePair, rkey, address);
}

void
Write(ibv_qp_ex* queuePair, uint32_t rkey, uint64_t address)
{
    auto& extended = GetExtended(queuePair);
    AddRemote(extended, queuePair, IBV_WR_RDMA_WRITE, {rkey, address});
    extended.real.wr_rdma_write(queuePair, rkey, address);
}

void
WriteImmediate(ibv_qp_ex* queuePair, uint32_t rkey, uint64_t address, __be32 immediate)
{
    auto& extended = GetExtended(queuePair);
    auto& request = AddRemote(extended, queuePair, IBV_WR_RDMA_WRITE_WITH_IMM, {rkey, address});
    request.operation.slots = 2;
    request.extension.immediate = be32toh(immediate);
    extended.real.wr_rdma_write_imm(queuePair, rkey, address, immediate);
}

/** A write of eight bytes that the request itself carries: inline, of one element. */
void
AtomicWrite(ibv_qp_ex* queuePair, uint32_t rkey, uint64_t address, const void* value)
{
    auto& extended = GetExtended(queuePair);
    auto& operation =
        AddRemote(extended, queuePair, IBV_WR_ATOMIC_WRITE, {rkey, address}).operation;
    operation.bytes = sizeof(uint64_t);
    operation.elements = 1;
    extended.real.wr_atomic_write(queuePair, rkey, address, value);
}

void
Send(ibv_qp_ex* queuePair)
{
    auto& extended = GetExtended(queuePair);
    Add(extended, queuePair, IBV_WR_SEND);
    extended.real.wr_send(queuePair);
}

void
SendImmediate(ibv_qp_ex* queuePair, __be32 immediate)
{
    auto& extended = GetExtended(queuePair);
    auto& request = Add(extended, queuePair, IBV_WR_SEND_WITH_IMM);
    request.operation.slots = 2;
    request.extension.immediate = be32toh(immediate);
    extended.real.wr_send_imm(queuePair, immediate);
}

void
SendInvalidate(ibv_qp_ex* queuePair, uint32_t key)
{
    auto& extended = GetExtended(queuePair);
    Add(extended, queuePair, IBV_WR_SEND_WITH_INV).operation.rkey = key;
    extended.real.wr_send_inv(queuePair, key);
}

void
SendSegmented(ibv_qp_ex* queuePair, void* header, uint16_t headerBytes, uint16_t segmentBytes)
{
    auto& extended = GetExtended(queuePair);
    Add(extended, queuePair, IBV_WR_TSO);
    extended.real.wr_send_tso(queuePair, header, headerBytes, segmentBytes);
}

void
SetDatagram(ibv_qp_ex* queuePair, ibv_ah* handle, uint32_t number, uint32_t key)
{
    auto& extended = GetExtended(queuePair);
    auto& request = extended.requests.back();
    request.operation.slots = 2;
    request.operation.other = LiveObjects::Get().FindId(handle);
    request.extension.remoteQp = number;
    extended.real.wr_set_ud_addr(queuePair, handle, number, key);
}

void
SetInline(ibv_qp_ex* queuePair, void* address, size_t length)
{
    RawOperation& last = GetLast(queuePair);
    last.flags |= IBV_SEND_INLINE;
    last.elements = 1;
    last.bytes = length;
    last.localAddress = reinterpret_cast<uintptr_t>(address);
    GetExtended(queuePair).real.wr_set_inline_data(queuePair, address, length);
}

void
SetInlineList(ibv_qp_ex* queuePair, size_t count, const ibv_data_buf* buffers)
{
    RawOperation& last = GetLast(queuePair);
    last.flags |= IBV_SEND_INLINE;
    last.elements = static_cast<uint8_t>(count < MOST_ELEMENTS ? count : MOST_ELEMENTS);
    last.localAddress = count == 0 ? 0 : reinterpret_cast<uintptr_t>(buffers[0].addr);
    for (size_t i = 0; i < count; ++i)
    {
        last.bytes += buffers[i].length;
    }
    GetExtended(queuePair).real.wr_set_inline_data_list(queuePair, count, buffers);
}

void
SetElement(ibv_qp_ex* queuePair, uint32_t lkey, uint64_t address, uint32_t length)
{
    RawOperation& last = GetLast(queuePair);
    last.elements = 1;
    last.bytes = length;
    last.localAddress = address;
    last.localKey = lkey;
    GetExtended(queuePair).real.wr_set_sge(queuePair, lkey, address, length);
}

void
SetElements(ibv_qp_ex* queuePair, size_t count, const ibv_sge* elements)
{
    FillElements(&GetLast(queuePair), elements, static_cast<int>(count));
    GetExtended(queuePair).real.wr_set_sge_list(queuePair, count, elements);
}

void
Start(ibv_qp_ex* queuePair)
{
    auto& extended = GetExtended(queuePair);
    // Providers lock here: until wr_complete the requests are this thread's.
    extended.real.wr_start(queuePair);
    extended.requests.clear();
}

int
Complete(ibv_qp_ex* queuePair)
{
    const LiveObject& object = *LiveObjects::Get().Find(queuePair);
    ExtendedQueuePair& extended = *object.requests;
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return extended.real.wr_complete(queuePair);
    }
    log->Open();
    const uint64_t position = log->GetPosition();
    const uint64_t ticks = ReadTicks();
    for (const auto& request : extended.requests)
    {
        const uint8_t slots = request.operation.slots;
        RawOperation* raw = slots == 1 ? log->Reserve() : log->Reserve(slots);
        *raw = request.operation;
        raw->ticks = ticks;
        raw->object = object.id;
        if (slots != 1)
        {
            std::memcpy(static_cast<void*>(raw + 1), &request.extension, sizeof(RawExtension));
        }
    }
    const int result = extended.real.wr_complete(queuePair);
    if (result != 0) [[unlikely]]
    {
        log->Revisit(position, [result](RawOperation* raw) { raw->result = ToResult(result); });
    }
    log->Close();
    return result;
}

void
Abort(ibv_qp_ex* queuePair)
{
    GetExtended(queuePair).real.wr_abort(queuePair);
}

/** Takes the place of a call that the queue pair has. */
template <typename Function>
void
Replace(Function*& place, Function* hook)
{
    place = place == nullptr ? nullptr : hook;
}

} // namespace

void
HookExtendedQueuePair(ibv_qp_ex* queuePair, LiveObject& object)
{
    if (object.requests != nullptr)
    {
        return;
    }
    constexpr std::size_t FEW = 64;
    object.requests = std::make_unique<ExtendedQueuePair>();
    object.requests->real = *queuePair;
    object.requests->requests.reserve(FEW);
    Replace(queuePair->wr_atomic_cmp_swp, &CompareAndSwap);
    Replace(queuePair->wr_atomic_fetch_add, &FetchAndAdd);
    Replace(queuePair->wr_atomic_write, &AtomicWrite);
    Replace(queuePair->wr_bind_mw, &BindWindow);
    Replace(queuePair->wr_local_inv, &LocalInvalidate);
    Replace(queuePair->wr_rdma_read, &Read);
    Replace(queuePair->wr_rdma_write, &Write);
    Replace(queuePair->wr_rdma_write_imm, &WriteImmediate);
    Replace(queuePair->wr_send, &Send);
    Replace(queuePair->wr_send_imm, &SendImmediate);
    Replace(queuePair->wr_send_inv, &SendInvalidate);
    Replace(queuePair->wr_send_tso, &SendSegmented);
    Replace(queuePair->wr_set_ud_addr, &SetDatagram);
    Replace(queuePair->wr_set_inline_data, &SetInline);
    Replace(queuePair->wr_set_inline_data_list, &SetInlineList);
    Replace(queuePair->wr_set_sge, &SetElement);
    Replace(queuePair->wr_set_sge_list, &SetElements);
    Replace(queuePair->wr_start, &Start);
    Replace(queuePair->wr_complete, &Complete);
    Replace(queuePair->wr_abort, &Abort);
}

} // namespace ns3::rdma
