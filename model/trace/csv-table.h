// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "trace/result-file.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/** A time in nanoseconds with exactly three decimals: no picosecond is lost. */
std::string FormatNanoseconds(SimTime time);

/** A number with exactly six decimals. */
std::string FormatRatio(double value);

/**
 * A table in a result file, cell by cell: comma separated, one header line.
 *
 * @spec RFC 4180, but with the line ends of this system
 */
class CsvTable
{
  public:
    /**
     * Writes the header.
     *
     * @param file   outlives the table
     * @param header names of the columns, with their units, comma separated
     */
    CsvTable(ResultFile& file, std::string_view header);

    /** A name; quoted where it must be. */
    CsvTable& Text(std::string_view text);

    CsvTable& Integer(uint64_t value);

    CsvTable& Time(SimTime time);

    CsvTable& Ratio(double value);

    /** A cell that has no value. */
    CsvTable& Empty();

    /** Ends the row. */
    void EndRow();

  private:
    void Separate();

    ResultFile& m_file;
    std::string m_row;
    bool m_isFirst{true};
};

} // namespace ns3::rdma
