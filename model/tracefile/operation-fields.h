// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <array>
#include <cstddef>
#include <tuple>

namespace ns3::rdma
{

/** A field of a struct, with the name that people read. */
template <typename OWNER, typename VALUE>
struct NamedField
{
    const char* name;
    VALUE OWNER::*member;
};

template <typename OWNER, typename VALUE>
NamedField(const char*, VALUE OWNER::*) -> NamedField<OWNER, VALUE>;

/**
 * The numbers of an operation besides kind and time, in the order of their bits in a record's mask.
 *
 * Those that change from post to post come first: their bits fit into the first byte.
 */
constexpr auto OPERATION_FIELDS = std::tuple{
    NamedField{"duration_ns", &TraceOperation::durationNs},
    NamedField{"wr_id", &TraceOperation::wrId},
    NamedField{"object", &TraceOperation::object},
    NamedField{"bytes", &TraceOperation::bytes},
    NamedField{"local_address", &TraceOperation::localAddress},
    NamedField{"remote_address", &TraceOperation::remoteAddress},
    NamedField{"count", &TraceOperation::count},
    NamedField{"flags", &TraceOperation::flags},
    NamedField{"opcode", &TraceOperation::opcode},
    NamedField{"other", &TraceOperation::other},
    NamedField{"immediate", &TraceOperation::immediate},
    NamedField{"elements", &TraceOperation::elements},
    NamedField{"remote_qp", &TraceOperation::remoteQp},
    NamedField{"local_key", &TraceOperation::localKey},
    NamedField{"rkey", &TraceOperation::rkey},
    NamedField{"status", &TraceOperation::status},
    NamedField{"result", &TraceOperation::result},
    NamedField{"compare_add", &TraceOperation::compareAdd},
    NamedField{"swap", &TraceOperation::swap},
    NamedField{"dependencies_needed", &TraceOperation::dependenciesNeeded},
};

constexpr std::size_t OPERATION_FIELD_COUNT = std::tuple_size_v<decltype(OPERATION_FIELDS)>;

/** The values of OPERATION_FIELDS; negative ones as 64-bit two's complement. */
using FieldValues = std::array<uint64_t, OPERATION_FIELD_COUNT>;

inline FieldValues
GetFieldValues(const TraceOperation& operation)
{
    return std::apply([&operation](const auto&... fields)
                      { return FieldValues{static_cast<uint64_t>(operation.*fields.member)...}; },
                      OPERATION_FIELDS);
}

/** @return false: a value is not one that its field can hold */
inline bool
SetFieldValues(const FieldValues& values, TraceOperation& operation)
{
    const uint64_t* value = values.data();
    const auto set = [&value](auto& field)
    {
        field = static_cast<std::remove_reference_t<decltype(field)>>(*value);
        return static_cast<uint64_t>(field) == *value++;
    };
    return std::apply(
        [&set, &operation](const auto&... fields)
        {
            bool areGood = true;
            ((areGood = set(operation.*fields.member) && areGood), ...);
            return areGood;
        },
        OPERATION_FIELDS);
}

/** What a record's first mask refers to: the values of an operation that was only constructed. */
inline const FieldValues&
GetInitialValues()
{
    static const FieldValues VALUES = GetFieldValues(TraceOperation{});
    return VALUES;
}

/** The fields of a detail of CONTROL, in the order in which they are stored. */
template <typename DETAIL>
constexpr auto DETAIL_FIELDS = std::tuple{};

template <>
constexpr auto DETAIL_FIELDS<DeviceDetail> = std::tuple{
    NamedField{"name", &DeviceDetail::name},
    NamedField{"gid", &DeviceDetail::gid},
};

template <>
constexpr auto DETAIL_FIELDS<MemoryRegionDetail> = std::tuple{
    NamedField{"protection_domain", &MemoryRegionDetail::protectionDomain},
    NamedField{"address", &MemoryRegionDetail::address},
    NamedField{"iova", &MemoryRegionDetail::iova},
    NamedField{"bytes", &MemoryRegionDetail::bytes},
    NamedField{"access", &MemoryRegionDetail::access},
    NamedField{"lkey", &MemoryRegionDetail::lkey},
    NamedField{"rkey", &MemoryRegionDetail::rkey},
};

template <>
constexpr auto DETAIL_FIELDS<CompletionQueueDetail> = std::tuple{
    NamedField{"entries", &CompletionQueueDetail::entries},
    NamedField{"channel", &CompletionQueueDetail::channel},
};

template <>
constexpr auto DETAIL_FIELDS<SharedReceiveQueueDetail> = std::tuple{
    NamedField{"protection_domain", &SharedReceiveQueueDetail::protectionDomain},
    NamedField{"max_requests", &SharedReceiveQueueDetail::maxRequests},
    NamedField{"max_elements", &SharedReceiveQueueDetail::maxElements},
    NamedField{"limit", &SharedReceiveQueueDetail::limit},
};

template <>
constexpr auto DETAIL_FIELDS<QueuePairDetail> = std::tuple{
    NamedField{"type", &QueuePairDetail::type},
    NamedField{"signals_all", &QueuePairDetail::signalsAll},
    NamedField{"number", &QueuePairDetail::number},
    NamedField{"protection_domain", &QueuePairDetail::protectionDomain},
    NamedField{"send_queue", &QueuePairDetail::sendQueue},
    NamedField{"receive_queue", &QueuePairDetail::receiveQueue},
    NamedField{"shared_receive_queue", &QueuePairDetail::sharedReceiveQueue},
    NamedField{"max_send_requests", &QueuePairDetail::maxSendRequests},
    NamedField{"max_receive_requests", &QueuePairDetail::maxReceiveRequests},
    NamedField{"max_send_elements", &QueuePairDetail::maxSendElements},
    NamedField{"max_receive_elements", &QueuePairDetail::maxReceiveElements},
    NamedField{"max_inline_bytes", &QueuePairDetail::maxInlineBytes},
};

template <>
constexpr auto DETAIL_FIELDS<QueuePairChange> = std::tuple{
    NamedField{"mask", &QueuePairChange::mask},
    NamedField{"state", &QueuePairChange::state},
    NamedField{"current_state", &QueuePairChange::currentState},
    NamedField{"path_mtu", &QueuePairChange::pathMtu},
    NamedField{"port", &QueuePairChange::port},
    NamedField{"timeout", &QueuePairChange::timeout},
    NamedField{"retry_count", &QueuePairChange::retryCount},
    NamedField{"rnr_retry", &QueuePairChange::rnrRetry},
    NamedField{"min_rnr_timer", &QueuePairChange::minRnrTimer},
    NamedField{"max_read_atomic", &QueuePairChange::maxReadAtomic},
    NamedField{"max_dest_read_atomic", &QueuePairChange::maxDestReadAtomic},
    NamedField{"hop_limit", &QueuePairChange::hopLimit},
    NamedField{"traffic_class", &QueuePairChange::trafficClass},
    NamedField{"service_level", &QueuePairChange::serviceLevel},
    NamedField{"sgid_index", &QueuePairChange::sgidIndex},
    NamedField{"pkey_index", &QueuePairChange::pkeyIndex},
    NamedField{"dlid", &QueuePairChange::dlid},
    NamedField{"access_flags", &QueuePairChange::accessFlags},
    NamedField{"qkey", &QueuePairChange::qkey},
    NamedField{"flow_label", &QueuePairChange::flowLabel},
    NamedField{"receive_psn", &QueuePairChange::receivePsn},
    NamedField{"send_psn", &QueuePairChange::sendPsn},
    NamedField{"destination_qp", &QueuePairChange::destinationQp},
    NamedField{"rate_limit", &QueuePairChange::rateLimit},
    NamedField{"destination", &QueuePairChange::destination},
    NamedField{"result", &QueuePairChange::result},
};

template <>
constexpr auto DETAIL_FIELDS<AddressHandleDetail> = std::tuple{
    NamedField{"protection_domain", &AddressHandleDetail::protectionDomain},
    NamedField{"destination", &AddressHandleDetail::destination},
    NamedField{"dlid", &AddressHandleDetail::dlid},
    NamedField{"traffic_class", &AddressHandleDetail::trafficClass},
    NamedField{"service_level", &AddressHandleDetail::serviceLevel},
};

template <>
constexpr auto DETAIL_FIELDS<ConnectionStep> = std::tuple{
    NamedField{"call", &ConnectionStep::call},
    NamedField{"event", &ConnectionStep::event},
    NamedField{"status", &ConnectionStep::status},
    NamedField{"queue_pair", &ConnectionStep::queuePair},
    NamedField{"source", &ConnectionStep::source},
    NamedField{"destination", &ConnectionStep::destination},
    NamedField{"source_port", &ConnectionStep::sourcePort},
    NamedField{"destination_port", &ConnectionStep::destinationPort},
};

template <>
constexpr auto DETAIL_FIELDS<ConnectionDetail> = std::tuple{
    NamedField{"peer_process", &ConnectionDetail::peerProcess},
    NamedField{"priority", &ConnectionDetail::priority},
    NamedField{"destination_port", &ConnectionDetail::destinationPort},
};

} // namespace ns3::rdma
