// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-header.h"

#include "base/quantity.h"
#include "engine/simulator-choice.h"

#include <algorithm>
#include <charconv>

namespace ns3::rdma
{

namespace
{

/** The groups of header keys, with the words of each as names. */
std::vector<HeaderRule>
GetHeaderGroups()
{
    std::vector<HeaderRule> groups;
    for (const HeaderRule& rule : GetHeaderRules())
    {
        const auto dot = rule.key.find('.');
        if (dot == std::string::npos)
        {
            continue;
        }
        const std::string group = rule.key.substr(0, dot);
        if (groups.empty() || groups.back().key != group)
        {
            groups.push_back({group, "", "", {}, ""});
        }
        groups.back().names.push_back(rule.key.substr(dot + 1));
    }
    return groups;
}

/** What one header key came to. */
struct HeaderValue
{
    std::string text;
    const Setting* setting{nullptr}; ///< null if the user did not give it
};

class HeaderReader
{
  public:
    HeaderReader(const Setting& root, Scenario& scenario) : m_root{root}, m_scenario{scenario} {}

    Diagnostics Run(const std::string& nameIfNone)
    {
        m_scenario.name = nameIfNone;
        for (const HeaderRule& group : GetHeaderGroups())
        {
            CheckShape(group);
        }
        for (const HeaderRule& rule : GetHeaderRules())
        {
            Read(rule);
        }
        CheckWindow();
        return m_errors;
    }

  private:
    const Setting* Find(const std::string& key) const
    {
        const auto dot = key.find('.');
        const Setting* group = m_root.Find(key.substr(0, dot));
        return dot == std::string::npos || group == nullptr ? group
                                                            : group->Find(key.substr(dot + 1));
    }

    void Report(const HeaderRule& rule, const HeaderValue& value, const std::string& message)
    {
        Diagnostic diagnostic;
        diagnostic.file = value.setting->origin.file;
        diagnostic.line = value.setting->origin.line;
        diagnostic.key = rule.key;
        diagnostic.message = message;
        diagnostic.got = value.text;
        diagnostic.expected = rule.type;
        diagnostic.knownNames = rule.names;
        diagnostic.nearest = NearestName(value.text, rule.names);
        m_errors.push_back(diagnostic);
    }

    /** "engine: fabric" instead of a group, and keys of a group that do not exist. */
    void CheckShape(const HeaderRule& group)
    {
        const Setting* given = m_root.Find(group.key);
        if (given == nullptr)
        {
            return;
        }
        if (given->kind != Setting::Kind::MAP)
        {
            HeaderRule keys = group;
            keys.type = "keys below '" + group.key + ":'";
            Report(keys, {given->text, given}, "not a group of keys");
        }
        for (const SettingField& field : given->fields)
        {
            if (std::find(group.names.begin(), group.names.end(), field.key) == group.names.end())
            {
                HeaderRule unknown = group;
                unknown.key += "." + field.key;
                unknown.type.clear();
                Report(unknown, {field.key, &field.value}, "unknown key");
            }
        }
    }

    void Read(const HeaderRule& rule)
    {
        HeaderValue value{rule.defaultText, Find(rule.key)};
        if (value.setting != nullptr)
        {
            const auto text = ToAttributeText(*value.setting);
            value.text = text.value_or("a map");
            if (!text || value.setting->kind != Setting::Kind::SCALAR)
            {
                Report(rule, value, value.setting->IsEmpty() ? "no value" : "not a plain value");
                if (value.setting->kind == Setting::Kind::LIST)
                {
                    m_errors.back().expected += SWEEP_HINT;
                }
                return;
            }
            if (const std::string error = Apply(rule, value.text); !error.empty())
            {
                Report(rule, value, error);
                return;
            }
        }
        const std::string origin =
            value.setting == nullptr ? "default" : value.setting->origin.text;
        const std::string text = rule.key == "name" ? m_scenario.name : value.text;
        m_scenario.parameters.push_back({rule.key, text, origin, rule.type, rule.help});
    }

    /** Takes a value over; what is wrong with it, empty if nothing. */
    std::string Apply(const HeaderRule& rule, const std::string& text)
    {
        const bool isKnown =
            std::find(rule.names.begin(), rule.names.end(), text) != rule.names.end();
        if (!rule.names.empty() && !isKnown)
        {
            return "unknown name";
        }
        if (rule.key == "name")
        {
            m_scenario.name = text;
            return ApplyName(text);
        }
        if (rule.key == "description")
        {
            m_scenario.description = text;
        }
        if (rule.key == "engine.simulator")
        {
            m_scenario.engine.simulator = text;
        }
        if (rule.key == "engine.ports")
        {
            m_scenario.engine.eagerPorts = text == "eager";
        }
        if (rule.key == "seed")
        {
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, m_scenario.seed);
            return error == std::errc{} && stop == end ? "" : "not a whole number";
        }
        if (rule.key == "duration")
        {
            return ApplyTime(text, false, m_scenario.duration.emplace());
        }
        if (rule.key == "window.warm_up")
        {
            return ApplyTime(text, true, m_scenario.window.warmUp);
        }
        return rule.key == "window.cut_off" ? ApplyTime(text, false, m_scenario.window.cutOff) : "";
    }

    static std::string ApplyName(const std::string& text)
    {
        constexpr std::string_view ALLOWED =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
        const bool isFit = !text.empty() && text.front() != '.' &&
                           text.find_first_not_of(ALLOWED) == std::string::npos;
        return isFit ? "" : "the name becomes a folder's name and this cannot be one";
    }

    static std::string ApplyTime(const std::string& text, bool mayBeZero, SimTime& target)
    {
        const auto time = ParseTime(text);
        if (!time)
        {
            return time.Errors().front().message;
        }
        if ((*time == SimTime{} && !mayBeZero) || time->IsNever())
        {
            return "out of range";
        }
        target = *time;
        return "";
    }

    /** What only the two times of the window together can have wrong. */
    void CheckWindow()
    {
        const MeasurementWindow& window = m_scenario.window;
        const Setting* cutOff = Find("window.cut_off");
        const Setting* warmUp = Find("window.warm_up");
        if (!m_errors.empty())
        {
            return;
        }
        if (window.warmUp >= window.cutOff)
        {
            Report({"window.cut_off",
                    "more than window.warm_up, " + ToString(window.warmUp),
                    "",
                    {},
                    ""},
                   {cutOff->text, cutOff},
                   "the window is empty");
        }
        if (warmUp != nullptr && m_scenario.duration && window.warmUp >= *m_scenario.duration)
        {
            Report({"window.warm_up",
                    "less than duration, " + ToString(*m_scenario.duration),
                    "",
                    {},
                    ""},
                   {warmUp->text, warmUp},
                   "the run ends before the window begins");
        }
    }

    const Setting& m_root;
    Scenario& m_scenario;
    Diagnostics m_errors;
};

} // namespace

const std::vector<HeaderRule>&
GetHeaderRules()
{
    static const std::vector<HeaderRule> RULES{
        {"name",
         "letters, digits, '-', '_' and '.'",
         "Name of the scenario and of its result folder; the file's name by default",
         {},
         ""},
        {"description", "text", "What the scenario shows", {}, ""},
        {"seed",
         "whole number, 0 .. 18446744073709551615",
         "The one number that all randomness follows from",
         {},
         "1"},
        {"duration",
         "time such as 5ms (units: s, ms, us, ns, ps), more than 0s",
         "When the run ends; without it, when every flow that counts has finished",
         {},
         ""},
        {"window.warm_up",
         "time such as 1ms (units: s, ms, us, ns, ps)",
         "Flows that start earlier do not count for the statistics",
         {},
         "0s"},
        {"window.cut_off",
         "time such as 9ms (units: s, ms, us, ns, ps), more than window.warm_up",
         "Flows that start then or later do not count; without a duration the run ends when all "
         "that count have ended",
         {},
         ""},
        {"engine.simulator",
         "name of an engine",
         "Event queue: this project's own (fabric), or one of ns-3's; results are the same",
         GetEngineNames(),
         "fabric"},
        {"engine.ports",
         "one of lazy, eager",
         "Whether a departure has an event of its own (eager); results are the same",
         {"lazy", "eager"},
         "lazy"},
    };
    return RULES;
}

std::string
GetHeaderGroupHelp(const std::string& group)
{
    return group == "window" ? "Which flows count for the statistics: those that start in it"
                             : "How a run is computed; the results are the same";
}

const std::vector<HeaderRule>&
GetFileRules()
{
    static const std::vector<HeaderRule> RULES{
        {"extends",
         "a path, or a list of paths",
         "Files that this one lies over: maps are merged, all else replaces what lies below, and a "
         "list under '<key>+' is added to it",
         {},
         ""},
        {"sweep",
         "keys with lists of values",
         "Values to run one after the other, all combined with all: 'seed: [1, 2, 3]'; keys below "
         "'zip' change together",
         {},
         ""},
        {"plugins",
         "a path, or a list of paths",
         "Shared libraries with components that are not part of the program",
         {},
         ""},
    };
    return RULES;
}

Diagnostics
ReadHeader(const Setting& root, const std::string& nameIfNone, Scenario& scenario)
{
    return HeaderReader{root, scenario}.Run(nameIfNone);
}

} // namespace ns3::rdma
