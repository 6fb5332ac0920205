// SPDX-License-Identifier: GPL-2.0-only
#include "tests/live/fake-device.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

#undef ibv_reg_mr
#undef ibv_reg_mr_iova
#undef ibv_query_port

/**
 * @file
 * A device for tests, as a library that is loaded before libibverbs.so.1: "fake0", whose operations
 * complete at once, between processes of one machine; and "noop0", whose data path does nothing.
 *
 * FAKE_VERBS_ADDRESS is the IPv4 address that its first GID is made of (10.0.0.1); the second one
 * ends in a number that is greater by 100.
 */
using namespace ns3::rdma;

namespace
{

/** Vendors' libraries look behind a device for what only theirs have. */
struct PaddedDevice
{
    ibv_device device;
    uint8_t padding[4096];
};

struct FakeRegion
{
    ibv_mr base;
};

PaddedDevice g_devices[2]{};

ibv_gid
GetGid(int index)
{
    const char* address = std::getenv("FAKE_VERBS_ADDRESS");
    ibv_gid gid{};
    gid.raw[10] = gid.raw[11] = 0xff;
    inet_pton(AF_INET, address == nullptr ? "10.0.0.1" : address, gid.raw + 12);
    gid.raw[15] = static_cast<uint8_t>(gid.raw[15] + index * 100);
    return gid;
}

void
FillPort(ibv_port_attr& port)
{
    port.state = IBV_PORT_ACTIVE;
    port.max_mtu = port.active_mtu = IBV_MTU_1024;
    port.gid_tbl_len = 2;
    port.max_msg_sz = 1U << 30;
    port.pkey_tbl_len = 1;
    port.lid = 0;
    port.link_layer = IBV_LINK_LAYER_ETHERNET;
    port.active_speed = 32;
    port.active_width = 2;
}

ibv_qp* CreateQueuePair(ibv_pd* domain, const ibv_qp_init_attr& attributes, bool isExtended);

int
QueryPort(ibv_context*, uint8_t, ibv_port_attr* attributes, size_t length)
{
    ibv_port_attr port{};
    FillPort(port);
    std::memcpy(attributes, &port, std::min(length, sizeof(port)));
    return 0;
}

ibv_qp*
CreateQueuePairEx(ibv_context*, ibv_qp_init_attr_ex* attributes)
{
    const bool isExtended = (attributes->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
    return CreateQueuePair(
        attributes->pd, *reinterpret_cast<const ibv_qp_init_attr*>(attributes), isExtended);
}

FakeQueue*
MakeQueue(ibv_context* context, int entries, void* own, ibv_comp_channel* channel)
{
    auto* queue = new FakeQueue{};
    queue->base.context = context;
    queue->base.channel = channel;
    queue->base.cq_context = own;
    queue->base.cqe = entries;
    FillFakePolls(queue->base);
    auto& fabric = FakeFabric::Get();
    fabric.Lock();
    queue->index = fabric.Take(fabric.queues);
    fabric.queues[queue->index].produced = fabric.queues[queue->index].taken = 0;
    fabric.Unlock();
    const std::lock_guard lock{FakeProcess::Get().mutex};
    FakeProcess::Get().queues.push_back(queue);
    return queue;
}

ibv_cq_ex*
CreateQueueEx(ibv_context* context, ibv_cq_init_attr_ex* attributes)
{
    return &MakeQueue(context,
                      static_cast<int>(attributes->cqe),
                      attributes->cq_context,
                      attributes->channel)
                ->base;
}

uint32_t
MakeReceives()
{
    auto& fabric = FakeFabric::Get();
    fabric.Lock();
    const uint32_t index = fabric.Take(fabric.receiveQueues);
    fabric.receiveQueues[index].posted = fabric.receiveQueues[index].taken = 0;
    fabric.Unlock();
    return index;
}

ibv_qp*
CreateQueuePair(ibv_pd* domain, const ibv_qp_init_attr& attributes, bool isExtended)
{
    auto& fabric = FakeFabric::Get();
    auto* pair = new FakeQueuePair{};
    pair->base.context = domain->context;
    pair->base.qp_context = attributes.qp_context;
    pair->base.pd = domain;
    pair->base.send_cq = attributes.send_cq;
    pair->base.recv_cq = attributes.recv_cq;
    pair->base.srq = attributes.srq;
    pair->base.qp_type = attributes.qp_type;
    pair->isExtended = isExtended;
    pair->signalsAll = attributes.sq_sig_all != 0;
    pair->maxSends = attributes.cap.max_send_wr;
    pair->initial = attributes;
    pair->receiveQueue = attributes.srq == nullptr
                             ? MakeReceives()
                             : reinterpret_cast<FakeReceiveQueue*>(attributes.srq)->index;
    if (isExtended)
    {
        FillFakeExtended(pair->extended);
    }
    fabric.Lock();
    auto& shared = fabric.queuePairs[fabric.Take(fabric.queuePairs)];
    shared.number = 0x100 + ++fabric.lastNumber;
    shared.receiveQueue = pair->receiveQueue;
    shared.receiveEntries = reinterpret_cast<FakeQueue*>(attributes.recv_cq)->index;
    shared.state = IBV_QPS_RESET;
    pair->base.qp_num = shared.number;
    fabric.Unlock();
    const std::lock_guard lock{FakeProcess::Get().mutex};
    FakeProcess::Get().queuePairs.push_back(pair);
    return &pair->base;
}

template <typename T>
void
Forget(std::vector<T*>& all, void* one)
{
    const std::lock_guard lock{FakeProcess::Get().mutex};
    all.erase(std::remove(all.begin(), all.end(), one), all.end());
}

} // namespace

extern "C"
{
    ibv_device** ibv_get_device_list(int* count)
    {
        const char* names[] = {"fake0", "noop0"};
        auto** list = static_cast<ibv_device**>(calloc(3, sizeof(ibv_device*)));
        for (int i = 0; i < 2; ++i)
        {
            ibv_device& device = g_devices[i].device;
            device.node_type = IBV_NODE_CA;
            device.transport_type = IBV_TRANSPORT_IB;
            std::strcpy(device.name, names[i]);
            std::strcpy(device.dev_name, names[i]);
            list[i] = &device;
        }
        if (count != nullptr)
        {
            *count = 2;
        }
        return list;
    }

    void ibv_free_device_list(ibv_device** list)
    {
        free(list);
    }

    const char* ibv_get_device_name(ibv_device* device)
    {
        return device->name;
    }

    __be64 ibv_get_device_guid(ibv_device*)
    {
        return 1;
    }

    ibv_context* ibv_open_device(ibv_device* device)
    {
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
        auto* extended = new verbs_context{};
        extended->sz = sizeof(verbs_context);
        extended->query_port = &QueryPort;
        extended->create_qp_ex = &CreateQueuePairEx;
        extended->create_cq_ex = &CreateQueueEx;
        ibv_context& context = extended->context;
        context.device = device;
        context.abi_compat = __VERBS_ABI_IS_EXTENDED;
        context.num_comp_vectors = 1;
        context.async_fd = context.cmd_fd = -1;
        FillFakeOperations(context.ops, std::strcmp(device->name, "noop0") == 0);
        return &context;
    }

    int ibv_close_device(ibv_context* context)
    {
        delete verbs_get_ctx(context);
        return 0;
    }

    int ibv_query_device(ibv_context*, ibv_device_attr* attributes)
    {
        *attributes = {};
        attributes->max_mr_size = 1ULL << 40;
        attributes->max_qp = 64;
        attributes->max_qp_wr = 4096;
        attributes->max_sge = 4;
        attributes->max_cq = 64;
        attributes->max_cqe = 8192;
        attributes->max_mr = 1024;
        attributes->max_pd = 64;
        attributes->max_qp_rd_atom = attributes->max_qp_init_rd_atom = 16;
        attributes->atomic_cap = IBV_ATOMIC_HCA;
        attributes->max_srq = 16;
        attributes->max_srq_wr = 1024;
        attributes->max_srq_sge = 4;
        attributes->phys_port_cnt = 1;
        return 0;
    }

    int ibv_query_port(ibv_context* context, uint8_t number, _compat_ibv_port_attr* attributes)
    {
        return QueryPort(context,
                         number,
                         reinterpret_cast<ibv_port_attr*>(attributes),
                         offsetof(ibv_port_attr, port_cap_flags2));
    }

    int ibv_query_gid(ibv_context*, uint8_t, int index, ibv_gid* gid)
    {
        *gid = GetGid(index);
        return index < 2 ? 0 : -1;
    }

    int _ibv_query_gid_ex(ibv_context*,
                          uint32_t port,
                          uint32_t index,
                          ibv_gid_entry* entry,
                          uint32_t,
                          size_t)
    {
        *entry = {};
        entry->gid = GetGid(static_cast<int>(index));
        entry->gid_index = index;
        entry->port_num = port;
        entry->gid_type = IBV_GID_TYPE_ROCE_V2;
        return index < 2 ? 0 : ENODATA;
    }

    int ibv_query_pkey(ibv_context*, uint8_t, int, __be16* key)
    {
        *key = 0xffff;
        return 0;
    }

    ibv_pd* ibv_alloc_pd(ibv_context* context)
    {
        return new ibv_pd{context, 0};
    }

    int ibv_dealloc_pd(ibv_pd* domain)
    {
        delete domain;
        return 0;
    }

    ibv_mr* ibv_reg_mr_iova2(ibv_pd* domain, void* address, size_t length, uint64_t, unsigned)
    {
        static std::atomic<uint32_t> lastKey{0x1000};
        auto* region = new FakeRegion{};
        region->base.context = domain->context;
        region->base.pd = domain;
        region->base.addr = address;
        region->base.length = length;
        region->base.lkey = region->base.rkey = ++lastKey;
        return &region->base;
    }

    ibv_mr* ibv_reg_mr_iova(ibv_pd* domain, void* address, size_t length, uint64_t iova, int access)
    {
        return ibv_reg_mr_iova2(domain, address, length, iova, static_cast<unsigned>(access));
    }

    // As in libibverbs, one call uses another by its public name.
    ibv_mr* ibv_reg_mr(ibv_pd* domain, void* address, size_t length, int access)
    {
        return ibv_reg_mr_iova2(domain,
                                address,
                                length,
                                reinterpret_cast<uintptr_t>(address),
                                static_cast<unsigned>(access));
    }

    int ibv_rereg_mr(ibv_mr* region, int flags, ibv_pd* domain, void* address, size_t length, int)
    {
        if ((flags & IBV_REREG_MR_CHANGE_PD) != 0)
        {
            region->pd = domain;
        }
        if ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0)
        {
            region->addr = address;
            region->length = length;
        }
        return 0;
    }

    int ibv_dereg_mr(ibv_mr* region)
    {
        delete reinterpret_cast<FakeRegion*>(region);
        return 0;
    }

    ibv_comp_channel* ibv_create_comp_channel(ibv_context* context)
    {
        int ends[2];
        if (pipe(ends) != 0)
        {
            return nullptr;
        }
        FakeProcess::Get().StartEvents();
        // The other end lies where libibverbs counts queues.
        return new ibv_comp_channel{context, ends[0], ends[1]};
    }

    int ibv_destroy_comp_channel(ibv_comp_channel* channel)
    {
        close(channel->fd);
        close(channel->refcnt);
        delete channel;
        return 0;
    }

    ibv_cq* ibv_create_cq(ibv_context* context,
                          int entries,
                          void* own,
                          ibv_comp_channel* channel,
                          int)
    {
        return ibv_cq_ex_to_cq(&MakeQueue(context, entries, own, channel)->base);
    }

    int ibv_resize_cq(ibv_cq* queue, int entries)
    {
        queue->cqe = entries;
        return 0;
    }

    int ibv_destroy_cq(ibv_cq* queue)
    {
        auto* fake = reinterpret_cast<FakeQueue*>(queue);
        Forget(FakeProcess::Get().queues, fake);
        FakeFabric::Get().queues[fake->index].owner = 0;
        delete fake;
        return 0;
    }

    int ibv_get_cq_event(ibv_comp_channel* channel, ibv_cq** queue, void** own)
    {
        if (read(channel->fd, queue, sizeof(*queue)) != sizeof(*queue))
        {
            return -1;
        }
        *own = (*queue)->cq_context;
        return 0;
    }

    void ibv_ack_cq_events(ibv_cq*, unsigned) {}

    ibv_srq* ibv_create_srq(ibv_pd* domain, ibv_srq_init_attr* attributes)
    {
        auto* queue = new FakeReceiveQueue{};
        queue->base.context = domain->context;
        queue->base.srq_context = attributes->srq_context;
        queue->base.pd = domain;
        queue->index = MakeReceives();
        return &queue->base;
    }

    int ibv_modify_srq(ibv_srq*, ibv_srq_attr*, int)
    {
        return 0;
    }

    int ibv_destroy_srq(ibv_srq* queue)
    {
        auto* fake = reinterpret_cast<FakeReceiveQueue*>(queue);
        FakeFabric::Get().receiveQueues[fake->index].owner = 0;
        delete fake;
        return 0;
    }

    ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* attributes)
    {
        return CreateQueuePair(domain, *attributes, false);
    }

    ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp* queuePair)
    {
        auto* pair = reinterpret_cast<FakeQueuePair*>(queuePair);
        return pair->isExtended ? &pair->extended : nullptr;
    }

    int ibv_modify_qp(ibv_qp* queuePair, ibv_qp_attr* attributes, int mask)
    {
        auto& pair = *reinterpret_cast<FakeQueuePair*>(queuePair);
        auto& fabric = FakeFabric::Get();
        const std::lock_guard lock{FakeProcess::Get().mutex};
        if ((mask & IBV_QP_DEST_QPN) != 0)
        {
            pair.attributes.dest_qp_num = attributes->dest_qp_num;
        }
        if ((mask & IBV_QP_STATE) == 0)
        {
            return 0;
        }
        if (attributes->qp_state == IBV_QPS_RTS && queuePair->state < IBV_QPS_RTR)
        {
            return EINVAL;
        }
        queuePair->state = pair.attributes.qp_state = attributes->qp_state;
        fabric.Lock();
        fabric.Find(queuePair->qp_num)->state = attributes->qp_state;
        fabric.Unlock();
        if (attributes->qp_state == IBV_QPS_ERR)
        {
            FlushFake(pair);
        }
        return 0;
    }

    int ibv_query_qp(ibv_qp* queuePair, ibv_qp_attr* attributes, int, ibv_qp_init_attr* initial)
    {
        auto& pair = *reinterpret_cast<FakeQueuePair*>(queuePair);
        *attributes = pair.attributes;
        attributes->cap = pair.initial.cap;
        *initial = pair.initial;
        return 0;
    }

    int ibv_destroy_qp(ibv_qp* queuePair)
    {
        auto* pair = reinterpret_cast<FakeQueuePair*>(queuePair);
        auto& fabric = FakeFabric::Get();
        Forget(FakeProcess::Get().queuePairs, pair);
        fabric.Lock();
        fabric.Find(queuePair->qp_num)->owner = 0;
        if (queuePair->srq == nullptr)
        {
            fabric.receiveQueues[pair->receiveQueue].owner = 0;
        }
        fabric.Unlock();
        delete pair;
        return 0;
    }

    ibv_ah* ibv_create_ah(ibv_pd* domain, ibv_ah_attr*)
    {
        return new ibv_ah{domain->context, domain, 0};
    }

    int ibv_destroy_ah(ibv_ah* handle)
    {
        delete handle;
        return 0;
    }
}
