// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/round-trips.h"

#include "wire/framing.h"

#include <algorithm>

namespace ns3::rdma
{

RoundTrips::RoundTrips(const EthernetPort& port, std::function<bool(uint32_t flow)> wants)
    : m_port{port},
      m_wants{std::move(wants)}
{
}

void
RoundTrips::OnFrame(FrameDirection direction, const Frame& frame, SimTime when)
{
    if (frame.kind != FrameKind::ROCE || !m_wants(frame.flow))
    {
        return;
    }
    if (direction == FrameDirection::OUT && IsRcRequest(frame.opcode))
    {
        const ByteTime byteTime{m_port.GetConfig().rate};
        const SimTime start = when - byteTime.Of(PREAMBLE_BYTES + uint64_t{frame.frameBytes});
        m_flows[frame.flow].sent.push_back({frame.psn, start});
    }
    const bool isAck = direction == FrameDirection::IN && frame.opcode == Opcode::RC_ACKNOWLEDGE &&
                       (frame.GetAeth().syndrome & SYNDROME_TYPE_MASK) == SYNDROME_TYPE_ACK;
    const auto flow = isAck ? m_flows.find(frame.flow) : m_flows.end();
    if (flow != m_flows.end())
    {
        OnAcknowledge(flow->second, frame.psn, when);
    }
}

void
RoundTrips::OnAcknowledge(FlowTimes& times, Psn psn, SimTime when)
{
    const auto found = std::find_if(times.sent.rbegin(),
                                    times.sent.rend(),
                                    [psn](const Sent& sent) { return sent.psn == psn; });
    if (found != times.sent.rend())
    {
        times.newest = when - found->time;
        times.sent.erase(times.sent.begin(), found.base());
    }
}

std::optional<SimTime>
RoundTrips::Find(uint32_t flow) const
{
    const auto times = m_flows.find(flow);
    return times == m_flows.end() ? std::nullopt : times->second.newest;
}

} // namespace ns3::rdma
