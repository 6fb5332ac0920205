// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/listing.h"

#include "base/component-help.h"
#include "base/quantity.h"
#include "scenario/attribute-text.h"
#include "scenario/group-resolver.h"
#include "scenario/named-values.h"
#include "scenario/scenario-header.h"
#include "scenario/text-table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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

bool
IsExplained(const EffectiveParameter& parameter, Explained which)
{
    return which == Explained::ALL || parameter.origin != "default";
}

Expected<std::string>
DescribeGroup(const GroupRule& rule, const std::string& name)
{
    std::vector<std::string> known;
    std::string text = name.empty() ? rule.key + ": " + rule.help + "\n" : "";
    for (const Component& component : ComponentsOf(rule))
    {
        known.push_back(component.name);
        if (name.empty() || name == component.name)
        {
            text += DescribeClass(rule, component);
        }
    }
    if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    {
        return UnknownName("name in " + rule.key, name, known);
    }
    return text;
}

/** A list of names by its key, or its last word. */
std::optional<NamedValues>
FindNamedValues(const std::string& kind)
{
    for (const NamedValues& list : GetNamedValues())
    {
        if (list.key == kind || list.key.substr(list.key.find('.') + 1) == kind)
        {
            return list;
        }
    }
    return std::nullopt;
}

Expected<std::string>
DescribeNamedValues(const NamedValues& list, const std::string& name)
{
    Lines lines;
    std::vector<std::string> known;
    for (const NamedValue& value : list.values)
    {
        known.push_back(value.name);
        if (name.empty() || name == value.name)
        {
            const bool isDefault = value.name == list.defaultName;
            lines.push_back({value.name, value.help + (isDefault ? " (default)" : "")});
        }
    }
    if (lines.empty())
    {
        return UnknownName("name in " + list.key, name, known);
    }
    return list.key + ": " + list.help + "\n" + FormatTable(lines, "  ");
}

/** Header keys that are called so, or stand below it; empty if there are none. */
std::string
DescribeHeader(const std::string& kind)
{
    Lines lines;
    for (const auto* rules : {&GetHeaderRules(), &GetFileRules()})
    {
        for (const HeaderRule& rule : *rules)
        {
            if (rule.key == kind || rule.key.starts_with(kind + "."))
            {
                const std::string value = rule.defaultText.empty() ? "(none)" : rule.defaultText;
                lines.push_back({rule.key, value, rule.type, rule.help});
            }
        }
    }
    return FormatTable(lines, "");
}

/** Classes of a name, of whatever group; empty if there are none. */
std::string
DescribeClasses(const GroupRules& rules, const std::string& name)
{
    std::string text;
    for (const GroupRule& rule : rules)
    {
        for (const Component& component : ComponentsOf(rule))
        {
            if (component.name == name)
            {
                text +=
                    (text.empty() ? "" : "\n") + rule.key + ":" + DescribeClass(rule, component);
            }
        }
    }
    return text;
}

std::vector<std::string>
KnownKinds(const GroupRules& rules)
{
    std::vector<std::string> known;
    for (const GroupRule& rule : rules)
    {
        known.push_back(rule.key);
    }
    for (const NamedValues& list : GetNamedValues())
    {
        known.push_back(list.key);
    }
    for (const auto* header : {&GetHeaderRules(), &GetFileRules()})
    {
        for (const HeaderRule& rule : *header)
        {
            known.push_back(rule.key.substr(0, rule.key.find('.')));
        }
    }
    for (const GroupRule& rule : rules)
    {
        for (const Component& component : ComponentsOf(rule))
        {
            known.push_back(component.name);
        }
    }
    std::erase(known, "");
    std::vector<std::string> once;
    for (const std::string& each : known)
    {
        if (std::find(once.begin(), once.end(), each) == once.end())
        {
            once.push_back(each);
        }
    }
    return once;
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
    for (const NamedValues& list : GetNamedValues())
    {
        std::string names;
        for (const NamedValue& value : list.values)
        {
            names += (names.empty() ? "" : ", ") + value.name;
        }
        lines.push_back({list.key, list.help + " (" + names + ")"});
    }
    Lines header;
    for (const HeaderRule& rule : GetHeaderRules())
    {
        header.push_back({rule.key, rule.help});
    }
    for (const HeaderRule& rule : GetFileRules())
    {
        header.push_back({rule.key, rule.help});
    }
    return FormatTable(lines, "") + "\n" + FormatTable(header, "") +
           "\n'rdmasim list <kind> [name]' shows the keys of each.\n";
}

Expected<std::string>
ListGroup(const GroupRules& rules, const std::string& kind, const std::string& name)
{
    if (const GroupRule* rule = FindKind(rules, kind))
    {
        return DescribeGroup(*rule, name);
    }
    if (const auto values = FindNamedValues(kind))
    {
        return DescribeNamedValues(*values, name);
    }
    std::string text = name.empty() ? DescribeHeader(kind) : "";
    text += name.empty() ? DescribeClasses(rules, kind) : "";
    if (!text.empty())
    {
        return text;
    }
    return UnknownName("kind", kind, KnownKinds(rules));
}

std::string
ExplainScenario(const Scenario& scenario, Explained which)
{
    Lines lines;
    for (const EffectiveParameter& parameter : scenario.parameters)
    {
        if (IsExplained(parameter, which))
        {
            lines.push_back({parameter.key,
                             parameter.value.empty() ? "(none)" : parameter.value,
                             parameter.origin,
                             "[" + parameter.type + "] " + parameter.help});
        }
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

nlohmann::ordered_json
ExplainScenarioAsJson(const Scenario& scenario, Explained which)
{
    nlohmann::ordered_json json{{"name", scenario.name},
                                {"scenario_files", scenario.files},
                                {"parameters", nlohmann::ordered_json::array()},
                                {"notes", scenario.notes},
                                {"warnings", scenario.warnings}};
    for (const EffectiveParameter& parameter : scenario.parameters)
    {
        if (IsExplained(parameter, which))
        {
            json["parameters"].push_back({{"key", parameter.key},
                                          {"value", parameter.value},
                                          {"origin", parameter.origin},
                                          {"type", parameter.type},
                                          {"help", parameter.help}});
        }
    }
    return json;
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
