// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/scenario.h"
#include "scenario/setting.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A configuration of the HPCC simulator as the layer below a scenario file. */
struct HpccLayer
{
    Setting settings; ///< topology, workload and every key that has a counterpart
    HpccOutputs outputs;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

/**
 * Reads a configuration of the HPCC simulator and the files that it names.
 *
 * @param algorithm the congestion control that a higher layer has chosen; empty: that of CC_MODE.
 *        Parameters of other algorithms are left out.
 * @error whatever its reader finds; no diagnostic for a value that a higher layer may replace
 */
Expected<HpccLayer> ReadHpccLayer(const std::string& file, const std::string& algorithm);

} // namespace ns3::rdma
