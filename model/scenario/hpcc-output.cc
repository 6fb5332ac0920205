// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/hpcc-output.h"

#include "topology/base-rtt.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t PS_PER_NS = 1000;
constexpr uint32_t FIRST_SOURCE_PORT = 10'000;

/** PPP 2, padded to Ethernet's 14; IPv4 20; UDP 8; sequence 4, group 2: without telemetry. */
constexpr uint64_t HEADER_BYTES = 14 + 20 + 8 + 4 + 2;

/** 11.H.L.1 of a node's number. */
uint32_t
AddressOf(uint32_t node)
{
    return 0x0b000001 + ((node / 256) << 16) + ((node % 256) << 8);
}

/** That simulator's time of a flow that is alone. */
SimTime
StandaloneTime(const BaseRtt& base, uint64_t bytes, uint64_t payload)
{
    const uint64_t packets = bytes == 0 ? 1 : (bytes - 1) / payload + 1;
    constexpr unsigned __int128 BIT_NS_PER_BYTE = 8'000'000'000; // 8 bits x 1e9 ns/s
    const auto wire = static_cast<unsigned __int128>(bytes + packets * HEADER_BYTES);
    const auto transferNs = static_cast<uint64_t>(wire * BIT_NS_PER_BYTE / base.bottleneck.bps);
    return base.rtt + SimTime::Nanoseconds(transferNs);
}

using HostPair = std::pair<uint32_t, uint32_t>;

/** Source ports by flow, counted in the order of the list. */
std::vector<uint32_t>
CountSourcePorts(const FlowList& flows)
{
    std::map<HostPair, uint32_t> next;
    std::vector<uint32_t> ports;
    for (const Flow& flow : flows)
    {
        ports.push_back(FIRST_SOURCE_PORT + next[{flow.source, flow.destination}]++);
    }
    return ports;
}

/** Finished flows, by the time of their last acknowledgement, then by number. */
std::vector<uint32_t>
OrderByCompletion(const FlowList& flows, const std::vector<FlowOutcome>& outcomes)
{
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order,
                  [&](uint32_t flow) { return outcomes[flow].status != FlowStatus::FINISHED; });
    std::stable_sort(
        order.begin(),
        order.end(),
        [&](uint32_t a, uint32_t b)
        { return outcomes[a].start + outcomes[a].acked < outcomes[b].start + outcomes[b].acked; });
    return order;
}

} // namespace

HpccOutputs
NameHpccFiles(const ResultsSettings& settings, const Scenario& scenario)
{
    const HpccOutputs asked = scenario.hpccOutputs.value_or(HpccOutputs{});
    const auto choose = [](const std::string& own, const std::string& other)
    { return own.empty() ? std::filesystem::path{other}.filename().string() : own; };
    return {choose(settings.GetFctFile(), asked.fctFile),
            choose(settings.GetPfcFile(), asked.pfcFile)};
}

Diagnostics
CheckHpccFiles(const HpccOutputs& files, const std::vector<std::string>& taken)
{
    constexpr const char* PFC_KEY = "results.pfc_file";
    Diagnostics errors;
    const auto add = [&errors](const std::string& key, const char* message, const std::string& got)
    {
        Diagnostic diagnostic;
        diagnostic.key = key;
        diagnostic.message = message;
        diagnostic.got = got;
        errors.push_back(diagnostic);
    };
    const auto check = [&](const std::string& key, const std::string& name)
    {
        const bool isTaken = std::find(taken.begin(), taken.end(), name) != taken.end();
        if (isTaken || std::filesystem::path{name}.filename() != name)
        {
            add(key, "not a file of its own", name);
            errors.back().expected = "a name without folder that no other result has";
        }
    };
    check("results.fct_file", files.fctFile);
    check(PFC_KEY, files.pfcFile);
    if (!files.fctFile.empty() && files.fctFile == files.pfcFile)
    {
        add(PFC_KEY, "two files of one name", files.pfcFile);
    }
    return errors;
}

void
WriteHpccFct(ResultFile& file, const Scenario& scenario, uint32_t pathMtu, const RunReport& report)
{
    const RoutingTables routes{scenario.topology};
    const std::vector<uint32_t> sourcePorts = CountSourcePorts(scenario.flows);
    std::map<HostPair, BaseRtt> bases;
    for (const uint32_t number : OrderByCompletion(scenario.flows, report.outcomes))
    {
        const Flow& flow = scenario.flows[number];
        const HostPair pair{flow.source, flow.destination};
        if (!bases.contains(pair))
        {
            bases[pair] =
                ComputeBaseRtt(scenario.topology, routes, pair, {pathMtu}).value_or(BaseRtt{});
        }
        const SimTime standalone = StandaloneTime(bases[pair], flow.bytes, pathMtu);
        std::array<char, 40> addresses{};
        std::snprintf(addresses.data(),
                      addresses.size(),
                      "%08x %08x ",
                      AddressOf(flow.source),
                      AddressOf(flow.destination));
        file.Write(addresses.data());
        file.Write(std::to_string(sourcePorts[number]) + " " +
                   std::to_string(flow.destinationPort) + " " + std::to_string(flow.bytes) + " " +
                   std::to_string(report.outcomes[number].start.ps / PS_PER_NS) + " " +
                   std::to_string(report.outcomes[number].acked.ps / PS_PER_NS) + " " +
                   std::to_string(standalone.ps / PS_PER_NS) + "\n");
    }
}

} // namespace ns3::rdma
