// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"
#include "engine/event-queue.h"
#include "link/frame-ledger.h"
#include "link/pfc.h"
#include "link/port-owner.h"

#include <cstdint>

namespace ns3::rdma
{

/** Where a port stands: the run's events and frames, and the device whose port it is. */
struct PortPlace
{
    EventQueue& events;
    FrameLedger& ledger;
    PortOwner& owner;
    uint16_t index{0}; ///< number of the port at its device
};

/** Everything that a port needs to know of itself before it runs. */
struct PortConfig
{
    uint64_t id{0}; ///< stable number of this direction; orders simultaneous events
    BitRate rate{};
    SimTime delay{};      ///< of the cable, one way
    double lossRate{0.0}; ///< of frames that arrive here
    PfcConfig pfc{};
    bool isEager{false}; ///< an event for each departure
};

/** What a port has counted. */
struct PortCounters
{
    uint64_t frames{0};           ///< sent, PFC frames included
    uint64_t wireBytes{0};        ///< sent, with preamble and gap
    uint64_t maxQueueBytes{0};    ///< highest sum of waiting bytes seen at an arrival
    SimTime busyUntil{};          ///< end of the newest frame that was sent, with its gap
    uint64_t departureEvents{0};  ///< events that watched a departure
    uint64_t lostFrames{0};       ///< corrupted on the way to here
    uint64_t cutFrames{0};        ///< waiting here or sent from here, and the cable was down
    uint64_t pauseFramesSent{0};  ///< PFC frames with a pause time
    uint64_t resumeFramesSent{0}; ///< PFC frames with time 0
    uint64_t pauseFramesReceived{0};
    uint64_t resumeFramesReceived{0};
};

} // namespace ns3::rdma
