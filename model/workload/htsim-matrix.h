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

/** A line "source->destination ..." of a connection matrix. */
struct HtsimFlow
{
    uint32_t line{0};
    uint32_t source{0};
    uint32_t destination{0};
    uint64_t id{0}; ///< 0: none is given
    uint64_t bytes{0};
    uint64_t trigger{0};            ///< that starts it; 0: start does
    uint64_t sendDoneTrigger{0};    ///< fired when its last byte is acknowledged; 0: none
    uint64_t receiveDoneTrigger{0}; ///< fired when its last byte has arrived; 0: none
    std::optional<uint64_t> priority;
    std::string_view start; ///< as it stands in the text, which must outlive it; empty: none
};

/** A line "trigger id ...". */
struct HtsimTrigger
{
    enum class Kind : uint8_t
    {
        ONESHOT,   ///< the first to fire it starts all its flows
        MULTISHOT, ///< the k-th to fire it starts the k-th of its flows
        BARRIER,   ///< the count-th to fire it starts all its flows
    };

    uint32_t line{0}; ///< 0: the file does not define it
    uint64_t id{0};
    Kind kind{Kind::ONESHOT};
    uint64_t count{0}; ///< of a barrier
};

/** A connection matrix of htsim (.cm) as it stands in the file. */
struct HtsimMatrix
{
    uint32_t nodes{0};
    std::vector<HtsimFlow> flows;
    std::vector<HtsimTrigger> triggers;
    std::vector<std::string> failures; ///< "line 7: switch_type TOR switch_id 1 link_id 2"
    /** Where the numbers in the header are not those of the lines that follow. */
    Diagnostics miscounts;
};

/**
 * Reads a connection matrix.
 *
 * "Nodes n", "Connections n", and "Triggers n" and "Failures n" where there are such, stand first;
 * then come the lines that they count. Words may be separated by several blanks; a line that begins
 * with # is a comment, anywhere.
 *
 * @param text must outlive the result
 * @param file its name, for messages
 * @error unknown words (with the nearest), a word twice, malformed numbers, nodes beyond Nodes, a
 * flow to its own node, without size, with neither start nor trigger or with both, ids that are 0
 * or used twice; each with its line
 * @spec uet-htsim, sim/datacenter/connection_matrix.cpp
 * Not modelled: size 0 (a flow without end), and the words msg and addon of some branches
 */
Expected<HtsimMatrix> ParseHtsimMatrix(std::string_view text, const std::string& file);

/** Whether a text begins like a connection matrix: with one of the words of its header. */
bool LooksLikeHtsimMatrix(std::string_view head);

} // namespace ns3::rdma
