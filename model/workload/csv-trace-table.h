// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/table-reader.h"
#include "workload/message-schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** An operation of a table, its values read. Texts point into the table's text. */
struct CsvTraceRow
{
    std::string_view process;
    std::string_view thread;
    std::string_view name;
    std::string_view peer;
    std::string_view connection;
    std::string_view after;
    uint32_t enough{0};
    uint8_t priority{0xff}; ///< 0xff: not said
    uint16_t destinationPort{0};
    bool hasBytes{false};
    ScheduleStep step; ///< but for its connection
};

/**
 * Reads the table of operations that model/tracefile/csv.md describes, row by row.
 *
 * Columns are checked, and each value by itself; what rows have to do with each other is not.
 */
class CsvTraceTable
{
  public:
    CsvTraceTable(std::string_view text, DiagnosticList& errors);

    /** Reads the line of names; false: something is wrong with it. */
    bool ReadNames();

    /** Whether the names are those of such a table: one is process or operation. */
    bool HasTraceNames() const;

    /** Whether there is a column of times. */
    bool HasTimes() const
    {
        return m_time.has_value();
    }

    /**
     * Reads the next row that is right; others are reported and passed over.
     *
     * @return false at the end
     */
    bool Next(CsvTraceRow& row);

    /** Rows so far, those that were passed over included. */
    uint64_t CountRows() const
    {
        return m_rows;
    }

    /** Reports what is wrong with a value of the row that was read last. */
    void Fail(std::string_view column,
              std::string_view value,
              std::string message,
              std::string expected);

  private:
    /** A column of times: where it is, and its unit in powers of ten of picoseconds. */
    struct TimeColumn
    {
        std::size_t at;
        std::string name;
        int exponent;
    };

    std::optional<TimeColumn> FindTime(const std::string& prefix);
    std::string_view GetCell(std::string_view column) const;
    bool ReadRow(CsvTraceRow& row);
    bool CheckColumns(std::size_t kind);
    uint64_t ReadNumber(std::string_view column, uint64_t maximum, uint64_t otherwise);
    uint64_t ReadTime(const std::optional<TimeColumn>& column);
    std::size_t ReadName(std::string_view column, const std::vector<std::string>& known);

    DiagnosticList& m_errors;
    TableReader m_table;
    std::optional<TimeColumn> m_time;
    std::optional<TimeColumn> m_duration;
    std::vector<TextToken> m_cells; ///< of this row
    uint64_t m_rows{0};
    bool m_isRight{true}; ///< this row so far
};

} // namespace ns3::rdma
