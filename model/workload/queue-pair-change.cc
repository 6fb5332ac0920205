// SPDX-License-Identifier: GPL-2.0-only
#include "workload/queue-pair-change.h"

#include "verbs/access.h"

namespace ns3::rdma
{

void
MergeChange(QueuePairChange& to, const QueuePairChange& from)
{
    const auto copy = [&](uint32_t bit, auto member)
    {
        if ((from.mask & bit) != 0)
        {
            to.*member = from.*member;
        }
    };
    copy(QP_ACCESS_FLAGS, &QueuePairChange::accessFlags);
    copy(QP_PATH_MTU, &QueuePairChange::pathMtu);
    copy(QP_TIMEOUT, &QueuePairChange::timeout);
    copy(QP_RETRY_CNT, &QueuePairChange::retryCount);
    copy(QP_RNR_RETRY, &QueuePairChange::rnrRetry);
    copy(QP_RQ_PSN, &QueuePairChange::receivePsn);
    copy(QP_SQ_PSN, &QueuePairChange::sendPsn);
    copy(QP_MAX_QP_RD_ATOMIC, &QueuePairChange::maxReadAtomic);
    copy(QP_MAX_DEST_RD_ATOMIC, &QueuePairChange::maxDestReadAtomic);
    copy(QP_MIN_RNR_TIMER, &QueuePairChange::minRnrTimer);
    copy(QP_DEST_QPN, &QueuePairChange::destinationQp);
    copy(QP_RATE_LIMIT, &QueuePairChange::rateLimit);
    copy(QP_AV, &QueuePairChange::trafficClass);
    copy(QP_AV, &QueuePairChange::serviceLevel);
    copy(QP_AV, &QueuePairChange::hopLimit);
    copy(QP_AV, &QueuePairChange::destination);
    to.mask |= from.mask;
}

std::string
NameQueuePairType(uint8_t type)
{
    switch (type)
    {
    case 2:
        return "RC";
    case 3:
        return "UC";
    case 4:
        return "UD";
    case 8:
        return "raw packet";
    case 9:
    case 10:
        return "XRC";
    default:
        return "type " + std::to_string(type);
    }
}

void
TakeOverAttributes(const QueuePairChange& change, QueuePairAttributes& attributes)
{
    constexpr uint64_t KILOBIT = 1000;
    constexpr unsigned FIRST_MTU_BIT = 7; // ibv_mtu: 1 is 256
    const auto has = [&](uint32_t bit) { return (change.mask & bit) != 0; };
    const auto copy = [&](uint32_t bit, auto from, auto to)
    {
        if (has(bit))
        {
            attributes.*to = change.*from;
        }
    };
    copy(QP_TIMEOUT, &QueuePairChange::timeout, &QueuePairAttributes::timeout);
    copy(QP_RETRY_CNT, &QueuePairChange::retryCount, &QueuePairAttributes::retryCount);
    copy(QP_RNR_RETRY, &QueuePairChange::rnrRetry, &QueuePairAttributes::rnrRetry);
    copy(QP_MIN_RNR_TIMER, &QueuePairChange::minRnrTimer, &QueuePairAttributes::minRnrTimer);
    copy(QP_MAX_QP_RD_ATOMIC, &QueuePairChange::maxReadAtomic, &QueuePairAttributes::maxReadAtomic);
    copy(QP_MAX_DEST_RD_ATOMIC,
         &QueuePairChange::maxDestReadAtomic,
         &QueuePairAttributes::maxDestReadAtomic);
    if (has(QP_ACCESS_FLAGS))
    {
        attributes.accessFlags = static_cast<uint8_t>(change.accessFlags & ACCESS_ALL);
    }
    if (has(QP_PATH_MTU) && change.pathMtu >= 1 && change.pathMtu <= 5)
    {
        attributes.pathMtu = static_cast<uint16_t>(1U << (FIRST_MTU_BIT + change.pathMtu));
    }
    if (has(QP_RQ_PSN))
    {
        attributes.receivePsn = Psn{change.receivePsn};
    }
    if (has(QP_SQ_PSN))
    {
        attributes.sendPsn = Psn{change.sendPsn};
    }
    if (has(QP_RATE_LIMIT))
    {
        attributes.rateLimit = BitRate{change.rateLimit * KILOBIT};
    }
    if (has(QP_AV))
    {
        attributes.address.trafficClass = change.trafficClass;
        attributes.address.hopLimit = change.hopLimit == 0 ? uint8_t{64} : change.hopLimit;
    }
}

} // namespace ns3::rdma
