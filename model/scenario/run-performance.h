// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/** What a run has cost; differs from run to run and from engine to engine. */
struct RunPerformance
{
    double wallSeconds{0.0};      ///< of the simulation, without set-up and writing
    double processorSeconds{0.0}; ///< of the simulation
    uint64_t events{0};           ///< of the fabric
    uint64_t engineEvents{0};     ///< as ns-3's engine counts them
    uint64_t peakMemoryBytes{0};  ///< of the process
    std::string engine;
    bool hasEagerPorts{false};

    double PerSecond(uint64_t count) const
    {
        return wallSeconds > 0 ? static_cast<double>(count) / wallSeconds : 0.0;
    }
};

} // namespace ns3::rdma
