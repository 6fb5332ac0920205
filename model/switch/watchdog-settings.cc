// SPDX-License-Identifier: GPL-2.0-only
#include "switch/watchdog-settings.h"

#include "base/attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WatchdogSettings);

namespace
{

/** Shorter than the pause of one frame at the fastest rate, so that a storm is always seen. */
constexpr SimTime SHORTEST = SimTime::Microseconds(1);

} // namespace

TypeId
WatchdogSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::WatchdogSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<WatchdogSettings>()
            .AddAttribute(
                "Action",
                "About a queue whose peer pauses it without end: drop what waits and what "
                "comes, forward in spite of pauses, only alert; off: nothing looks",
                ChoiceValue<WatchdogAction>(WatchdogAction::OFF),
                MakeChoiceAccessor<WatchdogAction>(&WatchdogSettings::m_action),
                MakeChoiceChecker<WatchdogAction>({{WatchdogAction::OFF, "off"},
                                                   {WatchdogAction::DROP, "drop"},
                                                   {WatchdogAction::FORWARD, "forward"},
                                                   {WatchdogAction::ALERT, "alert"}}))
            .AddAttribute(
                "DetectionTime",
                "A queue that looks show blocked for as long is in a storm (SONiC: 200ms)",
                SimTimeValue(SimTime::Milliseconds(200)),
                MakeSimTimeAccessor(&WatchdogSettings::m_detection),
                MakeSimTimeChecker(SHORTEST))
            .AddAttribute("RestorationTime",
                          "A storm is over when no pause was asked for as long (SONiC: 200ms)",
                          SimTimeValue(SimTime::Milliseconds(200)),
                          MakeSimTimeAccessor(&WatchdogSettings::m_restoration),
                          MakeSimTimeChecker(SHORTEST))
            .AddAttribute("PollInterval",
                          "Time between two looks (SONiC: 100ms)",
                          SimTimeValue(SimTime::Milliseconds(100)),
                          MakeSimTimeAccessor(&WatchdogSettings::m_poll),
                          MakeSimTimeChecker(SHORTEST));
    return tid;
}

Diagnostics
WatchdogSettings::CheckSettings() const
{
    Diagnostics errors;
    const auto check = [&](const char* key, SimTime time)
    {
        if (m_action != WatchdogAction::OFF && time < m_poll)
        {
            Diagnostic diagnostic;
            diagnostic.key = key;
            diagnostic.message = "shorter than the time between two looks";
            diagnostic.got = ToString(time);
            diagnostic.expected = "at least poll_interval, " + ToString(m_poll);
            errors.push_back(diagnostic);
        }
    };
    check("detection_time", m_detection);
    check("restoration_time", m_restoration);
    return errors;
}

} // namespace ns3::rdma
