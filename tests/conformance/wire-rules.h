// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "link/fault-injector.h"

#include <array>
#include <string>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace ns3::rdma
{

/** Rules for the frames that go to a host: [0] to the client ("ba"), [1] to the server ("ab"). */
using WireRules = std::array<std::vector<FaultRule>, 2>;

/**
 * The cable's rules as the captures' logs show them.
 *
 *     [{"dir": "ab", "match": {"opcode": [7], "psn": [1193051]}, "n": [5], "act": "drop"},
 *      {"dir": "ba", "match": {"aeth": [96]}, "act": "delay", "by": 2}]
 *
 * dir: ab from the client to the server, ba back; match: opcode, psn, aeth (lists), minlen (least
 * payload); n: which of those that match, counted from 1, else all; act: drop, dup, delay (by so
 * many frames), icrc, corrupt, ce.
 *
 * @param node the list, or a text that holds it; nothing: no rules
 * @error a key or value that is not known
 */
Expected<WireRules> ReadWireRules(const YAML::Node& node);

} // namespace ns3::rdma
