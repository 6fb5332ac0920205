// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-loader.h"

#include "scenario/group-resolver.h"
#include "scenario/hpcc-layer.h"
#include "scenario/scenario-file.h"
#include "scenario/scenario-header.h"
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
        if (!m_request.file.empty())
        {
            const auto tree = ReadScenarioFile(m_request.file);
            if (!tree)
            {
                Append(m_errors, tree.Errors());
                return false;
            }
            m_root = *tree;
            m_scenario.files.push_back(m_request.file);
        }
        const auto overrides = ParseOverrides();
        // An option may name the HPCC configuration, which yet lies below the scenario file.
        Setting withOverrides = m_root;
        SetOverrides(withOverrides, overrides);
        if (!ReadHpcc(withOverrides))
        {
            return false;
        }
        Append(m_errors, SetOverrides(m_root, overrides));
        return true;
    }

    std::vector<Setting> ParseOverrides()
    {
        std::vector<Setting> values;
        for (const SettingOverride& change : m_request.overrides)
        {
            const auto value =
                ParseSettingText(change.value, SettingOrigin{change.option, 0, change.option});
            Setting setting;
            if (value)
            {
                setting = *value;
            }
            else
            {
                Diagnostics errors = value.Errors();
                for (Diagnostic& error : errors)
                {
                    error.key = change.key;
                }
                Append(m_errors, errors);
            }
            values.push_back(setting);
        }
        return values;
    }

    Diagnostics SetOverrides(Setting& root, const std::vector<Setting>& values) const
    {
        Diagnostics errors;
        for (size_t i = 0; i < values.size(); i++)
        {
            if (!values[i].origin.text.empty())
            {
                Append(errors, SetAtPath(root, m_request.overrides[i].key, values[i]));
            }
        }
        return errors;
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
        std::vector<std::string> known{std::string{HPCC_KEY}};
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
                AddApplication(workload, *application);
            }
            else
            {
                GenerateFlows(workload, *DynamicCast<WorkloadGenerator>(object));
            }
        }
        SortFlows(m_scenario.flows);
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

    void AddApplication(const Generator& generator, const Application& application)
    {
        const Diagnostics errors = application.Check(m_scenario.topology);
        Append(m_errors, LocateDiagnostics(errors, generator.key, generator.setting));
        m_scenario.applications.push_back({generator.key, generator.factory});
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

Expected<Scenario>
LoadScenario(const LoadRequest& request, const GroupRules& rules)
{
    return Loader{request, rules}.Run();
}

} // namespace ns3::rdma
