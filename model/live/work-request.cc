// SPDX-License-Identifier: GPL-2.0-only
#include "live/work-request.h"

#include <endian.h>

namespace ns3::rdma
{

void
FillSendExtension(RawOperation* raw, const ibv_send_wr& request, ibv_qp_type type)
{
    RawExtension extension{};
    switch (request.opcode)
    {
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_SEND_WITH_IMM:
        extension.immediate = be32toh(request.imm_data);
        break;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
        extension.swap = request.wr.atomic.swap;
        extension.compareAdd = request.wr.atomic.compare_add;
        break;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        extension.compareAdd = request.wr.atomic.compare_add;
        break;
    default:
        break;
    }
    if (type == IBV_QPT_UD)
    {
        raw->other = LiveObjects::Get().FindId(request.wr.ud.ah);
        extension.remoteQp = request.wr.ud.remote_qpn;
    }
    std::memcpy(static_cast<void*>(raw + 1), &extension, sizeof(extension));
}

} // namespace ns3::rdma
