// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/congestion-control.h"
#include "engine/event-queue.h"
#include "host/nic-profile.h"
#include "link/frame-ledger.h"
#include "link/port-config.h"
#include "rnic/receive-path.h"
#include "transport/rc-policy.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/** Everything a network interface is built from. */
struct RnicSetup
{
    EventQueue* events{nullptr};
    FrameLedger* ledger{nullptr};
    uint64_t id{0};      ///< stable number; orders simultaneous timers
    uint32_t address{0}; ///< number of the interface in the fabric
    std::string name;
    uint64_t seed{0};
    PortConfig port{};
    RcPolicy policy{};
    bool hasRealPayload{false}; ///< packets carry bytes
    uint64_t windowBytes{0};    ///< of every connection; 0: none
    Ptr<CongestionControl> congestion;
    std::optional<ReceiveLimits> receive{}; ///< absent: the host is as fast as the link
    const NicProfile* profile{nullptr};     ///< costs; null: none. Need not outlive the call
};

} // namespace ns3::rdma
