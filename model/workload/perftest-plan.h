// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** What is measured; the programs of perftest of these names. */
enum class PerftestVerb : uint8_t
{
    WRITE,
    READ,
    SEND,
    FETCH_ADD,
    COMPARE_SWAP,
};

enum class PerftestKind : uint8_t
{
    LATENCY,
    BANDWIDTH,
};

/** What a test is to do. */
struct PerftestPlan
{
    PerftestVerb verb{PerftestVerb::WRITE};
    PerftestKind kind{PerftestKind::LATENCY};
    std::vector<uint32_t> sizes;  ///< bytes of a message, one test after the other
    uint32_t iterations{1000};    ///< messages of a queue pair, for each size
    uint32_t txDepth{128};        ///< outstanding sends of a queue pair, at most (bandwidth)
    uint32_t rxDepth{512};        ///< posted receives of a queue pair (SEND)
    uint32_t inlineBytes{0};      ///< messages up to this size are posted inline
    uint32_t cqModeration{100};   ///< every n-th send is signalled (bandwidth)
    uint32_t queuePairs{1};       ///< bandwidth; a latency test has one
    uint32_t postList{1};         ///< requests of one post (bandwidth)
    uint8_t outstandingReads{16}; ///< READs and atomics of a queue pair on their way
};

/** The verb as scenarios spell it. */
std::string_view ToString(PerftestVerb verb);

/** "lat" or "bw". */
std::string_view ToString(PerftestKind kind);

constexpr bool
IsAtomic(PerftestVerb verb)
{
    return verb == PerftestVerb::FETCH_ADD || verb == PerftestVerb::COMPARE_SWAP;
}

/** Whether a latency is half of a cycle: a message there and one back. */
constexpr bool
IsPingPong(PerftestVerb verb)
{
    return verb == PerftestVerb::WRITE || verb == PerftestVerb::SEND;
}

/**
 * Bytes up to which a test posts inline when it is not told otherwise.
 *
 * @spec perftest, get_parameters: 220 for WRITE, 236 for SEND in latency tests; else 0
 */
uint32_t DefaultInlineBytes(PerftestVerb verb, PerftestKind kind);

/**
 * Reads the sizes of a test.
 *
 * @param text "2B 64KiB", "all" (2 B to 8 MiB, doubling), or empty: that of perftest
 * @spec perftest: 2 B for latency, 65536 B for bandwidth; an atomic has 8 B
 * @error no sizes, sizes of 0 or above 2^31, others than 8 B for an atomic; key "sizes"
 */
Expected<std::vector<uint32_t>> ReadPerftestSizes(const std::string& text,
                                                  PerftestVerb verb,
                                                  PerftestKind kind);

/** What does not fit together; keys are attributes in snake case. */
Diagnostics CheckPlan(const PerftestPlan& plan);

} // namespace ns3::rdma
