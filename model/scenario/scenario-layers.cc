// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-layers.h"

#include "scenario/scenario-file.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace ns3::rdma
{

namespace
{

constexpr std::array<std::string_view, 2> OWN_KEYS{"name", "description"}; ///< not inherited

Diagnostic
At(const Setting& setting, const std::string& key, const std::string& message)
{
    return {setting.origin.file, setting.origin.line, key, message, "", "", "", {}};
}

bool
IsAdding(const SettingField& field)
{
    return field.key.size() > 1 && field.key.back() == ADD_SUFFIX;
}

/**
 * Adds the items of a "<key>+" list to the list below, or to what waits there to be added.
 *
 * @return false if there is neither; a lower file may still have one
 */
bool
AddItems(Setting& under, const SettingField& field, const std::string& path, Diagnostics& errors)
{
    Setting* below = under.Find(field.key.substr(0, field.key.size() - 1));
    below = below == nullptr ? under.Find(field.key) : below;
    if (below == nullptr)
    {
        return false;
    }
    if (below->kind != Setting::Kind::LIST || field.value.kind != Setting::Kind::LIST)
    {
        const bool isHere = field.value.kind != Setting::Kind::LIST;
        errors.push_back(
            At(field.value, path, isHere ? "not a list" : "what it adds to is not a list"));
        errors.back().got = isHere ? field.value.text : below->origin.text;
        errors.back().expected = "a list at both ends";
        return true;
    }
    std::copy(field.value.items.begin(), field.value.items.end(), std::back_inserter(below->items));
    return true;
}

/** Carries out and removes the "+" keys of a tree that have a list below, at any depth. */
void
AddLists(Setting& under, Setting& over, const std::string& prefix, Diagnostics& errors)
{
    for (SettingField& field : over.fields)
    {
        Setting* below = under.Find(field.key);
        if (!IsAdding(field) && below != nullptr)
        {
            AddLists(*below, field.value, prefix + field.key + ".", errors);
        }
    }
    std::erase_if(over.fields,
                  [&](const SettingField& field) {
                      return IsAdding(field) && AddItems(under, field, prefix + field.key, errors);
                  });
}

/** The "+" keys that found no list in any file. */
void
ReportLeftOver(const Setting& map, const std::string& prefix, Diagnostics& errors)
{
    for (const SettingField& field : map.fields)
    {
        const std::string path = prefix + field.key;
        if (IsAdding(field))
        {
            errors.push_back(At(field.value, path, "there is no list below to add to"));
            errors.back().expected = "the same key without '+', or with it in a file that '" +
                                     std::string{EXTENDS_KEY} + "' names";
        }
        ReportLeftOver(field.value, path + ".", errors);
    }
}

/** Reads files depth first; an object because the steps share chain, files and errors. */
class LayerReader
{
  public:
    Expected<ScenarioLayers> Run(const std::string& file)
    {
        const Setting root = Read(file, nullptr);
        ReportLeftOver(root, "", m_errors);
        const ScenarioLayers layers{root, m_files};
        return m_errors.empty() ? Expected<ScenarioLayers>{layers}
                                : Expected<ScenarioLayers>{m_errors};
    }

  private:
    /** @param namedBy where the file was named; null for the first */
    Setting Read(const std::string& file, const Setting* namedBy)
    {
        std::error_code ignored;
        const auto path = std::filesystem::weakly_canonical(file, ignored);
        if (std::find(m_chain.begin(), m_chain.end(), path) != m_chain.end())
        {
            Report(*namedBy, "a file extends itself", file);
            return {};
        }
        auto tree = ReadScenarioFile(file);
        if (!tree)
        {
            for (Diagnostic error : tree.Errors())
            {
                // A file that cannot be read is named by a line of another.
                if (namedBy != nullptr && error.line == 0)
                {
                    Report(*namedBy, error.message, file);
                    continue;
                }
                m_errors.push_back(error);
            }
            return {};
        }
        m_chain.push_back(path);
        m_names.push_back(file);
        Setting below = ReadExtended(*tree);
        std::erase_if(tree->fields, [](const auto& field) { return field.key == EXTENDS_KEY; });
        AddLists(below, *tree, "", m_errors);
        MergeSettings(below, *tree);
        m_chain.pop_back();
        m_names.pop_back();
        if (std::find(m_files.begin(), m_files.end(), file) == m_files.end())
        {
            m_files.push_back(file);
        }
        return below;
    }

    /** Everything that a file lies over. */
    Setting ReadExtended(const Setting& tree)
    {
        Setting below;
        below.kind = Setting::Kind::MAP;
        below.origin = tree.origin;
        const Setting* extends = tree.Find(EXTENDS_KEY);
        if (extends == nullptr)
        {
            return below;
        }
        const std::vector<Setting> names =
            extends->kind == Setting::Kind::LIST ? extends->items : std::vector<Setting>{*extends};
        for (const Setting& name : names)
        {
            if (name.kind != Setting::Kind::SCALAR || name.IsEmpty())
            {
                m_errors.push_back(At(name, std::string{EXTENDS_KEY}, "not the name of a file"));
                m_errors.back().expected = "a path such as ./base.yaml, or a list of them";
                continue;
            }
            Setting layer = Read(ResolveSettingPath(name.text, name.origin), &name);
            AddLists(below, layer, "", m_errors);
            MergeSettings(below, layer);
        }
        std::erase_if(
            below.fields,
            [](const SettingField& field)
            { return std::find(OWN_KEYS.begin(), OWN_KEYS.end(), field.key) != OWN_KEYS.end(); });
        return below;
    }

    void Report(const Setting& namedBy, const std::string& message, const std::string& file)
    {
        Diagnostic error = At(namedBy, std::string{EXTENDS_KEY}, message);
        for (const std::string& name : m_names)
        {
            error.got += name + " -> ";
        }
        error.got += file;
        m_errors.push_back(error);
    }

    std::vector<std::filesystem::path> m_chain; ///< files that are being read, outermost first
    std::vector<std::string> m_names;           ///< the same as their users wrote them
    std::vector<std::string> m_files;
    Diagnostics m_errors;
};

} // namespace

Expected<ScenarioLayers>
ReadScenarioLayers(const std::string& file)
{
    return LayerReader{}.Run(file);
}

} // namespace ns3::rdma
