// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/text-reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * Reads a table of comma-separated values whose first line names the columns.
 *
 * Blanks around a cell are not part of it; a cell in double quotes may hold commas and blanks, but
 * no quotes. A line that begins with '#' is a comment; empty lines are skipped. The text must
 * outlive the cells.
 */
class TableReader
{
  public:
    TableReader(std::string_view text, DiagnosticList& errors);

    /**
     * Reads the line of names.
     *
     * @param known  all names that a column may have
     * @param needed those that must be there
     * @return false: names are unknown (with the nearest), repeated or missing, or the file is
     * empty
     */
    bool ReadNames(const std::vector<std::string>& known, const std::vector<std::string>& needed);

    /** Names of the columns, in their order. */
    const std::vector<std::string>& Names() const
    {
        return m_names;
    }

    /** Where a column is; nothing if the table has none of this name. */
    std::optional<std::size_t> Find(std::string_view name) const;

    /**
     * Reads the next row; one with more or fewer cells than names is reported and passed over.
     *
     * @return false at the end of the text
     */
    bool Next(std::vector<TextToken>& cells);

    /** The line read last, from 1. */
    uint32_t Line() const
    {
        return m_line;
    }

  private:
    bool NextLine(std::vector<TextToken>& cells);

    std::string_view m_rest;
    DiagnosticList& m_errors;
    uint32_t m_line{0};
    std::vector<std::string> m_names;
};

/** A line cut at its commas, without blanks and quotes around the parts. */
std::vector<TextToken> CutAtCommas(std::string_view line, uint32_t number);

} // namespace ns3::rdma
