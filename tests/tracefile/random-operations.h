// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-fields.h"
#include "tracefile/operation-stream.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An operation that owns its dependencies. */
struct StoredOperation
{
    TraceOperation operation;
    std::vector<Dependency> dependencies;

    explicit StoredOperation(const TraceOperation& source)
        : operation{source},
          dependencies{source.dependencies.begin(), source.dependencies.end()}
    {
        operation.dependencies = {};
    }
};

/** What an operation is, as text: all that its kind has. Two are the same if their texts are. */
inline std::string
Describe(const TraceOperation& operation)
{
    std::string text =
        std::to_string(static_cast<int>(operation.kind)) + " @" + std::to_string(operation.timeNs);
    for (const uint64_t value : GetFieldValues(operation))
    {
        text += " " + std::to_string(value);
    }
    for (const Dependency& dependency : operation.dependencies)
    {
        text += " <" + std::to_string(dependency.thread) + "," +
                std::to_string(static_cast<int>(dependency.event)) + "," +
                std::to_string(dependency.operation) + ">";
    }
    if (operation.kind != OperationKind::CONTROL)
    {
        return text;
    }
    text += " control " + std::to_string(static_cast<int>(operation.control.verb)) + " " +
            std::to_string(static_cast<int>(operation.control.kind)) + " " +
            std::to_string(operation.control.detail.index());
    const auto add = [&text]<typename VALUE>(const VALUE& value)
    {
        if constexpr (std::is_same_v<VALUE, Gid>)
        {
            for (const std::byte byte : value)
            {
                text += " " + std::to_string(static_cast<int>(byte));
            }
        }
        else if constexpr (std::is_same_v<VALUE, std::string>)
        {
            text += " '" + value + "'";
        }
        else
        {
            text += " " + std::to_string(static_cast<int64_t>(value));
        }
    };
    std::visit(
        [&add]<typename DETAIL>(const DETAIL& detail)
        {
            std::apply([&](const auto&... fields) { (add(detail.*fields.member), ...); },
                       DETAIL_FIELDS<DETAIL>);
        },
        operation.control.detail);
    return text;
}

/** Makes operations with any values that their fields can hold. */
class RandomOperations
{
  public:
    explicit RandomOperations(uint64_t seed) : m_random{seed} {}

    /** The dependencies of the result are this object's, until the next call. */
    TraceOperation Make()
    {
        TraceOperation operation;
        operation.kind = static_cast<OperationKind>(1 + m_random() % 12);
        Fill(operation.timeNs);
        std::apply([&](const auto&... fields) { (Fill(operation.*fields.member), ...); },
                   OPERATION_FIELDS);
        m_dependencies.clear();
        for (uint64_t count = m_random() % 8; count > 5; --count)
        {
            auto& dependency = m_dependencies.emplace_back();
            Fill(dependency.thread);
            Fill(dependency.operation);
            dependency.event = static_cast<DependencyEvent>(m_random() % 2);
        }
        operation.dependencies = m_dependencies;
        if (operation.kind == OperationKind::CONTROL)
        {
            operation.control.verb = static_cast<ControlVerb>(1 + m_random() % 4);
            operation.control.kind = static_cast<ObjectKind>(1 + m_random() % 11);
            MakeDetail<0>(operation.control, m_random() % DETAILS);
        }
        return operation;
    }

    static constexpr std::size_t DETAILS = std::variant_size_v<decltype(Control::detail)>;

  private:
    template <std::size_t INDEX>
    void MakeDetail(Control& control, std::size_t index)
    {
        if constexpr (INDEX < DETAILS)
        {
            if (index != INDEX)
            {
                MakeDetail<INDEX + 1>(control, index);
                return;
            }
            auto& detail = control.detail.template emplace<INDEX>();
            std::apply([&](const auto&... fields) { (Fill(detail.*fields.member), ...); },
                       DETAIL_FIELDS<std::remove_reference_t<decltype(detail)>>);
        }
    }

    /** Nothing, something small, an end of the range, or anything. */
    template <typename VALUE>
    void Fill(VALUE& value)
    {
        if constexpr (std::is_same_v<VALUE, Gid>)
        {
            for (std::byte& byte : value)
            {
                byte = static_cast<std::byte>(m_random());
            }
        }
        else if constexpr (std::is_same_v<VALUE, std::string>)
        {
            value = std::string(m_random() % 20, 'n');
        }
        else if constexpr (std::is_enum_v<VALUE>)
        {
            value = static_cast<VALUE>(1 + m_random() % 9);
        }
        else
        {
            using Limits = std::numeric_limits<VALUE>;
            const std::array<VALUE, 5> choices{VALUE{},
                                               static_cast<VALUE>(m_random() % 2),
                                               Limits::min(),
                                               Limits::max(),
                                               static_cast<VALUE>(m_random())};
            value = choices[m_random() % choices.size()];
        }
    }

    std::mt19937_64 m_random;
    std::vector<Dependency> m_dependencies;
};

/** A stream of operations that are there already. */
class StoredStream final : public OperationStream
{
  public:
    explicit StoredStream(std::vector<StoredOperation> operations)
        : m_operations{std::move(operations)}
    {
    }

    bool Next(TraceOperation& operation) override
    {
        if (m_next == m_operations.size())
        {
            return false;
        }
        operation = m_operations[m_next].operation;
        operation.dependencies = m_operations[m_next].dependencies;
        ++m_next;
        return true;
    }

  private:
    std::vector<StoredOperation> m_operations;
    std::size_t m_next{0};
};

} // namespace ns3::rdma
