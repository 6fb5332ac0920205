// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Which options a program takes. */
struct OptionTable
{
    std::vector<std::string> withValue;
    std::vector<std::string> flags;
};

/** A program's command line. */
class Options
{
  public:
    /** @error an option that the table does not know, a value that is missing */
    static Expected<Options> Parse(const std::vector<std::string>& words, const OptionTable& table);

    bool Has(const std::string& option) const;

    std::string GetText(const std::string& option, const std::string& fallback) const;

    /** Decimal, or hexadecimal behind 0x; what is no number reads as 0. */
    uint64_t GetNumber(const std::string& option, uint64_t fallback) const;

    /** Words that are no options, in their order. */
    const std::vector<std::string>& GetOperands() const
    {
        return m_operands;
    }

  private:
    std::map<std::string, std::string> m_values; ///< the last of each
    std::vector<std::string> m_operands;
};

} // namespace ns3::rdma
