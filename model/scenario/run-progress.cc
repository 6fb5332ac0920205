// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-progress.h"

#include "scenario/run-interrupt.h"
#include "scenario/run-machine.h"
#include "scenario/run-summary.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** Comes after all other observers of the same time. */
constexpr uint64_t PROGRESS_ORDER = uint64_t{1} << 40;

/** @choice often enough for a hand on the keyboard, seldom enough to cost nothing */
constexpr double LOOK_SECONDS = 0.05;
constexpr double TERMINAL_SECONDS = 0.2;
constexpr double PLAIN_SECONDS = 5.0;

constexpr SimTime SHORTEST_INTERVAL = SimTime::Nanoseconds(100);
/** @choice a quiet stretch may not stretch the interval so far that a busy one after it is not
 * looked at for seconds */
constexpr SimTime LONGEST_INTERVAL = SimTime::Microseconds(100);

std::string
Clock(double seconds)
{
    constexpr uint64_t PER_STEP = 60;
    const auto whole = static_cast<uint64_t>(seconds);
    std::ostringstream text;
    text << whole / PER_STEP << ':' << std::setw(2) << std::setfill('0') << whole % PER_STEP;
    return text.str();
}

} // namespace

RunProgress::RunProgress(Fabric& fabric,
                         const Scenario& scenario,
                         RunObservers& observers,
                         const ProgressStyle& style)
    : m_fabric{fabric},
      m_observers{observers},
      m_duration{scenario.duration.value_or(SimTime::Never())},
      m_style{style},
      m_interval{SimTime::Microseconds(1)}
{
    m_look.Bind<&RunProgress::OnLook>(this, EventOrder::Of(EventPhase::SAMPLE, PROGRESS_ORDER));
    observers.Add(m_look);
    for (const Flow& flow : scenario.flows)
    {
        m_totalBytes += flow.bytes;
    }
}

void
RunProgress::Start()
{
    m_started = GetWallSeconds();
    m_lastLook = m_started;
    m_lastTell = m_started;
    m_fabric.GetEvents().Schedule(m_look, m_fabric.GetEvents().Now() + m_interval);
}

void
RunProgress::OnLook(SimTime now)
{
    if (RunInterrupt::IsRequested())
    {
        m_hasInterrupted = true;
        Simulator::Stop();
        return;
    }
    const double wall = GetWallSeconds();
    const double passed = wall - m_lastLook;
    m_lastLook = wall;
    if (passed < LOOK_SECONDS / 2)
    {
        m_interval = std::min(m_interval * 2, LONGEST_INTERVAL);
    }
    else if (passed > LOOK_SECONDS * 2)
    {
        m_interval = std::max(SimTime{m_interval.ps / 2}, SHORTEST_INTERVAL);
    }
    if (wall - m_lastTell >= (m_style.isTerminal ? TERMINAL_SECONDS : PLAIN_SECONDS))
    {
        Tell(now, wall);
    }
    m_observers.Continue(m_look, now + m_interval);
}

double
RunProgress::GetShareDone(SimTime now) const
{
    if (!m_duration.IsNever())
    {
        return now.ToSeconds() / m_duration.ToSeconds();
    }
    uint64_t acked = 0;
    for (const Ptr<Rnic>& device : m_fabric.GetInterfaces())
    {
        acked += device->GetCounters().bytesAcked;
    }
    return m_totalBytes == 0 ? 0.0 : static_cast<double>(acked) / static_cast<double>(m_totalBytes);
}

void
RunProgress::Tell(SimTime now, double wall)
{
    const uint64_t events = m_fabric.GetEvents().GetEventCount();
    const double rate = static_cast<double>(events - m_eventsTold) / (wall - m_lastTell);
    m_lastTell = wall;
    m_eventsTold = events;
    if (m_style.stream == nullptr)
    {
        return;
    }
    constexpr double PERCENT = 100.0;
    const double share = GetShareDone(now);
    std::ostringstream line;
    line << FormatTime(now) << " simulated, " << std::fixed << std::setprecision(1)
         << share * PERCENT << "% done, " << FormatCount(rate) << " events/s";
    if (share > 0.0 && share <= 1.0)
    {
        line << ", " << Clock((wall - m_started) * (1.0 - share) / share) << " left";
    }
    std::string text = line.str();
    if (!m_style.isTerminal)
    {
        *m_style.stream << text << std::endl;
        return;
    }
    const std::size_t length = text.size();
    text.resize(std::max(length, m_lineLength), ' ');
    m_lineLength = length;
    *m_style.stream << '\r' << text << std::flush;
}

void
RunProgress::Finish()
{
    if (m_lineLength != 0)
    {
        *m_style.stream << '\r' << std::string(m_lineLength, ' ') << '\r' << std::flush;
    }
    m_lineLength = 0;
}

} // namespace ns3::rdma
