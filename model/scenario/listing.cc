// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/listing.h"

#include "base/component-help.h"
#include "base/quantity.h"
#include "scenario/attribute-text.h"
#include "scenario/group-resolver.h"
#include "scenario/scenario-header.h"
#include "scenario/text-table.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

using Lines = std::vector<std::vector<std::string>>;

/** The classes of a group; one without a name where there is no choice. */
std::vector<Component>
ComponentsOf(const GroupRule& rule)
{
    if (!rule.selector.empty())
    {
        return FindComponents(rule.typeName, rule.noun);
    }
    const auto type = FindType(rule.typeName);
    return type ? std::vector<Component>{{"", *type}} : std::vector<Component>{};
}

std::string
DescribeClass(const GroupRule& rule, const Component& component)
{
    const std::string help = ComponentHelp::Find(component.type.GetName());
    std::string text;
    if (!component.name.empty())
    {
        const bool isDefault = component.name == rule.defaultChoice;
        text = "\n" + rule.selector + ": " + component.name + (isDefault ? " (default)" : "") +
               (help.empty() ? "" : "\n  " + help) + "\n";
    }
    Lines lines;
    for (const SettingRule& setting : GetSettingRules(component.type))
    {
        const AttributeText attribute{setting.attribute};
        const std::string value = attribute.GetDefault();
        lines.push_back({setting.key,
                         value.empty() ? "(none)" : value,
                         attribute.Describe(),
                         setting.attribute.help});
    }
    text += FormatTable(lines, "  ");
    for (const ParameterSet& set : GetParameterSets(component.type))
    {
        text += "  " + PARAMETERS_KEY + ": " + std::string{set.name} + "  from " +
                std::string{set.source} + "\n";
        Lines values;
        for (const auto& entry : set.entries)
        {
            values.push_back({SplitWords(entry.attribute, '_'), std::string{entry.value}});
        }
        text += FormatTable(values, "    ");
    }
    return text;
}

const GroupRule*
FindKind(const GroupRules& rules, const std::string& kind)
{
    for (const GroupRule& rule : rules)
    {
        if (rule.key == kind || rule.key.substr(rule.key.find('.') + 1) == kind)
        {
            return &rule;
        }
    }
    return nullptr;
}

Diagnostic
UnknownName(const std::string& what, const std::string& name, std::vector<std::string> known)
{
    return {"", 0, "", "unknown " + what, name, "", NearestName(name, known), known};
}

std::string
Count(size_t number, const std::string& noun, const std::string& plural)
{
    return std::to_string(number) + " " + (number == 1 ? noun : plural);
}

} // namespace

std::string
ListGroups(const GroupRules& rules)
{
    Lines lines;
    for (const GroupRule& rule : rules)
    {
        std::string names;
        for (const Component& component : ComponentsOf(rule))
        {
            names += (names.empty() || component.name.empty() ? "" : ", ") + component.name;
        }
        const std::string choice =
            rule.selector.empty() ? "" : " (" + rule.selector + ": " + names + ")";
        lines.push_back({rule.key, rule.help + choice});
    }
    return FormatTable(lines, "") + "\n'rdmasim list <kind> [name]' shows the keys of each.\n";
}

Expected<std::string>
ListGroup(const GroupRules& rules, const std::string& kind, const std::string& name)
{
    const GroupRule* rule = FindKind(rules, kind);
    std::vector<std::string> known;
    if (rule == nullptr)
    {
        for (const GroupRule& each : rules)
        {
            known.push_back(each.key);
        }
        return UnknownName("kind", kind, known);
    }
    std::string text = name.empty() ? rule->key + ": " + rule->help + "\n" : "";
    for (const Component& component : ComponentsOf(*rule))
    {
        known.push_back(component.name);
        if (name.empty() || name == component.name)
        {
            text += DescribeClass(*rule, component);
        }
    }
    if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    {
        return UnknownName("name in " + rule->key, name, known);
    }
    return text;
}

std::string
ExplainScenario(const Scenario& scenario)
{
    Lines lines;
    for (const EffectiveParameter& parameter : scenario.parameters)
    {
        lines.push_back({parameter.key,
                         parameter.value.empty() ? "(none)" : parameter.value,
                         parameter.origin,
                         "[" + parameter.type + "] " + parameter.help});
    }
    std::string text = FormatTable(lines, "") + "\n" + SummariseScenario(scenario) + "\n";
    for (const std::string& note : scenario.notes)
    {
        text += "note: " + note + "\n";
    }
    for (const std::string& warning : scenario.warnings)
    {
        text += "warning: " + warning + "\n";
    }
    return text;
}

std::string
SummariseScenario(const Scenario& scenario)
{
    const auto& nodes = scenario.topology.nodes;
    const auto hosts = static_cast<size_t>(std::count_if(
        nodes.begin(), nodes.end(), [](const auto& node) { return node.kind == NodeKind::HOST; }));
    double bytes = 0;
    for (const Flow& flow : scenario.flows)
    {
        bytes += static_cast<double>(flow.bytes);
    }
    constexpr double MEGA = 1e6;
    std::string megabytes = std::to_string(bytes / MEGA);
    megabytes.erase(megabytes.find_last_not_of('0') + 1);
    megabytes.erase(megabytes.find_last_not_of('.') + 1);
    return Count(hosts, "host", "hosts") + ", " +
           Count(nodes.size() - hosts, "switch", "switches") + ", " +
           Count(scenario.topology.links.size(), "link", "links") + ", " +
           Count(scenario.flows.size(), "flow", "flows") + " of " + megabytes + " MB in all";
}

} // namespace ns3::rdma
