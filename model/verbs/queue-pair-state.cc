// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/queue-pair-state.h"

#include "verbs/access.h"

#include <algorithm>
#include <array>
#include <string>

namespace ns3::rdma
{

namespace
{

using State = QueuePairState;

/** A transition with its rule for each type; nullopt: that type has no such transition. */
struct Row
{
    State from;
    State to;
    std::optional<TransitionRule> rc;
    std::optional<TransitionRule> uc;
    std::optional<TransitionRule> ud;
};

constexpr uint32_t INIT_CONNECTED = QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS;
constexpr uint32_t INIT_DATAGRAM = QP_PKEY_INDEX | QP_PORT | QP_QKEY;
constexpr uint32_t PATH_CONNECTED = QP_AV | QP_PATH_MTU | QP_DEST_QPN | QP_RQ_PSN;
constexpr uint32_t MIGRATION = QP_ALT_PATH | QP_PATH_MIG_STATE;
/** What may change with a state from which is sent. */
constexpr uint32_t SENDING_UC = QP_CUR_STATE | QP_ACCESS_FLAGS | MIGRATION;
constexpr uint32_t SENDING_RC = SENDING_UC | QP_MIN_RNR_TIMER;
constexpr uint32_t SENDING_UD = QP_CUR_STATE | QP_QKEY;

/**
 * The transitions other than those to RESET and ERR.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 11.2.5.2 (modify queue pair, its table of transitions)
 */
constexpr std::array TRANSITIONS{
    Row{State::RESET, State::INIT, {{INIT_CONNECTED}}, {{INIT_CONNECTED}}, {{INIT_DATAGRAM}}},
    Row{State::INIT,
        State::INIT,
        {{0, INIT_CONNECTED}},
        {{0, INIT_CONNECTED}},
        {{0, INIT_DATAGRAM}}},
    Row{State::INIT,
        State::RTR,
        {{PATH_CONNECTED | QP_MAX_DEST_RD_ATOMIC | QP_MIN_RNR_TIMER,
          QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX}},
        {{PATH_CONNECTED, QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX}},
        {{0, QP_PKEY_INDEX | QP_QKEY}}},
    Row{State::RTR,
        State::RTS,
        {{QP_TIMEOUT | QP_RETRY_CNT | QP_RNR_RETRY | QP_SQ_PSN | QP_MAX_QP_RD_ATOMIC,
          SENDING_RC | QP_RATE_LIMIT}},
        {{QP_SQ_PSN, SENDING_UC | QP_RATE_LIMIT}},
        {{QP_SQ_PSN, SENDING_UD | QP_RATE_LIMIT}}},
    Row{State::RTS,
        State::RTS,
        {{0, SENDING_RC | QP_RATE_LIMIT}},
        {{0, SENDING_UC | QP_RATE_LIMIT}},
        {{0, SENDING_UD | QP_RATE_LIMIT}}},
    Row{State::RTS,
        State::SQD,
        {{0, QP_EN_SQD_ASYNC_NOTIFY}},
        {{0, QP_EN_SQD_ASYNC_NOTIFY}},
        {{0, QP_EN_SQD_ASYNC_NOTIFY}}},
    Row{State::SQD,
        State::RTS,
        {{0, SENDING_RC | QP_RATE_LIMIT}},
        {{0, SENDING_UC | QP_RATE_LIMIT}},
        {{0, SENDING_UD | QP_RATE_LIMIT}}},
    Row{State::SQD,
        State::SQD,
        {{0,
          QP_PORT | QP_AV | QP_TIMEOUT | QP_RETRY_CNT | QP_RNR_RETRY | QP_MAX_QP_RD_ATOMIC |
              QP_MAX_DEST_RD_ATOMIC | QP_ACCESS_FLAGS | QP_PKEY_INDEX | QP_MIN_RNR_TIMER |
              MIGRATION}},
        {{0, QP_AV | QP_ACCESS_FLAGS | QP_PKEY_INDEX | MIGRATION}},
        {{0, QP_PKEY_INDEX | QP_QKEY}}},
    Row{State::SQE,
        State::RTS,
        {},
        {{0, QP_CUR_STATE | QP_ACCESS_FLAGS | QP_RATE_LIMIT}},
        {{0, SENDING_UD | QP_RATE_LIMIT}}},
};

constexpr uint32_t NOT_MODELLED = MIGRATION | QP_CAP;

/** The range of a value that is a plain number. */
struct Range
{
    QueuePairMask bit;
    uint64_t (*get)(const QueuePairAttributes&);
    uint64_t minimum;
    uint64_t (*maximum)(const DeviceLimits&);
};

using Attributes = QueuePairAttributes;
using Limits = DeviceLimits;

template <uint64_t VALUE>
constexpr uint64_t
Fixed(const Limits&)
{
    return VALUE;
}

constexpr uint64_t
MaxReadAtomic(const Limits& limits)
{
    return limits.maxReadAtomic;
}

/** @spec IBTA Vol 1 Rel 1.7 section 11.2.5.2; widths: section 9.2 and 9.7.5 */
constexpr std::array RANGES{
    Range{QP_PORT,
          [](const Attributes& a) -> uint64_t { return a.port; },
          1,
          [](const Limits& limits) -> uint64_t { return limits.ports; }},
    Range{QP_PKEY_INDEX,
          [](const Attributes& a) -> uint64_t { return a.pkeyIndex; },
          0,
          [](const Limits& limits) -> uint64_t { return limits.partitionKeys - 1; }},
    Range{QP_ACCESS_FLAGS,
          [](const Attributes& a) -> uint64_t { return a.accessFlags; },
          0,
          Fixed<ACCESS_ALL>},
    Range{QP_DEST_QPN,
          [](const Attributes& a) -> uint64_t { return a.destinationQp.value; },
          0,
          Fixed<0xffffff>},
    Range{QP_TIMEOUT, [](const Attributes& a) -> uint64_t { return a.timeout; }, 0, Fixed<31>},
    Range{QP_RETRY_CNT, [](const Attributes& a) -> uint64_t { return a.retryCount; }, 0, Fixed<7>},
    Range{QP_RNR_RETRY, [](const Attributes& a) -> uint64_t { return a.rnrRetry; }, 0, Fixed<7>},
    Range{QP_MIN_RNR_TIMER,
          [](const Attributes& a) -> uint64_t { return a.minRnrTimer; },
          0,
          Fixed<31>},
    Range{QP_MAX_QP_RD_ATOMIC,
          [](const Attributes& a) -> uint64_t { return a.maxReadAtomic; },
          0,
          MaxReadAtomic},
    Range{QP_MAX_DEST_RD_ATOMIC,
          [](const Attributes& a) -> uint64_t { return a.maxDestReadAtomic; },
          0,
          MaxReadAtomic},
    Range{QP_AV, [](const Attributes& a) -> uint64_t { return a.address.priority; }, 0, Fixed<7>},
};

std::string
Arrow(State from, State to)
{
    return std::string{ToString(from)} + " to " + std::string{ToString(to)};
}

Diagnostic
Wrong(uint32_t bits, std::string message, std::string got, std::string expected)
{
    const uint32_t lowest = bits & (~bits + 1);
    Diagnostic diagnostic;
    diagnostic.key = ToString(static_cast<QueuePairMask>(lowest));
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    diagnostic.expected = std::move(expected);
    return diagnostic;
}

std::optional<Diagnostic>
CheckTransition(const QueuePairModify& modify)
{
    const uint32_t mask = modify.mask;
    const State to = (mask & QP_STATE) != 0 ? modify.attributes.state : modify.from;
    if ((mask & QP_CUR_STATE) != 0 && modify.attributes.currentState != modify.from)
    {
        return Wrong(QP_CUR_STATE,
                     "is not the state of the queue pair",
                     std::string{ToString(modify.attributes.currentState)},
                     std::string{ToString(modify.from)});
    }
    const std::optional<TransitionRule> rule = FindTransition(modify.type, modify.from, to);
    const std::string what = Arrow(modify.from, to) + " of " + std::string{ToString(modify.type)};
    if (!rule)
    {
        return Wrong(QP_STATE, "no such transition", what, "a transition of the state table");
    }
    if (const uint32_t missing = rule->required & ~mask; missing != 0)
    {
        return Wrong(missing,
                     "is missing from " + what,
                     ToFieldNames(mask & ~QP_STATE),
                     ToFieldNames(rule->required));
    }
    const uint32_t allowed = rule->required | rule->optional;
    if (const uint32_t extra = mask & ~(allowed | QP_STATE); extra != 0)
    {
        return Wrong(
            extra, "may not change with " + what, ToFieldNames(extra), ToFieldNames(allowed));
    }
    if (const uint32_t unmodelled = mask & NOT_MODELLED; unmodelled != 0)
    {
        return Wrong(unmodelled, "is not modelled", ToFieldNames(unmodelled), "no alternate path");
    }
    return std::nullopt;
}

std::optional<Diagnostic>
CheckPathMtu(uint16_t pathMtu, const DeviceLimits& limits)
{
    const uint16_t maximum = std::min(limits.maxPathMtu, MAX_PATH_MTU);
    if (pathMtu >= MIN_PATH_MTU && pathMtu <= maximum && pathMtu % 4 == 0)
    {
        return std::nullopt;
    }
    return Wrong(QP_PATH_MTU,
                 "is no path MTU",
                 std::to_string(pathMtu),
                 "a multiple of 4 bytes from " + std::to_string(MIN_PATH_MTU) + " to " +
                     std::to_string(maximum));
}

} // namespace

std::optional<TransitionRule>
FindTransition(QueuePairType type, QueuePairState from, QueuePairState to)
{
    if (type == QueuePairType::RC && (from == State::SQE || to == State::SQE))
    {
        return std::nullopt; // a reliable connection has no such state
    }
    if (to == State::RESET || (to == State::ERR && from != State::RESET))
    {
        return TransitionRule{};
    }
    const auto row = std::ranges::find_if(TRANSITIONS,
                                          [&](const Row& candidate)
                                          { return candidate.from == from && candidate.to == to; });
    if (row == TRANSITIONS.end())
    {
        return std::nullopt;
    }
    switch (type)
    {
    case QueuePairType::RC:
        return row->rc;
    case QueuePairType::UC:
        return row->uc;
    case QueuePairType::UD:
        return row->ud;
    }
    return std::nullopt;
}

std::optional<Diagnostic>
CheckModify(const QueuePairModify& modify, const DeviceLimits& limits)
{
    if (auto wrong = CheckTransition(modify))
    {
        return wrong;
    }
    for (const Range& range : RANGES)
    {
        const uint64_t value = range.get(modify.attributes);
        const uint64_t maximum = range.maximum(limits);
        if ((modify.mask & range.bit) != 0 && (value < range.minimum || value > maximum))
        {
            return Wrong(range.bit,
                         range.bit == QP_AV ? "has a priority out of range" : "is out of range",
                         std::to_string(value),
                         std::to_string(range.minimum) + " to " + std::to_string(maximum));
        }
    }
    if ((modify.mask & QP_PATH_MTU) != 0)
    {
        return CheckPathMtu(modify.attributes.pathMtu, limits);
    }
    return std::nullopt;
}

void
ApplyModify(QueuePairAttributes& to, const QueuePairAttributes& from, uint32_t mask)
{
    if ((mask & QP_STATE) != 0 && from.state == State::RESET)
    {
        to = {};
        return;
    }
    const auto copy = [&](QueuePairMask bit, auto member)
    {
        if ((mask & bit) != 0)
        {
            to.*member = from.*member;
        }
    };
    copy(QP_STATE, &QueuePairAttributes::state);
    copy(QP_EN_SQD_ASYNC_NOTIFY, &QueuePairAttributes::wantsDrainEvent);
    copy(QP_ACCESS_FLAGS, &QueuePairAttributes::accessFlags);
    copy(QP_PKEY_INDEX, &QueuePairAttributes::pkeyIndex);
    copy(QP_PORT, &QueuePairAttributes::port);
    copy(QP_QKEY, &QueuePairAttributes::qkey);
    copy(QP_AV, &QueuePairAttributes::address);
    copy(QP_PATH_MTU, &QueuePairAttributes::pathMtu);
    copy(QP_TIMEOUT, &QueuePairAttributes::timeout);
    copy(QP_RETRY_CNT, &QueuePairAttributes::retryCount);
    copy(QP_RNR_RETRY, &QueuePairAttributes::rnrRetry);
    copy(QP_RQ_PSN, &QueuePairAttributes::receivePsn);
    copy(QP_MAX_QP_RD_ATOMIC, &QueuePairAttributes::maxReadAtomic);
    copy(QP_MIN_RNR_TIMER, &QueuePairAttributes::minRnrTimer);
    copy(QP_SQ_PSN, &QueuePairAttributes::sendPsn);
    copy(QP_MAX_DEST_RD_ATOMIC, &QueuePairAttributes::maxDestReadAtomic);
    copy(QP_DEST_QPN, &QueuePairAttributes::destinationQp);
    copy(QP_RATE_LIMIT, &QueuePairAttributes::rateLimit);
    to.currentState = to.state;
    to.wantsDrainEvent = to.wantsDrainEvent && to.state == State::SQD;
}

} // namespace ns3::rdma
