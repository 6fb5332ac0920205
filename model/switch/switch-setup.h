// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/drop-reason.h"
#include "base/traffic-class.h"
#include "engine/event-queue.h"
#include "link/frame-ledger.h"
#include "switch/buffer-policy.h"
#include "switch/marker.h"
#include "switch/path-policy.h"
#include "switch/pfc-watchdog.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace ns3::rdma
{

/** What a switch has counted. */
struct SwitchCounters
{
    std::array<uint64_t, DROP_REASON_COUNT> drops{};
    uint64_t markedFrames{0};
    uint64_t settlements{0}; ///< times that all ports had to make up for departures
};

/** Everything a switch is built from. */
struct SwitchSetup
{
    EventQueue* events{nullptr};
    FrameLedger* ledger{nullptr};
    uint64_t id{0}; ///< stable number of the node
    std::string name;
    uint64_t seed{0}; ///< of the run
    Ptr<BufferPolicy> buffer;
    Ptr<Marker> marker;
    Ptr<PathPolicy> path;
    WatchdogConfig watchdog{};
    std::span<const TrafficMark> marks{}; ///< that hosts put on a priority's frames; none:
                                          ///< priorities stay as they are
};

} // namespace ns3::rdma
