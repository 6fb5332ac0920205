// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** An entry of a timeline: an action by its class's name without "Action", and attributes. */
inline ObjectFactory
MakeEntry(const std::string& action,
          const std::vector<std::pair<std::string, std::string>>& attributes)
{
    ObjectFactory factory{"ns3::rdma::" + action + "Action"};
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue(value));
    }
    return factory;
}

} // namespace ns3::rdma
