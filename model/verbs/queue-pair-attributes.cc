// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/queue-pair-attributes.h"

namespace ns3::rdma
{

std::string_view
ToString(QueuePairState state)
{
    switch (state)
    {
    case QueuePairState::RESET:
        return "RESET";
    case QueuePairState::INIT:
        return "INIT";
    case QueuePairState::RTR:
        return "RTR";
    case QueuePairState::RTS:
        return "RTS";
    case QueuePairState::SQD:
        return "SQD";
    case QueuePairState::SQE:
        return "SQE";
    case QueuePairState::ERR:
        return "ERR";
    }
    return "UNKNOWN";
}

std::string_view
ToString(QueuePairType type)
{
    switch (type)
    {
    case QueuePairType::RC:
        return "RC";
    case QueuePairType::UC:
        return "UC";
    case QueuePairType::UD:
        return "UD";
    }
    return "UNKNOWN";
}

std::string_view
ToString(QueuePairMask bit)
{
    switch (bit)
    {
    case QP_STATE:
        return "qp_state";
    case QP_CUR_STATE:
        return "cur_qp_state";
    case QP_EN_SQD_ASYNC_NOTIFY:
        return "en_sqd_async_notify";
    case QP_ACCESS_FLAGS:
        return "qp_access_flags";
    case QP_PKEY_INDEX:
        return "pkey_index";
    case QP_PORT:
        return "port_num";
    case QP_QKEY:
        return "qkey";
    case QP_AV:
        return "ah_attr";
    case QP_PATH_MTU:
        return "path_mtu";
    case QP_TIMEOUT:
        return "timeout";
    case QP_RETRY_CNT:
        return "retry_cnt";
    case QP_RNR_RETRY:
        return "rnr_retry";
    case QP_RQ_PSN:
        return "rq_psn";
    case QP_MAX_QP_RD_ATOMIC:
        return "max_rd_atomic";
    case QP_ALT_PATH:
        return "alt_ah_attr";
    case QP_MIN_RNR_TIMER:
        return "min_rnr_timer";
    case QP_SQ_PSN:
        return "sq_psn";
    case QP_MAX_DEST_RD_ATOMIC:
        return "max_dest_rd_atomic";
    case QP_PATH_MIG_STATE:
        return "path_mig_state";
    case QP_CAP:
        return "cap";
    case QP_DEST_QPN:
        return "dest_qp_num";
    case QP_RATE_LIMIT:
        return "rate_limit";
    }
    return "attr_mask";
}

std::string
ToFieldNames(uint32_t mask)
{
    std::string names;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    {
        const uint32_t lowest = rest & (~rest + 1);
        names += names.empty() ? "" : ", ";
        names += ToString(static_cast<QueuePairMask>(lowest));
    }
    return names.empty() ? "nothing" : names;
}

} // namespace ns3::rdma
