// SPDX-License-Identifier: GPL-2.0-only
#include "transport/rc-policies.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

/**
 * rdma_rxe of Linux 6.1, from its source (drivers/infiniband/sw/rxe) and from captures of it.
 *
 * AckReq on the 66th packet since the last: noack_pkts++ > RXE_MAX_PKT_PER_ACK (64), rxe_req.c.
 * 129 packets unacknowledged: RXE_MAX_UNACKED_PSNS (128) beyond the oldest, rxe_req.c.
 * retry_cnt 7 is not counted down, rxe_comp.c. Other packets behind a refused one are answered by
 * a sequence NAK, a hole in a READ response is found by the timeout: captures. A SEND that is too
 * long draws NAK 0x63 and completes the receive request with LOC_QP_OP_ERR, rxe_resp.c.
 */
constexpr RcPolicy RXE{.ackEvery = 66,
                       .maxPacketsInFlight = 129,
                       .isRetryCountSevenEndless = true,
                       .retriesReadGapAtOnce = false,
                       .answersBehindRnr = true,
                       .tooLongSyndrome = SYNDROME_NAK_REMOTE_OPERATION,
                       .tooLongStatus = CompletionStatus::LOC_QP_OP_ERR};

/**
 * ConnectX-5 and ConnectX-6 over RoCEv2, as measured and published at
 * https://github.com/unionxic/rdma-fault-characterization.
 *
 * Timer: see retransmission-timer.cc. No completions for unsignalled requests that are flushed:
 * docs/experiments/04_multi_qp_isolation.md. WRITEs checked a packet at a time:
 * docs/experiments/05_partial_write_ab_recovery.md. AckReq each 2^8 packets: what the Linux driver
 * sets, log_ack_req_freq in drivers/infiniband/hw/mlx5/qp.c (MLX5_IB_ACK_REQ_FREQ). What nobody
 * measured is as in the standard.
 */
constexpr RcPolicy CONNECTX{.ackEvery = 256,
                            .flushesUnsignalled = false,
                            .checksEachWritePacket = true,
                            .timer = RcPolicy::Timer::ADAPTIVE};

/** The same with the firmware's floor of the timeout switched off. */
constexpr RcPolicy
WithoutFloor(RcPolicy policy)
{
    policy.timer = RcPolicy::Timer::ROUGH;
    return policy;
}

/**
 * Firmware of adapters before the livelock was reported: a sender that is told of a loss
 * begins the message again. Guo et al., SIGCOMM 2016, section 4.1.
 */
constexpr RcPolicy GO_BACK_0{.goBack = RcPolicy::GoBack::TO_FIRST_PACKET};

constexpr std::array<NamedRcPolicy, 5> POLICIES{{
    {"standard", "IBTA Vol 1 Rel 1.7, an acknowledgement for each packet", RcPolicy{}},
    {"rxe", "the Linux kernel's software RoCE, 6.1", RXE},
    {"connectx", "NVIDIA ConnectX-5 and -6, as delivered: adaptive retransmission", CONNECTX},
    {"connectx-no-floor",
     "NVIDIA ConnectX-6 with the minimum of the ACK timeout switched off",
     WithoutFloor(CONNECTX)},
    {"go-back-0",
     "old firmware: a loss repeats the whole message (Guo et al., SIGCOMM 2016)",
     GO_BACK_0},
}};

} // namespace

std::span<const NamedRcPolicy>
GetRcPolicies()
{
    return POLICIES;
}

const RcPolicy*
FindRcPolicy(std::string_view name)
{
    const auto* found = std::ranges::find(POLICIES, name, &NamedRcPolicy::name);
    return found == POLICIES.end() ? nullptr : &found->policy;
}

} // namespace ns3::rdma
