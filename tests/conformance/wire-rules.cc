// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/wire-rules.h"

#include <map>

namespace ns3::rdma
{

namespace
{

Diagnostic
Wrong(const std::string& key, const std::string& got, const std::string& expected)
{
    return {.file = "",
            .line = 0,
            .key = "wire." + key,
            .message = "not a rule of the wire",
            .got = got,
            .expected = expected,
            .nearest = "",
            .knownNames = {}};
}

template <class T>
std::vector<T>
ReadList(const YAML::Node& node)
{
    std::vector<T> list;
    for (const YAML::Node& item : node)
    {
        list.push_back(static_cast<T>(item.as<uint32_t>()));
    }
    return list;
}

Expected<FaultMatch>
ReadMatch(const YAML::Node& node)
{
    FaultMatch match;
    for (const auto& entry : node)
    {
        const auto key = entry.first.as<std::string>();
        if (key == "opcode")
        {
            match.opcodes = ReadList<Opcode>(entry.second);
        }
        else if (key == "psn")
        {
            match.psns = ReadList<Psn>(entry.second);
        }
        else if (key == "aeth")
        {
            match.syndromes = ReadList<uint8_t>(entry.second);
        }
        else if (key == "minlen")
        {
            match.minPayloadBytes = entry.second.as<uint16_t>();
        }
        else
        {
            return Wrong("match", key, "opcode, psn, aeth or minlen");
        }
    }
    return match;
}

Expected<FaultRule>
ReadRule(const YAML::Node& node)
{
    const std::map<std::string, FaultAction> actions{{"drop", FaultAction::DROP},
                                                     {"dup", FaultAction::DUPLICATE},
                                                     {"delay", FaultAction::DELAY},
                                                     {"icrc", FaultAction::DAMAGE_ICRC},
                                                     {"corrupt", FaultAction::CORRUPT_PAYLOAD},
                                                     {"ce", FaultAction::MARK_CE}};
    FaultRule rule;
    for (const auto& entry : node)
    {
        const auto key = entry.first.as<std::string>();
        if (key == "match")
        {
            const Expected<FaultMatch> match = ReadMatch(entry.second);
            if (!match)
            {
                return match.Errors();
            }
            rule.match = *match;
        }
        else if (key == "n")
        {
            rule.which = ReadList<uint32_t>(entry.second);
        }
        else if (key == "by")
        {
            rule.delayFrames = entry.second.as<uint32_t>();
        }
        else if (key != "dir" && key != "act")
        {
            return Wrong(key, key, "dir, match, n, act or by");
        }
    }
    const auto name = node["act"].as<std::string>("");
    const auto action = actions.find(name);
    if (action == actions.end())
    {
        return Wrong("act", name, "drop, dup, delay, icrc, corrupt or ce");
    }
    rule.action = action->second;
    return rule;
}

} // namespace

Expected<WireRules>
ReadWireRules(const YAML::Node& node)
{
    WireRules rules;
    try
    {
        const bool isText = node.IsDefined() && node.IsScalar();
        const YAML::Node list = isText ? YAML::Load(node.as<std::string>()) : node;
        for (const YAML::Node& item : list)
        {
            const auto direction = item["dir"].as<std::string>("");
            const Expected<FaultRule> rule = ReadRule(item);
            if (!rule)
            {
                return rule.Errors();
            }
            if (direction != "ab" && direction != "ba")
            {
                return Wrong("dir", direction, "ab or ba");
            }
            rules[direction == "ab" ? 1 : 0].push_back(*rule);
        }
    }
    catch (const YAML::Exception& error)
    {
        return Wrong("", error.what(), "a list of rules");
    }
    return rules;
}

} // namespace ns3::rdma
