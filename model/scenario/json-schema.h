// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/group-rules.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/**
 * The JSON Schema of scenario files, made from the registered classes.
 *
 * @spec JSON Schema draft 2020-12
 */
nlohmann::ordered_json GetScenarioSchema(const GroupRules& rules = GetGroupRules());

} // namespace ns3::rdma
