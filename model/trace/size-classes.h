// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Where a distribution lies. All zero for no values. */
struct Percentiles
{
    uint64_t count{0};
    double p50{0.0};
    double p95{0.0};
    double p99{0.0};
    double p999{0.0}; ///< the 99.9th
    double max{0.0};

    bool operator==(const Percentiles&) const = default;
};

/**
 * Percentiles by nearest rank: always a value that was measured.
 *
 * @param values in any order
 */
Percentiles ComputePercentiles(std::vector<double> values);

/** Flows of similar size, which are judged together. */
struct SizeClass
{
    std::string name; ///< "10KB..100KB"
    uint64_t fromBytes{0};
    uint64_t toBytes{0}; ///< the last size that belongs to it

    bool Holds(uint64_t bytes) const
    {
        return fromBytes <= bytes && bytes <= toBytes;
    }
};

/**
 * All flow sizes in classes.
 *
 * @choice decades from 1 KB: fine enough to tell messages that fit into a round trip from those
 * that do not, and independent of the flows of a run, so that runs can be compared
 */
const std::array<SizeClass, 6>& GetSizeClasses();

} // namespace ns3::rdma
