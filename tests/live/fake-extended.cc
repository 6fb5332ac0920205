// SPDX-License-Identifier: GPL-2.0-only
#include "tests/live/fake-device.h"

#include <cerrno>
#include <new>

/**
 * @file
 * The newer calls of the fake device (ibv_wr_*, ibv_start_poll), in terms of the older ones.
 */
namespace ns3::rdma
{

namespace
{

FakeQueuePair&
Of(ibv_qp_ex* queuePair)
{
    return *reinterpret_cast<FakeQueuePair*>(queuePair);
}

ibv_send_wr&
Add(ibv_qp_ex* queuePair, ibv_wr_opcode opcode)
{
    FakeSend send{};
    send.request.opcode = opcode;
    send.request.wr_id = queuePair->wr_id;
    send.request.send_flags = queuePair->wr_flags;
    Of(queuePair).building.push_back(send);
    return Of(queuePair).building.back().request;
}

ibv_send_wr&
AddRemote(ibv_qp_ex* queuePair, ibv_wr_opcode opcode, uint32_t rkey, uint64_t address)
{
    ibv_send_wr& request = Add(queuePair, opcode);
    request.wr.rdma.rkey = rkey;
    request.wr.rdma.remote_addr = address;
    return request;
}

int
Complete(ibv_qp_ex* queuePair)
{
    auto& building = Of(queuePair).building;
    ibv_send_wr* bad = nullptr;
    int result = 0;
    for (FakeSend& send : building)
    {
        if (!send.inlineData.empty())
        {
            send.elements = {{reinterpret_cast<uintptr_t>(send.inlineData.data()),
                              static_cast<uint32_t>(send.inlineData.size()),
                              0}};
            send.request.send_flags |= IBV_SEND_INLINE;
        }
        send.request.sg_list = send.elements.data();
        send.request.num_sge = static_cast<int>(send.elements.size());
        ibv_context_ops ops{};
        FillFakeOperations(ops, false);
        result = result != 0 ? result : ops.post_send(&queuePair->qp_base, &send.request, &bad);
    }
    building.clear();
    return result;
}

FakeQueue&
Of(ibv_cq_ex* queue)
{
    return *reinterpret_cast<FakeQueue*>(queue);
}

int
NextPoll(ibv_cq_ex* queue)
{
    ibv_context_ops ops{};
    FillFakeOperations(ops, false);
    if (ops.poll_cq(ibv_cq_ex_to_cq(queue), 1, &Of(queue).current) == 0)
    {
        return ENOENT;
    }
    queue->wr_id = Of(queue).current.wr_id;
    queue->status = Of(queue).current.status;
    return 0;
}

} // namespace

void
FillFakeExtended(ibv_qp_ex& queuePair)
{
    using Pair = ibv_qp_ex;
    queuePair.wr_start = [](Pair* q) { Of(q).building.clear(); };
    queuePair.wr_complete = &Complete;
    queuePair.wr_abort = [](Pair* q) { Of(q).building.clear(); };
    queuePair.wr_send = [](Pair* q) { Add(q, IBV_WR_SEND); };
    queuePair.wr_send_imm = [](Pair* q, __be32 immediate)
    { Add(q, IBV_WR_SEND_WITH_IMM).imm_data = immediate; };
    queuePair.wr_send_inv = [](Pair* q, uint32_t key)
    { Add(q, IBV_WR_SEND_WITH_INV).invalidate_rkey = key; };
    queuePair.wr_local_inv = [](Pair* q, uint32_t key)
    { Add(q, IBV_WR_LOCAL_INV).invalidate_rkey = key; };
    queuePair.wr_bind_mw = [](Pair* q, ibv_mw* window, uint32_t key, const ibv_mw_bind_info*)
    {
        Add(q, IBV_WR_BIND_MW);
        window->rkey = key;
    };
    queuePair.wr_rdma_read = [](Pair* q, uint32_t key, uint64_t address)
    { AddRemote(q, IBV_WR_RDMA_READ, key, address); };
    queuePair.wr_rdma_write = [](Pair* q, uint32_t key, uint64_t address)
    { AddRemote(q, IBV_WR_RDMA_WRITE, key, address); };
    queuePair.wr_rdma_write_imm = [](Pair* q, uint32_t key, uint64_t address, __be32 immediate)
    { AddRemote(q, IBV_WR_RDMA_WRITE_WITH_IMM, key, address).imm_data = immediate; };
    queuePair.wr_atomic_fetch_add = [](Pair* q, uint32_t key, uint64_t address, uint64_t add)
    {
        auto& atomic = Add(q, IBV_WR_ATOMIC_FETCH_AND_ADD).wr.atomic;
        atomic = {.remote_addr = address, .compare_add = add, .swap = 0, .rkey = key};
    };
    queuePair.wr_atomic_cmp_swp =
        [](Pair* q, uint32_t key, uint64_t address, uint64_t compare, uint64_t swap)
    {
        auto& atomic = Add(q, IBV_WR_ATOMIC_CMP_AND_SWP).wr.atomic;
        atomic = {.remote_addr = address, .compare_add = compare, .swap = swap, .rkey = key};
    };
    queuePair.wr_set_ud_addr = [](Pair* q, ibv_ah* handle, uint32_t number, uint32_t key) {
        Of(q).building.back().request.wr.ud = {handle, number, key};
    };
    queuePair.wr_set_sge = [](Pair* q, uint32_t key, uint64_t address, uint32_t length) {
        Of(q).building.back().elements = {{address, length, key}};
    };
    queuePair.wr_set_sge_list = [](Pair* q, size_t count, const ibv_sge* elements)
    { Of(q).building.back().elements.assign(elements, elements + count); };
    queuePair.wr_set_inline_data = [](Pair* q, void* address, size_t length)
    {
        const auto* bytes = static_cast<const uint8_t*>(address);
        Of(q).building.back().inlineData.assign(bytes, bytes + length);
    };
    queuePair.wr_set_inline_data_list = [](Pair* q, size_t count, const ibv_data_buf* buffers)
    {
        auto& data = Of(q).building.back().inlineData;
        for (size_t i = 0; i < count; ++i)
        {
            const auto* bytes = static_cast<const uint8_t*>(buffers[i].addr);
            data.insert(data.end(), bytes, bytes + buffers[i].length);
        }
    };
}

void
FillFakePolls(ibv_cq_ex& queue)
{
    queue.start_poll = [](ibv_cq_ex* q, ibv_poll_cq_attr*) { return NextPoll(q); };
    queue.next_poll = &NextPoll;
    queue.end_poll = [](ibv_cq_ex*) {};
    queue.read_opcode = [](ibv_cq_ex* q) { return Of(q).current.opcode; };
    queue.read_vendor_err = [](ibv_cq_ex* q) { return Of(q).current.vendor_err; };
    queue.read_byte_len = [](ibv_cq_ex* q) { return Of(q).current.byte_len; };
    queue.read_imm_data = [](ibv_cq_ex* q) { return Of(q).current.imm_data; };
    queue.read_qp_num = [](ibv_cq_ex* q) { return Of(q).current.qp_num; };
    queue.read_src_qp = [](ibv_cq_ex* q) { return Of(q).current.src_qp; };
    queue.read_wc_flags = [](ibv_cq_ex* q) { return Of(q).current.wc_flags; };
}

} // namespace ns3::rdma
