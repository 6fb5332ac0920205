// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/json-schema.h"

#include "base/component-help.h"
#include "scenario/attribute-text.h"
#include "scenario/group-resolver.h"
#include "scenario/scenario-header.h"

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

Json
ObjectSchema(Json properties, const std::string& description)
{
    return {{"type", Json::array({"object", "null"})},
            {"description", description},
            {"properties", std::move(properties)},
            {"additionalProperties", false}};
}

/** The attributes of a class, and its parameter sets. */
Json
ClassProperties(TypeId type)
{
    Json properties = Json::object();
    Json names = Json::array();
    for (const ParameterSet& set : GetParameterSets(type))
    {
        names.push_back(set.name);
    }
    if (!names.empty())
    {
        properties[PARAMETERS_KEY] = {{"enum", names}, {"description", "Named set of values"}};
    }
    for (const SettingRule& rule : GetSettingRules(type))
    {
        properties[rule.key] = AttributeText{rule.attribute}.GetSchema();
    }
    return properties;
}

/** One class of several: the selector's value decides which. */
Json
ChoiceSchema(const GroupRule& rule)
{
    Json choices = Json::array();
    for (const Component& component : FindComponents(rule.typeName, rule.noun))
    {
        Json properties;
        properties[rule.selector] = {{"const", component.name}};
        properties.update(ClassProperties(component.type));
        Json choice = ObjectSchema(properties, ComponentHelp::Find(component.type.GetName()));
        choice["type"] = "object";
        if (component.name != rule.defaultChoice)
        {
            choice["required"] = Json::array({rule.selector});
        }
        choices.push_back(choice);
    }
    return {{"description", rule.help}, {"oneOf", choices}};
}

Json
GroupSchema(const GroupRule& rule)
{
    const auto type = FindType(rule.typeName);
    const Json schema =
        rule.selector.empty()
            ? ObjectSchema(type ? ClassProperties(*type) : Json::object(), rule.help)
            : ChoiceSchema(rule);
    return rule.isList ? Json{{"type", "array"}, {"items", schema}} : schema;
}

Json
HeaderSchema(const HeaderRule& rule)
{
    Json schema = Json::object();
    if (rule.key == "duration")
    {
        schema = GetQuantitySchema(AttributeText::Kind::TIME);
    }
    else if (rule.key == "seed")
    {
        schema = {{"type", "integer"}, {"minimum", 0}};
    }
    else if (rule.names.empty())
    {
        schema = {{"type", "string"}};
    }
    else
    {
        schema = {{"enum", rule.names}};
    }
    schema["description"] = rule.help;
    return schema;
}

/** Puts a schema at a dotted key of at most two words. */
void
Put(Json& properties, const std::string& key, const Json& schema)
{
    const auto dot = key.find('.');
    if (dot == std::string::npos)
    {
        properties[key] = schema;
        return;
    }
    Json& group = properties[key.substr(0, dot)];
    if (group.is_null())
    {
        group = ObjectSchema(Json::object(), "");
    }
    group["properties"][key.substr(dot + 1)] = schema;
}

} // namespace

Json
GetScenarioSchema(const GroupRules& rules)
{
    Json properties = Json::object();
    for (const HeaderRule& rule : GetHeaderRules())
    {
        Put(properties, rule.key, HeaderSchema(rule));
    }
    for (const GroupRule& rule : rules)
    {
        Put(properties, rule.key, GroupSchema(rule));
    }
    properties["hpcc"] =
        ObjectSchema({{"config", {{"type", "string"}}}}, "A configuration of the HPCC simulator");
    return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "rdmasim scenario"},
            {"type", "object"},
            {"properties", properties},
            {"additionalProperties", false}};
}

} // namespace ns3::rdma
