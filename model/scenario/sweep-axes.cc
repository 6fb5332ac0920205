// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-axes.h"

#include "scenario/attribute-text.h"
#include "scenario/component-catalog.h"
#include "scenario/scenario-header.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

Diagnostic
At(const Setting& setting, const std::string& key, const std::string& message)
{
    return {setting.origin.file, setting.origin.line, key, message, "", "", "", {}};
}

/** Reads the group; an object because axes and errors are collected over its depth. */
class AxisReader
{
  public:
    Expected<std::vector<SweepAxis>> Run(const Setting& sweep)
    {
        if (sweep.kind != Setting::Kind::MAP)
        {
            Diagnostic error = At(sweep, std::string{SWEEP_KEY}, "not a group of keys");
            error.got = DescribeValue(sweep);
            error.expected = "keys with lists of values, such as 'seed: [1, 2, 3]'";
            return error;
        }
        for (const SettingField& field : sweep.fields)
        {
            if (field.key == ZIP_KEY)
            {
                ReadZips(field.value);
                continue;
            }
            for (const SweptKey& key : ReadKeys(field.value, field.key))
            {
                Add({{key}});
            }
        }
        return m_errors.empty() ? Expected<std::vector<SweepAxis>>{m_axes}
                                : Expected<std::vector<SweepAxis>>{m_errors};
    }

  private:
    void ReadZips(const Setting& zip)
    {
        const bool isList = zip.kind == Setting::Kind::LIST;
        for (const Setting& group : isList ? zip.items : std::vector<Setting>{zip})
        {
            SweepAxis axis;
            for (const SettingField& field : group.fields)
            {
                const auto keys = ReadKeys(field.value, field.key);
                axis.keys.insert(axis.keys.end(), keys.begin(), keys.end());
            }
            if (group.kind != Setting::Kind::MAP)
            {
                m_errors.push_back(At(group, "sweep.zip", "not a group of keys"));
                m_errors.back().got = DescribeValue(group);
            }
            else if (!axis.keys.empty())
            {
                CheckLengths(group, axis);
                Add(axis);
            }
        }
    }

    void CheckLengths(const Setting& group, const SweepAxis& axis)
    {
        for (const SweptKey& key : axis.keys)
        {
            if (key.values.size() != axis.GetLength())
            {
                m_errors.push_back(At(group, "sweep.zip", "the lists are not of equal length"));
                m_errors.back().got = std::to_string(key.values.size()) + " values of " + key.key;
                m_errors.back().expected =
                    std::to_string(axis.GetLength()) + ", as of " + axis.keys.front().key;
            }
        }
    }

    /** The keys at and below a place of the group. */
    std::vector<SweptKey> ReadKeys(const Setting& setting, const std::string& key)
    {
        if (setting.kind == Setting::Kind::SCALAR)
        {
            return {{key, {setting}}};
        }
        if (setting.kind == Setting::Kind::MAP)
        {
            std::vector<SweptKey> keys;
            for (const SettingField& field : setting.fields)
            {
                const auto below = ReadKeys(field.value, key + "." + field.key);
                keys.insert(keys.end(), below.begin(), below.end());
            }
            return keys;
        }
        if (setting.items.empty())
        {
            m_errors.push_back(At(setting, "sweep." + key, "a list without values"));
            return {};
        }
        SweptKey swept{key, setting.items};
        for (Setting& value : swept.values)
        {
            for (const Setting& other : setting.items)
            {
                if (other.kind == Setting::Kind::SCALAR && other.text != value.text)
                {
                    value.replaced.push_back(other.text);
                }
            }
        }
        return {swept};
    }

    void Add(const SweepAxis& axis)
    {
        for (const SweptKey& key : axis.keys)
        {
            const bool isKnown = std::find(m_keys.begin(), m_keys.end(), key.key) != m_keys.end();
            m_keys.push_back(key.key);
            if (isKnown)
            {
                m_errors.push_back(
                    At(key.values.front(), "sweep." + key.key, "the key stands twice"));
            }
        }
        m_axes.push_back(axis);
    }

    std::vector<SweepAxis> m_axes;
    std::vector<std::string> m_keys;
    Diagnostics m_errors;
};

/** What a key of a group of a scenario is, inside the group. */
struct PlaceInGroup
{
    const GroupRule* rule{nullptr}; ///< null for none
    std::string path;               ///< of the group, with the index of an entry
    std::string attribute;          ///< the rest of the key; may be empty
};

PlaceInGroup
FindPlace(const GroupRules& rules, std::string_view key)
{
    PlaceInGroup place;
    for (const GroupRule& rule : rules)
    {
        const bool isBelow = key.starts_with(rule.key + ".");
        if (!isBelow || (place.rule != nullptr && rule.key.size() < place.rule->key.size()))
        {
            continue;
        }
        const size_t index = rule.isList ? key.find('.', rule.key.size() + 1) : rule.key.size();
        if (index != std::string_view::npos)
        {
            place = {&rule, std::string{key.substr(0, index)}, std::string{key.substr(index + 1)}};
        }
    }
    return place;
}

/** The value at a dotted path; numbers index lists; null if there is none. */
const Setting*
FindAtPath(const Setting& root, std::string_view path)
{
    const Setting* at = &root;
    while (at != nullptr && !path.empty())
    {
        const auto dot = path.find('.');
        const std::string part{path.substr(0, dot)};
        path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
        if (at->kind == Setting::Kind::LIST)
        {
            const bool isIndex = !part.empty() &&
                                 part.find_first_not_of("0123456789") == std::string::npos &&
                                 part.size() < 6;
            const size_t index = isIndex ? std::stoul(part) : at->items.size();
            at = index < at->items.size() ? &at->items[index] : nullptr;
            continue;
        }
        at = at->Find(part);
    }
    return at;
}

/** The classes that a group may be of, by what the scenario chooses. */
std::vector<TypeId>
FindCandidates(const Setting& root, const PlaceInGroup& place)
{
    const GroupRule& rule = *place.rule;
    if (rule.selector.empty())
    {
        const auto type = FindType(rule.typeName);
        return type ? std::vector<TypeId>{*type} : std::vector<TypeId>{};
    }
    const Setting* chosen = FindAtPath(root, place.path + "." + rule.selector);
    const std::string name = chosen == nullptr ? rule.defaultChoice : chosen->text;
    std::vector<TypeId> all;
    for (const Component& component : FindComponents(rule.typeName, rule.noun))
    {
        if (component.name == name)
        {
            return {component.type};
        }
        all.push_back(component.type);
    }
    return all;
}

} // namespace

Expected<std::vector<SweepAxis>>
ReadSweepAxes(const Setting& sweep)
{
    return AxisReader{}.Run(sweep);
}

bool
TakesOneValue(const Setting& root, const GroupRules& rules, std::string_view key)
{
    const auto& header = GetHeaderRules();
    if (std::any_of(
            header.begin(), header.end(), [key](const auto& rule) { return rule.key == key; }))
    {
        return true;
    }
    const PlaceInGroup place = FindPlace(rules, key);
    if (place.rule == nullptr)
    {
        return false;
    }
    bool isKnown = !place.attribute.empty() &&
                   (place.attribute == place.rule->selector || place.attribute == PARAMETERS_KEY);
    for (const TypeId& type : FindCandidates(root, place))
    {
        for (const SettingRule& rule : GetSettingRules(type))
        {
            if (rule.key != place.attribute)
            {
                continue;
            }
            if (AttributeText{rule.attribute}.GetKind() == AttributeText::Kind::TEXT)
            {
                return false;
            }
            isKnown = true;
        }
    }
    return isKnown;
}

std::string
DescribeValue(const Setting& value)
{
    std::string text = value.text;
    for (const Setting& item : value.items)
    {
        text += (text.empty() ? "" : " ") + DescribeValue(item);
    }
    for (const SettingField& field : value.fields)
    {
        text += (text.empty() ? "" : " ") + field.key + "=" + DescribeValue(field.value);
    }
    return text;
}

} // namespace ns3::rdma
