// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "workload/hpcc-flow-reader.h"
#include "workload/message-schedule.h"
#include "workload/text-trace-reader.h"

#include <map>
#include <set>

namespace ns3::rdma
{

namespace
{

/** Makes the trace of a flow list: each flow is a message on a connection of its own. */
Trace
ConvertFlows(const FlowList& flows, std::vector<std::string> notes)
{
    MessageSchedule schedule{TraceTiming::PLANNED};
    std::set<uint32_t> ids;
    for (const Flow& flow : flows)
    {
        ids.insert({flow.source, flow.destination});
    }
    std::map<uint32_t, uint32_t> processes; // by id
    for (const uint32_t id : ids)
    {
        const std::string name = std::to_string(id);
        processes[id] = schedule.AddThread(schedule.AddProcess("host " + name, name), name);
    }
    uint64_t inexact = 0;
    for (const Flow& flow : flows)
    {
        const uint32_t source = processes.at(flow.source);
        ScheduleStep step;
        step.connection = schedule.Connect(
            source, {processes.at(flow.destination), flow.priority, flow.destinationPort});
        step.amount = flow.bytes;
        step.timeNs = RoundToNs(flow.start.ps, inexact);
        schedule.Add(source, step);
    }
    NoteRounding(inexact, notes);
    for (std::string& note : notes)
    {
        schedule.Note(std::move(note));
    }
    return schedule.Take();
}

/**
 * Flow files of the HPCC simulator, ConWeave and ns3-datacenter.
 *
 * The hosts that take part are the processes, ascending by id; their host is the id, as a topology
 * of the same simulators names it.
 */
class HpccFlowTraceReader : public TextTraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbeText(std::string_view head) const override
    {
        return LooksLikeHpccFlows(head) ? Match::MAYBE : Match::NO;
    }

    Expected<Trace> DoParse(const std::string& text, const std::string& file) const override
    {
        std::vector<std::string> notes;
        const auto flows = ParseHpccFlowIds(text, file, notes);
        if (!flows)
        {
            return flows.Errors();
        }
        return ConvertFlows(*flows, std::move(notes));
    }
};

NS_OBJECT_ENSURE_REGISTERED(HpccFlowTraceReader);

const ComponentHelp HELP{"ns3::rdma::HpccFlowTraceReader",
                         "A flow file of the HPCC simulator and its relatives"};

TypeId
HpccFlowTraceReader::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::HpccFlowTraceReader"}
                            .SetParent<TextTraceReader>()
                            .SetGroupName("Rdma")
                            .AddConstructor<HpccFlowTraceReader>();
    return tid;
}

} // namespace

} // namespace ns3::rdma
