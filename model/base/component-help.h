// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * The sentence that lists show for a class; ns-3's TypeId has help for attributes only.
 *
 * One object beside NS_OBJECT_ENSURE_REGISTERED:
 * `const ComponentHelp HELP{"ns3::rdma::Dcqcn", "Rate control by CNPs (Zhu et al. 2015)"};`
 */
class ComponentHelp
{
  public:
    ComponentHelp(std::string_view typeName, std::string_view text);

    /** The sentence of a class; empty without one. */
    static std::string Find(const std::string& typeName);
};

} // namespace ns3::rdma
