// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-plan.h"

#include "base/hash.h"
#include "scenario/plugin-loader.h"
#include "scenario/scenario-file.h"
#include "scenario/text-table.h"
#include "scenario/version.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** @choice a hundred thousand folders are the most that a file system and a person can be given */
constexpr size_t MOST_RUNS = 100'000;

/** Folder names stay readable, and below the 255 bytes of common file systems. */
constexpr size_t LONGEST_NAME = 80;

/** Takes the lists out of the options of a request; an object because its steps share the axes. */
class Planner
{
  public:
    explicit Planner(const LoadRequest& request) : m_request{request} {}

    Expected<SweepPlan> Run()
    {
        if (!ReadAxes())
        {
            return m_errors;
        }
        MakeRuns();
        if (m_errors.empty())
        {
            CheckValues();
        }
        if (!m_errors.empty())
        {
            return m_errors;
        }
        m_plan.digest = MakeDigest();
        return m_plan;
    }

  private:
    /** All axes, and the request without the options that became axes. */
    bool ReadAxes()
    {
        const auto settings = ReadRequest(m_request);
        if (!settings)
        {
            m_errors = settings.Errors();
            return false;
        }
        m_errors = LoadPlugins(settings->root);
        if (!m_errors.empty())
        {
            return false;
        }
        if (const Setting* sweep = settings->root.Find(SWEEP_KEY))
        {
            const auto axes = ReadSweepAxes(*sweep);
            if (!axes)
            {
                m_errors = axes.Errors();
                return false;
            }
            m_axes = *axes;
        }
        m_plan.request = m_request;
        m_plan.request.overrides.clear();
        for (const SettingOverride& change : m_request.overrides)
        {
            TakeOption(settings->root, change);
        }
        return m_errors.empty();
    }

    /** An option is an axis if it has a list where one value is wanted; else it stays one. */
    void TakeOption(const Setting& root, const SettingOverride& change)
    {
        const auto value =
            ParseSettingText(change.value, SettingOrigin{change.option, 0, change.option});
        const bool isList = value && value->kind == Setting::Kind::LIST;
        if (!isList || !TakesOneValue(root, GetGroupRules(), change.key))
        {
            m_plan.request.overrides.push_back(change);
            RemoveKey(change.key);
            return;
        }
        Setting sweep;
        sweep.kind = Setting::Kind::MAP;
        sweep.fields.push_back({change.key, *value});
        const auto axes = ReadSweepAxes(sweep);
        if (!axes)
        {
            m_errors.insert(m_errors.end(), axes.Errors().begin(), axes.Errors().end());
            return;
        }
        if (SweptKey* known = FindKey(change.key))
        {
            known->values = axes->front().keys.front().values;
            return;
        }
        m_axes.push_back(axes->front());
    }

    SweptKey* FindKey(const std::string& key)
    {
        for (SweepAxis& axis : m_axes)
        {
            for (SweptKey& swept : axis.keys)
            {
                if (swept.key == key)
                {
                    return &swept;
                }
            }
        }
        return nullptr;
    }

    void RemoveKey(const std::string& key)
    {
        for (SweepAxis& axis : m_axes)
        {
            std::erase_if(axis.keys, [&key](const SweptKey& swept) { return swept.key == key; });
        }
        std::erase_if(m_axes, [](const SweepAxis& axis) { return axis.keys.empty(); });
    }

    /** The length that all lists of an axis have. */
    size_t LengthOf(const SweepAxis& axis)
    {
        for (const SweptKey& key : axis.keys)
        {
            if (key.values.size() != axis.GetLength())
            {
                const SettingOrigin& origin = key.values.front().origin;
                m_errors.push_back({origin.file,
                                    origin.line,
                                    key.key,
                                    "the list is not as long as that of " + axis.keys.front().key,
                                    std::to_string(key.values.size()) + " values",
                                    std::to_string(axis.GetLength()),
                                    "",
                                    {}});
            }
        }
        return axis.GetLength();
    }

    void MakeRuns()
    {
        size_t count = 1;
        for (const SweepAxis& axis : m_axes)
        {
            const size_t length = LengthOf(axis);
            count = count > MOST_RUNS ? count : count * length;
            for (const SweptKey& key : axis.keys)
            {
                m_plan.keys.push_back(key.key);
            }
        }
        if (count > MOST_RUNS)
        {
            m_errors.push_back({m_request.file,
                                0,
                                std::string{SWEEP_KEY},
                                "too many combinations",
                                "more than " + std::to_string(MOST_RUNS),
                                "",
                                "",
                                {}});
        }
        if (!m_errors.empty() || m_axes.empty())
        {
            return;
        }
        const auto digits = static_cast<int>(std::max<size_t>(3, std::to_string(count - 1).size()));
        for (size_t number = 0; number < count; ++number)
        {
            SweepRun run = MakeRun(number);
            std::ostringstream name;
            name << std::setw(digits) << std::setfill('0') << number << MakeName(run);
            run.name = name.str().substr(0, LONGEST_NAME);
            m_plan.runs.push_back(std::move(run));
        }
    }

    /** The combination of a number, of which the last axis is the lowest digit. */
    SweepRun MakeRun(size_t number) const
    {
        std::vector<size_t> indices(m_axes.size());
        for (size_t i = m_axes.size(); i-- > 0;)
        {
            indices[i] = number % m_axes[i].GetLength();
            number /= m_axes[i].GetLength();
        }
        return MakeRun(indices);
    }

    SweepRun MakeRun(const std::vector<size_t>& indices) const
    {
        SweepRun run;
        for (size_t i = 0; i < m_axes.size(); ++i)
        {
            for (const SweptKey& key : m_axes[i].keys)
            {
                const Setting& value = key.values[indices[i]];
                run.point.push_back({key.key, value});
                run.values.push_back(DescribeValue(value));
            }
        }
        return run;
    }

    /** "-dcqcn-senders8-seed2": values that are names alone, numbers with the last word of the key.
     */
    std::string MakeName(const SweepRun& run) const
    {
        std::string name;
        for (size_t i = 0; i < run.values.size(); ++i)
        {
            const std::string& key = m_plan.keys[i];
            const std::string& value = run.values[i];
            const bool isName = !value.empty() &&
                                std::isalpha(static_cast<unsigned char>(value.front())) != 0 &&
                                value != "true" && value != "false";
            name += "-" + (isName ? "" : key.substr(key.rfind('.') + 1)) + value;
        }
        std::replace_if(
            name.begin(),
            name.end(),
            [](char c)
            { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_'; },
            '-');
        return name;
    }

    /** Loads the first run, and one for each other value of each axis. */
    void CheckValues()
    {
        Check(std::vector<size_t>(m_axes.size(), 0), true);
        for (size_t axis = 0; axis < m_axes.size(); ++axis)
        {
            for (size_t index = 1; index < m_axes[axis].GetLength(); ++index)
            {
                std::vector<size_t> indices(m_axes.size(), 0);
                indices[axis] = index;
                Check(indices, false);
            }
        }
    }

    void Check(const std::vector<size_t>& indices, bool isFirst)
    {
        const auto scenario = LoadScenario(GetRequest(m_plan, MakeRun(indices)));
        if (scenario)
        {
            m_plan.first = isFirst ? *scenario : m_plan.first;
            return;
        }
        for (const Diagnostic& error : scenario.Errors())
        {
            if (std::find(m_errors.begin(), m_errors.end(), error) == m_errors.end())
            {
                m_errors.push_back(error);
            }
        }
    }

    /** Over everything that decides the results: program, values of the sweep, parameters, flows.
     */
    std::string MakeDigest() const
    {
        std::ostringstream text;
        text << GetVersion() << '\n' << GetNs3Version() << '\n';
        for (const Plugin& plugin : GetPlugins())
        {
            text << plugin.digest << '\n';
        }
        for (const std::string& key : m_plan.keys)
        {
            text << key << '\n';
        }
        for (const SweepRun& run : m_plan.runs)
        {
            for (const std::string& value : run.values)
            {
                text << value << '\n';
            }
        }
        for (const EffectiveParameter& parameter : m_plan.first.parameters)
        {
            text << parameter.key << '=' << parameter.value << '\n';
        }
        for (const TopologyLink& link : m_plan.first.topology.links)
        {
            text << link.a << ' ' << link.b << ' ' << link.rate.bps << ' ' << link.delay.ps << '\n';
        }
        for (const Flow& flow : m_plan.first.flows)
        {
            text << flow.source << ' ' << flow.destination << ' ' << flow.bytes << ' '
                 << flow.start.ps << '\n';
        }
        constexpr int HEX_DIGITS = 16;
        std::ostringstream digest;
        digest << std::hex << std::setw(HEX_DIGITS) << std::setfill('0') << HashName(text.str());
        return digest.str();
    }

    LoadRequest m_request;
    std::vector<SweepAxis> m_axes;
    SweepPlan m_plan;
    Diagnostics m_errors;
};

} // namespace

Expected<SweepPlan>
MakeSweepPlan(const LoadRequest& request)
{
    return Planner{request}.Run();
}

LoadRequest
GetRequest(const SweepPlan& plan, const SweepRun& run)
{
    LoadRequest request = plan.request;
    request.point = run.point;
    return request;
}

std::string
DescribeSweep(const SweepPlan& plan)
{
    std::vector<std::vector<std::string>> lines;
    for (size_t i = 0; i < plan.keys.size(); ++i)
    {
        std::vector<std::string> values;
        for (const SweepRun& run : plan.runs)
        {
            if (std::find(values.begin(), values.end(), run.values[i]) == values.end())
            {
                values.push_back(run.values[i]);
            }
        }
        std::string text;
        for (const std::string& value : values)
        {
            text += (text.empty() ? "" : ", ") + value;
        }
        lines.push_back({plan.keys[i], text});
    }
    return "sweep: " + std::to_string(plan.runs.size()) + " runs\n" + FormatTable(lines, "  ");
}

} // namespace ns3::rdma
