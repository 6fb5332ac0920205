// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/json-schema.h"

#include "base/component-help.h"
#include "scenario/attribute-text.h"
#include "scenario/group-resolver.h"
#include "scenario/named-values.h"
#include "scenario/scenario-header.h"
#include "scenario/scenario-layers.h"
#include "scenario/sweep-axes.h"

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

/** A choice of names, each with what it stands for: editors show it beside the name. */
Json
NamesSchema(const std::vector<NamedValue>& names)
{
    Json choices = Json::array();
    for (const NamedValue& value : names)
    {
        Json choice{{"const", value.name}};
        if (!value.help.empty())
        {
            choice["description"] = value.help;
        }
        choices.push_back(choice);
    }
    return {{"oneOf", choices}};
}

/** An attribute; a list of names that stands elsewhere explains its names. */
Json
AttributeSchema(const std::string& key, const SettingRule& rule)
{
    Json schema = AttributeText{rule.attribute}.GetSchema();
    for (const NamedValues& list : GetNamedValues())
    {
        if (list.key == key + "." + rule.key && schema.contains("enum"))
        {
            schema.erase("enum");
            schema.update(NamesSchema(list.values));
        }
    }
    return schema;
}

/** The attributes of a class of a group, and its parameter sets. */
Json
ClassProperties(const std::string& key, TypeId type)
{
    Json properties = Json::object();
    std::vector<NamedValue> sets;
    for (const ParameterSet& set : GetParameterSets(type))
    {
        sets.push_back({std::string{set.name}, "From " + std::string{set.source}});
    }
    if (!sets.empty())
    {
        properties[PARAMETERS_KEY] = NamesSchema(sets);
        properties[PARAMETERS_KEY]["description"] = "Named set of values";
    }
    for (const SettingRule& rule : GetSettingRules(type))
    {
        properties[rule.key] = AttributeSchema(key, rule);
    }
    return properties;
}

/**
 * One class of several: the selector's value decides which keys there are.
 *
 * @choice if and then instead of alternatives in full: an editor offers the keys of the one class
 *         that was chosen, and a wrong key is told alone, not with what each other class misses
 */
Json
ChoiceSchema(const GroupRule& rule)
{
    std::vector<NamedValue> names;
    Json branches = Json::array();
    for (const Component& component : FindComponents(rule.typeName, rule.noun))
    {
        names.push_back({component.name, ComponentHelp::Find(component.type.GetName())});
        Json properties{{rule.selector, true}};
        properties.update(ClassProperties(rule.key, component.type));
        Json condition{{"properties", {{rule.selector, {{"const", component.name}}}}}};
        if (component.name != rule.defaultChoice)
        {
            condition["required"] = Json::array({rule.selector});
        }
        branches.push_back(
            {{"if", condition},
             {"then", {{"properties", properties}, {"additionalProperties", false}}}});
    }
    Json selector = NamesSchema(names);
    selector["description"] = rule.help;
    Json schema{{"type", Json::array({"object", "null"})},
                {"description", rule.help},
                {"properties", {{rule.selector, selector}}},
                {"allOf", branches}};
    if (rule.defaultChoice.empty())
    {
        schema["type"] = "object";
        schema["required"] = Json::array({rule.selector});
    }
    else
    {
        schema["properties"][rule.selector]["default"] = rule.defaultChoice;
    }
    return schema;
}

Json
GroupSchema(const GroupRule& rule)
{
    const auto type = FindType(rule.typeName);
    const Json schema =
        rule.selector.empty()
            ? ObjectSchema(type ? ClassProperties(rule.key, *type) : Json::object(), rule.help)
            : ChoiceSchema(rule);
    return rule.isList ? Json{{"type", "array"}, {"description", rule.help}, {"items", schema}}
                       : schema;
}

/** The names of a header key, with their help where a list of names has it. */
Json
HeaderNamesSchema(const HeaderRule& rule)
{
    for (const NamedValues& list : GetNamedValues())
    {
        if (list.key == rule.key)
        {
            return NamesSchema(list.values);
        }
    }
    return {{"enum", rule.names}};
}

Json
HeaderSchema(const HeaderRule& rule)
{
    Json schema = Json::object();
    if (rule.key == "duration" || rule.key.starts_with("window."))
    {
        schema = GetQuantitySchema(AttributeText::Kind::TIME);
    }
    else if (rule.key == "seed")
    {
        schema = {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}};
    }
    else
    {
        schema = rule.names.empty() ? Json{{"type", "string"}} : HeaderNamesSchema(rule);
    }
    schema["description"] = rule.help + " (" + rule.type + ")";
    if (rule.key == "seed")
    {
        schema["default"] = 1;
    }
    else if (!rule.defaultText.empty())
    {
        schema["default"] = rule.defaultText;
    }
    return schema;
}

/** The keys of GetFileRules: paths, and lists of values of any key. */
Json
FileSchema(const HeaderRule& rule)
{
    if (rule.key != SWEEP_KEY)
    {
        return {{"description", rule.help},
                {"anyOf",
                 Json::array({{{"type", "string"}},
                              {{"type", "array"}, {"items", {{"type", "string"}}}}})}};
    }
    const Json values{
        {"type", Json::array({"array", "object", "string", "number", "boolean", "null"})},
        {"minItems", 1}};
    const Json together{{"type", "object"}, {"additionalProperties", values}};
    Json zip{{"description", "Keys whose values change together; their lists are of one length"},
             {"anyOf", Json::array({together, {{"type", "array"}, {"items", together}}})}};
    return {{"type", Json::array({"object", "null"})},
            {"description", rule.help},
            {"properties", {{std::string{ZIP_KEY}, zip}}},
            {"additionalProperties", values}};
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
        group = ObjectSchema(Json::object(), GetHeaderGroupHelp(key.substr(0, dot)));
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
    for (const HeaderRule& rule : GetFileRules())
    {
        Put(properties, rule.key, FileSchema(rule));
    }
    for (const GroupRule& rule : rules)
    {
        Put(properties, rule.key, GroupSchema(rule));
        if (rule.isList)
        {
            const std::string adding = rule.key + ADD_SUFFIX;
            properties[adding] = {{"$ref", "#/properties/" + rule.key},
                                  {"description", "Added to the list of the file below"}};
        }
    }
    properties["hpcc"] =
        ObjectSchema({{"config", {{"type", "string"}, {"description", "Its path"}}}},
                     "A configuration of the HPCC simulator");
    return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "rdmasim scenario"},
            {"type", "object"},
            {"properties", properties},
            {"additionalProperties", false}};
}

} // namespace ns3::rdma
