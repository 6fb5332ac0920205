// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A group of keys in a scenario, and the class or classes whose attributes they are. */
struct GroupRule
{
    std::string key{};      ///< dotted: "switch.buffer"
    std::string help{};     ///< one sentence
    std::string typeName{}; ///< the class; with a selector, the base of the classes
    std::string selector{}; ///< key that chooses the class: "policy"; empty: there is one class
    std::string noun{};     ///< left out of class names: FatTreeTopology is "fat-tree"
    std::string defaultChoice{}; ///< empty: the user must choose
    bool isList{false};          ///< a list of such groups
    bool isOptional{false};      ///< with a list: it may be missing
    bool namesInputs{true};      ///< paths in it are read, and start at the file that names them
    ObjectFactory Scenario::*slot{nullptr}; ///< where the factory goes; null: used while loading
    std::vector<ObjectFactory> Scenario::*listSlot{nullptr}; ///< likewise, of a list
};

using GroupRules = std::vector<GroupRule>;

/** Key that chooses a named set of values of a class that has such sets. */
inline const std::string PARAMETERS_KEY = "parameters";

/** All groups of a scenario, in the order in which they are explained. */
const GroupRules& GetGroupRules();

/** The rule of a key; null if no group is called so. */
const GroupRule* FindGroupRule(const GroupRules& rules, const std::string& key);

/** Last words of the keys of groups inside a group: buffer, marking, ... inside switch. */
std::vector<std::string> GetSubgroups(const GroupRules& rules, const std::string& key);

} // namespace ns3::rdma
