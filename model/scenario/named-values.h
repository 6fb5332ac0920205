// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A name that a key takes, and what it stands for. */
struct NamedValue
{
    std::string name;
    std::string help; ///< one sentence
};

/** A key that takes a name which is no class of its own. */
struct NamedValues
{
    std::string key;  ///< dotted: "transport.policy"
    std::string help; ///< one sentence
    std::string defaultName;
    std::vector<NamedValue> values;
};

/** All such keys that are worth a list: engines, transport policies, profiles of NICs. */
std::vector<NamedValues> GetNamedValues();

} // namespace ns3::rdma
