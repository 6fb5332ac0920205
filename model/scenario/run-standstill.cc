// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-standstill.h"

#include "transport/retransmission-timer.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr SimTime SHORTEST_INTERVAL = SimTime::Seconds(1);

/** Apart from the other observers. */
constexpr uint64_t STANDSTILL_ID = uint64_t{1} << 41;

SimTime
ChooseInterval(const Fabric& fabric)
{
    const QueuePairAttributes& connection = fabric.GetConnectionDefaults().attributes;
    const uint64_t attempts = connection.retryCount + uint64_t{1};
    const SimTime timeout = LocalAckTimeout(connection.timeout);
    SimTime longest =
        timeout.IsNever() ? SHORTEST_INTERVAL : std::max(SHORTEST_INTERVAL, 2 * attempts * timeout);
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        const PfcWatchdog& watchdog = device->GetWatchdog();
        const WatchdogConfig& times = watchdog.GetConfig();
        // The first look may come a poll after the storm began, the last one a poll too late.
        longest =
            watchdog.IsOn() ? std::max(longest, 2 * (times.detection + 2 * times.poll)) : longest;
    }
    return longest;
}

} // namespace

RunStandstill::RunStandstill(Fabric& fabric,
                             const FlowRunner& runner,
                             const ApplicationRunner& applications,
                             RunObservers& observers)
    : m_fabric{fabric},
      m_runner{runner},
      m_applications{applications},
      m_observers{observers},
      m_interval{std::max(ChooseInterval(fabric), applications.GetPatience())}
{
    m_look.Bind<&RunStandstill::OnLook>(this, EventOrder::Of(EventPhase::SAMPLE, STANDSTILL_ID));
    observers.Add(m_look);
}

void
RunStandstill::Start()
{
    m_observers.Continue(m_look, m_interval);
}

void
RunStandstill::OnLook(SimTime now)
{
    const uint64_t arrived = CountArrived();
    const bool waits =
        (m_timeline != nullptr && m_timeline->HasPending()) || m_applications.HavePlans();
    if (arrived == m_arrived && m_runner.HasStartedAll() && m_applications.HasStartedAll() &&
        !waits)
    {
        Simulator::Stop();
        return;
    }
    m_arrived = arrived;
    m_observers.Continue(m_look, now + m_interval);
}

uint64_t
RunStandstill::CountArrived() const
{
    // PFC frames end at the other end of their cable, which may be a switch.
    uint64_t frames = m_fabric.GetLedger().GetConsumed().frames;
    for (const FabricLink& link : m_fabric.GetLinks())
    {
        const PortCounters& counters = link.port->GetCounters();
        frames -= counters.pauseFramesReceived + counters.resumeFramesReceived;
    }
    return frames;
}

} // namespace ns3::rdma
