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
        ReadEngineShape();
        for (const HeaderRule& rule : GetHeaderRules())
        {
            Read(rule);
        }
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

    /** "engine: fabric" instead of a group, and keys of the group that do not exist. */
    void ReadEngineShape()
    {
        const Setting* engine = m_root.Find("engine");
        if (engine == nullptr)
        {
            return;
        }
        const HeaderRule group{"engine", "keys below 'engine:'", "", {"simulator", "ports"}, ""};
        if (engine->kind != Setting::Kind::MAP)
        {
            Report(group, {engine->text, engine}, "not a group of keys");
        }
        for (const SettingField& field : engine->fields)
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
        return rule.key == "duration" ? ApplyDuration(text) : "";
    }

    static std::string ApplyName(const std::string& text)
    {
        constexpr std::string_view ALLOWED =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
        const bool isFit = !text.empty() && text.front() != '.' &&
                           text.find_first_not_of(ALLOWED) == std::string::npos;
        return isFit ? "" : "the name becomes a folder's name and this cannot be one";
    }

    std::string ApplyDuration(const std::string& text)
    {
        const auto time = ParseTime(text);
        if (!time)
        {
            return time.Errors().front().message;
        }
        if (*time == SimTime{} || time->IsNever())
        {
            return "out of range";
        }
        m_scenario.duration = *time;
        return "";
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
         "When the run ends; without it, when every flow has finished",
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

Diagnostics
ReadHeader(const Setting& root, const std::string& nameIfNone, Scenario& scenario)
{
    return HeaderReader{root, scenario}.Run(nameIfNone);
}

} // namespace ns3::rdma
