// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "base/units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::rdma
{

enum class QueuePairType : uint8_t
{
    RC = 2, ///< the values are those of ibv_qp_type
    UC = 3,
    UD = 4,
};

/** States of a queue pair; the values are those of ibv_qp_state. */
enum class QueuePairState : uint8_t
{
    RESET,
    INIT,
    RTR, ///< ready to receive
    RTS, ///< ready to send
    SQD, ///< send queue drained
    SQE, ///< send queue error; not of a reliable connection
    ERR,
};

constexpr std::size_t QUEUE_PAIR_STATES = 7;

/** The state as ibv_qp_state names it, without its prefix. */
std::string_view ToString(QueuePairState state);

/** The type as ibv_qp_type names it, without its prefix. */
std::string_view ToString(QueuePairType type);

/** Attributes of a modify, as bits; the values are those of ibv_qp_attr_mask. */
enum QueuePairMask : uint32_t
{
    QP_STATE = 1 << 0,
    QP_CUR_STATE = 1 << 1,
    QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
    QP_ACCESS_FLAGS = 1 << 3,
    QP_PKEY_INDEX = 1 << 4,
    QP_PORT = 1 << 5,
    QP_QKEY = 1 << 6,
    QP_AV = 1 << 7,
    QP_PATH_MTU = 1 << 8,
    QP_TIMEOUT = 1 << 9,
    QP_RETRY_CNT = 1 << 10,
    QP_RNR_RETRY = 1 << 11,
    QP_RQ_PSN = 1 << 12,
    QP_MAX_QP_RD_ATOMIC = 1 << 13,
    QP_ALT_PATH = 1 << 14,
    QP_MIN_RNR_TIMER = 1 << 15,
    QP_SQ_PSN = 1 << 16,
    QP_MAX_DEST_RD_ATOMIC = 1 << 17,
    QP_PATH_MIG_STATE = 1 << 18,
    QP_CAP = 1 << 19,
    QP_DEST_QPN = 1 << 20,
    QP_RATE_LIMIT = 1 << 25,
};

/** The field of ibv_qp_attr that a single bit names; ibv_modify_qp(3). */
std::string_view ToString(QueuePairMask bit);

/** The fields that a mask names, by bit, with commas between them; "nothing" for 0. */
std::string ToFieldNames(uint32_t mask);

/**
 * Range of a path MTU, in bytes; it is a multiple of 4.
 *
 * @choice verbs know 256, 512, 1024, 2048 and 4096 (ibv_mtu). Studies that are compared with use
 * others: 1000 and 1500 of simulators, what fills a jumbo frame.
 */
constexpr uint16_t MIN_PATH_MTU = 64;
constexpr uint16_t MAX_PATH_MTU = 9000;

/** Where packets of a queue pair go, and how (address vector with what RoCEv2 adds to it). */
struct AddressVector
{
    uint32_t destination{0};   ///< number of the peer's network interface
    uint16_t udpSourcePort{0}; ///< entropy for ECMP; 0: the device chooses one per queue pair
    uint8_t trafficClass{0};   ///< DSCP and ECN field of the IP header
    uint8_t hopLimit{64};
    uint8_t priority{3}; ///< 0 .. 7

    bool operator==(const AddressVector&) const = default;
};

/** What a queue pair knows (ibv_qp_attr); a modify looks at the fields that its mask names. */
struct QueuePairAttributes
{
    QueuePairState state{QueuePairState::RESET};
    QueuePairState currentState{QueuePairState::RESET};
    uint16_t pathMtu{1024}; ///< bytes, MIN_PATH_MTU .. MAX_PATH_MTU, multiple of 4
    uint8_t accessFlags{0}; ///< AccessFlag bits: what the peer may do
    uint8_t port{1};        ///< from 1
    uint16_t pkeyIndex{0};
    uint32_t qkey{0};
    AddressVector address{};
    Qpn destinationQp{};
    Psn receivePsn{};             ///< rq_psn
    Psn sendPsn{};                ///< sq_psn
    uint8_t timeout{14};          ///< local ACK timeout 4.096 us x 2^timeout, 0 .. 31; 0: never
    uint8_t retryCount{7};        ///< 0 .. 7 retries
    uint8_t rnrRetry{7};          ///< 0 .. 6 retries; 7: without end
    uint8_t minRnrTimer{12};      ///< code 0 .. 31; see rnr-timer.h
    uint8_t maxReadAtomic{1};     ///< READs and atomics outstanding as requester
    uint8_t maxDestReadAtomic{1}; ///< likewise as responder
    bool wantsDrainEvent{false};  ///< en_sqd_async_notify
    BitRate rateLimit{};          ///< 0: none but the port's and congestion control's

    bool operator==(const QueuePairAttributes&) const = default;
};

/** Queue sizes (ibv_qp_cap). */
struct QueuePairCapabilities
{
    uint32_t maxSendRequests{128};
    uint32_t maxReceiveRequests{128};
    uint32_t maxSendElements{1};
    uint32_t maxReceiveElements{1};
    uint32_t maxInlineBytes{0};

    bool operator==(const QueuePairCapabilities&) const = default;
};

} // namespace ns3::rdma
