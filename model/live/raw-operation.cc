// SPDX-License-Identifier: GPL-2.0-only
#include "live/raw-operation.h"

#include <cstring>

namespace ns3::rdma
{

namespace
{

/** Reads what a hook copied behind the first slot. */
template <typename Detail>
Detail
ReadDetail(const RawOperation* raw)
{
    Detail detail;
    std::memcpy(static_cast<void*>(&detail), raw + 1, sizeof(detail));
    return detail;
}

} // namespace

TraceOperation&
RawDecoder::Decode(const RawOperation* raw)
{
    TraceOperation& operation = m_operation;
    operation.kind = raw->kind;
    operation.opcode = raw->opcode;
    operation.flags = raw->flags;
    operation.status = raw->status;
    operation.elements = raw->elements;
    operation.result = raw->result;
    operation.object = raw->object;
    operation.other = raw->other;
    operation.timeNs = static_cast<int64_t>(raw->ticks);
    operation.durationNs = 0;
    operation.wrId = raw->wrId;
    operation.bytes = raw->bytes;
    operation.localAddress = raw->localAddress;
    operation.remoteAddress = raw->remoteAddress;
    operation.localKey = raw->localKey;
    operation.rkey = raw->rkey;
    operation.compareAdd = 0;
    operation.swap = 0;
    operation.immediate = 0;
    operation.remoteQp = 0;
    operation.count = 0;
    switch (raw->kind)
    {
    case OperationKind::COMPLETION:
        operation.remoteQp = raw->localKey;
        operation.immediate = raw->rkey;
        operation.localKey = 0;
        operation.rkey = 0;
        break;
    case OperationKind::EMPTY_POLLS:
    case OperationKind::ACK_CQ_EVENTS:
        operation.count = static_cast<uint32_t>(raw->bytes);
        operation.bytes = 0;
        break;
    case OperationKind::CONTROL:
        DecodeDetail(raw);
        break;
    default:
        DecodeRequest(raw);
    }
    return operation;
}

void
RawDecoder::DecodeRequest(const RawOperation* raw)
{
    if (raw->slots > 1)
    {
        const auto extension = ReadDetail<RawExtension>(raw);
        m_operation.compareAdd = extension.compareAdd;
        m_operation.swap = extension.swap;
        m_operation.durationNs = static_cast<int64_t>(extension.durationTicks);
        m_operation.immediate = extension.immediate;
        m_operation.remoteQp = extension.remoteQp;
    }
}

void
RawDecoder::DecodeDetail(const RawOperation* raw)
{
    TraceOperation& operation = m_operation;
    operation.opcode = 0;
    operation.flags = 0;
    operation.status = 0;
    operation.bytes = 0;
    operation.durationNs = static_cast<int64_t>(raw->bytes);
    Control& control = operation.control;
    control.verb = static_cast<ControlVerb>(raw->opcode);
    control.kind = static_cast<ObjectKind>(raw->flags);
    switch (static_cast<RawDetail>(raw->status))
    {
    case RawDetail::NONE:
        control.detail = std::monostate{};
        break;
    case RawDetail::DEVICE:
    {
        const auto device = ReadDetail<RawDevice>(raw);
        control.detail = DeviceDetail{.name = device.name, .gid = device.gid};
        break;
    }
    case RawDetail::MEMORY_REGION:
        control.detail = ReadDetail<MemoryRegionDetail>(raw);
        break;
    case RawDetail::COMPLETION_QUEUE:
        control.detail = ReadDetail<CompletionQueueDetail>(raw);
        break;
    case RawDetail::SHARED_RECEIVE_QUEUE:
        control.detail = ReadDetail<SharedReceiveQueueDetail>(raw);
        break;
    case RawDetail::QUEUE_PAIR:
        control.detail = ReadDetail<QueuePairDetail>(raw);
        break;
    case RawDetail::QUEUE_PAIR_CHANGE:
        control.detail = ReadDetail<QueuePairChange>(raw);
        break;
    case RawDetail::ADDRESS_HANDLE:
        control.detail = ReadDetail<AddressHandleDetail>(raw);
        break;
    case RawDetail::CONNECTION_STEP:
        control.detail = ReadDetail<ConnectionStep>(raw);
        break;
    }
}

} // namespace ns3::rdma
