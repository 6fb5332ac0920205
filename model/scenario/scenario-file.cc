// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-file.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <yaml-cpp/yaml.h>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t DEPTH_LIMIT = 32; ///< a scenario needs four levels; aliases could make a loop

/** Turns YAML nodes into settings and collects what is wrong with them. */
class Converter
{
  public:
    explicit Converter(SettingOrigin origin) : m_origin{std::move(origin)} {}

    Setting Convert(const YAML::Node& node, const std::string& key, uint32_t depth)
    {
        Setting setting;
        setting.origin = OriginOf(node);
        if (depth > DEPTH_LIMIT)
        {
            Report(node, key, "nested too deeply");
            return setting;
        }
        if (node.IsSequence())
        {
            setting.kind = Setting::Kind::LIST;
            for (size_t i = 0; i < node.size(); i++)
            {
                const std::string itemKey = key + "." + std::to_string(i);
                setting.items.push_back(Convert(node[i], itemKey, depth + 1));
            }
        }
        else if (node.IsMap())
        {
            ConvertMap(node, key, depth, setting);
        }
        else if (node.IsScalar())
        {
            setting.text = node.Scalar();
        }
        else
        {
            setting.kind = Setting::Kind::MAP;
        }
        return setting;
    }

    const Diagnostics& Errors() const
    {
        return m_errors;
    }

  private:
    void ConvertMap(const YAML::Node& node, const std::string& key, uint32_t depth, Setting& map)
    {
        map.kind = Setting::Kind::MAP;
        std::set<std::string> keys;
        for (const auto& entry : node)
        {
            if (!entry.first.IsScalar())
            {
                Report(entry.first, key, "a key must be plain text");
                continue;
            }
            const std::string name = entry.first.Scalar();
            const std::string path = key.empty() ? name : key + "." + name;
            if (!keys.insert(name).second)
            {
                Report(entry.first, path, "the key stands twice");
                continue;
            }
            map.fields.push_back({name, Convert(entry.second, path, depth + 1)});
            // A value that starts on a later line is still looked for at its key.
            map.fields.back().value.origin = OriginOf(entry.first);
        }
    }

    SettingOrigin OriginOf(const YAML::Node& node) const
    {
        SettingOrigin origin = m_origin;
        if (origin.text.empty())
        {
            origin.line = static_cast<uint32_t>(node.Mark().line + 1);
            origin.text = origin.file + ":" + std::to_string(origin.line);
        }
        return origin;
    }

    void Report(const YAML::Node& node, const std::string& key, const std::string& message)
    {
        const SettingOrigin origin = OriginOf(node);
        m_errors.push_back({origin.file, origin.line, key, message, "", "", "", {}});
    }

    SettingOrigin m_origin; ///< text is empty while lines count
    Diagnostics m_errors;
};

Diagnostic
Malformed(const SettingOrigin& origin, const YAML::Exception& error)
{
    Diagnostic diagnostic;
    diagnostic.file = origin.file;
    diagnostic.line = origin.text.empty() ? static_cast<uint32_t>(error.mark.line + 1) : 0;
    diagnostic.message = "malformed YAML: " + error.msg;
    return diagnostic;
}

} // namespace

Expected<Setting>
ParseSettingText(const std::string& text, const SettingOrigin& origin)
{
    try
    {
        Converter converter{origin};
        const Setting setting = converter.Convert(YAML::Load(text), "", 0);
        return converter.Errors().empty() ? Expected<Setting>{setting}
                                          : Expected<Setting>{converter.Errors()};
    }
    catch (const YAML::Exception& error)
    {
        return Malformed(origin, error);
    }
}

Expected<Setting>
ParseScenarioText(const std::string& text, const std::string& file)
{
    const auto fail = [&file](const std::string& message) {
        return Diagnostic{file, 0, "", message, "", "a map of keys such as 'topology:'", "", {}};
    };
    const SettingOrigin origin{file, 0, ""};
    std::vector<YAML::Node> documents;
    try
    {
        documents = YAML::LoadAll(text);
    }
    catch (const YAML::Exception& error)
    {
        return Malformed(origin, error);
    }
    if (documents.empty() || documents.front().IsNull())
    {
        return fail("the file is empty");
    }
    if (documents.size() > 1)
    {
        return fail("several YAML documents in one file");
    }
    if (!documents.front().IsMap())
    {
        return fail("no keys at the top level");
    }
    Converter converter{origin};
    const Setting setting = converter.Convert(documents.front(), "", 0);
    return converter.Errors().empty() ? Expected<Setting>{setting}
                                      : Expected<Setting>{converter.Errors()};
}

Expected<Setting>
ReadScenarioFile(const std::string& file)
{
    const auto fail = [&file](const std::string& message) {
        return Diagnostic{file, 0, "", message, "", "a scenario in YAML", "", {}};
    };
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
    {
        return fail("is a folder");
    }
    std::ifstream stream{file, std::ios::binary};
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
    {
        return std::filesystem::exists(file, error) ? fail("cannot be read, or is empty")
                                                    : fail("no such file");
    }
    return ParseScenarioText(text.str(), file);
}

} // namespace ns3::rdma
