// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/group-rules.h"

namespace ns3::rdma
{

namespace
{

/** The policies inside a switch. */
GroupRules
GetSwitchRules()
{
    return {
        {.key = "switch.buffer",
         .help = "Who gets room in a switch, and who is paused",
         .typeName = "ns3::rdma::BufferPolicy",
         .selector = "policy",
         .noun = "Buffer",
         .defaultChoice = "shared",
         .slot = &Scenario::buffer},
        {.key = "switch.marking",
         .help = "Which frames are marked as having met congestion",
         .typeName = "ns3::rdma::Marker",
         .selector = "policy",
         .noun = "Marker",
         .defaultChoice = "red",
         .slot = &Scenario::marker},
        {.key = "switch.scheduler",
         .help = "Which waiting priority a port sends next",
         .typeName = "ns3::rdma::EgressScheduler",
         .selector = "policy",
         .noun = "Scheduler",
         .defaultChoice = "strict-priority",
         .slot = &Scenario::scheduler},
        {.key = "switch.path",
         .help = "Which of several shortest paths a frame takes",
         .typeName = "ns3::rdma::PathPolicy",
         .selector = "policy",
         .noun = "Path",
         .defaultChoice = "ecmp",
         .slot = &Scenario::path},
        {.key = "switch.watchdog",
         .help = "What a switch does about peers that pause it without end",
         .typeName = "ns3::rdma::WatchdogSettings",
         .slot = &Scenario::watchdog},
    };
}

/** What the fabric is made of. */
GroupRules
GetFabricRules()
{
    return {
        {.key = "topology",
         .help = "Nodes and links, generated or read from a file",
         .typeName = "ns3::rdma::TopologyGenerator",
         .selector = "family",
         .noun = "Topology"},
        {.key = "routes",
         .help = "Routes that differ from the shortest paths: one entry for each switch and host",
         .typeName = "ns3::rdma::RouteSettings",
         .isList = true,
         .isOptional = true,
         .listSlot = &Scenario::routes},
        {.key = "routing",
         .help = "What the routes do when a cable fails or comes back",
         .typeName = "ns3::rdma::RoutingSettings",
         .slot = &Scenario::routing},
        {.key = "pfc",
         .help = "Priority-based flow control, at both ends of every link",
         .typeName = "ns3::rdma::PfcSettings",
         .slot = &Scenario::pfc},
        {.key = "switch",
         .help = "Every switch of the fabric",
         .typeName = "ns3::rdma::RdmaSwitch",
         .slot = &Scenario::switchNode},
        {.key = "nic",
         .help = "Every network interface of every host",
         .typeName = "ns3::rdma::Rnic",
         .slot = &Scenario::nic},
        {.key = "nic.watchdog",
         .help = "What an interface does about PAUSE frames of its own without end",
         .typeName = "ns3::rdma::NicWatchdogSettings",
         .slot = &Scenario::nicWatchdog},
    };
}

/** What happens in it, and what is told of that. */
GroupRules
GetRunRules()
{
    return {
        {.key = "transport",
         .help = "The reliable connections",
         .typeName = "ns3::rdma::TransportSettings",
         .slot = &Scenario::transport},
        {.key = "congestion",
         .help = "Congestion control of every connection",
         .typeName = "ns3::rdma::CongestionControl",
         .selector = "algorithm",
         .noun = "CongestionControl",
         .defaultChoice = "dcqcn",
         .slot = &Scenario::congestion},
        {.key = "workload",
         .help = "What is transferred: one entry for each generator or application",
         .typeName = "ns3::rdma::Workload",
         .selector = "pattern",
         .noun = "Workload",
         .isList = true},
        {.key = "faults",
         .help = "What goes wrong on the cables: one entry for each kind of fault",
         .typeName = "ns3::rdma::FaultSettings",
         .selector = "action",
         .noun = "Fault",
         .isList = true,
         .isOptional = true,
         .listSlot = &Scenario::faults},
        {.key = "timeline",
         .help = "What changes during the run: an entry for each change, at its time",
         .typeName = "ns3::rdma::TimelineAction",
         .selector = "action",
         .noun = "Action",
         .isList = true,
         .isOptional = true,
         .listSlot = &Scenario::timeline},
        {.key = "instruments",
         .help = "What is looked at while the scenario runs: one entry for each table",
         .typeName = "ns3::rdma::Instrument",
         .selector = "instrument",
         .noun = "Instrument",
         .isList = true,
         .isOptional = true,
         .namesInputs = false,
         .listSlot = &Scenario::instruments},
        {.key = "results",
         .help = "What is measured and written",
         .typeName = "ns3::rdma::ResultsSettings",
         .namesInputs = false,
         .slot = &Scenario::results},
    };
}

/** Puts the policies behind the switch. */
GroupRules
MakeRules()
{
    GroupRules rules;
    for (const GroupRule& rule : GetFabricRules())
    {
        rules.push_back(rule);
        if (rule.key == "switch")
        {
            const GroupRules inside = GetSwitchRules();
            rules.insert(rules.end(), inside.begin(), inside.end());
        }
    }
    const GroupRules others = GetRunRules();
    rules.insert(rules.end(), others.begin(), others.end());
    return rules;
}

} // namespace

const GroupRules&
GetGroupRules()
{
    static const GroupRules RULES = MakeRules();
    return RULES;
}

const GroupRule*
FindGroupRule(const GroupRules& rules, const std::string& key)
{
    for (const GroupRule& rule : rules)
    {
        if (rule.key == key)
        {
            return &rule;
        }
    }
    return nullptr;
}

std::vector<std::string>
GetSubgroups(const GroupRules& rules, const std::string& key)
{
    std::vector<std::string> names;
    for (const GroupRule& rule : rules)
    {
        if (rule.key.starts_with(key + "."))
        {
            names.push_back(rule.key.substr(key.size() + 1));
        }
    }
    return names;
}

} // namespace ns3::rdma
