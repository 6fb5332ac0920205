// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/details.h"
#include "live/device-hooks.h"
#include "live/real-function.h"

#include <cerrno>
#include <rdma/rdma_cma.h>

/**
 * @file
 * rdma_cm: calls and events. Queue pairs that it makes and moves are recorded by the verbs calls
 * that it uses.
 */
namespace
{

using namespace ns3::rdma;

constexpr const char* LIBRARY = "librdmacm.so.1";

/** The object of an identifier; one that rdma_cm made itself, for a request, is new. */
LiveObject&
NeedIdentifier(rdma_cm_id* id)
{
    if (LiveObject* object = LiveObjects::Get().Find(id))
    {
        return *object;
    }
    ControlCall call{ControlCall::Scope::UNSEEN};
    return *call.Create(id, ObjectKind::CM_ID, nullptr, {});
}

/** Where an identifier stands. */
ConnectionStep
MakeStep(ConnectionStep::Call call, rdma_cm_id* id)
{
    return {.call = call,
            .queuePair = LiveObjects::Get().FindId(id->qp),
            .source = ToGid(rdma_get_local_addr(id)),
            .destination = ToGid(rdma_get_peer_addr(id)),
            .sourcePort = ToPort(rdma_get_local_addr(id)),
            .destinationPort = ToPort(rdma_get_peer_addr(id))};
}

/** Records a call on an identifier, around it. */
template <typename Real>
int
RecordStep(ConnectionStep::Call step, rdma_cm_id* id, Real real)
{
    LiveObject& object = NeedIdentifier(id);
    ControlCall call{ControlCall::Scope::CONNECTION};
    const int result = real();
    ConnectionStep detail = MakeStep(step, id);
    detail.status = result == 0 ? 0 : errno;
    call.Change(ControlVerb::CM, object, ToBytes(detail), result);
    return result;
}

} // namespace

RDMASIM_HOOK int
rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space space)
{
    RDMASIM_REAL(LIBRARY, rdma_create_id);
    ControlCall call{ControlCall::Scope::CONNECTION};
    const int result = real(channel, id, context, space);
    call.Create(result == 0 ? *id : nullptr, ObjectKind::CM_ID, nullptr, {});
    return result;
}

RDMASIM_HOOK int
rdma_destroy_id(rdma_cm_id* id)
{
    RDMASIM_REAL(LIBRARY, rdma_destroy_id);
    ControlCall call{ControlCall::Scope::CONNECTION};
    call.BeginDestroy(id);
    return call.EndDestroy(real(id));
}

RDMASIM_HOOK int
rdma_bind_addr(rdma_cm_id* id, sockaddr* address)
{
    RDMASIM_REAL(LIBRARY, rdma_bind_addr);
    return RecordStep(ConnectionStep::Call::BIND, id, [&]() { return real(id, address); });
}

RDMASIM_HOOK int
rdma_resolve_addr(rdma_cm_id* id, sockaddr* source, sockaddr* destination, int timeout)
{
    RDMASIM_REAL(LIBRARY, rdma_resolve_addr);
    return RecordStep(ConnectionStep::Call::RESOLVE_ADDR,
                      id,
                      [&]() { return real(id, source, destination, timeout); });
}

RDMASIM_HOOK int
rdma_resolve_route(rdma_cm_id* id, int timeout)
{
    RDMASIM_REAL(LIBRARY, rdma_resolve_route);
    return RecordStep(ConnectionStep::Call::RESOLVE_ROUTE, id, [&]() { return real(id, timeout); });
}

RDMASIM_HOOK int
rdma_listen(rdma_cm_id* id, int backlog)
{
    RDMASIM_REAL(LIBRARY, rdma_listen);
    return RecordStep(ConnectionStep::Call::LISTEN, id, [&]() { return real(id, backlog); });
}

RDMASIM_HOOK int
rdma_connect(rdma_cm_id* id, rdma_conn_param* parameters)
{
    RDMASIM_REAL(LIBRARY, rdma_connect);
    return RecordStep(ConnectionStep::Call::CONNECT, id, [&]() { return real(id, parameters); });
}

RDMASIM_HOOK int
rdma_accept(rdma_cm_id* id, rdma_conn_param* parameters)
{
    RDMASIM_REAL(LIBRARY, rdma_accept);
    return RecordStep(ConnectionStep::Call::ACCEPT, id, [&]() { return real(id, parameters); });
}

RDMASIM_HOOK int
rdma_reject(rdma_cm_id* id, const void* data, uint8_t length)
{
    RDMASIM_REAL(LIBRARY, rdma_reject);
    return RecordStep(ConnectionStep::Call::REJECT, id, [&]() { return real(id, data, length); });
}

RDMASIM_HOOK int
rdma_disconnect(rdma_cm_id* id)
{
    RDMASIM_REAL(LIBRARY, rdma_disconnect);
    return RecordStep(ConnectionStep::Call::DISCONNECT, id, [&]() { return real(id); });
}

RDMASIM_HOOK int
rdma_get_cm_event(rdma_event_channel* channel, rdma_cm_event** event)
{
    RDMASIM_REAL(LIBRARY, rdma_get_cm_event);
    ControlCall call{ControlCall::Scope::CONNECTION};
    const int result = real(channel, event);
    if (result == 0)
    {
        const int error = errno;
        const LiveObject& object = NeedIdentifier((*event)->id);
        ConnectionStep detail = MakeStep(ConnectionStep::Call::EVENT, (*event)->id);
        detail.event = static_cast<uint8_t>((*event)->event);
        detail.status = (*event)->status;
        call.Change(ControlVerb::CM, object, ToBytes(detail), 0);
        errno = error;
    }
    return result;
}
