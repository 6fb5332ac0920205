// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** "FatTree" -> "fat-tree" with '-', "RateAI" -> "rate_ai" with '_'; a run of capitals is a word.
 */
std::string SplitWords(std::string_view pascal, char separator);

/**
 * The name by which a scenario chooses a class: "ns3::rdma::FatTreeTopology" -> "fat-tree".
 *
 * The base's noun is left out; a class "No" + noun is "none".
 *
 * @param typeName  with or without its namespaces
 * @param noun      "Topology", "Marker", ...
 */
std::string ComponentName(std::string_view typeName, std::string_view noun);

/** A registered class that a scenario can choose. */
struct Component
{
    std::string name;
    TypeId type;
};

/** All constructible children of a base, ordered by name; empty if the base is not registered. */
std::vector<Component> FindComponents(const std::string& base, std::string_view noun);

/** An attribute as a scenario sees it. */
struct SettingRule
{
    std::string key; ///< snake_case
    TypeId::AttributeInformation attribute;
};

/**
 * The attributes of a class and of its bases within this project that a scenario can set, in the
 * order of their registration, the base's first.
 */
std::vector<SettingRule> GetSettingRules(TypeId type);

/** The class registered under a name, if there is one. */
std::optional<TypeId> FindType(const std::string& typeName);

} // namespace ns3::rdma
