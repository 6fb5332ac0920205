// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/queue-pair-state.h"

#include <array>
#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rdma
{
namespace
{

using enum QueuePairState;
using enum QueuePairType;

constexpr std::array ALL_STATES{RESET, INIT, RTR, RTS, SQD, SQE, ERR};
constexpr std::array ALL_TYPES{RC, UC, UD};
constexpr uint32_t KNOWN_BITS = ((1U << 21) - 1) | (1U << 25);
constexpr uint32_t NOT_MODELLED = QP_ALT_PATH | QP_PATH_MIG_STATE | QP_CAP;

using Transition = std::tuple<QueuePairState, QueuePairState, QueuePairType>;

/**
 * Required: ibv_modify_qp(3), tables of RESET to INIT to RTR to RTS. Optional, and the other
 * transitions: IBTA Vol 1 Rel 1.7 section 11.2.5.2, table of transitions. QP_RATE_LIMIT, which is
 * no attribute of either, stands where the state RTS is entered or kept.
 */
const std::map<Transition, TransitionRule> TABLE{
    {{RESET, INIT, RC}, {QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS, 0}},
    {{RESET, INIT, UC}, {QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS, 0}},
    {{RESET, INIT, UD}, {QP_PKEY_INDEX | QP_PORT | QP_QKEY, 0}},
    {{INIT, INIT, RC}, {0, QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS}},
    {{INIT, INIT, UC}, {0, QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS}},
    {{INIT, INIT, UD}, {0, QP_PKEY_INDEX | QP_PORT | QP_QKEY}},
    {{INIT, RTR, RC},
     {QP_AV | QP_PATH_MTU | QP_DEST_QPN | QP_RQ_PSN | QP_MAX_DEST_RD_ATOMIC | QP_MIN_RNR_TIMER,
      QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX}},
    {{INIT, RTR, UC},
     {QP_AV | QP_PATH_MTU | QP_DEST_QPN | QP_RQ_PSN,
      QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX}},
    {{INIT, RTR, UD}, {0, QP_PKEY_INDEX | QP_QKEY}},
    {{RTR, RTS, RC},
     {QP_SQ_PSN | QP_MAX_QP_RD_ATOMIC | QP_RETRY_CNT | QP_RNR_RETRY | QP_TIMEOUT,
      QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_MIN_RNR_TIMER | QP_PATH_MIG_STATE |
          QP_RATE_LIMIT}},
    {{RTR, RTS, UC},
     {QP_SQ_PSN, QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PATH_MIG_STATE | QP_RATE_LIMIT}},
    {{RTR, RTS, UD}, {QP_SQ_PSN, QP_CUR_STATE | QP_QKEY | QP_RATE_LIMIT}},
    {{RTS, RTS, RC},
     {0,
      QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_MIN_RNR_TIMER | QP_PATH_MIG_STATE |
          QP_RATE_LIMIT}},
    {{RTS, RTS, UC},
     {0, QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PATH_MIG_STATE | QP_RATE_LIMIT}},
    {{RTS, RTS, UD}, {0, QP_CUR_STATE | QP_QKEY | QP_RATE_LIMIT}},
    {{RTS, SQD, RC}, {0, QP_EN_SQD_ASYNC_NOTIFY}},
    {{RTS, SQD, UC}, {0, QP_EN_SQD_ASYNC_NOTIFY}},
    {{RTS, SQD, UD}, {0, QP_EN_SQD_ASYNC_NOTIFY}},
    {{SQD, RTS, RC},
     {0,
      QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_MIN_RNR_TIMER | QP_PATH_MIG_STATE |
          QP_RATE_LIMIT}},
    {{SQD, RTS, UC},
     {0, QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PATH_MIG_STATE | QP_RATE_LIMIT}},
    {{SQD, RTS, UD}, {0, QP_CUR_STATE | QP_QKEY | QP_RATE_LIMIT}},
    {{SQD, SQD, RC},
     {0,
      QP_PORT | QP_AV | QP_TIMEOUT | QP_RETRY_CNT | QP_RNR_RETRY | QP_MAX_QP_RD_ATOMIC |
          QP_MAX_DEST_RD_ATOMIC | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX | QP_MIN_RNR_TIMER |
          QP_PATH_MIG_STATE}},
    {{SQD, SQD, UC},
     {0, QP_AV | QP_ALT_PATH | QP_ACCESS_FLAGS | QP_PKEY_INDEX | QP_PATH_MIG_STATE}},
    {{SQD, SQD, UD}, {0, QP_PKEY_INDEX | QP_QKEY}},
    {{SQE, RTS, UC}, {0, QP_CUR_STATE | QP_ACCESS_FLAGS | QP_RATE_LIMIT}},
    {{SQE, RTS, UD}, {0, QP_CUR_STATE | QP_QKEY | QP_RATE_LIMIT}},
};

/** Any state leads to RESET, any but RESET to ERR; a reliable connection has no SQE. */
std::optional<TransitionRule>
Expected(const Transition& transition)
{
    const auto& [from, to, type] = transition;
    if (const auto row = TABLE.find(transition); row != TABLE.end())
    {
        return row->second;
    }
    const bool isOfNoType = type == RC && from == SQE;
    if (!isOfNoType && (to == RESET || (to == ERR && from != RESET)))
    {
        return TransitionRule{};
    }
    return std::nullopt;
}

template <typename Visit>
void
ForEachTransition(Visit visit)
{
    for (QueuePairState from : ALL_STATES)
    {
        for (QueuePairState to : ALL_STATES)
        {
            for (QueuePairType type : ALL_TYPES)
            {
                SCOPED_TRACE(std::string{ToString(from)} + " to " + std::string{ToString(to)} +
                             " of " + std::string{ToString(type)});
                visit(Transition{from, to, type});
            }
        }
    }
}

std::vector<uint32_t>
Bits(uint32_t mask)
{
    std::vector<uint32_t> bits;
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
    {
        if ((mask & bit) != 0)
        {
            bits.push_back(bit);
        }
    }
    return bits;
}

/** The field that a check complains of; empty: it does not. */
std::string
Complaint(const Transition& transition, uint32_t mask)
{
    const auto& [from, to, type] = transition;
    const QueuePairAttributes attributes{.state = to, .currentState = from};
    const auto wrong = CheckModify({type, from, attributes, mask}, DeviceLimits{});
    return wrong ? wrong->key : "";
}

TEST(QueuePairState, TheTableIsThatOfTheStandard)
{
    ForEachTransition(
        [](const Transition& transition)
        {
            const auto& [from, to, type] = transition;
            EXPECT_EQ(FindTransition(type, from, to), Expected(transition));
        });
}

TEST(QueuePairState, TheExactMaskPassesAndOneMissingDoesNot)
{
    ForEachTransition(
        [](const Transition& transition)
        {
            const auto rule = Expected(transition);
            if (!rule)
            {
                for (uint32_t mask : {0U, KNOWN_BITS & ~QP_CUR_STATE})
                {
                    EXPECT_EQ(Complaint(transition, mask | QP_STATE), "qp_state");
                }
                return;
            }
            EXPECT_EQ(Complaint(transition, rule->required | QP_STATE), "");
            for (uint32_t bit : Bits(rule->required))
            {
                EXPECT_EQ(Complaint(transition, (rule->required & ~bit) | QP_STATE),
                          ToString(static_cast<QueuePairMask>(bit)));
            }
        });
}

TEST(QueuePairState, OptionalAttributesPassAndOneTooManyDoesNot)
{
    ForEachTransition(
        [](const Transition& transition)
        {
            const auto rule = Expected(transition);
            if (!rule)
            {
                return;
            }
            for (uint32_t bit : Bits(~(rule->required | QP_STATE)))
            {
                const bool isAllowed = (bit & rule->optional & ~NOT_MODELLED) != 0;
                EXPECT_EQ(Complaint(transition, rule->required | bit | QP_STATE),
                          isAllowed ? "" : ToString(static_cast<QueuePairMask>(bit)))
                    << bit;
            }
            const uint32_t all = rule->required | (rule->optional & ~NOT_MODELLED);
            EXPECT_EQ(Complaint(transition, all | QP_STATE), "");
        });
}

/** Without IBV_QP_STATE the queue pair stays where it is, if its state allows that at all. */
TEST(QueuePairState, AModifyWithoutAStateStays)
{
    for (QueuePairType type : ALL_TYPES)
    {
        for (QueuePairState state : ALL_STATES)
        {
            // The state of the attributes is not named, so it may be anything.
            const QueuePairAttributes attributes{.state = RTR, .currentState = state};
            const auto wrong = CheckModify({type, state, attributes, 0}, DeviceLimits{});
            EXPECT_EQ(!wrong, Expected({state, state, type}).has_value()) << ToString(state);
        }
    }
}

TEST(QueuePairState, TheCurrentStateMustBeTheRightOne)
{
    const QueuePairAttributes attributes{.state = RTS, .currentState = SQD};
    const auto wrong = CheckModify({RC, RTS, attributes, QP_STATE | QP_CUR_STATE}, DeviceLimits{});
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->key, "cur_qp_state");
    EXPECT_EQ(wrong->got, "SQD");
    EXPECT_EQ(wrong->expected, "RTS");
}

/** A value of an attribute, and whether it is allowed. */
struct RangeRow
{
    QueuePairMask bit;
    void (*set)(QueuePairAttributes&, uint64_t);
    std::vector<uint64_t> right;
    std::vector<uint64_t> wrong;
};

/** Widths and ranges: ibv_modify_qp(3), IBTA Vol 1 Rel 1.7 section 11.2.5.2; limits: below. */
const std::vector<RangeRow> RANGES{
    {QP_PORT, [](auto& a, uint64_t v) { a.port = v; }, {1, 2}, {0, 3, 255}},
    {QP_PKEY_INDEX, [](auto& a, uint64_t v) { a.pkeyIndex = v; }, {0, 3}, {4, 65535}},
    {QP_ACCESS_FLAGS, [](auto& a, uint64_t v) { a.accessFlags = v; }, {0, 1, 15}, {16, 255}},
    {QP_DEST_QPN,
     [](auto& a, uint64_t v) { a.destinationQp.value = v; },
     {0, 0xffffff},
     {0x1000000, 0xffffffff}},
    {QP_TIMEOUT, [](auto& a, uint64_t v) { a.timeout = v; }, {0, 31}, {32, 255}},
    {QP_RETRY_CNT, [](auto& a, uint64_t v) { a.retryCount = v; }, {0, 7}, {8, 255}},
    {QP_RNR_RETRY, [](auto& a, uint64_t v) { a.rnrRetry = v; }, {0, 7}, {8, 255}},
    {QP_MIN_RNR_TIMER, [](auto& a, uint64_t v) { a.minRnrTimer = v; }, {0, 31}, {32, 255}},
    {QP_MAX_QP_RD_ATOMIC, [](auto& a, uint64_t v) { a.maxReadAtomic = v; }, {0, 5}, {6, 255}},
    {QP_MAX_DEST_RD_ATOMIC, [](auto& a, uint64_t v) { a.maxDestReadAtomic = v; }, {0, 5}, {6, 255}},
    {QP_AV, [](auto& a, uint64_t v) { a.address.priority = v; }, {0, 7}, {8, 255}},
    {QP_PATH_MTU,
     [](auto& a, uint64_t v) { a.pathMtu = v; },
     {64, 256, 512, 1000, 1024, 1500, 2048, 4096},
     {0, 60, 63, 1001, 1002, 1003, 4100, 9000, 65535}},
};

TEST(QueuePairState, ValuesKeepTheirRangesAndTheDevicesLimits)
{
    const DeviceLimits limits{
        .maxReadAtomic = 5, .maxPathMtu = 4096, .ports = 2, .partitionKeys = 4};
    for (const RangeRow& row : RANGES)
    {
        // Some transition of a reliable connection that takes the attribute.
        const bool isOfRtr = (row.bit & (QP_DEST_QPN | QP_PATH_MTU)) != 0;
        const QueuePairState from = isOfRtr ? INIT : SQD;
        const QueuePairState to = isOfRtr ? RTR : SQD;
        const uint32_t mask = Expected({from, to, RC})->required | row.bit | QP_STATE;
        for (uint64_t value : row.right)
        {
            QueuePairAttributes attributes{.state = to};
            row.set(attributes, value);
            EXPECT_FALSE(CheckModify({RC, from, attributes, mask}, limits))
                << ToString(row.bit) << " " << value;
        }
        for (uint64_t value : row.wrong)
        {
            QueuePairAttributes attributes{.state = to};
            row.set(attributes, value);
            const auto wrong = CheckModify({RC, from, attributes, mask}, limits);
            ASSERT_TRUE(wrong) << ToString(row.bit) << " " << value;
            EXPECT_EQ(wrong->key, ToString(row.bit));
            EXPECT_EQ(wrong->got, std::to_string(value));
            EXPECT_FALSE(wrong->expected.empty());
        }
    }
}

TEST(QueuePairState, ValuesThatTheMaskDoesNotNameAreNotLookedAt)
{
    const QueuePairAttributes attributes{
        .state = ERR, .pathMtu = 3, .accessFlags = 255, .port = 0, .timeout = 99};
    EXPECT_FALSE(CheckModify({RC, RTS, attributes, QP_STATE}, DeviceLimits{}));
}

/** By default a path MTU may fill a jumbo frame. */
TEST(QueuePairState, TheGreatestPathMtuIsThatOfJumboFrames)
{
    const uint32_t mask = Expected({INIT, RTR, UC})->required | QP_STATE;
    QueuePairAttributes attributes{.state = RTR, .pathMtu = 9000};
    EXPECT_FALSE(CheckModify({UC, INIT, attributes, mask}, DeviceLimits{}));
    attributes.pathMtu = 9004;
    EXPECT_TRUE(CheckModify({UC, INIT, attributes, mask}, DeviceLimits{}));
    EXPECT_TRUE(CheckModify({UC, INIT, attributes, mask}, DeviceLimits{.maxPathMtu = 9600}));
}

/** ibv_modify_qp(3): if anything is invalid, nothing is modified. A timeout is set at RTR to RTS.
 */
TEST(QueuePairState, ATimeoutAfterReadyToSendIsRefusedAndNothingChanges)
{
    QueuePairAttributes mine{.state = RTS, .currentState = RTS, .timeout = 14};
    const QueuePairAttributes before = mine;
    const QueuePairAttributes wanted{.state = RTS, .accessFlags = 2, .timeout = 20};
    const uint32_t mask = QP_STATE | QP_ACCESS_FLAGS | QP_TIMEOUT;
    const auto wrong = CheckModify({RC, mine.state, wanted, mask}, DeviceLimits{});
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->key, "timeout");
    EXPECT_EQ(wrong->message, "may not change with RTS to RTS of RC");
    EXPECT_EQ(wrong->got, "timeout");
    EXPECT_EQ(wrong->expected,
              "cur_qp_state, qp_access_flags, alt_ah_attr, min_rnr_timer, path_mig_state, "
              "rate_limit");
    EXPECT_EQ(mine, before);
}

/** Each bit copies its own field, and only that. */
TEST(QueuePairState, ApplyCopiesWhatTheMaskNames)
{
    const QueuePairAttributes other{.state = SQD,
                                    .currentState = INIT,
                                    .pathMtu = 256,
                                    .accessFlags = 5,
                                    .port = 9,
                                    .pkeyIndex = 8,
                                    .qkey = 7,
                                    .address = {.destination = 6},
                                    .destinationQp = {5},
                                    .receivePsn = Psn{4},
                                    .sendPsn = Psn{3},
                                    .timeout = 2,
                                    .retryCount = 1,
                                    .rnrRetry = 0,
                                    .minRnrTimer = 31,
                                    .maxReadAtomic = 30,
                                    .maxDestReadAtomic = 29,
                                    .wantsDrainEvent = true,
                                    .rateLimit = {28}};
    QueuePairAttributes collected;
    for (uint32_t bit : Bits(KNOWN_BITS & ~(QP_CUR_STATE | NOT_MODELLED)))
    {
        QueuePairAttributes one{.state = bit == QP_STATE ? RTS : SQD};
        one.currentState = one.state;
        const QueuePairAttributes untouched = one;
        ApplyModify(one, other, bit);
        EXPECT_NE(one, untouched) << ToString(static_cast<QueuePairMask>(bit));
        const QueuePairAttributes before = collected;
        ApplyModify(collected, other, bit);
        EXPECT_NE(collected, before) << ToString(static_cast<QueuePairMask>(bit));
    }
    QueuePairAttributes expected = other;
    expected.currentState = SQD; // the state that it is in
    EXPECT_EQ(collected, expected);
    ApplyModify(collected, QueuePairAttributes{}, 0);
    EXPECT_EQ(collected, expected);
}

TEST(QueuePairState, ADrainEventIsWantedForOneDraining)
{
    QueuePairAttributes mine{.state = RTS};
    const uint32_t mask = QP_STATE | QP_EN_SQD_ASYNC_NOTIFY;
    ApplyModify(mine, {.state = SQD, .wantsDrainEvent = true}, mask);
    EXPECT_TRUE(mine.wantsDrainEvent);
    ApplyModify(mine, {.state = SQD}, QP_STATE);
    EXPECT_TRUE(mine.wantsDrainEvent) << "still draining";
    ApplyModify(mine, {.state = RTS}, QP_STATE);
    ApplyModify(mine, {.state = SQD}, QP_STATE);
    EXPECT_FALSE(mine.wantsDrainEvent);
}

/** IBTA Vol 1 Rel 1.7 section 10.3.1.1: RESET is the state in which it was made. */
TEST(QueuePairState, ResetForgetsAll)
{
    QueuePairAttributes mine{.state = ERR, .currentState = ERR, .pathMtu = 256, .timeout = 3};
    ApplyModify(mine, {.state = RESET, .pathMtu = 512}, QP_STATE);
    EXPECT_EQ(mine, QueuePairAttributes{});
}

} // namespace
} // namespace ns3::rdma
