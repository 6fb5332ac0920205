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

    /** Ends the row, which goes to the file unless the table is muted or full. */
    void EndRow();

    /**
     * Fixes the largest size of the file, header included.
     *
     * The first row beyond it and all that come later are left out, so that what is in the file
     * has no gap.
     */
    void SetLimit(uint64_t maxBytes)
    {
        m_maxBytes = maxBytes;
    }

    /** Whether a row was left out because of the limit. */
    bool IsFull() const
    {
        return m_isFull;
    }

    /** While muted, rows come to nothing. */
    void Mute(bool isMuted)
    {
        m_isMuted = isMuted;
    }

  private:
    void Separate();

    ResultFile& m_file;
    std::string m_row;
    uint64_t m_bytes{0}; ///< written, with the header
    uint64_t m_maxBytes{UINT64_MAX};
    bool m_isFirst{true};
    bool m_isFull{false};
    bool m_isMuted{false};
};

} // namespace ns3::rdma
