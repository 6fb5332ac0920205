// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/ethernet-port.h"
#include "wire/frame-tap.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace ns3::rdma
{

/**
 * Measures the round trips of the request packets that leave by one port: from the first bit of the
 * newest acknowledged packet, as it was sent last, to the last bit of its acknowledgement.
 *
 * NAKs and acknowledgements of packets that it has not seen measure nothing.
 */
class RoundTrips : public FrameTap
{
  public:
    /** @param wants whether a flow is measured */
    RoundTrips(const EthernetPort& port, std::function<bool(uint32_t flow)> wants);

    void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) override;

    /** The newest round trip of a flow; nothing before the first. */
    std::optional<SimTime> Find(uint32_t flow) const;

    /** The flow has ended. */
    void Forget(uint32_t flow)
    {
        m_flows.erase(flow);
    }

  private:
    struct Sent
    {
        Psn psn{};
        SimTime time{};
    };

    struct FlowTimes
    {
        std::deque<Sent> sent; ///< in the order of sending, not yet acknowledged
        std::optional<SimTime> newest;
    };

    void OnAcknowledge(FlowTimes& times, Psn psn, SimTime when);

    const EthernetPort& m_port;
    std::function<bool(uint32_t flow)> m_wants;
    std::map<uint32_t, FlowTimes> m_flows;
};

} // namespace ns3::rdma
