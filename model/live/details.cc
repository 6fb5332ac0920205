// SPDX-License-Identifier: GPL-2.0-only
#include "live/details.h"

#include "live/live-object.h"

#include <algorithm>
#include <cstring>
#include <netinet/in.h>

namespace ns3::rdma
{

Gid
ToGid(const ibv_gid& gid)
{
    Gid result{};
    std::memcpy(result.data(), gid.raw, result.size());
    return result;
}

Gid
ToGid(const sockaddr* address)
{
    constexpr std::size_t MAPPED_PREFIX = 10; // bytes of zero, then two of 0xff
    constexpr std::byte ONES{0xff};
    Gid result{};
    if (address == nullptr)
    {
        return result;
    }
    if (address->sa_family == AF_INET6)
    {
        const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
        std::memcpy(result.data(), &six->sin6_addr, result.size());
    }
    else if (address->sa_family == AF_INET)
    {
        const auto* four = reinterpret_cast<const sockaddr_in*>(address);
        result[MAPPED_PREFIX] = result[MAPPED_PREFIX + 1] = ONES;
        std::memcpy(result.data() + MAPPED_PREFIX + 2, &four->sin_addr, sizeof(four->sin_addr));
    }
    return result;
}

uint16_t
ToPort(const sockaddr* address)
{
    if (address != nullptr && address->sa_family == AF_INET6)
    {
        return ntohs(reinterpret_cast<const sockaddr_in6*>(address)->sin6_port);
    }
    if (address != nullptr && address->sa_family == AF_INET)
    {
        return ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port);
    }
    return 0;
}

QueuePairDetail
ToDetail(const ibv_qp& queuePair, const ibv_qp_init_attr& attributes)
{
    const LiveObjects& objects = LiveObjects::Get();
    return {.type = static_cast<uint8_t>(attributes.qp_type),
            .signalsAll = attributes.sq_sig_all != 0,
            .number = queuePair.qp_num,
            .protectionDomain = objects.FindId(queuePair.pd),
            .sendQueue = objects.FindId(attributes.send_cq),
            .receiveQueue = objects.FindId(attributes.recv_cq),
            .sharedReceiveQueue = objects.FindId(attributes.srq),
            .maxSendRequests = attributes.cap.max_send_wr,
            .maxReceiveRequests = attributes.cap.max_recv_wr,
            .maxSendElements = attributes.cap.max_send_sge,
            .maxReceiveElements = attributes.cap.max_recv_sge,
            .maxInlineBytes = attributes.cap.max_inline_data};
}

QueuePairChange
ToChange(const ibv_qp_attr& attributes, int mask, int result)
{
    QueuePairChange change;
    const auto has = [mask](ibv_qp_attr_mask field) { return (mask & field) != 0; };
    const auto take = [&has](ibv_qp_attr_mask field, auto& target, auto value)
    {
        if (has(field))
        {
            target = static_cast<std::remove_reference_t<decltype(target)>>(value);
        }
    };
    change.mask = static_cast<uint32_t>(mask);
    change.result = result;
    take(IBV_QP_STATE, change.state, attributes.qp_state);
    take(IBV_QP_CUR_STATE, change.currentState, attributes.cur_qp_state);
    take(IBV_QP_PATH_MTU, change.pathMtu, attributes.path_mtu);
    take(IBV_QP_PORT, change.port, attributes.port_num);
    take(IBV_QP_TIMEOUT, change.timeout, attributes.timeout);
    take(IBV_QP_RETRY_CNT, change.retryCount, attributes.retry_cnt);
    take(IBV_QP_RNR_RETRY, change.rnrRetry, attributes.rnr_retry);
    take(IBV_QP_MIN_RNR_TIMER, change.minRnrTimer, attributes.min_rnr_timer);
    take(IBV_QP_MAX_QP_RD_ATOMIC, change.maxReadAtomic, attributes.max_rd_atomic);
    take(IBV_QP_MAX_DEST_RD_ATOMIC, change.maxDestReadAtomic, attributes.max_dest_rd_atomic);
    take(IBV_QP_PKEY_INDEX, change.pkeyIndex, attributes.pkey_index);
    take(IBV_QP_ACCESS_FLAGS, change.accessFlags, attributes.qp_access_flags);
    take(IBV_QP_QKEY, change.qkey, attributes.qkey);
    take(IBV_QP_RQ_PSN, change.receivePsn, attributes.rq_psn);
    take(IBV_QP_SQ_PSN, change.sendPsn, attributes.sq_psn);
    take(IBV_QP_DEST_QPN, change.destinationQp, attributes.dest_qp_num);
    take(IBV_QP_RATE_LIMIT, change.rateLimit, attributes.rate_limit);
    if (has(IBV_QP_AV))
    {
        const ibv_ah_attr& vector = attributes.ah_attr;
        change.port = has(IBV_QP_PORT) ? change.port : vector.port_num;
        change.serviceLevel = vector.sl;
        change.dlid = vector.dlid;
        if (vector.is_global != 0)
        {
            change.hopLimit = vector.grh.hop_limit;
            change.trafficClass = vector.grh.traffic_class;
            change.sgidIndex = vector.grh.sgid_index;
            change.flowLabel = vector.grh.flow_label;
            change.destination = ToGid(vector.grh.dgid);
        }
    }
    return change;
}

AddressHandleDetail
ToDetail(const ibv_pd* domain, const ibv_ah_attr& attributes)
{
    AddressHandleDetail detail{.protectionDomain = LiveObjects::Get().FindId(domain),
                               .dlid = attributes.dlid,
                               .serviceLevel = attributes.sl};
    if (attributes.is_global != 0)
    {
        detail.destination = ToGid(attributes.grh.dgid);
        detail.trafficClass = attributes.grh.traffic_class;
    }
    return detail;
}

MemoryRegionDetail
ToDetail(const ibv_mr& region, uint64_t iova, unsigned access)
{
    return {.protectionDomain = LiveObjects::Get().FindId(region.pd),
            .address = reinterpret_cast<uintptr_t>(region.addr),
            .iova = iova,
            .bytes = region.length,
            .access = access,
            .lkey = region.lkey,
            .rkey = region.rkey};
}

} // namespace ns3::rdma
