// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/summary-output.h"

#include "scenario/plugin-loader.h"
#include "scenario/run-machine.h"
#include "scenario/version.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int INDENT = 2;
constexpr double PS_PER_NS = 1000.0;

/** Parameters of this group choose how a run is computed, not what comes out. */
constexpr std::string_view ENGINE_GROUP = "engine.";

double
ToNs(SimTime time)
{
    return static_cast<double>(time.ps) / PS_PER_NS;
}

Json
ToJson(const Percentiles& values)
{
    return {{"p50", values.p50},
            {"p95", values.p95},
            {"p99", values.p99},
            {"p999", values.p999},
            {"max", values.max}};
}

Json
ToJson(const FlowDistribution& distribution)
{
    Json json{{"sizes", distribution.sizes.name},
              {"from_bytes", distribution.sizes.fromBytes},
              {"to_bytes", Json{}},
              {"finished", distribution.ackedNs.count}};
    // A class without an upper end has null there: readers of JSON cut 2^64 - 1 to a double.
    if (distribution.sizes.toBytes != std::numeric_limits<uint64_t>::max())
    {
        json["to_bytes"] = distribution.sizes.toBytes;
    }
    if (distribution.ackedNs.count != 0)
    {
        json["fct_delivered_ns"] = ToJson(distribution.deliveredNs);
        json["fct_acked_ns"] = ToJson(distribution.ackedNs);
        json["slowdown_delivered"] = ToJson(distribution.slowdownDelivered);
        json["slowdown_acked"] = ToJson(distribution.slowdownAcked);
    }
    return json;
}

Json
FlowsToJson(const FlowTotals& flows)
{
    return {{"total", flows.total},
            {"finished", flows.finished},
            {"running", flows.running},
            {"failed", flows.failed},
            {"not_started", flows.notStarted},
            {"stopped", flows.stopped},
            {"bytes", flows.bytes},
            {"delivered_bytes", flows.deliveredBytes},
            {"acked_bytes", flows.ackedBytes}};
}

Json
WindowToJson(const MeasurementWindow& window, const WindowTotals& totals)
{
    Json json{{"flows", Describe(window)},
              {"warm_up_ns", ToNs(window.warmUp)},
              {"cut_off_ns", Json{}},
              {"counted", totals.counted},
              {"outside", totals.outside},
              {"finished", totals.finished},
              {"failed", totals.failed},
              {"stopped", totals.stopped},
              {"censored", totals.censored},
              {"censored_slowdown_delivered_above", Json{}}};
    if (!window.cutOff.IsNever())
    {
        json["cut_off_ns"] = ToNs(window.cutOff);
    }
    if (totals.leastBound)
    {
        json["censored_slowdown_delivered_above"] = {{"min", *totals.leastBound},
                                                     {"max", *totals.greatestBound}};
    }
    return json;
}

Json
PluginsToJson()
{
    Json json = Json::array();
    for (const Plugin& plugin : GetPlugins())
    {
        json.push_back({{"path", plugin.path}, {"digest", plugin.digest}});
    }
    return json;
}

Json
ApplicationsToJson(const std::vector<ApplicationOutcome>& outcomes)
{
    Json json = Json::array();
    for (const ApplicationOutcome& outcome : outcomes)
    {
        json.push_back({{"tag", outcome.tag},
                        {"started", outcome.hasStarted},
                        {"ended", outcome.hasEnded},
                        {"failure", outcome.failure}});
    }
    return json;
}

Json
DropsToJson(const NetworkTotals& network)
{
    Json json = Json::object();
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        json[std::string{ToString(static_cast<DropReason>(reason))}] = {
            {"frames", network.dropped[reason].frames},
            {"bytes", network.dropped[reason].bytes},
            {"frames_at_interfaces", network.discardedAtInterfaces[reason]}};
    }
    return json;
}

Json
NetworkToJson(const NetworkTotals& network)
{
    return {{"packet_hops", network.packetHops},
            {"wire_bytes", network.wireBytes},
            {"data_packets_sent", network.dataFrames},
            {"packets_retransmitted", network.retransmittedFrames},
            {"acks_sent", network.ackFrames},
            {"naks_received", network.naksReceived},
            {"timeouts", network.timeouts},
            {"ecn_marked_frames", network.markedFrames},
            {"ce_arrivals", network.ceArrivals},
            {"cnps_sent", network.cnpFrames},
            {"pause_frames_sent", network.pauseFrames},
            {"resume_frames_sent", network.resumeFrames},
            {"paused_ns", ToNs(network.pausedTime)},
            {"max_queue_bytes", network.maxQueueBytes},
            {"dropped", DropsToJson(network)}};
}

Json
ParametersToJson(const Scenario& scenario)
{
    Json json = Json::array();
    for (const EffectiveParameter& parameter : scenario.parameters)
    {
        if (!parameter.key.starts_with(ENGINE_GROUP))
        {
            json.push_back(
                {{"key", parameter.key}, {"value", parameter.value}, {"origin", parameter.origin}});
        }
    }
    return json;
}

std::string
Dump(const Json& json)
{
    // Names and paths may hold any bytes; what is not UTF-8 is replaced, not refused.
    return json.dump(INDENT, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string
MakeSummaryJson(const Scenario& scenario, const RunReport& report)
{
    Json json{{"name", scenario.name},
              {"description", scenario.description},
              {"version", GetVersion()},
              {"commit", GetCommit()},
              {"ns3_version", GetNs3Version()},
              {"seed", scenario.seed},
              {"scenario_files", scenario.files},
              {"plugins", PluginsToJson()},
              {"partial", !report.partialReason.empty()},
              {"partial_reason", report.partialReason},
              {"simulated_ns", ToNs(report.end)},
              {"hosts_and_switches", scenario.topology.nodes.size()},
              {"links", scenario.topology.links.size()},
              {"flows", FlowsToJson(report.flows)},
              {"window", WindowToJson(scenario.window, report.window)},
              {"applications", ApplicationsToJson(report.applications)},
              {"completion_times", ToJson(report.allSizes)}};
    json["completion_times_by_size"] = Json::array();
    for (const FlowDistribution& distribution : report.bySize)
    {
        json["completion_times_by_size"].push_back(ToJson(distribution));
    }
    json["network"] = NetworkToJson(report.network);
    json["limiting_element"] = {{"from", report.busiest.from},
                                {"from_port", report.busiest.fromPort},
                                {"to", report.busiest.to},
                                {"utilisation", report.busiest.utilisation}};
    json["events"] = Json(report.events);
    json["deadlock"] = report.deadlock;
    json["broken_invariants"] = report.broken;
    json["warnings"] = report.warnings;
    json["notes"] = report.notes;
    json["parameters"] = ParametersToJson(scenario);
    return Dump(json);
}

std::string
MakeRunJson(const RunReport& report, const RunPerformance& performance)
{
    const uint64_t hops = report.network.packetHops;
    const auto perHop = [hops](double value)
    { return hops == 0 ? 0.0 : value / static_cast<double>(hops); };
    constexpr double NS_PER_SECOND = 1e9;
    return Dump({{"date", GetDate()},
                 {"build_type", GetBuildType()},
                 {"engine", performance.engine},
                 {"ports", performance.hasEagerPorts ? "eager" : "lazy"},
                 {"wall_s", performance.wallSeconds},
                 {"cpu_s", performance.processorSeconds},
                 {"peak_rss_bytes", performance.peakMemoryBytes},
                 {"packet_hops", hops},
                 {"events", performance.events},
                 {"engine_events", performance.engineEvents},
                 {"departure_events", report.network.departureEvents},
                 {"switch_settlements", report.network.settlements},
                 {"events_per_packet_hop", perHop(static_cast<double>(performance.events))},
                 {"cpu_ns_per_packet_hop", perHop(performance.processorSeconds * NS_PER_SECOND)},
                 {"packet_hops_per_wall_s", performance.PerSecond(hops)}});
}

} // namespace ns3::rdma
