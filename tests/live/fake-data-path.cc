// SPDX-License-Identifier: GPL-2.0-only
#include "tests/live/fake-device.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

/**
 * @file
 * How the fake device works: the sender's process moves data into the receiver's memory as soon as
 * a receive is there, and writes both completions.
 */
namespace ns3::rdma
{

namespace
{

/** Copies between this process' memory and another's. */
bool
Copy(pid_t pid, std::vector<iovec> local, std::vector<iovec> remote, bool isWrite)
{
    size_t bytes = 0;
    for (const iovec& part : local)
    {
        bytes += part.iov_len;
    }
    if (bytes == 0)
    {
        return true;
    }
    const ssize_t done =
        isWrite
            ? process_vm_writev(pid, local.data(), local.size(), remote.data(), remote.size(), 0)
            : process_vm_readv(pid, local.data(), local.size(), remote.data(), remote.size(), 0);
    return done == static_cast<ssize_t>(bytes);
}

std::vector<iovec>
GetLocal(const FakeSend& send)
{
    if ((send.request.send_flags & IBV_SEND_INLINE) != 0)
    {
        return {{const_cast<uint8_t*>(send.inlineData.data()), send.inlineData.size()}};
    }
    std::vector<iovec> parts;
    for (const ibv_sge& element : send.elements)
    {
        parts.push_back({reinterpret_cast<void*>(element.addr), element.length});
    }
    return parts;
}

uint32_t
GetBytes(const FakeSend& send)
{
    size_t bytes = 0;
    for (const iovec& part : GetLocal(send))
    {
        bytes += part.iov_len;
    }
    return static_cast<uint32_t>(bytes);
}

void
Push(uint32_t queue, const ibv_wc& entry)
{
    auto& entries = FakeFabric::Get().queues[queue];
    const uint64_t at = entries.produced.load();
    entries.entries[at % FakeFabric::ENTRIES] = entry;
    entries.produced.store(at + 1, std::memory_order_release);
}

ibv_wc_opcode
ToEntryOpcode(ibv_wr_opcode opcode)
{
    switch (opcode)
    {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ:
        return IBV_WC_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
        return IBV_WC_COMP_SWAP;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        return IBV_WC_FETCH_ADD;
    case IBV_WR_LOCAL_INV:
        return IBV_WC_LOCAL_INV;
    case IBV_WR_BIND_MW:
        return IBV_WC_BIND_MW;
    default:
        return IBV_WC_SEND;
    }
}

/** What a receive needs: a SEND of any kind, or a write with an immediate. */
bool
TakesReceive(ibv_wr_opcode opcode)
{
    return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM ||
           opcode == IBV_WR_SEND_WITH_INV || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

void
WriteReceiveEntry(FakeQueuePair& from,
                  const FakeSend& send,
                  FakeFabric::QueuePair& peer,
                  uint64_t id)
{
    const ibv_wr_opcode opcode = send.request.opcode;
    ibv_wc entry{};
    entry.wr_id = id;
    entry.opcode = opcode == IBV_WR_RDMA_WRITE_WITH_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
    entry.qp_num = peer.number;
    entry.src_qp = from.base.qp_num;
    entry.byte_len = GetBytes(send) + (from.base.qp_type == IBV_QPT_UD ? 40 : 0);
    entry.imm_data = send.request.imm_data;
    entry.wc_flags = opcode == IBV_WR_SEND_WITH_INV                         ? IBV_WC_WITH_INV
                     : opcode == IBV_WR_SEND || opcode == IBV_WR_RDMA_WRITE ? 0
                                                                            : IBV_WC_WITH_IMM;
    Push(peer.receiveEntries, entry);
}

/** @return whether the request is done; false: it waits for a receive */
bool
Deliver(FakeQueuePair& from, const FakeSend& send, ibv_wc_status& status)
{
    const ibv_send_wr& request = send.request;
    if (request.opcode == IBV_WR_LOCAL_INV || request.opcode == IBV_WR_BIND_MW)
    {
        return true;
    }
    auto& fabric = FakeFabric::Get();
    const bool isDatagram = from.base.qp_type == IBV_QPT_UD;
    auto* peer = fabric.Find(isDatagram ? request.wr.ud.remote_qpn : from.attributes.dest_qp_num);
    if (peer == nullptr)
    {
        status = IBV_WC_RETRY_EXC_ERR;
        return true;
    }
    if (peer->state < IBV_QPS_RTR)
    {
        return false;
    }
    auto local = GetLocal(send);
    const size_t bytes = GetBytes(send);
    bool isGood = true;
    if (request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
        request.opcode == IBV_WR_ATOMIC_CMP_AND_SWP)
    {
        uint64_t old = 0;
        auto* address = reinterpret_cast<void*>(request.wr.atomic.remote_addr);
        isGood = Copy(peer->owner, {{&old, sizeof(old)}}, {{address, sizeof(old)}}, false);
        uint64_t value = request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD
                             ? old + request.wr.atomic.compare_add
                         : old == request.wr.atomic.compare_add ? request.wr.atomic.swap
                                                                : old;
        isGood =
            isGood && Copy(peer->owner, {{&value, sizeof(value)}}, {{address, sizeof(old)}}, true);
        std::memcpy(local[0].iov_base, &old, sizeof(old));
    }
    else if (request.opcode == IBV_WR_RDMA_READ || request.opcode == IBV_WR_RDMA_WRITE ||
             request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
    {
        auto* address = reinterpret_cast<void*>(request.wr.rdma.remote_addr);
        isGood = Copy(peer->owner, local, {{address, bytes}}, request.opcode != IBV_WR_RDMA_READ);
    }
    if (TakesReceive(request.opcode))
    {
        auto& receives = fabric.receiveQueues[peer->receiveQueue];
        if (receives.posted == receives.taken)
        {
            return false;
        }
        const auto& receive = receives.receives[receives.taken++ % FakeFabric::RECEIVES];
        std::vector<iovec> remote;
        size_t skip = isDatagram ? 40 : 0;
        for (uint32_t i = 0; i < receive.count; ++i)
        {
            remote.push_back({reinterpret_cast<uint8_t*>(receive.elements[i].addr) + skip,
                              receive.elements[i].length - skip});
            skip = 0;
        }
        isGood =
            request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM || Copy(peer->owner, local, remote, true);
        WriteReceiveEntry(from, send, *peer, receive.id);
    }
    status = isGood ? IBV_WC_SUCCESS : IBV_WC_REM_ACCESS_ERR;
    return true;
}

/** Delivers a queue pair's requests in their order, until one has to wait. */
void
DeliverPending(FakeQueuePair& from)
{
    while (!from.pending.empty())
    {
        const FakeSend& send = from.pending.front();
        ibv_wc_status status = IBV_WC_SUCCESS;
        if (!Deliver(from, send, status))
        {
            return;
        }
        if (from.signalsAll || (send.request.send_flags & IBV_SEND_SIGNALED) != 0 ||
            status != IBV_WC_SUCCESS)
        {
            ibv_wc entry{};
            entry.wr_id = send.request.wr_id;
            entry.status = status;
            entry.opcode = ToEntryOpcode(send.request.opcode);
            entry.qp_num = from.base.qp_num;
            entry.byte_len = GetBytes(send);
            Push(reinterpret_cast<FakeQueue*>(from.base.send_cq)->index, entry);
        }
        from.pending.pop_front();
    }
}

/** An entry of a request that the queue pair's error ended. */
ibv_wc
MakeFlushed(const FakeQueuePair& queuePair, uint64_t id)
{
    ibv_wc entry{};
    entry.wr_id = id;
    entry.status = IBV_WC_WR_FLUSH_ERR;
    entry.qp_num = queuePair.base.qp_num;
    // Not defined, and therefore what no program may rely on.
    entry.opcode = static_cast<ibv_wc_opcode>(0xdead);
    entry.byte_len = 0xdeadbeef;
    return entry;
}

FakeSend
MakeSend(const ibv_send_wr& request)
{
    FakeSend send{request, {request.sg_list, request.sg_list + request.num_sge}, {}};
    if ((request.send_flags & IBV_SEND_INLINE) != 0)
    {
        for (const ibv_sge& element : send.elements)
        {
            const auto* bytes = reinterpret_cast<const uint8_t*>(element.addr);
            send.inlineData.insert(send.inlineData.end(), bytes, bytes + element.length);
        }
    }
    return send;
}

int
PostSend(ibv_qp* base, ibv_send_wr* request, ibv_send_wr** bad)
{
    auto& queuePair = *reinterpret_cast<FakeQueuePair*>(base);
    const std::lock_guard lock{FakeProcess::Get().mutex};
    for (; request != nullptr; request = request->next)
    {
        if (queuePair.pending.size() >= queuePair.maxSends)
        {
            *bad = request;
            return ENOMEM;
        }
        queuePair.pending.push_back(MakeSend(*request));
        FakeFabric::Get().Lock();
        DeliverPending(queuePair);
        FakeFabric::Get().Unlock();
    }
    return 0;
}

int
AddReceives(uint32_t index, ibv_recv_wr* request, ibv_recv_wr** bad)
{
    auto& fabric = FakeFabric::Get();
    auto& queue = fabric.receiveQueues[index];
    fabric.Lock();
    for (; request != nullptr; request = request->next)
    {
        if (queue.posted - queue.taken == FakeFabric::RECEIVES ||
            request->num_sge > static_cast<int>(FakeFabric::ELEMENTS))
        {
            *bad = request;
            break;
        }
        auto& receive = queue.receives[queue.posted++ % FakeFabric::RECEIVES];
        receive.id = request->wr_id;
        receive.count = static_cast<uint32_t>(request->num_sge);
        std::copy_n(request->sg_list, request->num_sge, receive.elements);
    }
    fabric.Unlock();
    return request == nullptr ? 0 : ENOMEM;
}

int
PostReceive(ibv_qp* queuePair, ibv_recv_wr* request, ibv_recv_wr** bad)
{
    return AddReceives(reinterpret_cast<FakeQueuePair*>(queuePair)->receiveQueue, request, bad);
}

int
PostSharedReceive(ibv_srq* queue, ibv_recv_wr* request, ibv_recv_wr** bad)
{
    return AddReceives(reinterpret_cast<FakeReceiveQueue*>(queue)->index, request, bad);
}

int
Poll(ibv_cq* base, int count, ibv_wc* entries)
{
    auto& fabric = FakeFabric::Get();
    auto& queue = fabric.queues[reinterpret_cast<FakeQueue*>(base)->index];
    FakeProcess::Get().Progress();
    if (queue.produced.load(std::memory_order_acquire) == queue.taken.load())
    {
        // Who polls in a loop waits for the other process, which may want this processor.
        constexpr int MANY = 100;
        static std::atomic<int> empty{0};
        if (++empty % MANY == 0)
        {
            sched_yield();
        }
        return 0;
    }
    fabric.Lock();
    int found = 0;
    while (found < count && queue.taken.load() != queue.produced.load())
    {
        entries[found++] = queue.entries[queue.taken++ % FakeFabric::ENTRIES];
    }
    fabric.Unlock();
    return found;
}

int
RequestNotify(ibv_cq* base, int)
{
    auto& queue = *reinterpret_cast<FakeQueue*>(base);
    queue.armedAt = FakeFabric::Get().queues[queue.index].produced.load();
    queue.isArmed = true;
    return 0;
}

ibv_mw*
AllocateWindow(ibv_pd* domain, ibv_mw_type type)
{
    static uint32_t lastKey = 0x5000;
    return new ibv_mw{domain->context, domain, ++lastKey, 0, type};
}

int
BindWindow(ibv_qp* queuePair, ibv_mw* window, ibv_mw_bind* bind)
{
    ibv_send_wr request{};
    request.wr_id = bind->wr_id;
    request.opcode = IBV_WR_BIND_MW;
    request.send_flags = bind->send_flags;
    window->rkey += 1;
    ibv_send_wr* bad = nullptr;
    return PostSend(queuePair, &request, &bad);
}

int
FreeWindow(ibv_mw* window)
{
    delete window;
    return 0;
}

/** @name A device that does nothing, to measure what lies above it. @{ */
int
PostNothing(ibv_qp*, ibv_send_wr*, ibv_send_wr**)
{
    return 0;
}

int
PollNothing(ibv_cq*, int, ibv_wc*)
{
    return 0;
}

/** @} */

void*
RunEvents(void*)
{
    constexpr useconds_t PERIOD_US = 50;
    auto& process = FakeProcess::Get();
    while (true)
    {
        usleep(PERIOD_US);
        process.Progress();
        const std::lock_guard lock{process.mutex};
        for (FakeQueue* queue : process.queues)
        {
            const uint64_t produced = FakeFabric::Get().queues[queue->index].produced.load();
            if (queue->base.channel != nullptr && produced > queue->armedAt &&
                queue->isArmed.exchange(false))
            {
                static_cast<void>(!write(queue->base.channel->refcnt, &queue, sizeof(queue)));
            }
        }
    }
    return nullptr;
}

} // namespace

FakeProcess&
FakeProcess::Get()
{
    static auto* process = new FakeProcess;
    return *process;
}

void
FakeProcess::Progress()
{
    const std::lock_guard lock{mutex};
    for (FakeQueuePair* queuePair : queuePairs)
    {
        if (!queuePair->pending.empty())
        {
            FakeFabric::Get().Lock();
            DeliverPending(*queuePair);
            FakeFabric::Get().Unlock();
        }
    }
}

void
FakeProcess::StartEvents()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, &RunEvents, nullptr);
    pthread_detach(thread);
}

void
FlushFake(FakeQueuePair& queuePair)
{
    const std::lock_guard lock{FakeProcess::Get().mutex};
    auto& fabric = FakeFabric::Get();
    fabric.Lock();
    for (const FakeSend& send : queuePair.pending)
    {
        Push(reinterpret_cast<FakeQueue*>(queuePair.base.send_cq)->index,
             MakeFlushed(queuePair, send.request.wr_id));
    }
    queuePair.pending.clear();
    auto& receives = fabric.receiveQueues[queuePair.receiveQueue];
    while (queuePair.base.srq == nullptr && receives.taken < receives.posted)
    {
        Push(reinterpret_cast<FakeQueue*>(queuePair.base.recv_cq)->index,
             MakeFlushed(queuePair, receives.receives[receives.taken++ % FakeFabric::RECEIVES].id));
    }
    fabric.Unlock();
}

void
FillFakeOperations(ibv_context_ops& ops, bool doesNothing)
{
    ops.post_send = doesNothing ? &PostNothing : &PostSend;
    ops.poll_cq = doesNothing ? &PollNothing : &Poll;
    ops.post_recv = &PostReceive;
    ops.post_srq_recv = &PostSharedReceive;
    ops.req_notify_cq = &RequestNotify;
    ops.alloc_mw = &AllocateWindow;
    ops.bind_mw = &BindWindow;
    ops.dealloc_mw = &FreeWindow;
}

} // namespace ns3::rdma
