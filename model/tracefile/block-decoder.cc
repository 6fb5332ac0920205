// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/block-decoder.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <variant>

namespace ns3::rdma
{

namespace
{

/** @return false: there are not enough bytes, or the value is not one of the field's */
template <typename T>
bool
TakeValue(VarintReader& reader, T& value)
{
    if constexpr (std::is_same_v<T, Gid>)
    {
        const auto bytes = reader.TakeBytes(value.size());
        std::ranges::copy(bytes, value.begin());
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        const auto bytes = reader.TakeBytes(reader.Take());
        value.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    else
    {
        const uint64_t number = std::is_signed_v<T> ? FromZigzag(reader.Take()) : reader.Take();
        value = static_cast<T>(number);
        return !reader.HasFailed() && static_cast<uint64_t>(value) == number;
    }
    return !reader.HasFailed();
}

/** Makes the detail of that index and takes its fields. */
template <std::size_t INDEX>
bool
TakeDetail(VarintReader& reader, Control& control)
{
    auto& detail = control.detail.template emplace<INDEX>();
    return std::apply([&reader, &detail](const auto&... fields)
                      { return (TakeValue(reader, detail.*fields.member) && ...); },
                      DETAIL_FIELDS<std::remove_reference_t<decltype(detail)>>);
}

using DetailTaker = bool (*)(VarintReader&, Control&);

template <std::size_t... INDICES>
constexpr auto
MakeDetailTakers(std::index_sequence<INDICES...>)
{
    return std::array<DetailTaker, sizeof...(INDICES)>{TakeDetail<INDICES>...};
}

constexpr auto DETAIL_TAKERS =
    MakeDetailTakers(std::make_index_sequence<std::variant_size_v<decltype(Control::detail)>>{});

} // namespace

void
BlockDecoder::Begin(const BlockHeader& header, std::span<const std::byte> payload)
{
    m_reader = VarintReader{payload};
    m_payloadBytes = payload.size();
    m_left = header.operations;
    m_number = header.firstNumber;
    m_lastTime = 0;
    m_last.fill(GetInitialValues());
    m_error.clear();
}

bool
BlockDecoder::Fail(const char* reason)
{
    m_error = reason;
    return false;
}

bool
BlockDecoder::Next(TraceOperation& operation)
{
    const std::size_t start = m_payloadBytes - m_reader.GetLeft();
    if (!TakeRecord(operation))
    {
        m_errorOffset = start;
        m_left = 0;
        return false;
    }
    --m_left;
    ++m_number;
    if (m_left == 0 && m_reader.GetLeft() != 0)
    {
        // The operation itself is good; what follows belongs to none.
        m_errorOffset = m_payloadBytes - m_reader.GetLeft();
        m_error = "bytes behind the last operation of the block";
    }
    return true;
}

bool
BlockDecoder::TakeRecord(TraceOperation& operation)
{
    const auto first = m_reader.TakeBytes(1);
    if (first.empty())
    {
        return Fail("the block ends before its last operation");
    }
    const auto head = static_cast<uint8_t>(first.front());
    const uint8_t kind = head & RECORD_KIND;
    if (kind == 0 || kind >= RECORD_KINDS || (head & RECORD_RESERVED) != 0)
    {
        return Fail("a record of no known kind");
    }
    operation.kind = static_cast<OperationKind>(kind);
    m_lastTime += FromZigzag(m_reader.Take());
    operation.timeNs = static_cast<int64_t>(m_lastTime);
    FieldValues& last = m_last[kind];
    if ((head & RECORD_HAS_FIELDS) != 0 && !TakeFields(last))
    {
        return false;
    }
    if (!SetFieldValues(last, operation))
    {
        return Fail("a value that its field cannot hold");
    }
    operation.dependencies = {};
    if ((head & RECORD_HAS_DEPENDENCIES) != 0 && !TakeDependencies(operation))
    {
        return false;
    }
    if (operation.kind == OperationKind::CONTROL && !TakeControl(operation.control))
    {
        return false;
    }
    return !m_reader.HasFailed() || Fail("the block ends inside an operation");
}

bool
BlockDecoder::TakeFields(FieldValues& last)
{
    const uint64_t mask = m_reader.Take();
    if (mask >> OPERATION_FIELD_COUNT != 0)
    {
        return Fail("a field of no known kind");
    }
    for (uint64_t bits = mask; bits != 0; bits &= bits - 1)
    {
        last[static_cast<std::size_t>(std::countr_zero(bits))] += FromZigzag(m_reader.Take());
    }
    return true;
}

bool
BlockDecoder::TakeDependencies(TraceOperation& operation)
{
    const uint64_t count = m_reader.Take();
    constexpr std::size_t LEAST_BYTES = 2; // of a dependency
    if (count > m_reader.GetLeft() / LEAST_BYTES)
    {
        return Fail("more dependencies than the block has bytes for");
    }
    m_dependencies.resize(static_cast<std::size_t>(count));
    for (Dependency& dependency : m_dependencies)
    {
        const uint64_t thread = m_reader.Take();
        if (thread >> 1 > std::numeric_limits<uint32_t>::max())
        {
            return Fail("a dependency on a thread of no possible number");
        }
        dependency.thread = static_cast<uint32_t>(thread >> 1);
        dependency.event = static_cast<DependencyEvent>(thread & 1);
        dependency.operation = m_number - FromZigzag(m_reader.Take());
    }
    operation.dependencies = m_dependencies;
    return true;
}

bool
BlockDecoder::TakeControl(Control& control)
{
    constexpr std::size_t HEAD_BYTES = 3;
    const auto head = m_reader.TakeBytes(HEAD_BYTES);
    if (head.empty())
    {
        return Fail("the block ends inside an operation");
    }
    const auto verb = static_cast<uint8_t>(head[0]);
    const auto kind = static_cast<uint8_t>(head[1]);
    const auto detail = static_cast<std::size_t>(head[2]);
    if (verb < static_cast<uint8_t>(ControlVerb::CREATE) ||
        verb > static_cast<uint8_t>(ControlVerb::CM) ||
        kind < static_cast<uint8_t>(ObjectKind::DEVICE) ||
        kind > static_cast<uint8_t>(ObjectKind::CM_ID) || detail >= DETAIL_TAKERS.size())
    {
        return Fail("a control operation of no known kind");
    }
    control.verb = static_cast<ControlVerb>(verb);
    control.kind = static_cast<ObjectKind>(kind);
    return DETAIL_TAKERS[detail](m_reader, control) ||
           Fail("a control operation whose fields cannot be read");
}

} // namespace ns3::rdma
