// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/fabric-checks.h"

#include "rnic/rnic.h"
#include "switch/headroom.h"
#include "switch/rdma-switch.h"
#include "wire/foreign-frame.h"
#include "wire/framing.h"

#include <algorithm>
#include <bit>
#include <sstream>

namespace ns3::rdma
{

namespace
{

const std::string GROUP = "switch.";

std::vector<std::string>
SwitchNames(const Scenario& scenario)
{
    std::vector<std::string> names;
    for (const TopologyNode& node : scenario.topology.nodes)
    {
        if (node.kind == NodeKind::SWITCH)
        {
            names.push_back(node.name);
        }
    }
    return names;
}

/** The priorities that packets of a scenario travel in. */
PriorityMask
UsedPriorities(const Scenario& scenario, const RnicAttributes& nic, const PfcConfig& pfc)
{
    PriorityMask used = pfc.lossless;
    for (const Flow& flow : scenario.flows)
    {
        used |= PriorityBit(flow.priority);
    }
    const auto congestion = scenario.congestion.Create<CongestionControl>();
    return congestion->GetFeedback() == Feedback::ECN
               ? static_cast<PriorityMask>(used | PriorityBit(nic.cnpPriority))
               : used;
}

std::string
Describe(uint8_t priority, TrafficMark mark, uint8_t other, const PfcConfig& pfc)
{
    const auto kind = [&pfc](uint8_t p) { return pfc.IsLossless(p) ? "lossless" : "lossy"; };
    const std::string pcp =
        mark.pcp == UNTAGGED_PCP ? "no VLAN tag" : "PCP " + std::to_string(mark.pcp);
    return "packets of priority " + std::to_string(priority) + " (" + kind(priority) +
           ") carry DSCP " + std::to_string(mark.dscp) + " and " + pcp + ": put into priority " +
           std::to_string(other) + " (" + kind(other) + ")";
}

} // namespace

uint32_t
MaxFrameBytes(const RnicAttributes& nic, uint32_t pathMtu, bool hasIpStack)
{
    const uint32_t roce = RoceFrameBytes(RETH_BYTES, pathMtu) + (nic.isTagged ? VLAN_TAG_BYTES : 0);
    const uint32_t ip = ForeignFrameBytes(EthernetFields::SIZE + uint32_t{nic.ipMtu});
    return hasIpStack ? std::max(roce, ip) : roce;
}

Diagnostics
CheckTrust(const Scenario& scenario)
{
    const auto attributes = scenario.switchNode.Create<RdmaSwitch>();
    const std::vector<std::string> names = SwitchNames(scenario);
    Diagnostics errors;
    std::istringstream parts{attributes->dscpMapAt};
    for (std::string part; std::getline(parts, part, ';');)
    {
        std::istringstream words{part};
        std::string name;
        words >> name;
        if (!name.empty() && std::ranges::find(names, name) == names.end())
        {
            errors.push_back({"",
                              0,
                              GROUP + "dscp_map_at",
                              "no switch is called so",
                              name,
                              "names of switches, \"leaf0 26:0; spine1 26:1\"",
                              NearestName(name, names),
                              names});
        }
    }
    for (const std::string& name : names)
    {
        const auto classifier = TrafficClassifier::Make(*attributes, name);
        for (Diagnostic error : classifier ? Diagnostics{} : classifier.Errors())
        {
            error.key = GROUP + error.key;
            errors.push_back(error);
        }
    }
    return errors;
}

std::vector<std::string>
FindClassMismatches(const Scenario& scenario, const PfcConfig& pfc)
{
    const auto nic = scenario.nic.Create<Rnic>();
    const auto attributes = scenario.switchNode.Create<RdmaSwitch>();
    const auto marks = MakeMarks(*nic);
    const PriorityMask used = UsedPriorities(scenario, *nic, pfc);
    std::vector<std::string> lines;
    for (uint8_t priority = 0; marks && priority < PRIORITY_COUNT; ++priority)
    {
        std::string line;
        std::size_t others = 0;
        for (const std::string& name : SwitchNames(scenario))
        {
            const auto classifier = TrafficClassifier::Make(*attributes, name);
            const TrafficMark mark = (*marks)[priority];
            const uint8_t found = classifier ? classifier->Classify(mark) : priority;
            if (found == priority || (used & PriorityBit(priority)) == 0)
            {
                continue;
            }
            others += line.empty() ? 0 : 1;
            line =
                line.empty() ? Describe(priority, mark, found, pfc) + " by switch " + name : line;
        }
        if (!line.empty())
        {
            lines.push_back(line + (others == 0 ? "" : " and " + std::to_string(others) + " more"));
        }
    }
    return lines;
}

Expected<std::optional<ReceiveLimits>>
PlanReceive(const RnicAttributes& nic,
            const TopologyLink& cable,
            const PfcConfig& pfc,
            uint32_t maxFrameBytes)
{
    if (nic.receiveRate.bps == 0)
    {
        return std::optional<ReceiveLimits>{};
    }
    const ByteCount headroom = ComputeHeadroom({.rate = cable.rate,
                                                .delay = cable.delay,
                                                .responseTime = pfc.GetResponseTime(cable.rate),
                                                .maxFrameBytes = maxFrameBytes});
    auto limits = MakeReceiveLimits({.rate = nic.receiveRate,
                                     .buffer = nic.receiveBuffer.value,
                                     .xoff = nic.receiveXoff.value,
                                     .xon = nic.receiveXon.value,
                                     .headroom = headroom.value,
                                     .lossless = static_cast<uint32_t>(std::popcount(pfc.lossless)),
                                     .maxFrameBytes = maxFrameBytes});
    if (!limits)
    {
        return limits.Errors();
    }
    return std::optional<ReceiveLimits>{*limits};
}

} // namespace ns3::rdma
