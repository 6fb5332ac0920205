// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-statistics.h"

#include "tracefile/operation-text.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ns3::rdma
{

namespace
{

constexpr std::size_t CODES = 256;
constexpr std::size_t KINDS = 16;

/** Totals by number; names are looked up once, at the end. */
struct Tables
{
    std::array<std::array<OperationTotal, CODES>, KINDS> operations{};
    std::array<uint64_t, CODES> statuses{};
};

bool
IsSend(const TraceOperation& operation)
{
    return operation.kind == OperationKind::POST_SEND || operation.kind == OperationKind::MESSAGE;
}

/** The row of an operation among those of its kind. */
uint8_t
GetCode(const TraceOperation& operation)
{
    if (operation.kind != OperationKind::CONTROL)
    {
        return operation.opcode;
    }
    return static_cast<uint8_t>(static_cast<unsigned>(operation.control.verb) << 4 |
                                static_cast<unsigned>(operation.control.kind));
}

/** An operation with the name that the row has. */
TraceOperation
MakeExample(std::size_t kind, std::size_t code)
{
    TraceOperation operation;
    operation.kind = static_cast<OperationKind>(kind);
    operation.opcode = static_cast<uint8_t>(code);
    operation.control.verb = static_cast<ControlVerb>(code >> 4);
    operation.control.kind = static_cast<ObjectKind>(code & 0xf);
    return operation;
}

void
CountTime(TraceStatistics& statistics, int64_t timeNs)
{
    statistics.firstNs = std::min(statistics.firstNs.value_or(timeNs), timeNs);
    statistics.lastNs = std::max(statistics.lastNs.value_or(timeNs), timeNs);
}

void
Count(TraceStatistics& statistics, Tables& tables, const TraceOperation& operation)
{
    auto& total =
        tables.operations[static_cast<std::size_t>(operation.kind) % KINDS][GetCode(operation)];
    ++total.count;
    total.bytes += operation.bytes;
    ++statistics.total;
    statistics.dependencies += operation.dependencies.size();
    if (IsSend(operation))
    {
        statistics.sizes.Add(operation.bytes);
        statistics.sentBytes += operation.bytes;
    }
    if (operation.kind == OperationKind::COMPLETION)
    {
        ++tables.statuses[operation.status];
    }
    if (operation.kind == OperationKind::EMPTY_POLLS)
    {
        statistics.emptyPolls += operation.count;
    }
}

void
Count(ProcessTotal& process, const TraceOperation& operation)
{
    ++process.operations;
    process.sentBytes += IsSend(operation) ? operation.bytes : 0;
    const bool isQueuePair = operation.kind == OperationKind::CONTROL &&
                             operation.control.verb == ControlVerb::CREATE &&
                             operation.control.kind == ObjectKind::QUEUE_PAIR;
    process.queuePairs += isQueuePair ? 1 : 0;
}

} // namespace

void
SizeTally::Add(uint64_t size)
{
    constexpr int DIGITS = 11;
    if (m_counts.size() >= MAX_SIZES && !m_counts.contains(size))
    {
        const int digits = std::bit_width(size);
        const int shift = std::max(0, digits - DIGITS);
        size = size >> shift << shift;
        m_isExact = m_isExact && shift == 0;
    }
    ++m_counts[size];
    ++m_count;
}

uint64_t
SizeTally::GetPercentile(uint32_t permille) const
{
    constexpr uint64_t WHOLE = 1000;
    // The smallest size that at least so many are not above.
    const uint64_t rank = std::max<uint64_t>(1, (m_count * permille + WHOLE - 1) / WHOLE);
    uint64_t seen = 0;
    for (const auto& [size, count] : m_counts)
    {
        seen += count;
        if (seen >= rank)
        {
            return size;
        }
    }
    return 0;
}

TraceStatistics
CollectStatistics(Trace& trace)
{
    TraceStatistics statistics;
    statistics.processes.resize(trace.processes.size());
    auto tables = std::make_unique<Tables>();
    TraceOperation operation;
    for (const TraceThread& thread : trace.threads)
    {
        ProcessTotal& process = statistics.processes[thread.process];
        const int64_t originNs = trace.processes[thread.process].originNs;
        ++process.threads;
        while (thread.operations->Next(operation))
        {
            Count(statistics, *tables, operation);
            Count(process, operation);
            if (trace.timing != TraceTiming::NONE)
            {
                // Without signs, because damaged times may be any number.
                CountTime(statistics,
                          static_cast<int64_t>(static_cast<uint64_t>(originNs) +
                                               static_cast<uint64_t>(operation.timeNs)));
            }
        }
        if (const auto& damage = thread.operations->GetDamage())
        {
            statistics.damages.push_back(*damage);
        }
    }
    for (std::size_t kind = 0; kind < KINDS; ++kind)
    {
        for (std::size_t code = 0; code < CODES; ++code)
        {
            const OperationTotal& total = tables->operations[kind][code];
            if (total.count != 0)
            {
                const TraceOperation example = MakeExample(kind, code);
                auto& named = statistics.operations[{example.kind, GetOpcodeName(example)}];
                named.count += total.count;
                named.bytes += total.bytes;
            }
        }
    }
    for (std::size_t status = 0; status < CODES; ++status)
    {
        if (tables->statuses[status] != 0)
        {
            statistics.statuses[GetStatusName(static_cast<uint8_t>(status))] =
                tables->statuses[status];
        }
    }
    return statistics;
}

} // namespace ns3::rdma
