// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/** A number of the file, and the line it stands in; line 0: the file does not have it. */
struct HtsimValue
{
    uint64_t number{0};
    uint32_t line{0};
};

/** What stands below "Tier n". */
struct HtsimTier
{
    HtsimValue start; ///< "Tier n"
    HtsimValue speedGbps;
    HtsimValue latencyNs;
    HtsimValue radixDown;
    HtsimValue radixUp;
    HtsimValue oversubscribed{1};
    HtsimValue bundle{1};
    HtsimValue switchLatencyNs;
    HtsimValue queueDown;
    HtsimValue queueUp;
};

/** A topology file of htsim as it stands in the file; htsim-topology-reader.h says what it means.
 */
struct HtsimTopologyFile
{
    static constexpr std::size_t MAX_TIERS = 3;

    HtsimValue nodes;
    HtsimValue tiers;
    HtsimValue podSize;
    std::array<HtsimTier, MAX_TIERS> tier;

    /** The number of the highest tier. */
    std::size_t Top() const
    {
        return tiers.number - 1;
    }
};

/**
 * Reads the words of a topology file of htsim.
 *
 * @param text the content of the file
 * @param file its name, for messages
 * @error unknown words (with the nearest), numbers out of range, values twice, missing or where
 * they mean nothing; each with its line
 */
Expected<HtsimTopologyFile> ParseHtsimTopologyFile(std::string_view text, const std::string& file);

} // namespace ns3::rdma
