// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/scenario/run-fixture.h"

#include "ns3/string.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** An instrument with attributes as text: MakeInstrument("Queues", {{"Interval", "1us"}}). */
inline ObjectFactory
MakeInstrument(const std::string& name,
               const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    ObjectFactory factory{"ns3::rdma::" + name + "Instrument"};
    for (const auto& [key, value] : attributes)
    {
        factory.Set(key, StringValue(value));
    }
    return factory;
}

/** A row of a table, by column. */
using Row = std::map<std::string, std::string>;

/** All rows of a table without quoted cells. */
inline std::vector<Row>
ReadRows(const RunInFolder& run, const std::string& file)
{
    std::vector<Row> rows;
    const std::vector<std::string> lines = run.Lines(file);
    for (std::size_t line = 1; line < lines.size(); ++line)
    {
        const auto header = SplitLine(lines.front());
        const auto cells = SplitLine(lines[line]);
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i)
        {
            row[header[i]] = cells[i];
        }
    }
    return rows;
}

/** The cells of one column. */
inline std::vector<std::string>
ReadColumn(const RunInFolder& run, const std::string& file, const std::string& column)
{
    std::vector<std::string> cells;
    for (const Row& row : ReadRows(run, file))
    {
        cells.push_back(row.at(column));
    }
    return cells;
}

/** Hosts that write to one at the same time, at 100 Gb/s over cables of 1 us. */
inline Scenario
MakeIncast(uint32_t senders, uint64_t bytes)
{
    Scenario scenario =
        MakeRunScenario(MakeStar(senders + 1, BitRate::Gbps(100), SimTime::Microseconds(1)));
    for (uint32_t host = 1; host <= senders; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 0, bytes));
    }
    return scenario;
}

} // namespace ns3::rdma
