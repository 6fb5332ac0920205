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

    StormingPort(EventQueue& events, EthernetPort& port, uint64_t id)
        : m_events{events},
          m_port{port}
    {
        m_repeat.Bind<&StormingPort::OnRepeat>(this,
                                               EventOrder::Of(EventPhase::TIMER, STORM_ID + id));
    }

    void Start(const Plan& plan, SimTime now)
    {
        m_plan = plan;
        OnRepeat(now);
    }

    void Stop()
    {
        m_events.Cancel(m_repeat);
    }

  private:
    void OnRepeat(SimTime now)
    {
        if (now >= m_plan.end)
        {
            return;
        }
        m_port.SendPfc(m_plan.priorities, PFC_MAX_QUANTA, now);
        m_events.Schedule(m_repeat, now + m_plan.interval);
    }

    EventQueue& m_events;
    EthernetPort& m_port;
    Event m_repeat;
    Plan m_plan;
};

/** A port of the fabric, as an action meets it. */
struct StormPlace
{
    const FabricLink* link{nullptr};
    std::unique_ptr<StormingPort> port;
};

} // namespace

/**
 * A broken interface or switch that sends PAUSE frames without end, whatever its buffers hold.
 *
 * The node that "from" names sends them, by all cables that are meant. When the storm is over its
 * last pauses run out; no resume is sent, as from a device that was reset. If the node is a host,
 * its own watchdog (nic.watchdog) ends the storm.
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
    std::vector<StormPlace> m_places;
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
        for (uint32_t side = 0; side < 2; ++side)
        {
            const FabricLink& direction = GetFabric().GetLinks()[2 * link + side];
            if (direction.from == GetFrom())
            {
                m_places.push_back({&direction,
                                    std::make_unique<StormingPort>(GetFabric().GetEvents(),
                                                                   *direction.port,
                                                                   2 * link + side)});
            }
        }
    }
    return {};
}

std::vector<RunEvent>
PauseStormAction::GetRows() const
{
    std::vector<RunEvent> rows;
    for (const StormPlace& place : m_places)
    {
        rows.push_back({.node = place.link->from,
                        .port = place.link->fromPort,
                        .detail = "to " + place.link->to + ", priorities " + m_priorities});
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
    for (const StormPlace& place : m_places)
    {
        place.port->Start(MakePlan(*place.link, now), now);
    }
}

void
PauseStormAction::Undo(SimTime)
{
    for (const StormPlace& place : m_places)
    {
        place.port->Stop();
    }
}

} // namespace ns3::rdma
