// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-loader.h"

#include "base/quantity.h"
#include "scenario/group-resolver.h"
#include "scenario/hpcc-layer.h"
#include "scenario/plugin-loader.h"
#include "scenario/scenario-file.h"
#include "scenario/scenario-header.h"
#include "scenario/scenario-layers.h"
#include "scenario/sweep-axes.h"
#include "topology/topology-generator.h"
#include "workload/application.h"
#include "workload/flow-checks.h"
#include "workload/workload-generator.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view HPCC_KEY = "hpcc"; ///< group that names an HPCC configuration
constexpr std::string_view CONFIG_KEY = "config";

void
Append(Diagnostics& all, const Diagnostics& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/** Files and options of a request, laid over each other in two steps. */
class OptionLayers
{
  public:
    explicit OptionLayers(const LoadRequest& request) : m_request{request}
    {
        m_settings.root.kind = Setting::Kind::MAP;
    }

    /** Reads files and options. @return false if there is nothing to go on */
    bool ReadFiles(Diagnostics& errors)
    {
        if (!m_request.file.empty())
        {
            const auto layers = ReadScenarioLayers(m_request.file);
            if (!layers)
            {
                Append(errors, layers.Errors());
                return false;
            }
            m_settings = {layers->root, layers->files};
        }
        ParseOptions(errors);
        return true;
    }

    const RequestedSettings& Get() const
    {
        return m_settings;
    }

    /** Lays the options, and the point of a sweep, over a tree. */
    Diagnostics SetOptions(Setting& root) const
    {
        Diagnostics errors;
        for (const SettingAt& value : m_values)
        {
            Append(errors, SetAtPath(root, value.key, value.value));
        }
        return errors;
    }

  private:
    void ParseOptions(Diagnostics& errors)
    {
        for (const SettingOverride& change : m_request.overrides)
        {
            const auto value =
                ParseSettingText(change.value, SettingOrigin{change.option, 0, change.option});
            if (value)
            {
                m_values.push_back({change.key, *value});
                continue;
            }
            for (Diagnostic error : value.Errors())
            {
                error.key = change.key;
                errors.push_back(error);
            }
        }
        const auto point = m_request.point.value_or(std::vector<SettingAt>{});
        m_values.insert(m_values.end(), point.begin(), point.end());
    }

    const LoadRequest& m_request;
    RequestedSettings m_settings;
    std::vector<SettingAt> m_values; ///< options, then the point
};

/** The work on one scenario; an object because its steps share tree, result and errors. */
class Loader
{
  public:
    Loader(const LoadRequest& request, const GroupRules& rules) : m_request{request}, m_rules{rules}
    {
        m_root.kind = Setting::Kind::MAP;
    }

    Expected<Scenario> Run()
    {
        if (!ReadLayers())
        {
            return m_errors;
        }
        // Before any name is looked up: a plugin may bring it.
        if (const Diagnostics errors = LoadPlugins(m_root); !errors.empty())
        {
            Append(m_errors, errors);
            return m_errors;
        }
        ReportUnknownGroups();
        const std::string file = m_request.file.empty() ? m_hpccFile : m_request.file;
        Append(m_errors, ReadHeader(m_root, std::filesystem::path{file}.stem(), m_scenario));
        for (const GroupRule& rule : m_rules)
        {
            ReadGroup(rule);
        }
        Generate();
        if (!m_errors.empty())
        {
            return m_errors;
        }
        return m_scenario;
    }

  private:
    /** A generator with what must be known to report its findings. */
    struct Generator
    {
        ObjectFactory factory;
        std::string key;
        const Setting* setting;
    };

    /** Reads all files and lays the layers over each other; false if there is nothing to go on. */
    bool ReadLayers()
    {
        OptionLayers layers{m_request};
        if (!layers.ReadFiles(m_errors))
        {
            return false;
        }
        m_root = layers.Get().root;
        m_scenario.files = layers.Get().files;
        // An option may name the HPCC configuration, which yet lies below the scenario file.
        Setting withOverrides = m_root;
        layers.SetOptions(withOverrides);
        if (!ReadHpcc(withOverrides))
        {
            return false;
        }
        Append(m_errors, layers.SetOptions(m_root));
        RemoveSweep();
        return true;
    }

    /** A sweep is not a part of any of its runs. */
    void RemoveSweep()
    {
        const Setting* sweep = m_root.Find(SWEEP_KEY);
        if (sweep != nullptr && !m_request.point)
        {
            m_errors.push_back({sweep->origin.file,
                                sweep->origin.line,
                                std::string{SWEEP_KEY},
                                "these are several runs, and one was asked for",
                                "",
                                "",
                                "",
                                {}});
        }
        std::erase_if(m_root.fields, [](const auto& field) { return field.key == SWEEP_KEY; });
    }

    /** Lays the scenario file over an HPCC configuration, if one is named. */
    bool ReadHpcc(const Setting& withOverrides)
    {
        m_hpccFile = m_request.hpccConfig;
        const Setting* group = withOverrides.Find(HPCC_KEY);
        const Setting* named = group == nullptr ? nullptr : group->Find(CONFIG_KEY);
        if (named != nullptr && m_hpccFile.empty())
        {
            m_hpccFile = ResolveSettingPath(named->text, named->origin);
        }
        if (m_hpccFile.empty())
        {
            return true;
        }
        const Setting* congestion = withOverrides.Find("congestion");
        const Setting* algorithm = congestion == nullptr ? nullptr : congestion->Find("algorithm");
        const auto layer = ReadHpccLayer(m_hpccFile, algorithm == nullptr ? "" : algorithm->text);
        if (!layer)
        {
            Append(m_errors, layer.Errors());
            return false;
        }
        Setting root = layer->settings;
        MergeSettings(root, m_root);
        m_root = root;
        m_scenario.hpccOutputs = layer->outputs;
        m_scenario.notes = layer->notes;
        m_scenario.warnings = layer->warnings;
        m_scenario.files.insert(m_scenario.files.begin(), m_hpccFile);
        return true;
    }

    /** Keys at the top that are neither header keys nor groups. */
    void ReportUnknownGroups()
    {
        std::vector<std::string> known{std::string{HPCC_KEY}, std::string{PLUGINS_KEY}};
        const auto add = [&known](const std::string& key)
        {
            const std::string top = key.substr(0, key.find('.'));
            if (std::find(known.begin(), known.end(), top) == known.end())
            {
                known.push_back(top);
            }
        };
        std::for_each(GetHeaderRules().begin(),
                      GetHeaderRules().end(),
                      [&add](const auto& rule) { add(rule.key); });
        std::for_each(m_rules.begin(), m_rules.end(), [&add](const auto& rule) { add(rule.key); });
        ReportUnknown(m_root, "", known);
        if (const Setting* hpcc = m_root.Find(HPCC_KEY))
        {
            ReportUnknown(*hpcc, std::string{HPCC_KEY} + ".", {std::string{CONFIG_KEY}});
        }
    }

    void ReportUnknown(const Setting& map,
                       const std::string& prefix,
                       const std::vector<std::string>& known)
    {
        for (const SettingField& field : map.fields)
        {
            if (std::find(known.begin(), known.end(), field.key) != known.end())
            {
                continue;
            }
            const SettingOrigin& origin = field.value.origin;
            m_errors.push_back({origin.file,
                                origin.line,
                                prefix + field.key,
                                "unknown key",
                                field.key,
                                "",
                                NearestName(field.key, known),
                                known});
        }
    }

    /** What the user wrote for a group; null if nothing. */
    const Setting* FindGroup(const std::string& key) const
    {
        const auto dot = key.find('.');
        const Setting* group = m_root.Find(key.substr(0, dot));
        return dot == std::string::npos || group == nullptr ? group
                                                            : group->Find(key.substr(dot + 1));
    }

    void ReadGroup(const GroupRule& rule)
    {
        const Setting* setting = FindGroup(rule.key);
        const bool mustChoose = !rule.selector.empty() && rule.defaultChoice.empty();
        const bool isMissing = setting == nullptr || setting->IsEmpty();
        if (rule.isOptional && isMissing)
        {
            return;
        }
        if (mustChoose && isMissing)
        {
            const std::string file = m_request.file.empty() ? m_hpccFile : m_request.file;
            const uint32_t line = setting == nullptr ? 0 : setting->origin.line;
            m_errors.push_back({file, line, rule.key, "the key is missing", "", rule.help, "", {}});
            return;
        }
        if (!rule.isList)
        {
            Resolve(rule, rule.key, setting);
            return;
        }
        if (setting->kind != Setting::Kind::LIST)
        {
            m_errors.push_back({setting->origin.file,
                                setting->origin.line,
                                rule.key,
                                "not a list",
                                setting->kind == Setting::Kind::MAP ? "a map" : setting->text,
                                rule.selector.empty()
                                    ? "entries that start with '- '"
                                    : "entries that start with '- " + rule.selector + ":'",
                                "",
                                {}});
            return;
        }
        for (size_t i = 0; i < setting->items.size(); i++)
        {
            Resolve(rule, rule.key + "." + std::to_string(i), &setting->items[i]);
        }
    }

    void Resolve(const GroupRule& rule, const std::string& key, const Setting* setting)
    {
        const ResolvedGroup group = GroupResolver{m_rules}.Resolve(rule, key, setting);
        Append(m_errors, group.errors);
        std::copy(group.parameters.begin(),
                  group.parameters.end(),
                  std::back_inserter(m_scenario.parameters));
        std::copy(group.notes.begin(), group.notes.end(), std::back_inserter(m_scenario.notes));
        if (rule.slot != nullptr)
        {
            m_scenario.*rule.slot = group.factory;
            return;
        }
        if (rule.listSlot != nullptr)
        {
            (m_scenario.*rule.listSlot).push_back(group.factory);
            return;
        }
        if (!group.errors.empty())
        {
            m_hasBadGenerator = true;
            return;
        }
        auto& generators = rule.isList ? m_workloads : m_topologies;
        generators.push_back({group.factory, key, setting});
    }

    /** Makes topology and flows, if what they are made of is right. */
    void Generate()
    {
        if (m_hasBadGenerator || m_topologies.empty())
        {
            return;
        }
        const Generator& generator = m_topologies.front();
        const auto object = DynamicCast<TopologyGenerator>(generator.factory.Create());
        auto topology = object->Generate();
        for (const std::string& note : object->Notes())
        {
            AddNote(generator.key, note);
        }
        if (!topology)
        {
            Append(m_errors,
                   LocateDiagnostics(topology.Errors(), generator.key, generator.setting));
            return;
        }
        m_scenario.topology = std::move(*topology);
        for (const Generator& workload : m_workloads)
        {
            const auto object = workload.factory.Create();
            if (const auto application = DynamicCast<Application>(object))
            {
                AddApplication(workload, application);
            }
            else
            {
                GenerateFlows(workload, *DynamicCast<WorkloadGenerator>(object));
            }
        }
        SortFlows(m_scenario.flows);
        CheckWindow();
    }

    /** A window in which nothing starts would leave a run without a result. */
    void CheckWindow()
    {
        const MeasurementWindow& window = m_scenario.window;
        const FlowRange counted = FindFlows(window, m_scenario.flows);
        const Setting* given = m_root.Find("window");
        if (given == nullptr || window.IsWhole() || !m_errors.empty() ||
            counted.first != counted.behind)
        {
            return;
        }
        m_errors.push_back({given->origin.file,
                            given->origin.line,
                            "window",
                            "no flow starts in it",
                            Describe(window),
                            m_scenario.flows.empty()
                                ? "flows: applications have no starts to choose by"
                                : "a part of " + ToString(m_scenario.flows.front().start) + " to " +
                                      ToString(m_scenario.flows.back().start),
                            "",
                            {}});
    }

    /** Adds what a generator said, unless the reader of a configuration has said it before. */
    void AddNote(const std::string& key, const std::string& note)
    {
        auto& notes = m_scenario.notes;
        if (std::find(notes.begin(), notes.end(), note) == notes.end())
        {
            notes.push_back(key + ": " + note);
        }
    }

    void AddApplication(const Generator& generator, const Ptr<Application>& application)
    {
        const Diagnostics errors = application->Check(m_scenario.topology);
        Append(m_errors, LocateDiagnostics(errors, generator.key, generator.setting));
        m_scenario.hasIpStack |= application->NeedsIpStack();
        if (application->IsEndless() && !m_scenario.duration)
        {
            Diagnostic endless;
            endless.key = "bytes";
            endless.message = "it never ends, and the run has no duration";
            endless.expected = "bytes above 0, or a duration of the scenario";
            Append(m_errors, LocateDiagnostics({endless}, generator.key, generator.setting));
        }
        m_scenario.applications.push_back({generator.key, generator.factory, application});
    }

    void GenerateFlows(const Generator& generator, const WorkloadGenerator& object)
    {
        std::vector<std::string> notes;
        const auto flows = object.Generate(m_scenario.topology, m_scenario.seed, notes);
        for (const std::string& note : notes)
        {
            AddNote(generator.key, note);
        }
        if (!flows)
        {
            Append(m_errors, LocateDiagnostics(flows.Errors(), generator.key, generator.setting));
            return;
        }
        m_scenario.flows.insert(m_scenario.flows.end(), flows->begin(), flows->end());
    }

    const LoadRequest& m_request;
    const GroupRules& m_rules;
    Setting m_root;
    std::string m_hpccFile;
    Diagnostics m_errors;
    Scenario m_scenario;
    std::vector<Generator> m_topologies;
    std::vector<Generator> m_workloads;
    bool m_hasBadGenerator{false};
};

} // namespace

Expected<RequestedSettings>
ReadRequest(const LoadRequest& request)
{
    Diagnostics errors;
    OptionLayers layers{request};
    if (!layers.ReadFiles(errors))
    {
        return errors;
    }
    RequestedSettings settings = layers.Get();
    Append(errors, layers.SetOptions(settings.root));
    return errors.empty() ? Expected<RequestedSettings>{settings}
                          : Expected<RequestedSettings>{errors};
}

Expected<Scenario>
LoadScenario(const LoadRequest& request, const GroupRules& rules)
{
    return Loader{request, rules}.Run();
}

} // namespace ns3::rdma
