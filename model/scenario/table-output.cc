// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/table-output.h"

#include "trace/csv-table.h"

namespace ns3::rdma
{

namespace
{

constexpr std::string_view FLOW_COLUMNS =
    "flow,tag,source,destination,source_port,destination_port,priority,bytes,start_ns,"
    "fct_delivered_ns,fct_acked_ns,ideal_delivered_ns,ideal_acked_ns,slowdown_delivered,"
    "slowdown_acked,status,packets_sent,packets_retransmitted,naks_received,timeouts,"
    "cnps_received,in_window";

constexpr std::string_view LINK_COLUMNS =
    "link,from,from_port,to,to_port,rate_bps,delay_ns,frames,wire_bytes,utilisation,"
    "dropped_frames,ecn_marked_frames,pause_frames_sent,pause_frames_received,paused_ns,"
    "max_queue_bytes";

/** A cell for a time that may not have been reached. */
void
WriteTime(CsvTable& table, SimTime time)
{
    if (time.IsNever())
    {
        table.Empty();
    }
    else
    {
        table.Time(time);
    }
}

/** A cell for measured / ideal. */
void
WriteSlowdown(CsvTable& table, SimTime measured, double slowdown)
{
    if (measured.IsNever())
    {
        table.Empty();
    }
    else
    {
        table.Ratio(slowdown);
    }
}

} // namespace

void
WriteFlows(ResultFile& file,
           const Scenario& scenario,
           const FlowRunner& runner,
           const RunReport& report)
{
    CsvTable table{file, FLOW_COLUMNS};
    for (uint32_t number = 0; number < runner.GetFlows().size(); ++number)
    {
        const Flow& flow = runner.GetFlows()[number];
        const FlowRecord& record = runner.GetRecords()[number];
        const FlowOutcome& outcome = report.outcomes[number];
        table.Integer(number)
            .Text(flow.tag)
            .Text(scenario.topology.nodes[flow.source].name)
            .Text(scenario.topology.nodes[flow.destination].name);
        if (record.isStarted)
        {
            table.Integer(record.udpSourcePort);
        }
        else
        {
            table.Empty();
        }
        table.Integer(flow.destinationPort)
            .Integer(flow.priority)
            .Integer(flow.bytes)
            .Time(record.start);
        WriteTime(table, outcome.delivered);
        WriteTime(table, outcome.acked);
        WriteTime(table, outcome.idealDelivered);
        WriteTime(table, outcome.idealAcked);
        WriteSlowdown(table, outcome.delivered, outcome.GetSlowdownDelivered());
        WriteSlowdown(table, outcome.acked, outcome.GetSlowdownAcked());
        const QueuePairStatistics counters = runner.GetStatistics(number);
        table.Text(ToString(outcome))
            .Integer(counters.packetsSent)
            .Integer(counters.packetsRetransmitted)
            .Integer(counters.naksReceived)
            .Integer(counters.timeouts)
            .Integer(counters.cnpsReceived)
            .Integer(outcome.isCounted ? 1 : 0)
            .EndRow();
    }
}

void
WriteLinks(ResultFile& file, const Fabric& fabric, SimTime end)
{
    CsvTable table{file, LINK_COLUMNS};
    for (const FabricLink& link : fabric.GetLinks())
    {
        const EthernetPort& port = *link.port;
        const PortCounters& counters = port.GetCounters();
        uint64_t dropped = port.GetPeer()->GetCounters().lostFrames + counters.cutFrames;
        uint64_t marked = 0;
        if (link.fromSwitch != nullptr)
        {
            dropped += link.fromSwitch->GetDroppedFrames(port.GetIndex());
            marked = link.fromSwitch->GetMarkedFrames(port.GetIndex());
        }
        SimTime paused{};
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            paused += port.GetPausedTime(priority, end);
        }
        table.Integer(link.link)
            .Text(link.from)
            .Integer(link.fromPort)
            .Text(link.to)
            .Integer(link.toPort)
            .Integer(port.GetConfig().rate.bps)
            .Time(port.GetConfig().delay)
            .Integer(counters.frames)
            .Integer(counters.wireBytes)
            .Ratio(GetUtilisation(link, end))
            .Integer(dropped)
            .Integer(marked)
            .Integer(counters.pauseFramesSent)
            .Integer(counters.pauseFramesReceived)
            .Time(paused)
            .Integer(counters.maxQueueBytes)
            .EndRow();
    }
}

} // namespace ns3::rdma
