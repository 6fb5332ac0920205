// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-plan.h"

#include "base/quantity.h"
#include "verbs/send-request.h"

namespace ns3::rdma
{

namespace
{

constexpr std::string_view SEPARATORS = ", ";
constexpr std::string_view ALL = "all";

Diagnostic
MakeDiagnostic(const std::string& key,
               const std::string& message,
               const std::string& got,
               const std::string& expected)
{
    Diagnostic diagnostic;
    diagnostic.key = key;
    diagnostic.message = message;
    diagnostic.got = got;
    diagnostic.expected = expected;
    return diagnostic;
}

/** The words of a list. */
std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> words;
    std::size_t begin = text.find_first_not_of(SEPARATORS);
    while (begin != std::string::npos)
    {
        const std::size_t end = text.find_first_of(SEPARATORS, begin);
        words.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(SEPARATORS, end);
    }
    return words;
}

std::vector<uint32_t>
DefaultSizes(PerftestVerb verb, PerftestKind kind)
{
    constexpr uint32_t LATENCY_BYTES = 2;
    constexpr uint32_t BANDWIDTH_BYTES = 65536;
    if (IsAtomic(verb))
    {
        return {ATOMIC_BYTES};
    }
    return {kind == PerftestKind::LATENCY ? LATENCY_BYTES : BANDWIDTH_BYTES};
}

/** @spec perftest, option -a: 2^1 to 2^23 bytes */
std::vector<uint32_t>
AllSizes(PerftestVerb verb)
{
    constexpr unsigned LAST_POWER = 23;
    if (IsAtomic(verb))
    {
        return {ATOMIC_BYTES};
    }
    std::vector<uint32_t> sizes;
    for (unsigned power = 1; power <= LAST_POWER; ++power)
    {
        sizes.push_back(1U << power);
    }
    return sizes;
}

} // namespace

std::string_view
ToString(PerftestVerb verb)
{
    switch (verb)
    {
    case PerftestVerb::WRITE:
        return "write";
    case PerftestVerb::READ:
        return "read";
    case PerftestVerb::SEND:
        return "send";
    case PerftestVerb::FETCH_ADD:
        return "fetch-add";
    case PerftestVerb::COMPARE_SWAP:
        return "compare-swap";
    }
    return "";
}

std::string_view
ToString(PerftestKind kind)
{
    return kind == PerftestKind::LATENCY ? "lat" : "bw";
}

uint32_t
DefaultInlineBytes(PerftestVerb verb, PerftestKind kind)
{
    constexpr uint32_t WRITE_BYTES = 220;
    constexpr uint32_t SEND_BYTES = 236;
    if (kind == PerftestKind::BANDWIDTH || !IsPingPong(verb))
    {
        return 0;
    }
    return verb == PerftestVerb::WRITE ? WRITE_BYTES : SEND_BYTES;
}

Expected<std::vector<uint32_t>>
ReadPerftestSizes(const std::string& text, PerftestVerb verb, PerftestKind kind)
{
    const std::vector<std::string> words = SplitList(text);
    if (words.empty())
    {
        return DefaultSizes(verb, kind);
    }
    if (words.size() == 1 && words.front() == ALL)
    {
        return AllSizes(verb);
    }
    std::vector<uint32_t> sizes;
    Diagnostics errors;
    for (const std::string& word : words)
    {
        const auto bytes = ParseBytes(word);
        if (!bytes)
        {
            errors.push_back(bytes.Errors().front());
            errors.back().key = "sizes";
        }
        else if (bytes->value == 0 || bytes->value > MAX_MESSAGE_BYTES)
        {
            errors.push_back(MakeDiagnostic("sizes", "out of range", word, "1B to 2GiB, or all"));
        }
        else if (IsAtomic(verb) && bytes->value != ATOMIC_BYTES)
        {
            errors.push_back(
                MakeDiagnostic("sizes", "an atomic operation has one size", word, "8B"));
        }
        else
        {
            sizes.push_back(static_cast<uint32_t>(bytes->value));
        }
    }
    if (!errors.empty())
    {
        return errors;
    }
    return sizes;
}

Diagnostics
CheckPlan(const PerftestPlan& plan)
{
    constexpr uint32_t FEWEST_OF_LATENCY = 2;
    Diagnostics errors;
    if (plan.kind == PerftestKind::LATENCY)
    {
        if (plan.queuePairs != 1)
        {
            errors.push_back(MakeDiagnostic("queue_pairs",
                                            "a latency test has one queue pair",
                                            std::to_string(plan.queuePairs),
                                            "1, or test: bw"));
        }
        if (plan.iterations < FEWEST_OF_LATENCY)
        {
            errors.push_back(MakeDiagnostic("iterations",
                                            "a latency is the time between two iterations",
                                            std::to_string(plan.iterations),
                                            "at least 2"));
        }
    }
    if (plan.postList > plan.txDepth)
    {
        errors.push_back(MakeDiagnostic("post_list",
                                        "a list must fit into the send queue",
                                        std::to_string(plan.postList),
                                        "at most tx_depth " + std::to_string(plan.txDepth)));
    }
    return errors;
}

} // namespace ns3::rdma
