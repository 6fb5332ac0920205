// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/instrument.h"

#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** Rows that may wait in memory before all ports are made to tell what they have not told. */
constexpr std::size_t MANY_ROWS = std::size_t{1} << 16;

/** Flows whose paths are looked at for the estimate. */
constexpr std::size_t TRACED_FLOWS = 1000;

double
ToDouble(SimTime time)
{
    return static_cast<double>(time.ps);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Instrument);

TypeId
Instrument::GetTypeId()
{
    static TypeId tid = AddFilters(
        TypeId("ns3::rdma::Instrument")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddAttribute("Interval",
                          "Time between samples, which are at its multiples; 0s: every change, "
                          "where an instrument can tell of changes",
                          SimTimeValue(SimTime{}),
                          MakeSimTimeAccessor(&Instrument::m_interval),
                          MakeSimTimeChecker(SimTime{}, SimTime::Seconds(1000)))
            .AddAttribute("From",
                          "Nothing before this time is written",
                          SimTimeValue(SimTime{}),
                          MakeSimTimeAccessor(&Instrument::m_from),
                          MakeSimTimeChecker())
            .AddAttribute("To",
                          "Nothing after this time is written",
                          SimTimeValue(SimTime::Never()),
                          MakeSimTimeAccessor(&Instrument::m_to),
                          MakeSimTimeChecker(SimTime{}, SimTime::Never()))
            .AddAttribute("File",
                          "Name of its file in the result folder; empty: that of the instrument",
                          StringValue(""),
                          MakeStringAccessor(&Instrument::m_file),
                          MakeStringChecker())
            .AddAttribute("MaxBytes",
                          "Size at which its file is full: nothing later is written, and a warning "
                          "tells so",
                          ByteCountValue(ByteCount{1'000'000'000}),
                          MakeByteCountAccessor(&Instrument::m_maxBytes),
                          MakeByteCountChecker(ByteCount{1000})));
    return tid;
}

TypeId
Instrument::AddFilters(TypeId tid)
{
    return tid
        .AddAttribute("Nodes",
                      "Names of the nodes that it looks at, separated by spaces; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&Instrument::m_nodes),
                      MakeStringChecker())
        .AddAttribute("Ports",
                      "Ports of these nodes, by number: \"0 3-5\"; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&Instrument::m_ports),
                      MakeStringChecker())
        .AddAttribute("Priorities",
                      "Priorities, by number: \"3\", \"0-2 5\"; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&Instrument::m_priorities),
                      MakeStringChecker())
        .AddAttribute("Flows",
                      "Flows, by their numbers in flows.csv: \"1 5-9\"; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&Instrument::m_flows),
                      MakeStringChecker());
}

Diagnostics
Instrument::CheckSettings() const
{
    const InstrumentTraits traits = DoGetTraits();
    Diagnostics errors;
    const auto complain = [&errors](const char* key,
                                    const char* message,
                                    const std::string& got,
                                    const char* expected) {
        errors.push_back({"", 0, key, message, got, expected, "", {}});
    };
    if (traits.interval == IntervalUse::NONE && m_interval.ps != 0)
    {
        complain("interval", "it does not sample", ToString(m_interval), "nothing: leave it out");
    }
    if (traits.interval == IntervalUse::REQUIRED && m_interval.ps == 0)
    {
        complain("interval", "it only samples", ToString(m_interval), "a time, such as 1us");
    }
    if (m_to < m_from)
    {
        complain("to", "before 'from'", ToString(m_to), "a time after 'from'");
    }
    const std::pair<InstrumentFilters, std::pair<const char*, const std::string*>> filters[]{
        {FILTER_NODES, {"nodes", &m_nodes}},
        {FILTER_PORTS, {"ports", &m_ports}},
        {FILTER_PRIORITIES, {"priorities", &m_priorities}},
        {FILTER_FLOWS, {"flows", &m_flows}}};
    for (const auto& [bit, setting] : filters)
    {
        if ((traits.filters & bit) == 0 && !setting.second->empty())
        {
            complain(setting.first,
                     "this filter means nothing to the instrument",
                     *setting.second,
                     "nothing: leave it out");
        }
    }
    const auto filter = InstrumentFilter::Parse({m_nodes, m_ports, m_priorities, m_flows});
    if (!filter)
    {
        errors.insert(errors.end(), filter.Errors().begin(), filter.Errors().end());
    }
    return errors;
}

Diagnostics
Instrument::Resolve(const Scenario& scenario, const Fabric& fabric)
{
    const auto filter = InstrumentFilter::Parse({m_nodes, m_ports, m_priorities, m_flows});
    if (!filter)
    {
        return filter.Errors();
    }
    m_filter = *filter;
    const auto& links = fabric.GetLinks();
    m_hasPlace.resize(links.size());
    for (uint32_t direction = 0; direction < links.size(); ++direction)
    {
        const FabricLink& link = links[direction];
        m_hasPlace[direction] = m_filter.HasPlace(link.from, link.fromPort);
        if (m_hasPlace[direction] && link.fromSwitch != nullptr)
        {
            m_switchPlaces.push_back(direction);
        }
    }
    return m_filter.FindUnknown(scenario);
}

std::string
Instrument::GetFile() const
{
    return m_file.empty() ? std::string{DoGetTraits().file} : m_file;
}

RunEstimate
Instrument::EstimateRun(const Scenario& scenario, const FlowRunner& runner, SimTime end) const
{
    RunEstimate run;
    const SimTime last = std::min(m_to, end);
    const SimTime length = last > m_from ? last - m_from : SimTime{};
    run.samples = m_interval.ps == 0 ? 0.0 : std::floor(ToDouble(length) / ToDouble(m_interval));
    run.switchPorts = static_cast<double>(m_switchPlaces.size());
    run.directions = static_cast<double>(std::ranges::count(m_hasPlace, true));
    std::set<std::string> switches;
    for (const TopologyNode& node : scenario.topology.nodes)
    {
        if (node.kind == NodeKind::SWITCH && m_filter.HasNode(node.name))
        {
            switches.insert(node.name);
        }
    }
    run.switches = static_cast<double>(switches.size());
    EstimateTraffic(scenario, runner, run);
    const double share = end.ps == 0 ? 0.0 : ToDouble(length) / ToDouble(end);
    run.packets *= share;
    run.packetHops *= share;
    return run;
}

void
Instrument::EstimateTraffic(const Scenario& scenario,
                            const FlowRunner& runner,
                            RunEstimate& run) const
{
    const Fabric& fabric = runner.GetFabric();
    const uint16_t mtu = fabric.GetConnectionDefaults().attributes.pathMtu;
    const std::size_t step = scenario.flows.size() / TRACED_FLOWS + 1;
    double switches = 0;
    for (uint32_t flow = 0; flow < scenario.flows.size(); ++flow)
    {
        if (flow % step == 0)
        {
            const auto path = fabric.TracePath(runner.GetRecords()[flow].interfaces, flow);
            switches = static_cast<double>(path.size()) - 1;
        }
        if (m_filter.HasFlow(flow) && m_filter.HasPriority(scenario.flows[flow].priority))
        {
            const auto packets = static_cast<double>(scenario.flows[flow].bytes / mtu + 1);
            run.flows += 1;
            run.packets += packets;
            run.packetHops += packets * switches;
        }
    }
}

ByteCount
Instrument::EstimateSize(const Scenario& scenario, const FlowRunner& runner, SimTime end) const
{
    const double rows = DoEstimateRows(EstimateRun(scenario, runner, end));
    return {static_cast<uint64_t>(rows * DoGetTraits().rowBytes)};
}

void
Instrument::Start(const InstrumentContext& context, ResultFile& file, uint32_t order)
{
    m_context.emplace(context);
    m_table.emplace(file, DoGetTraits().header);
    m_table->SetLimit(m_maxBytes.value);
    m_sample.Bind<&Instrument::OnSample>(this, EventOrder::Of(EventPhase::SAMPLE, 2 * order));
    m_settle.Bind<&Instrument::OnSettle>(this, EventOrder::Of(EventPhase::SAMPLE, 2 * order + 1));
    context.observers.Add(m_sample);
    context.observers.Add(m_settle);
    DoStart();
    if (m_interval.ps != 0)
    {
        // The sample before From is muted: what is told of intervals begins with it.
        const uint64_t before = m_from.ps == 0 ? 0 : (m_from.ps - 1) / m_interval.ps;
        EventQueue& events = context.fabric.GetEvents();
        const SimTime first{std::max<uint64_t>(before, 1) * m_interval.ps};
        events.Schedule(m_sample, std::max(first, events.Now()));
    }
}

void
Instrument::OnSample(SimTime now)
{
    m_table->Mute(now < m_from);
    m_lastRow = m_table->IsFull() ? m_lastRow : now;
    DoSample(now);
    m_table->Mute(false);
    if (now + m_interval <= m_to && !m_table->IsFull())
    {
        m_context->observers.Continue(m_sample, now + m_interval);
    }
}

void
Instrument::SettleIfMany(std::size_t waiting)
{
    if (waiting >= MANY_ROWS && !m_settle.IsPending() && !m_isSettling)
    {
        EventQueue& events = m_context->fabric.GetEvents();
        events.Schedule(m_settle, events.Now());
    }
}

void
Instrument::OnSettle(SimTime now)
{
    m_isSettling = true;
    m_context->fabric.Settle(now);
    DoSettle(now);
    m_isSettling = false;
}

void
Instrument::Finish(SimTime end)
{
    // Everything has been told, that of the last instant too.
    DoSettle(SimTime::Never());
    DoFinish(end);
}

CsvTable&
Instrument::Row(SimTime when)
{
    m_lastRow = m_table->IsFull() ? m_lastRow : when;
    return *m_table;
}

std::optional<std::string>
Instrument::GetShortfall() const
{
    if (!m_table || !m_table->IsFull())
    {
        return std::nullopt;
    }
    return GetFile() + ": max_bytes (" + ToString(m_maxBytes) + ") was reached; nothing from " +
           ToString(m_lastRow) + " on is in it";
}

void
Instrument::DoDispose()
{
    m_table.reset();
    m_context.reset();
    Object::DoDispose();
}

} // namespace ns3::rdma
