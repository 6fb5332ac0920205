// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <cstring>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

/**
 * @file
 * rdma_cm for the fake device, over TCP: what rping needs of it.
 *
 * As in librdmacm, queue pairs become ready within rdma_accept, and within the rdma_get_cm_event
 * that tells of the connection.
 */
namespace
{

struct FakeChannel
{
    rdma_event_channel base;
    int input; ///< where pointers to events are written
};

struct FakeId
{
    rdma_cm_id base;
    int socket{-1};
    uint32_t peer{0}; ///< its queue pair
};

FakeId&
Of(rdma_cm_id* id)
{
    return *reinterpret_cast<FakeId*>(id);
}

ibv_context*
GetDevice()
{
    static ibv_context* context = ibv_open_device(ibv_get_device_list(nullptr)[0]);
    return context;
}

void
Tell(rdma_cm_id* id, rdma_cm_event_type type, rdma_cm_id* listener = nullptr)
{
    auto* event = new rdma_cm_event{};
    event->id = id;
    event->listen_id = listener;
    event->event = type;
    event->param.conn.initiator_depth = event->param.conn.responder_resources = 1;
    const int output = reinterpret_cast<FakeChannel*>(id->channel)->input;
    static_cast<void>(!write(output, &event, sizeof(event)));
}

rdma_cm_id*
MakeId(rdma_event_channel* channel, void* context)
{
    auto* id = new FakeId{};
    id->base.channel = channel;
    id->base.context = context;
    id->base.ps = RDMA_PS_TCP;
    id->base.port_num = 1;
    return &id->base;
}

/** Waits for the peer to hang up. */
void
WatchEnd(rdma_cm_id* id)
{
    char byte = 0;
    static_cast<void>(!read(Of(id).socket, &byte, 1));
    Tell(id, RDMA_CM_EVENT_DISCONNECTED);
}

void
Connect(rdma_cm_id* id)
{
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_RTR;
    attributes.dest_qp_num = Of(id).peer;
    ibv_modify_qp(id->qp, &attributes, IBV_QP_STATE | IBV_QP_DEST_QPN);
    attributes.qp_state = IBV_QPS_RTS;
    ibv_modify_qp(id->qp, &attributes, IBV_QP_STATE);
    std::thread{WatchEnd, id}.detach();
}

void
AcceptAll(rdma_cm_id* listener)
{
    while (true)
    {
        const int socket = accept(Of(listener).socket, nullptr, nullptr);
        if (socket < 0)
        {
            return;
        }
        rdma_cm_id* id = MakeId(listener->channel, listener->context);
        Of(id).socket = socket;
        id->verbs = GetDevice();
        id->route.addr = listener->route.addr;
        static_cast<void>(!read(socket, &Of(id).peer, sizeof(Of(id).peer)));
        Tell(id, RDMA_CM_EVENT_CONNECT_REQUEST, listener);
    }
}

void
WaitForReply(rdma_cm_id* id)
{
    const bool isGood = read(Of(id).socket, &Of(id).peer, sizeof(Of(id).peer)) == sizeof(uint32_t);
    Tell(id, isGood ? RDMA_CM_EVENT_ESTABLISHED : RDMA_CM_EVENT_REJECTED);
}

} // namespace

extern "C"
{
    rdma_event_channel* rdma_create_event_channel()
    {
        int ends[2];
        if (pipe(ends) != 0)
        {
            return nullptr;
        }
        auto* channel = new FakeChannel{};
        channel->base.fd = ends[0];
        channel->input = ends[1];
        return &channel->base;
    }

    void rdma_destroy_event_channel(rdma_event_channel* channel)
    {
        // Threads of connections may still tell it something: its memory stays.
        close(channel->fd);
    }

    int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space)
    {
        *id = MakeId(channel, context);
        return 0;
    }

    int rdma_destroy_id(rdma_cm_id* id)
    {
        shutdown(Of(id).socket, SHUT_RDWR);
        return 0;
    }

    int rdma_bind_addr(rdma_cm_id* id, sockaddr* address)
    {
        std::memcpy(&id->route.addr.src_addr, address, sizeof(sockaddr_in));
        return 0;
    }

    int rdma_listen(rdma_cm_id* id, int backlog)
    {
        const int yes = 1;
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        Of(id).socket = socket;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (bind(socket, &id->route.addr.src_addr, sizeof(sockaddr_in)) != 0 ||
            listen(socket, backlog == 0 ? 1 : backlog) != 0)
        {
            return -1;
        }
        std::thread{AcceptAll, id}.detach();
        return 0;
    }

    int rdma_resolve_addr(rdma_cm_id* id, sockaddr*, sockaddr* destination, int)
    {
        std::memcpy(&id->route.addr.dst_addr, destination, sizeof(sockaddr_in));
        id->verbs = GetDevice();
        Tell(id, RDMA_CM_EVENT_ADDR_RESOLVED);
        return 0;
    }

    int rdma_resolve_route(rdma_cm_id* id, int)
    {
        Tell(id, RDMA_CM_EVENT_ROUTE_RESOLVED);
        return 0;
    }

    int rdma_create_qp(rdma_cm_id* id, ibv_pd* domain, ibv_qp_init_attr* attributes)
    {
        id->qp = ibv_create_qp(domain, attributes);
        ibv_qp_attr first{};
        first.qp_state = IBV_QPS_INIT;
        first.port_num = 1;
        ibv_modify_qp(id->qp, &first, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX);
        return 0;
    }

    void rdma_destroy_qp(rdma_cm_id* id)
    {
        ibv_destroy_qp(id->qp);
        id->qp = nullptr;
    }

    int rdma_connect(rdma_cm_id* id, rdma_conn_param*)
    {
        Of(id).socket = ::socket(AF_INET, SOCK_STREAM, 0);
        if (connect(Of(id).socket, &id->route.addr.dst_addr, sizeof(sockaddr_in)) != 0)
        {
            return -1;
        }
        static_cast<void>(!write(Of(id).socket, &id->qp->qp_num, sizeof(uint32_t)));
        std::thread{WaitForReply, id}.detach();
        return 0;
    }

    int rdma_accept(rdma_cm_id* id, rdma_conn_param*)
    {
        static_cast<void>(!write(Of(id).socket, &id->qp->qp_num, sizeof(uint32_t)));
        Connect(id);
        Tell(id, RDMA_CM_EVENT_ESTABLISHED);
        return 0;
    }

    int rdma_disconnect(rdma_cm_id* id)
    {
        ibv_qp_attr attributes{};
        attributes.qp_state = IBV_QPS_ERR;
        ibv_modify_qp(id->qp, &attributes, IBV_QP_STATE);
        shutdown(Of(id).socket, SHUT_RDWR);
        return 0;
    }

    int rdma_get_cm_event(rdma_event_channel* channel, rdma_cm_event** event)
    {
        if (read(channel->fd, event, sizeof(*event)) != sizeof(*event))
        {
            return -1;
        }
        rdma_cm_id* id = (*event)->id;
        if ((*event)->event == RDMA_CM_EVENT_ESTABLISHED && id->qp->state == IBV_QPS_INIT)
        {
            Connect(id);
        }
        return 0;
    }

    int rdma_ack_cm_event(rdma_cm_event* event)
    {
        delete event;
        return 0;
    }
}
