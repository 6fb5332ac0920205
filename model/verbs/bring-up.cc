// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/bring-up.h"

#include <array>

namespace ns3::rdma
{

std::optional<Diagnostic>
BringToReadyToSend(VerbsDevice& device, Qpn qpn, QueuePairAttributes attributes, SimTime now)
{
    attributes.state = QueuePairState::RTS;
    return BringUp(device, qpn, attributes, now);
}

std::optional<Diagnostic>
BringUp(VerbsDevice& device, Qpn qpn, QueuePairAttributes attributes, SimTime now)
{
    const QueuePairState last = attributes.state;
    struct Step
    {
        QueuePairState state;
        uint32_t mask;
    };

    constexpr std::array STEPS{
        Step{QueuePairState::INIT, QP_STATE | QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS},
        Step{QueuePairState::RTR,
             QP_STATE | QP_AV | QP_PATH_MTU | QP_DEST_QPN | QP_RQ_PSN | QP_MAX_DEST_RD_ATOMIC |
                 QP_MIN_RNR_TIMER},
        Step{QueuePairState::RTS,
             QP_STATE | QP_TIMEOUT | QP_RETRY_CNT | QP_RNR_RETRY | QP_SQ_PSN | QP_MAX_QP_RD_ATOMIC |
                 QP_RATE_LIMIT},
    };
    for (const Step& step : STEPS)
    {
        if (step.state > last)
        {
            break;
        }
        attributes.state = step.state;
        if (auto error = device.ModifyQueuePair(qpn, attributes, step.mask, now))
        {
            return error;
        }
    }
    return std::nullopt;
}

} // namespace ns3::rdma
