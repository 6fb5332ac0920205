// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "link/pfc-settings.h"
#include "rnic/nic-watchdog-settings.h"
#include "scenario/timeline-cable-action.h"

#include "ns3/string.h"

#include <algorithm>
#include <memory>

namespace ns3::rdma
{

namespace
{

/** Behind all other timers of an instant; each port of each storm has a number of its own. */
constexpr uint64_t STORM_ID = uint64_t{1} << 44;

/** One port that sends PAUSE frames again and again. */
class StormingPort
{
  public:
    /** What it sends, and how often. */
    struct Plan
    {
        PriorityMask priorities{0};
        SimTime interval{};
        SimTime end{SimTime::Never()}; ///< no frame is sent from then on
    };

    StormingPort(Fabric& fabric, uint32_t direction) : m_fabric{fabric}, m_direction{direction}
    {
        m_repeat.Bind<&StormingPort::OnRepeat>(
            this, EventOrder::Of(EventPhase::TIMER, STORM_ID + direction));
    }

    const FabricLink& GetLink() const
    {
        return m_fabric.GetLinks()[m_direction];
    }

    void Start(const Plan& plan, SimTime now)
    {
        m_plan = plan;
        OnRepeat(now);
    }

    void Stop()
    {
        m_fabric.GetEvents().Cancel(m_repeat);
    }

  private:
    void OnRepeat(SimTime now)
    {
        if (now >= m_plan.end)
        {
            const FabricLink& link = GetLink();
            m_fabric.GetRunEvents().Add(
                {.time = now, .event = "nic_watchdog", .node = link.from, .port = link.fromPort});
            return;
        }
        GetLink().port->SendPfc(m_plan.priorities, PFC_MAX_QUANTA, now);
        m_fabric.GetEvents().Schedule(m_repeat, std::min(now + m_plan.interval, m_plan.end));
    }

    Fabric& m_fabric;
    uint32_t m_direction; ///< index into Fabric::GetLinks
    Event m_repeat;
    Plan m_plan;
};

} // namespace

/**
 * A broken interface or switch that sends PAUSE frames without end, whatever its buffers hold.
 *
 * The node that "from" names sends them, by all cables that are meant. When the storm is over its
 * last pauses run out; no resume is sent, as from a device that was reset. If the node is a host,
 * its own watchdog (nic.watchdog) ends the storm, with an event "nic_watchdog".
 *
 * @spec Guo et al., SIGCOMM 2016, section 4.3 (a storm of PAUSE frames by an interface)
 */
class PauseStormAction : public CableAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics CheckSettings() const override;
    Diagnostics Prepare(TimelineSite& site) override;
    std::vector<RunEvent> GetRows() const override;
    void Apply(SimTime now) override;
    void Undo(SimTime now) override;

    SimTime GetDuration() const override
    {
        return m_duration;
    }

  private:
    StormingPort::Plan MakePlan(const FabricLink& link, SimTime now) const;

    std::string m_priorities;
    SimTime m_interval{};
    SimTime m_duration{};
    SimTime m_nicWatchdog{};
    std::vector<std::unique_ptr<StormingPort>> m_ports;
};

NS_OBJECT_ENSURE_REGISTERED(PauseStormAction);

const ComponentHelp PAUSE_STORM_HELP{
    "ns3::rdma::PauseStormAction",
    "The node named by from pauses those at the other ends of its cables again and again"};

TypeId
PauseStormAction::GetTypeId()
{
    static TypeId tid =
        AddDuration(TypeId("ns3::rdma::PauseStormAction")
                        .SetParent<CableAction>()
                        .SetGroupName("Rdma")
                        .AddConstructor<PauseStormAction>()
                        .AddAttribute("Priorities",
                                      "Priorities, 0 to 7, that the PAUSE frames name",
                                      StringValue("3"),
                                      MakeStringAccessor(&PauseStormAction::m_priorities),
                                      MakeStringChecker())
                        .AddAttribute("Interval",
                                      "Time between two PAUSE frames; 0s: half of the time that "
                                      "one pauses, 65535 quanta",
                                      SimTimeValue(SimTime{}),
                                      MakeSimTimeAccessor(&PauseStormAction::m_interval),
                                      MakeSimTimeChecker()),
                    &PauseStormAction::m_duration);
    return tid;
}

Diagnostics
PauseStormAction::CheckSettings() const
{
    const auto priorities = ParsePriorities(m_priorities);
    if (!priorities || *priorities == 0)
    {
        Diagnostic diagnostic = priorities ? TimelineError("priorities", "names none", m_priorities)
                                           : priorities.Errors().front();
        diagnostic.key = "priorities";
        return {diagnostic};
    }
    return {};
}

Diagnostics
PauseStormAction::Prepare(TimelineSite& site)
{
    if (GetFrom().empty())
    {
        Diagnostic diagnostic = TimelineError("from", "the key is missing", "");
        diagnostic.expected = "the node that sends the PAUSE frames";
        return {diagnostic};
    }
    const Diagnostics errors = CableAction::Prepare(site);
    if (!errors.empty())
    {
        return errors;
    }
    m_nicWatchdog = site.GetScenario().nicWatchdog.Create<NicWatchdogSettings>()->GetTime();
    for (const uint32_t link : GetLinks())
    {
        for (const uint32_t direction : {2 * link, 2 * link + 1})
        {
            if (GetFabric().GetLinks()[direction].from == GetFrom())
            {
                m_ports.push_back(std::make_unique<StormingPort>(GetFabric(), direction));
            }
        }
    }
    return {};
}

std::vector<RunEvent>
PauseStormAction::GetRows() const
{
    std::vector<RunEvent> rows;
    for (const auto& port : m_ports)
    {
        const FabricLink& link = port->GetLink();
        rows.push_back({.event = {},
                        .node = link.from,
                        .port = link.fromPort,
                        .detail = "to " + link.to + ", priorities " + m_priorities});
    }
    return rows;
}

StormingPort::Plan
PauseStormAction::MakePlan(const FabricLink& link, SimTime now) const
{
    const BitRate rate = link.port->GetConfig().rate;
    const SimTime half{QuantaToTime(PFC_MAX_QUANTA, rate).ps / 2};
    const bool isWatched = link.fromSwitch == nullptr && m_nicWatchdog.ps != 0;
    return {.priorities = *ParsePriorities(m_priorities),
            .interval = m_interval.ps == 0 ? half : m_interval,
            .end = isWatched ? now + m_nicWatchdog : SimTime::Never()};
}

void
PauseStormAction::Apply(SimTime now)
{
    for (const auto& port : m_ports)
    {
        port->Start(MakePlan(port->GetLink(), now), now);
    }
}

void
PauseStormAction::Undo(SimTime)
{
    for (const auto& port : m_ports)
    {
        port->Stop();
    }
}

} // namespace ns3::rdma
