// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/pfc.h"
#include "rnic/receive-path.h"
#include "rnic/rnic-attributes.h"
#include "scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The largest frame of an interface, destination address to FCS.
 *
 * @param hasIpStack whether it sends TCP and UDP, too
 */
uint32_t MaxFrameBytes(const RnicAttributes& nic, uint32_t pathMtu, bool hasIpStack = false);

/** What is wrong with the maps of single switches: names that no switch has, entries that are none.
 */
Diagnostics CheckTrust(const Scenario& scenario);

/**
 * Where a switch puts packets into another priority than hosts do.
 *
 * The priorities of flows, of CNPs and all lossless ones are looked at.
 *
 * @return a line for each priority, which names the first such switch and says what it means
 */
std::vector<std::string> FindClassMismatches(const Scenario& scenario, const PfcConfig& pfc);

/**
 * How the receive buffer of an interface is used.
 *
 * @return nothing if the host takes all that comes
 * @error  thresholds that do not fit
 */
Expected<std::optional<ReceiveLimits>> PlanReceive(const RnicAttributes& nic,
                                                   const TopologyLink& cable,
                                                   const PfcConfig& pfc,
                                                   uint32_t maxFrameBytes);

} // namespace ns3::rdma
