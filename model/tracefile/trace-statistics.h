// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How often each size came, in bounded memory. */
class SizeTally
{
  public:
    /** So many different sizes are kept exactly; later ones with eleven binary digits. */
    static constexpr std::size_t MAX_SIZES = 65536;

    void Add(uint64_t size);

    /** @param permille 0 .. 1000; by nearest rank: always a size that came. 0 if none did */
    uint64_t GetPercentile(uint32_t permille) const;

    uint64_t GetCount() const
    {
        return m_count;
    }

    /** Whether all sizes are exact. */
    bool IsExact() const
    {
        return m_isExact;
    }

  private:
    std::map<uint64_t, uint64_t> m_counts;
    uint64_t m_count{0};
    bool m_isExact{true};
};

/** Operations of one kind and opcode. */
struct OperationTotal
{
    uint64_t count{0};
    uint64_t bytes{0};
};

/** What a process did. */
struct ProcessTotal
{
    uint32_t threads{0};
    uint64_t operations{0};
    uint64_t sentBytes{0}; ///< of posted sends and messages
    uint64_t queuePairs{0};
};

/** What is in a trace, in numbers. */
struct TraceStatistics
{
    std::vector<ProcessTotal> processes; ///< as in the trace
    /** By kind and name of the opcode or control call. */
    std::map<std::pair<OperationKind, std::string>, OperationTotal> operations;
    std::map<std::string, uint64_t> statuses; ///< of completions
    SizeTally sizes;                          ///< of posted sends and messages
    uint64_t total{0};                        ///< operations in all
    uint64_t sentBytes{0};
    uint64_t emptyPolls{0}; ///< polls, not runs of them
    uint64_t dependencies{0};
    /** When the first began and the last, since 1970 if the trace knows; nullopt: no times. */
    std::optional<int64_t> firstNs;
    std::optional<int64_t> lastNs;
    Diagnostics damages; ///< where threads ended before their end
};

/** Reads all operations of a trace, one thread after the other. */
TraceStatistics CollectStatistics(Trace& trace);

} // namespace ns3::rdma
