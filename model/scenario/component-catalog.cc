// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/component-catalog.h"

#include "scenario/attribute-text.h"

#include <algorithm>
#include <cctype>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view OUR_NAMESPACE = "ns3::rdma::";

bool
IsUpper(char c)
{
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}

bool
IsLower(char c)
{
    return std::islower(static_cast<unsigned char>(c)) != 0;
}

bool
StartsWord(std::string_view pascal, size_t i)
{
    if (i == 0 || !IsUpper(pascal[i]))
    {
        return false;
    }
    return !IsUpper(pascal[i - 1]) || (i + 1 < pascal.size() && IsLower(pascal[i + 1]));
}

} // namespace

std::string
SplitWords(std::string_view pascal, char separator)
{
    std::string text;
    for (size_t i = 0; i < pascal.size(); i++)
    {
        if (StartsWord(pascal, i))
        {
            text += separator;
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(pascal[i])));
    }
    return text;
}

std::string
ComponentName(std::string_view typeName, std::string_view noun)
{
    const auto colon = typeName.rfind(':');
    std::string_view name = colon == std::string_view::npos ? typeName : typeName.substr(colon + 1);
    if (!noun.empty() && name.ends_with(noun) && name.size() > noun.size())
    {
        name.remove_suffix(noun.size());
        if (name == "No")
        {
            return "none";
        }
    }
    return SplitWords(name, '-');
}

std::optional<TypeId>
FindType(const std::string& typeName)
{
    TypeId type;
    if (TypeId::LookupByNameFailSafe(typeName, &type))
    {
        return type;
    }
    return std::nullopt;
}

std::vector<Component>
FindComponents(const std::string& base, std::string_view noun)
{
    std::vector<Component> components;
    const auto baseType = FindType(base);
    if (!baseType)
    {
        return components;
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(*baseType) && type.HasConstructor())
        {
            components.push_back({ComponentName(type.GetName(), noun), type});
        }
    }
    std::sort(components.begin(),
              components.end(),
              [](const Component& a, const Component& b) { return a.name < b.name; });
    return components;
}

std::vector<SettingRule>
GetSettingRules(TypeId type)
{
    std::vector<SettingRule> rules;
    if (type.HasParent() && type.GetParent().GetName().starts_with(OUR_NAMESPACE))
    {
        rules = GetSettingRules(type.GetParent());
    }
    for (size_t i = 0; i < type.GetAttributeN(); i++)
    {
        const auto attribute = type.GetAttribute(i);
        const bool isSettable = (attribute.flags & TypeId::ATTR_CONSTRUCT) != 0;
        if (isSettable && AttributeText(attribute).IsSupported())
        {
            rules.push_back({SplitWords(attribute.name, '_'), attribute});
        }
    }
    return rules;
}

} // namespace ns3::rdma
