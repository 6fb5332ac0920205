// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/base-rtt.h"
#include "topology/topology.h"
#include "workload/flow.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** One value for a scenario that a configuration of the HPCC simulator gives. */
struct HpccSetting
{
    std::string key;       ///< dotted, as --set takes it: "congestion.additive_increase"
    std::string value;     ///< with its unit
    std::string origin;    ///< "config.txt:34 RATE_AI"
    uint32_t line{0};      ///< of the file; 0 for a value that is built into that simulator
    std::string algorithm; ///< holds only with this congestion control; empty: with any

    bool operator==(const HpccSetting&) const = default;
};

/** What a configuration of the HPCC simulator says. */
struct HpccConfig
{
    std::string topologyFile; ///< resolved: it exists
    std::string flowFile;     ///< resolved: it exists
    std::string fctOutput;    ///< as written; empty without one
    std::string pfcOutput;    ///< as written; empty without one
    std::vector<HpccSetting> settings;
    std::vector<std::string> notes;    ///< what the readers took the files for
    std::vector<std::string> warnings; ///< where results will differ from that simulator's

    Topology topology; ///< of topologyFile
    FlowList flows;    ///< of flowFile
    BaseRtt baseRtt;   ///< the largest, as ComputeMaxBaseRtt gives it
};

/**
 * Reads a configuration of the HPCC family of simulators, and the two files that it names.
 *
 * CC_MODE becomes congestion.algorithm even where no such algorithm exists here, so that a setting
 * above may replace it; parameters are marked with the algorithm that they are for. HAS_WIN with
 * GLOBAL_T becomes a window of the largest bandwidth-delay product of all pairs of hosts. Paths are
 * relative to that simulator's working folder, which the file does not name: they are looked for in
 * the configuration's folder, in its parent, by their last part in the configuration's folder, and
 * last as they are.
 *
 * @param path of the configuration
 * @error unknown keys (with the nearest), missing and malformed values, values that would change
 * results and are not modelled, missing files, a link speed without marking parameters, and
 * whatever the readers of the two files find; all at once
 * @spec Li et al., SIGCOMM 2019, the authors' simulator (scratch/third.cc, mix/config_doc.txt)
 */
Expected<HpccConfig> ReadHpccConfig(const std::string& path);

} // namespace ns3::rdma
