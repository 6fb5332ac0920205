// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Whole numbers that a user has listed: "5 7-9"; an empty list stands for all numbers. */
class NumberRanges
{
  public:
    /** All numbers. */
    NumberRanges() = default;

    /**
     * Reads numbers and ranges, separated by blanks or commas; both ends of a range belong to it.
     *
     * @error no number, a range that runs backwards, a number above most
     */
    static Expected<NumberRanges> Parse(std::string_view text, uint64_t most);

    bool IsAll() const
    {
        return m_ranges.empty();
    }

    bool Has(uint64_t number) const;

    /** The largest listed number; 0 for all numbers. */
    uint64_t GetLargest() const;

  private:
    struct Range
    {
        uint64_t first{0};
        uint64_t last{0};
    };

    std::vector<Range> m_ranges; ///< ascending, apart from each other
};

} // namespace ns3::rdma
