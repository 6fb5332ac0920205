// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/live-object.h"
#include "live/thread-log.h"

#include <cstring>
#include <infiniband/verbs.h>

namespace ns3::rdma
{

/** @name Work requests and completions into slots of a log. @{ */

/** Elements that a slot can count. */
constexpr int MOST_ELEMENTS = 255;

/** The scatter/gather list: count, sum, and the first element's address and key. */
inline void
FillElements(RawOperation* raw, const ibv_sge* elements, int count)
{
    uint64_t bytes = 0;
    for (int i = 0; i < count; ++i)
    {
        bytes += elements[i].length;
    }
    raw->elements = static_cast<uint8_t>(count < MOST_ELEMENTS ? count : MOST_ELEMENTS);
    raw->bytes = bytes;
    raw->localAddress = count > 0 ? elements[0].addr : 0;
    raw->localKey = count > 0 ? elements[0].lkey : 0;
}

/** Whether a request has more than one slot holds. */
inline bool
NeedsExtension(const ibv_send_wr& request, ibv_qp_type type)
{
    constexpr unsigned EXTENDED = 1U << IBV_WR_RDMA_WRITE_WITH_IMM | 1U << IBV_WR_SEND_WITH_IMM |
                                  1U << IBV_WR_ATOMIC_CMP_AND_SWP |
                                  1U << IBV_WR_ATOMIC_FETCH_AND_ADD;
    return type == IBV_QPT_UD || (EXTENDED >> request.opcode & 1) != 0;
}

/** Fills all but time, kind and object; the second slot is there if NeedsExtension said so. */
void FillSendExtension(RawOperation* raw, const ibv_send_wr& request, ibv_qp_type type);

/** What an ibv_send_wr says beside its elements, without a second slot. */
inline void
FillSend(RawOperation* raw, const ibv_send_wr& request)
{
    raw->opcode = static_cast<uint8_t>(request.opcode);
    raw->flags = static_cast<uint8_t>(request.send_flags);
    raw->status = 0;
    raw->wrId = request.wr_id;
    raw->remoteAddress = 0;
    raw->rkey = 0;
    FillElements(raw, request.sg_list, request.num_sge);
    switch (request.opcode)
    {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_RDMA_READ:
        raw->remoteAddress = request.wr.rdma.remote_addr;
        raw->rkey = request.wr.rdma.rkey;
        break;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        raw->remoteAddress = request.wr.atomic.remote_addr;
        raw->rkey = request.wr.atomic.rkey;
        break;
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_LOCAL_INV:
        raw->rkey = request.invalidate_rkey;
        break;
    case IBV_WR_BIND_MW:
        raw->rkey = request.bind_mw.rkey;
        raw->other = LiveObjects::Get().FindId(request.bind_mw.mw);
        raw->remoteAddress = request.bind_mw.bind_info.addr;
        raw->bytes = request.bind_mw.bind_info.length;
        raw->localKey =
            request.bind_mw.bind_info.mr == nullptr ? 0 : request.bind_mw.bind_info.mr->lkey;
        break;
    default:
        break;
    }
}

/** A receive: all but time, kind and object. */
inline void
FillReceive(RawOperation* raw, const ibv_recv_wr& request)
{
    raw->opcode = 0;
    raw->flags = 0;
    raw->status = 0;
    raw->wrId = request.wr_id;
    raw->remoteAddress = 0;
    raw->rkey = 0;
    FillElements(raw, request.sg_list, request.num_sge);
}

/** @} */

} // namespace ns3::rdma
