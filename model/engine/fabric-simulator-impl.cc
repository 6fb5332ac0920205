// SPDX-License-Identifier: GPL-2.0-only
#include "engine/fabric-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FabricSimulatorImpl);

namespace
{

uint64_t
ToPicoseconds(const Time& delay)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "negative delay");
    return static_cast<uint64_t>(delay.GetTimeStep());
}

} // namespace

TypeId
FabricSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::FabricSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Rdma")
                            .AddConstructor<FabricSimulatorImpl>();
    return tid;
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_stockUid{EventId::UID::INVALID},
      m_context{Simulator::NO_CONTEXT},
      m_mainThread{std::this_thread::get_id()}
{
    NS_ABORT_MSG_UNLESS(Time::GetResolution() == Time::PS,
                        "ns3::rdma::FabricSimulatorImpl counts picoseconds: call "
                        "Time::SetResolution(Time::PS) first of all");
}

FabricSimulatorImpl::~FabricSimulatorImpl() = default;

void
FabricSimulatorImpl::DoDispose()
{
    TakeForeignEvents();
    while (!m_events.IsEmpty())
    {
        m_events.TakeFirst().impl->Unref();
    }
    m_queue.Close();
    SimulatorImpl::DoDispose();
}

void
FabricSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const EventId id = m_destroyEvents.front();
        m_destroyEvents.pop_front();
        if (!id.PeekEventImpl()->IsCancelled())
        {
            id.PeekEventImpl()->Invoke();
        }
    }
}

bool
FabricSimulatorImpl::IsFinished() const
{
    return m_stop || (m_events.IsEmpty() && m_queue.IsEmpty());
}

void
FabricSimulatorImpl::Stop()
{
    m_stop = true;
    m_queue.LowerLimit(SimTime{0});
}

void
FabricSimulatorImpl::Stop(const Time& delay)
{
    Simulator::Schedule(delay, &Simulator::Stop);
}

StockEvent
FabricSimulatorImpl::Insert(uint64_t time, uint32_t context, EventImpl* event)
{
    m_queue.LowerLimit(SimTime{time});
    return m_events.Insert(time, context, event);
}

EventId
FabricSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(),
                  "other threads may call ScheduleWithContext only");
    const StockEvent pending = Insert(m_queue.Now().ps + ToPicoseconds(delay), m_context, event);
    return EventId(event, pending.time, pending.context, pending.GetUid());
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    if (m_mainThread == std::this_thread::get_id())
    {
        Insert(m_queue.Now().ps + ToPicoseconds(delay), context, event);
        return;
    }
    {
        const std::unique_lock lock{m_foreignMutex};
        m_foreign.push_back({context, ToPicoseconds(delay), event});
        m_hasForeign.store(true, std::memory_order_release);
    }
    m_queue.Interrupt();
}

void
FabricSimulatorImpl::TakeForeignEvents()
{
    if (!m_hasForeign.load(std::memory_order_acquire))
    {
        return;
    }
    std::vector<ForeignEvent> taken;
    {
        const std::unique_lock lock{m_foreignMutex};
        taken.swap(m_foreign);
        m_hasForeign.store(false, std::memory_order_relaxed);
    }
    for (const ForeignEvent& event : taken)
    {
        Insert(m_queue.Now().ps + event.delay, event.context, event.impl);
    }
}

EventId
FabricSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
FabricSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(),
                  "other threads may call ScheduleWithContext only");
    const EventId id(Ptr<EventImpl>(event, false),
                     m_queue.Now().ps,
                     Simulator::NO_CONTEXT,
                     EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
FabricSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        const auto found = std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id);
        if (found != m_destroyEvents.end())
        {
            m_destroyEvents.erase(found);
        }
        return;
    }
    if (IsExpired(id) || !m_events.Remove(id))
    {
        return;
    }
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
FabricSimulatorImpl::IsExpired(const EventId& id) const
{
    if (id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    const uint64_t now = m_queue.Now().ps;
    if (id.GetTs() != now)
    {
        return id.GetTs() < now;
    }
    return m_stockTime == now && m_stockUid != EventId::UID::INVALID &&
           StockEventList::IsUidUpTo(id.GetUid(), m_stockUid);
}

/** When the next ns-3 event runs; Never() when there is none. */
SimTime
FabricSimulatorImpl::GetStockTime() const
{
    return m_events.IsEmpty() ? SimTime::Never() : SimTime{m_events.First().time};
}

void
FabricSimulatorImpl::RunFirst()
{
    const StockEvent event = m_events.TakeFirst();
    PreEventHook(EventId(event.impl, event.time, event.context, event.GetUid()));
    m_queue.AdvanceTo(SimTime{event.time});
    m_stockTime = event.time;
    m_stockUid = event.GetUid();
    m_context = event.context;
    ++m_stockCount;
    event.impl->Invoke();
    event.impl->Unref();
}

/** EventQueue::RunBefore, with the context of fabric events if there are any. */
bool
FabricSimulatorImpl::RunFabricBefore(SimTime limit)
{
    const uint32_t context = m_context;
    const uint64_t count = m_queue.GetEventCount();
    m_context = Simulator::NO_CONTEXT;
    const bool done = m_queue.RunBefore(limit);
    if (m_queue.GetEventCount() == count)
    {
        m_context = context;
    }
    return done;
}

void
FabricSimulatorImpl::Run()
{
    m_mainThread = std::this_thread::get_id();
    m_stop = false;
    while (!m_stop)
    {
        TakeForeignEvents();
        const SimTime limit = GetStockTime();
        if (!RunFabricBefore(limit) || m_stop || GetStockTime() != limit)
        {
            continue; // A fabric event has stopped the run, or taken the next ns-3 event away.
        }
        if (limit.IsNever())
        {
            return;
        }
        RunFirst();
    }
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(m_queue.Now().ps);
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) ? 0 : id.GetTs() - m_queue.Now().ps);
}

Time
FabricSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(std::numeric_limits<int64_t>::max());
}

void
FabricSimulatorImpl::SetScheduler(ObjectFactory)
{
}

uint32_t
FabricSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
FabricSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    return m_stockCount + m_queue.GetEventCount();
}

} // namespace ns3::rdma
