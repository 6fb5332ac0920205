// SPDX-License-Identifier: GPL-2.0-only
#include "link/port-pauses.h"

#include <algorithm>

namespace ns3::rdma
{

void
PortPauses::Receive(const PauseRequest& request, SimTime now)
{
    if (IsIgnored(request.priority))
    {
        return;
    }
    PfcPause& pause = m_pauses[request.priority];
    const bool isPaused = now < pause.until;
    const bool isResume = request.pause == SimTime{};
    if (!isPaused || isResume)
    {
        End(pause, now);
        pause.from = isResume ? now : now + request.response;
    }
    pause.until = now + request.pause;
}

void
PortPauses::Ignore(uint8_t priority, bool isIgnored, SimTime now)
{
    PfcPause& pause = m_pauses[priority];
    End(pause, now);
    pause.from = now;
    pause.until = now;
    const PriorityMask bit = PriorityBit(priority);
    m_ignored = static_cast<PriorityMask>(isIgnored ? m_ignored | bit : m_ignored & ~bit);
}

void
PortPauses::EndAll(SimTime now)
{
    for (PfcPause& pause : m_pauses)
    {
        End(pause, now);
        pause.from = {};
        pause.until = {};
    }
}

void
PortPauses::End(PfcPause& pause, SimTime now)
{
    const SimTime end = std::min(now, pause.until);
    pause.total += end > pause.from ? end - pause.from : SimTime{};
}

PriorityMask
PortPauses::OpenPriorities(SimTime at) const
{
    PriorityMask open = 0xff;
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        if (m_pauses[priority].Holds(at))
        {
            open &= static_cast<PriorityMask>(~PriorityBit(priority));
        }
    }
    return open;
}

SimTime
PortPauses::GetTotal(uint8_t priority, SimTime now) const
{
    const PfcPause& pause = m_pauses[priority];
    const SimTime end = std::min(now, pause.until);
    return pause.total + (end > pause.from ? end - pause.from : SimTime{});
}

} // namespace ns3::rdma
