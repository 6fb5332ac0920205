// SPDX-License-Identifier: GPL-2.0-only
#include "engine/stock-event-driver.h"

#include "engine/fabric-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <memory>

namespace ns3::rdma
{

EventQueue&
EventQueue::Get()
{
    if (s_running != nullptr) [[likely]]
    {
        return *s_running;
    }
    if (auto fabric = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation()))
    {
        s_running = &fabric->GetEventQueue();
        return *s_running;
    }
    // A closed driver is kept until the next is made: models may die after Simulator::Destroy has
    // closed it, and still name their queue.
    static std::unique_ptr<StockEventDriver> driver;
    driver = std::make_unique<StockEventDriver>();
    s_running = &driver->GetEventQueue();
    return *s_running;
}

StockEventDriver::StockEventDriver() : m_queue{this}
{
    NS_ABORT_MSG_UNLESS(Time::GetResolution() == Time::PS,
                        "the fabric counts picoseconds: call Time::SetResolution(Time::PS) first "
                        "of all");
    m_queue.Watch(SimTime::Never());
    Simulator::ScheduleDestroy(&StockEventDriver::Close, this);
}

SimTime
StockEventDriver::GetHostTime() const
{
    return {static_cast<uint64_t>(Simulator::Now().GetTimeStep())};
}

void
StockEventDriver::OnNextTimeChanged()
{
    if (m_queue.NextTime() == m_hangerTime)
    {
        return;
    }
    Simulator::Remove(m_hanger);
    Hang();
}

/** Hangs the queue on an event at the time of its first one. */
void
StockEventDriver::Hang()
{
    m_hangerTime = m_queue.NextTime();
    m_queue.Watch(m_hangerTime);
    if (!m_hangerTime.IsNever())
    {
        const SimTime delay = m_hangerTime - GetHostTime();
        m_hanger = Simulator::Schedule(TimeStep(delay.ps), &StockEventDriver::OnFirstTurn, this);
    }
}

void
StockEventDriver::OnFirstTurn()
{
    m_hangerTime = SimTime::Never();
    m_queue.Watch(SimTime{0});
    PostAgain();
}

/** Lets all ns-3 events run that are already posted at this time. */
void
StockEventDriver::PostAgain()
{
    m_eventCount = Simulator::GetEventCount();
    Simulator::ScheduleWithContext(
        Simulator::NO_CONTEXT, TimeStep(0), &StockEventDriver::OnLaterTurn, this);
}

void
StockEventDriver::OnLaterTurn()
{
    if (Simulator::GetEventCount() != m_eventCount + 1)
    {
        PostAgain();
        return;
    }
    m_queue.RunAllAt(GetHostTime());
    Hang();
}

void
StockEventDriver::Close()
{
    m_queue.AdvanceTo(GetHostTime());
    m_queue.Close();
    m_hanger = EventId();
}

} // namespace ns3::rdma
