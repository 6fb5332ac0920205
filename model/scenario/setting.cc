// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/setting.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace ns3::rdma
{

namespace
{

Diagnostics
BadPath(std::string_view path, const Setting& value, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.file = value.origin.file;
    diagnostic.line = value.origin.line;
    diagnostic.key = path;
    diagnostic.message = std::move(message);
    return {diagnostic};
}

/** The item that a part of a path names; null if the part is no index of the list. */
Setting*
ItemOf(Setting& list, std::string_view part)
{
    size_t index = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool isIndex = error == std::errc{} && stop == part.data() + part.size();
    return isIndex && index < list.items.size() ? &list.items[index] : nullptr;
}

Setting&
FieldOf(Setting& map, std::string_view part, const SettingOrigin& origin)
{
    if (Setting* found = map.Find(part))
    {
        return *found;
    }
    Setting empty;
    empty.kind = Setting::Kind::MAP;
    empty.origin = origin;
    map.fields.push_back({std::string{part}, empty});
    return map.fields.back().value;
}

} // namespace

const Setting*
Setting::Find(std::string_view key) const
{
    const auto found =
        std::find_if(fields.begin(), fields.end(), [key](const auto& f) { return f.key == key; });
    return found == fields.end() ? nullptr : &found->value;
}

Setting*
Setting::Find(std::string_view key)
{
    return const_cast<Setting*>(std::as_const(*this).Find(key));
}

bool
Setting::IsEmpty() const
{
    return text.empty() && items.empty() && fields.empty();
}

void
MergeSettings(Setting& under, const Setting& over)
{
    const bool isMap = under.kind == Setting::Kind::MAP && over.kind == Setting::Kind::MAP;
    if (!isMap)
    {
        const bool isScalar = under.kind == Setting::Kind::SCALAR && !under.text.empty();
        std::vector<std::string> replaced = std::move(under.replaced);
        if (isScalar)
        {
            replaced.push_back(under.text);
        }
        replaced.insert(replaced.end(), over.replaced.begin(), over.replaced.end());
        under = over;
        under.replaced = std::move(replaced);
        return;
    }
    for (const SettingField& field : over.fields)
    {
        if (Setting* found = under.Find(field.key))
        {
            MergeSettings(*found, field.value);
        }
        else
        {
            under.fields.push_back(field);
        }
    }
}

Diagnostics
SetAtPath(Setting& root, std::string_view path, const Setting& value)
{
    Setting* at = &root;
    for (std::string_view rest = path;;)
    {
        const auto dot = rest.find('.');
        const std::string_view part = rest.substr(0, dot);
        if (part.empty())
        {
            return BadPath(path, value, "a key is missing in the path");
        }
        const bool isPlain = at->kind == Setting::Kind::SCALAR && !at->IsEmpty();
        if (isPlain)
        {
            return BadPath(path, value, "'" + at->text + "' has no keys below it");
        }
        if (at->kind == Setting::Kind::LIST)
        {
            at = ItemOf(*at, part);
        }
        else
        {
            at->kind = Setting::Kind::MAP;
            at = &FieldOf(*at, part, value.origin);
        }
        if (at == nullptr)
        {
            return BadPath(path, value, "no entry '" + std::string{part} + "' in the list");
        }
        if (dot == std::string_view::npos)
        {
            break;
        }
        rest.remove_prefix(dot + 1);
    }
    MergeSettings(*at, value);
    return {};
}

std::optional<std::string>
ToAttributeText(const Setting& setting)
{
    if (setting.kind == Setting::Kind::MAP)
    {
        return setting.IsEmpty() ? std::optional<std::string>{""} : std::nullopt;
    }
    if (setting.kind == Setting::Kind::SCALAR)
    {
        return setting.text;
    }
    std::vector<std::string> parts;
    bool isNested = false;
    for (const Setting& item : setting.items)
    {
        const auto part = ToAttributeText(item);
        if (!part || item.kind == Setting::Kind::MAP)
        {
            return std::nullopt;
        }
        isNested = isNested || part->find(' ') != std::string::npos;
        parts.push_back(*part);
    }
    std::string text;
    for (const std::string& part : parts)
    {
        text += (text.empty() ? "" : (isNested ? ", " : " ")) + part;
    }
    return text;
}

std::string
ResolveSettingPath(const std::string& path, const SettingOrigin& origin)
{
    const bool isInFile = origin.line > 0;
    if (path.empty() || !isInFile || std::filesystem::path{path}.is_absolute())
    {
        return path;
    }
    const auto folder = std::filesystem::path{origin.file}.parent_path();
    return (folder / path).lexically_normal().string();
}

} // namespace ns3::rdma
