// SPDX-License-Identifier: GPL-2.0-only
#include "switch/pfc-watchdog.h"

namespace ns3::rdma
{

void
PfcWatchdog::SetUp(const WatchdogConfig& config, uint16_t portCount)
{
    m_config = config;
    m_queues.assign(IsOn() ? portCount * std::size_t{PRIORITY_COUNT} : 0, Queue{});
}

SimTime
PfcWatchdog::GetNextPoll(SimTime now) const
{
    return {(now.ps / m_config.poll.ps + 1) * m_config.poll.ps};
}

void
PfcWatchdog::OnPause(uint16_t port, uint8_t priority, SimTime until)
{
    At(port, priority).pausedUntil = until;
}

WatchdogVerdict
PfcWatchdog::Look(const WatchedQueue& look, SimTime now)
{
    Queue& queue = At(look.port, look.priority);
    if (queue.isInStorm)
    {
        return LookAtStorm(queue, now);
    }
    if (!look.isWaiting || !look.pause.Holds(now))
    {
        queue.since = SimTime::Never();
        return WatchdogVerdict::NOTHING;
    }
    // A pause that began after the first look was interrupted: frames could leave.
    if (queue.since.IsNever() || look.pause.from > queue.since)
    {
        queue.since = now;
    }
    if (now - queue.since < m_config.detection)
    {
        return WatchdogVerdict::NOTHING;
    }
    queue.isInStorm = true;
    queue.blockedSince = queue.since;
    queue.since = now;
    queue.dropped = {};
    m_dropping += m_config.action == WatchdogAction::DROP ? 1 : 0;
    return WatchdogVerdict::DETECTED;
}

WatchdogVerdict
PfcWatchdog::LookAtStorm(Queue& queue, SimTime now)
{
    if (now < queue.pausedUntil + m_config.restoration)
    {
        return WatchdogVerdict::NOTHING;
    }
    queue.isInStorm = false;
    queue.blockedSince = queue.since;
    queue.since = SimTime::Never();
    m_dropping -= m_config.action == WatchdogAction::DROP ? 1 : 0;
    return WatchdogVerdict::RESTORED;
}

WatchdogReport
PfcWatchdog::MakeReport(const WatchedQueue& look, WatchdogVerdict verdict) const
{
    const Queue& queue = At(look.port, look.priority);
    return {.port = look.port,
            .priority = look.priority,
            .verdict = verdict,
            .action = m_config.action,
            .since = queue.blockedSince,
            .dropped = queue.dropped};
}

} // namespace ns3::rdma
