// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-events.h"

#include "trace/csv-table.h"

namespace ns3::rdma
{

namespace
{

/** A cell for a number that may be missing. */
template <typename T>
void
WriteNumber(CsvTable& table, const std::optional<T>& number)
{
    if (number)
    {
        table.Integer(*number);
    }
    else
    {
        table.Empty();
    }
}

} // namespace

void
WriteEvents(ResultFile& file, const RunEvents& events)
{
    CsvTable table{file, "time_ns,event,node,port,priority,detail"};
    for (const RunEvent& event : events.Get())
    {
        table.Time(event.time).Text(event.event).Text(event.node);
        WriteNumber(table, event.port);
        WriteNumber(table, event.priority);
        table.Text(event.detail).EndRow();
    }
}

} // namespace ns3::rdma
