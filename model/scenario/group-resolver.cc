// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/group-resolver.h"

#include "base/settings-check.h"
#include "scenario/attribute-text.h"
#include "workload/path-list.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view NODE_TYPE = "ns3::Node";
constexpr std::string_view FILE_SUFFIX = "File";   ///< attributes that end so hold paths
constexpr std::string_view FILES_SUFFIX = "Files"; ///< lists of them
constexpr std::string_view FOLDER_SUFFIX = "Folder";

Diagnostic
At(const SettingOrigin& origin, const std::string& key, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.file = origin.file;
    diagnostic.line = origin.line;
    diagnostic.key = key;
    diagnostic.message = std::move(message);
    return diagnostic;
}

/** The paths of a list, each as it must be opened. */
std::string
ResolvePaths(const Setting& setting)
{
    std::vector<std::string> paths;
    if (setting.kind == Setting::Kind::LIST)
    {
        for (const Setting& item : setting.items)
        {
            paths.push_back(ResolveSettingPath(item.text, item.origin));
        }
        return JoinPaths(paths);
    }
    for (const std::string& path : SplitPaths(setting.text))
    {
        paths.push_back(ResolveSettingPath(path, setting.origin));
    }
    return JoinPaths(paths);
}

/** Whether objects of a class are nodes, which are not made before the run. */
bool
IsNode(TypeId type)
{
    const auto node = FindType(std::string{NODE_TYPE});
    return node && type.IsChildOf(*node);
}

/** The work on one group; an object because its steps share what they find. */
class Resolution
{
  public:
    Resolution(const GroupRule& rule, std::string key, const Setting* setting)
        : m_rule{rule},
          m_key{std::move(key)},
          m_setting{setting}
    {
    }

    ResolvedGroup Run(const std::vector<std::string>& subgroups)
    {
        if (m_setting != nullptr && m_setting->kind != Setting::Kind::MAP)
        {
            auto diagnostic = At(m_setting->origin, m_key, "not a group of keys");
            diagnostic.got = ToAttributeText(*m_setting).value_or("a list");
            diagnostic.expected = "keys below '" + m_key + ":'";
            m_result.errors.push_back(diagnostic);
            return m_result;
        }
        const auto type = m_rule.selector.empty() ? FindFixedType() : ChooseType();
        if (!type)
        {
            return m_result;
        }
        m_result.factory.SetTypeId(*type);
        m_settingRules = GetSettingRules(*type);
        ReadParameterSet(*type);
        for (const SettingRule& rule : m_settingRules)
        {
            SetAttribute(rule);
        }
        ReportUnknownKeys(subgroups);
        CheckTogether(*type);
        return m_result;
    }

  private:
    const Setting* Find(const std::string& name) const
    {
        return m_setting == nullptr ? nullptr : m_setting->Find(name);
    }

    SettingOrigin Origin() const
    {
        return m_setting == nullptr ? SettingOrigin{} : m_setting->origin;
    }

    std::optional<TypeId> FindFixedType()
    {
        const auto type = FindType(m_rule.typeName);
        if (!type)
        {
            ReportInternal("no class " + m_rule.typeName + " is registered");
        }
        return type;
    }

    void ReportInternal(const std::string& message)
    {
        m_result.errors.push_back(At(Origin(), m_key, "internal error: " + message));
    }

    std::optional<TypeId> ChooseType()
    {
        const auto components = FindComponents(m_rule.typeName, m_rule.noun);
        const Setting* chosen = Find(m_rule.selector);
        const std::string name =
            chosen == nullptr ? m_rule.defaultChoice : ToAttributeText(*chosen).value_or("");
        for (const Component& component : components)
        {
            if (component.name == name)
            {
                AddParameter(
                    m_rule.selector, name, chosen == nullptr ? "default" : chosen->origin.text);
                m_result.parameters.back().help = m_rule.help;
                m_result.parameters.back().type = "name";
                return component.type;
            }
        }
        if (components.empty() || (chosen == nullptr && !name.empty()))
        {
            ReportInternal("no child '" + name + "' of " + m_rule.typeName + " is registered");
            return std::nullopt;
        }
        ReportUnknownChoice(components, chosen, name);
        return std::nullopt;
    }

    void ReportUnknownChoice(const std::vector<Component>& components,
                             const Setting* chosen,
                             const std::string& name)
    {
        const std::string key = m_key + "." + m_rule.selector;
        auto diagnostic = chosen == nullptr ? At(Origin(), key, "the key is missing")
                                            : At(chosen->origin, key, "unknown name");
        diagnostic.got = name;
        for (const Component& component : components)
        {
            diagnostic.knownNames.push_back(component.name);
        }
        diagnostic.nearest = NearestName(name, diagnostic.knownNames);
        m_result.errors.push_back(diagnostic);
    }

    void AddParameter(const std::string& name, const std::string& value, const std::string& origin)
    {
        m_result.parameters.push_back({m_key + "." + name, value, origin, "", ""});
    }

    void ReadParameterSet(TypeId type)
    {
        const auto sets = GetParameterSets(type);
        const Setting* chosen = Find(PARAMETERS_KEY);
        m_hasParameterSets = !sets.empty();
        if (chosen == nullptr || !m_hasParameterSets)
        {
            return;
        }
        const std::string name = ToAttributeText(*chosen).value_or("");
        std::vector<std::string> known;
        for (const ParameterSet& set : sets)
        {
            known.emplace_back(set.name);
            m_set = set.name == name ? set : m_set;
        }
        if (m_set.name.empty())
        {
            auto diagnostic =
                At(chosen->origin, m_key + "." + PARAMETERS_KEY, "unknown parameter set");
            diagnostic.got = name;
            diagnostic.nearest = NearestName(name, known);
            diagnostic.knownNames = known;
            m_result.errors.push_back(diagnostic);
            return;
        }
        AddParameter(PARAMETERS_KEY, name, chosen->origin.text);
        m_result.parameters.back().type = "name";
        m_result.parameters.back().help = "Named set of values, from " + std::string{m_set.source};
    }

    /** The value of an attribute in the chosen parameter set. */
    std::optional<std::string> FindInSet(const std::string& attribute) const
    {
        for (const auto& entry : m_set.entries)
        {
            if (entry.attribute == attribute)
            {
                return std::string{entry.value};
            }
        }
        return std::nullopt;
    }

    void SetAttribute(const SettingRule& rule)
    {
        const AttributeText text{rule.attribute};
        std::string value = text.GetDefault();
        std::string origin = "default";
        bool isValid = true;
        if (const auto inSet = FindInSet(rule.attribute.name))
        {
            value = text.Normalise(*inSet);
            origin =
                "parameter set " + std::string{m_set.name} + " (" + std::string{m_set.source} + ")";
            m_result.factory.Set(rule.attribute.name, *text.MakeValue(value));
        }
        if (const Setting* setting = Find(rule.key))
        {
            isValid = SetFromUser(rule, *setting, value);
            origin = setting->origin.text;
        }
        if (isValid)
        {
            AddParameter(rule.key, value, origin);
            m_result.parameters.back().type = text.Describe();
            m_result.parameters.back().help = rule.attribute.help;
        }
    }

    /** Takes what the user wrote, if it is right; value becomes its normal form. */
    bool SetFromUser(const SettingRule& rule, const Setting& setting, std::string& value)
    {
        const AttributeText text{rule.attribute};
        const std::string key = m_key + "." + rule.key;
        const bool isText = text.GetKind() == AttributeText::Kind::TEXT;
        const auto written = ToAttributeText(setting);
        const bool isRightShape = isText || setting.kind == Setting::Kind::SCALAR;
        if (!written || !isRightShape || (setting.IsEmpty() && !isText))
        {
            const bool isMissing = setting.IsEmpty();
            auto diagnostic = At(setting.origin, key, isMissing ? "no value" : "not a plain value");
            diagnostic.got = isMissing ? "" : written.value_or("a map");
            diagnostic.expected = text.Describe();
            if (setting.kind == Setting::Kind::LIST && !isText)
            {
                diagnostic.expected += SWEEP_HINT;
            }
            m_result.errors.push_back(diagnostic);
            return false;
        }
        const std::string& name = rule.attribute.name;
        // A value that names one of ours or the user's own file is a path if it says so.
        const bool looksLikePath = written->starts_with("./") || written->starts_with("../");
        const bool isPath =
            isText && m_rule.namesInputs &&
            (name.ends_with(FILE_SUFFIX) || name.ends_with(FOLDER_SUFFIX) || looksLikePath);
        const bool arePaths = isText && m_rule.namesInputs && name.ends_with(FILES_SUFFIX);
        const std::string full = arePaths ? ResolvePaths(setting)
                                 : isPath ? ResolveSettingPath(*written, setting.origin)
                                          : *written;
        Diagnostics errors = text.Check(full);
        for (Diagnostic& error : errors)
        {
            error.file = setting.origin.file;
            error.line = setting.origin.line;
            error.key = key;
            m_result.errors.push_back(error);
        }
        if (errors.empty())
        {
            value = text.Normalise(full);
            m_result.factory.Set(rule.attribute.name, *text.MakeValue(full));
        }
        return errors.empty();
    }

    bool IsKeyOf(TypeId type, const std::string& name) const
    {
        const auto rules = GetSettingRules(type);
        const bool isAttribute = std::any_of(
            rules.begin(), rules.end(), [&name](const auto& rule) { return rule.key == name; });
        return isAttribute || (name == PARAMETERS_KEY && !GetParameterSets(type).empty());
    }

    /** Whether a key belonged to the class that a higher layer has replaced. */
    bool BelongsToReplaced(const std::string& name) const
    {
        const Setting* chosen = Find(m_rule.selector);
        if (m_rule.selector.empty() || chosen == nullptr || chosen->replaced.empty())
        {
            return false;
        }
        const auto components = FindComponents(m_rule.typeName, m_rule.noun);
        const auto& replaced = chosen->replaced;
        return std::any_of(components.begin(),
                           components.end(),
                           [&](const Component& component)
                           {
                               return std::find(replaced.begin(), replaced.end(), component.name) !=
                                          replaced.end() &&
                                      IsKeyOf(component.type, name);
                           });
    }

    std::vector<std::string> KnownKeys(const std::vector<std::string>& subgroups) const
    {
        std::vector<std::string> known = subgroups;
        if (!m_rule.selector.empty())
        {
            known.push_back(m_rule.selector);
        }
        if (m_hasParameterSets)
        {
            known.push_back(PARAMETERS_KEY);
        }
        for (const SettingRule& rule : m_settingRules)
        {
            known.push_back(rule.key);
        }
        return known;
    }

    void ReportUnknownKeys(const std::vector<std::string>& subgroups)
    {
        const auto known = KnownKeys(subgroups);
        for (const SettingField& field :
             m_setting == nullptr ? std::vector<SettingField>{} : m_setting->fields)
        {
            if (std::find(known.begin(), known.end(), field.key) != known.end())
            {
                continue;
            }
            const std::string key = m_key + "." + field.key;
            const SettingOrigin& origin = field.value.origin;
            if (BelongsToReplaced(field.key))
            {
                m_result.notes.push_back(key + " (" + origin.text + ") is left out: " + m_key +
                                         "." + m_rule.selector + " was changed to " +
                                         Find(m_rule.selector)->text);
                continue;
            }
            auto diagnostic = At(origin, key, "unknown key");
            diagnostic.got = field.key;
            diagnostic.nearest = NearestName(field.key, known);
            diagnostic.knownNames = known;
            m_result.errors.push_back(diagnostic);
        }
    }

    /** Asks a component about its values as a whole. */
    void CheckTogether(TypeId type)
    {
        if (!m_result.errors.empty() || !type.HasConstructor() || IsNode(type))
        {
            return;
        }
        const Ptr<Object> object = m_result.factory.Create();
        if (const auto* check = dynamic_cast<const SettingsCheck*>(PeekPointer(object)))
        {
            m_result.errors = LocateDiagnostics(check->CheckSettings(), m_key, m_setting);
        }
    }

    const GroupRule& m_rule;
    std::string m_key;
    const Setting* m_setting;
    std::vector<SettingRule> m_settingRules;
    ParameterSet m_set;
    bool m_hasParameterSets{false};
    ResolvedGroup m_result;
};

} // namespace

std::vector<ParameterSet>
GetParameterSets(TypeId type)
{
    if (!type.HasConstructor() || IsNode(type))
    {
        return {};
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    const Ptr<Object> object = factory.Create();
    const auto* owner = dynamic_cast<const HasParameterSets*>(PeekPointer(object));
    const auto sets =
        owner == nullptr ? std::span<const ParameterSet>{} : owner->GetParameterSets();
    return {sets.begin(), sets.end()};
}

GroupResolver::GroupResolver(const GroupRules& rules) : m_rules{rules} {}

ResolvedGroup
GroupResolver::Resolve(const GroupRule& rule, const std::string& key, const Setting* setting) const
{
    return Resolution{rule, key, setting}.Run(GetSubgroups(m_rules, rule.key));
}

Diagnostics
LocateDiagnostics(Diagnostics diagnostics, const std::string& key, const Setting* setting)
{
    for (Diagnostic& diagnostic : diagnostics)
    {
        const Setting* named = setting == nullptr ? nullptr : setting->Find(diagnostic.key);
        const Setting* place = named == nullptr ? setting : named;
        if (!diagnostic.file.empty())
        {
            continue;
        }
        if (place != nullptr)
        {
            diagnostic.file = place->origin.file;
            diagnostic.line = place->origin.line;
        }
        diagnostic.key = diagnostic.key.empty() ? key : key + "." + diagnostic.key;
    }
    return diagnostics;
}

} // namespace ns3::rdma
