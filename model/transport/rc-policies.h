// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "transport/rc-policy.h"

#include <span>
#include <string_view>

namespace ns3::rdma
{

/** A policy with its name. */
struct NamedRcPolicy
{
    std::string_view name;        ///< as a scenario chooses it
    std::string_view description; ///< one line
    RcPolicy policy;
};

/** All named policies: the standard first, then implementations that depart from it. */
std::span<const NamedRcPolicy> GetRcPolicies();

/** The policy of a name; nullptr for an unknown one. */
const RcPolicy* FindRcPolicy(std::string_view name);

} // namespace ns3::rdma
