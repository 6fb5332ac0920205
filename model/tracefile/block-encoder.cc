// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/block-encoder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <variant>

namespace ns3::rdma
{

namespace
{

/** Kind, time, mask, and all fields. */
constexpr std::size_t MAX_PLAIN_BYTES = 1 + (2 + OPERATION_FIELD_COUNT) * MAX_VARINT_BYTES;
/** Count, verb, kind and detail with the most fields. */
constexpr std::size_t MAX_CONTROL_BYTES = 512;
constexpr std::size_t DEPENDENCY_NUMBERS = 2;

std::byte*
PutBytes(std::byte* out, const void* bytes, std::size_t count)
{
    std::memcpy(out, bytes, count);
    return out + count;
}

template <typename T>
std::byte*
PutValue(std::byte* out, const T& value)
{
    if constexpr (std::is_same_v<T, Gid>)
    {
        return PutBytes(out, value.data(), value.size());
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return PutBytes(PutVarint(out, value.size()), value.data(), value.size());
    }
    else if constexpr (std::is_signed_v<T>)
    {
        return PutVarint(out, ToZigzag(static_cast<uint64_t>(value)));
    }
    else
    {
        return PutVarint(out, static_cast<uint64_t>(value));
    }
}

std::byte*
PutControl(std::byte* out, const Control& control)
{
    *out++ = static_cast<std::byte>(control.verb);
    *out++ = static_cast<std::byte>(control.kind);
    *out++ = static_cast<std::byte>(control.detail.index());
    const auto put = [&out]<typename DETAIL>(const DETAIL& detail)
    {
        std::apply([&out, &detail](const auto&... fields)
                   { ((out = PutValue(out, detail.*fields.member)), ...); },
                   DETAIL_FIELDS<DETAIL>);
    };
    std::visit(put, control.detail);
    return out;
}

/** @param number of the operation in its thread, which numbers are stored relative to */
std::byte*
PutDependencies(std::byte* out, std::span<const Dependency> dependencies, uint64_t number)
{
    out = PutVarint(out, dependencies.size());
    for (const Dependency& dependency : dependencies)
    {
        // One bit of the thread's number says which event.
        out = PutVarint(out,
                        uint64_t{dependency.thread} << 1 | static_cast<uint64_t>(dependency.event));
        out = PutVarint(out, ToZigzag(number - dependency.operation));
    }
    return out;
}

} // namespace

std::size_t
BlockEncoder::GetBound(const TraceOperation& operation)
{
    std::size_t bytes = MAX_PLAIN_BYTES;
    if (!operation.dependencies.empty())
    {
        bytes += (1 + operation.dependencies.size() * DEPENDENCY_NUMBERS) * MAX_VARINT_BYTES;
    }
    if (operation.kind == OperationKind::CONTROL)
    {
        const auto* device = std::get_if<DeviceDetail>(&operation.control.detail);
        bytes += MAX_CONTROL_BYTES + (device == nullptr ? 0 : device->name.size());
    }
    return bytes;
}

void
BlockEncoder::Begin(std::span<std::byte> buffer)
{
    constexpr std::size_t MOST = BlockHeader::SIZE + BlockHeader::MAX_PAYLOAD;
    m_buffer = buffer.first(std::min(buffer.size(), MOST));
    m_next = buffer.data() + std::min(buffer.size(), BlockHeader::SIZE);
    m_count = 0;
    m_lastTime = 0;
    m_last.fill(GetInitialValues());
}

bool
BlockEncoder::Append(const TraceOperation& operation)
{
    const auto kind = static_cast<uint8_t>(operation.kind);
    const auto left = static_cast<std::size_t>(m_buffer.data() + m_buffer.size() - m_next);
    if (kind == 0 || kind >= RECORD_KINDS || left < GetBound(operation))
    {
        return false;
    }
    FieldValues& last = m_last[kind];
    const FieldValues values = GetFieldValues(operation);
    uint32_t changed = 0;
    for (std::size_t i = 0; i < OPERATION_FIELD_COUNT; ++i)
    {
        changed |= static_cast<uint32_t>(values[i] != last[i]) << i;
    }
    const bool hasDependencies = !operation.dependencies.empty();
    *m_next++ = static_cast<std::byte>(kind | (changed != 0 ? RECORD_HAS_FIELDS : 0) |
                                       (hasDependencies ? RECORD_HAS_DEPENDENCIES : 0));
    m_next = PutVarint(
        m_next,
        ToZigzag(static_cast<uint64_t>(operation.timeNs) - static_cast<uint64_t>(m_lastTime)));
    m_lastTime = operation.timeNs;
    if (changed != 0)
    {
        m_next = PutVarint(m_next, changed);
        for (uint32_t bits = changed; bits != 0; bits &= bits - 1)
        {
            const auto i = static_cast<std::size_t>(std::countr_zero(bits));
            m_next = PutVarint(m_next, ToZigzag(values[i] - last[i]));
            last[i] = values[i];
        }
    }
    if (hasDependencies)
    {
        m_next = PutDependencies(m_next, operation.dependencies, m_number);
    }
    if (operation.kind == OperationKind::CONTROL)
    {
        m_next = PutControl(m_next, operation.control);
    }
    ++m_count;
    ++m_number;
    return true;
}

std::size_t
BlockEncoder::Finish()
{
    if (m_count == 0)
    {
        return 0;
    }
    const auto size = static_cast<std::size_t>(m_next - m_buffer.data());
    BlockHeader header;
    header.payloadBytes = static_cast<uint32_t>(size - BlockHeader::SIZE);
    header.operations = m_count;
    header.firstNumber = m_number - m_count;
    header.Emit(m_buffer);
    m_count = 0;
    return size;
}

} // namespace ns3::rdma
