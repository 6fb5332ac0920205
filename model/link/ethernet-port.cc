// SPDX-License-Identifier: GPL-2.0-only
#include "link/ethernet-port.h"

#include "wire/framing.h"

#include "ns3/assert.h"

#include <algorithm>
#include <bit>

namespace ns3::rdma
{

namespace
{

constexpr PriorityMask ALL_PRIORITIES = 0xff;

uint8_t
HighestPriority(PriorityMask mask)
{
    return static_cast<uint8_t>(std::bit_width(mask) - 1);
}

/** Tells all taps of a list. */
void
Tell(FrameTap* tap, FrameDirection direction, const Frame& frame, SimTime when)
{
    for (; tap != nullptr; tap = tap->nextTap)
    {
        tap->OnFrame(direction, frame, when);
    }
}

/** A PFC frame for some classes, or a PAUSE frame for the link. */
Frame*
MakePauseFrame(FrameLedger& ledger, bool isLinkPause, PriorityMask classes, uint16_t quanta)
{
    const FrameKind kind = isLinkPause ? FrameKind::PAUSE : FrameKind::PFC;
    Frame* frame = ledger.Create(kind, PFC_FRAME_BYTES);
    frame->pfcClassEnable = isLinkPause ? PriorityBit(0) : classes;
    frame->pfcQuanta = {};
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        const bool isMeant = (frame->pfcClassEnable & PriorityBit(priority)) != 0;
        frame->pfcQuanta[priority] = isMeant ? quanta : 0;
    }
    frame->next = nullptr;
    return frame;
}

} // namespace

EthernetPort::EthernetPort(const PortPlace& place,
                           const PortConfig& config,
                           RandomStream lossStream)
    : m_owner{place.owner},
      m_watchesDepartures{config.isEager},
      m_index{place.index},
      m_byteTime{config.rate},
      m_delay{config.delay},
      m_events{place.events},
      m_ledger{place.ledger},
      m_config{config},
      m_lossStream{lossStream},
      m_slowestRate{config.rate}
{
    m_arrival.Bind<&EthernetPort::OnArrival>(this, EventOrder::Of(EventPhase::ARRIVAL, config.id));
    m_arrival.BindPrepare<&EthernetPort::PrepareArrival, EthernetPort>();
    m_departure.Bind<&EthernetPort::OnDeparture>(this,
                                                 EventOrder::Of(EventPhase::DEPARTURE, config.id));
}

void
EthernetPort::Connect(EthernetPort& a, EthernetPort& b)
{
    a.SetPeer(b);
    b.SetPeer(a);
}

void
EthernetPort::SetPeer(EthernetPort& peer)
{
    m_peer = &peer;
    m_peerOwner = &peer.m_owner;
    m_peerIndex = peer.m_index;
    LookAtPeer();
}

void
EthernetPort::LookAtPeer()
{
    m_isPeerPlain = m_peer->m_config.lossRate == 0 && m_peer->m_injector == nullptr &&
                    m_peer->m_taps == nullptr && m_taps == nullptr && !m_isCut;
}

void
EthernetPort::SetFaultInjector(FaultInjector* injector)
{
    m_injector = injector;
    if (m_peer != nullptr)
    {
        m_peer->LookAtPeer();
    }
}

void
EthernetPort::AddTap(FrameTap& tap)
{
    FrameTap** last = &m_taps;
    while (*last != nullptr)
    {
        last = &(*last)->nextTap;
    }
    *last = &tap;
    tap.nextTap = nullptr;
    if (m_peer != nullptr)
    {
        LookAtPeer();
        m_peer->LookAtPeer();
    }
}

void
EthernetPort::AdvanceTo(SimTime now)
{
    do
    {
        if (m_hasDeparting)
        {
            m_hasDeparting = false;
            m_owner.OnDeparted(m_index, m_departing, m_freeAt);
        }
        if (m_control == nullptr && !m_hasPause && m_source == nullptr) [[likely]]
        {
            const PriorityMask waiting = m_queues.Waiting();
            if (waiting == 0)
            {
                break;
            }
            Start(TakeWaiting(SelectWaiting(waiting), m_freeAt), m_freeAt);
            continue;
        }
        const SimTime start = NextStart();
        if (start > now)
        {
            break;
        }
        Start(TakeNext(start), start);
    } while (m_freeAt <= now);

    // Whatever comes next cannot start before this touch.
    if (m_freeAt < now)
    {
        m_freeAt = now;
        m_remainder = 0;
    }
}

SimTime
EthernetPort::NextStart()
{
    if (m_control != nullptr)
    {
        return m_freeAt;
    }
    const PriorityMask waiting = m_queues.Waiting();
    if (!m_hasPause) [[likely]]
    {
        if (waiting != 0)
        {
            return m_freeAt;
        }
        return m_source == nullptr ? SimTime::Never()
                                   : m_source->NextReady(m_freeAt, ALL_PRIORITIES);
    }
    SimTime earliest = SimTime::Never();
    m_hasPause = false;
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        const PfcPause& pause = m_pauses.Get(priority);
        m_hasPause |= pause.until > m_freeAt;
        SimTime ready = SimTime::Never();
        if ((waiting & PriorityBit(priority)) != 0)
        {
            ready = m_freeAt;
        }
        else if (m_source != nullptr)
        {
            ready = m_source->NextReady(m_freeAt, PriorityBit(priority));
        }
        earliest = std::min(earliest, pause.Holds(ready) ? pause.until : ready);
    }
    return earliest;
}

Frame*
EthernetPort::TakeNext(SimTime start)
{
    if (m_control != nullptr)
    {
        Frame* frame = m_control;
        m_control = frame->next;
        return frame;
    }
    const PriorityMask open = m_hasPause ? m_pauses.OpenPriorities(start) : ALL_PRIORITIES;
    const PriorityMask eligible = m_queues.Waiting() & open;
    if (m_source == nullptr)
    {
        return TakeWaiting(SelectWaiting(eligible), start);
    }
    const int sourced = m_source->ReadyPriority(start, open);
    if (eligible != 0 && HighestPriority(eligible) >= sourced)
    {
        return TakeWaiting(SelectWaiting(eligible), start);
    }
    return m_source->Pull(start, static_cast<uint8_t>(sourced));
}

uint8_t
EthernetPort::SelectWaiting(PriorityMask eligible)
{
    NS_ASSERT_MSG(eligible != 0, "a port started with nothing to send");
    if ((eligible & (eligible - 1)) == 0 || !m_scheduler)
    {
        return HighestPriority(eligible);
    }
    return m_scheduler->Select(eligible, m_queues);
}

Frame*
EthernetPort::TakeWaiting(uint8_t priority, SimTime start)
{
    Frame* frame = m_queues.Pop(priority);
    m_queuedBytes -= frame->frameBytes;
    TellStart(*frame, m_queues.Bytes(priority), start);
    return frame;
}

void
EthernetPort::Start(Frame* frame, SimTime start)
{
    if (start != m_freeAt)
    {
        m_remainder = 0;
    }
    const uint32_t bytes = PREAMBLE_BYTES + frame->frameBytes;
    frame->time = start + m_byteTime.Peek(bytes, m_remainder) + m_delay;
    m_freeAt = start + m_byteTime.Of(bytes + GAP_BYTES, m_remainder);
    m_departing = {frame->frameBytes, frame->ingressPort, frame->priority};
    m_hasDeparting = !IsMacControl(frame->kind);
    ++m_frames;
    m_wireBytes += bytes + GAP_BYTES;

    frame->next = nullptr;
    if (m_flightHead == nullptr)
    {
        m_flightHead = frame;
        m_arrival.SetHint(frame);
        m_events.Schedule(m_arrival, frame->time);
    }
    else
    {
        m_flightTail->next = frame;
    }
    m_flightTail = frame;
}

void
EthernetPort::ArmDeparture()
{
    const bool isReleaseDue = m_watchesDepartures && m_hasDeparting;
    const SimTime next = isReleaseDue ? m_freeAt : NextStart();
    if (next.IsNever())
    {
        m_events.Cancel(m_departure);
    }
    else if (m_departure.GetTime() != next)
    {
        m_events.Schedule(m_departure, next);
    }
}

void
EthernetPort::OnArrival(SimTime now)
{
    Frame* frame = m_flightHead;
    __builtin_prefetch(frame);
    Advance(now);
    m_flightHead = frame->next;
    if (m_flightHead != nullptr)
    {
        m_arrival.SetHint(m_flightHead);
        m_events.Schedule(m_arrival, m_flightHead->time);
    }
    Arm();
    if (m_isPeerPlain && frame->kind == FrameKind::ROCE) [[likely]]
    {
        m_peerOwner->OnFrame(m_peerIndex, frame, now);
        return;
    }
    if (m_isCut)
    {
        Cut(frame);
        return;
    }
    Tell(m_taps, FrameDirection::OUT, *frame, now - m_delay);
    m_peer->Receive(frame, now);
}

void
EthernetPort::PrepareArrival() const
{
    __builtin_prefetch(m_flightHead->next);
    if (m_flightHead->kind == FrameKind::ROCE)
    {
        m_peerOwner->PrepareFrame(m_peerIndex, *m_flightHead);
    }
}

void
EthernetPort::OnDeparture(SimTime now)
{
    ++m_counters.departureEvents;
    Advance(now);
    Arm();
}

void
EthernetPort::Receive(Frame* frame, SimTime now)
{
    if (m_config.lossRate > 0 && m_lossStream.NextUniform() < m_config.lossRate)
    {
        ++m_counters.lostFrames;
        m_ledger.Drop(frame, DropReason::LINK_ERROR, m_config.id);
        return;
    }
    if (IsMacControl(frame->kind))
    {
        Tell(m_taps, FrameDirection::IN, *frame, now);
        ReceivePfc(*frame, now);
        m_ledger.Consume(frame);
        return;
    }
    if (m_injector == nullptr)
    {
        Deliver(frame, now);
        return;
    }
    m_injector->Put(frame);
    while (Frame* passed = m_injector->Take())
    {
        Deliver(passed, now);
    }
}

void
EthernetPort::Deliver(Frame* frame, SimTime now)
{
    Tell(m_taps, FrameDirection::IN, *frame, now);
    m_owner.OnFrame(m_index, frame, now);
}

void
EthernetPort::ReceivePfc(const Frame& frame, SimTime now)
{
    Advance(now);
    bool isPause = false;
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        const uint16_t quanta = frame.pfcQuanta[m_config.pfc.isLinkPause ? 0 : priority];
        if (!m_config.pfc.isLinkPause && (frame.pfcClassEnable & PriorityBit(priority)) == 0)
        {
            continue;
        }
        isPause |= quanta != 0;
        if (!m_config.pfc.CanStop(priority))
        {
            continue;
        }
        m_pauses.Receive({.priority = priority,
                          .pause = QuantaToTime(quanta, m_config.rate),
                          .response = m_config.pfc.GetResponseTime(m_config.rate)},
                         now);
        if (m_config.pfc.IsLossless(priority))
        {
            m_owner.OnPause(m_index, priority, quanta, now);
        }
    }
    ++(isPause ? m_counters.pauseFramesReceived : m_counters.resumeFramesReceived);
    m_hasPause = true;
    Advance(now);
    Arm();
}

void
EthernetPort::SendPfc(PriorityMask classes, uint16_t quanta, SimTime now)
{
    Advance(now);
    m_stopped |= classes;
    m_stopped &= quanta == 0 ? static_cast<PriorityMask>(~classes) : PriorityMask{0xff};
    if (m_config.pfc.isLinkPause && quanta == 0 && m_stopped != 0)
    {
        return; // another class needs the pause still
    }
    Frame* frame = MakePauseFrame(m_ledger, m_config.pfc.isLinkPause, classes, quanta);
    Frame** tail = &m_control;
    while (*tail != nullptr)
    {
        tail = &(*tail)->next;
    }
    *tail = frame;
    ++(quanta != 0 ? m_counters.pauseFramesSent : m_counters.resumeFramesSent);
    Advance(now);
    Arm();
}

void
EthernetPort::WatchDepartures(bool isWatched, SimTime now)
{
    Advance(now);
    m_watchesDepartures = isWatched || m_config.isEager;
    Arm();
}

PortCounters
EthernetPort::GetCounters() const
{
    PortCounters counters = m_counters;
    counters.frames = m_frames;
    counters.wireBytes = m_wireBytes;
    counters.maxQueueBytes = m_maxQueueBytes;
    counters.busyUntil = m_freeAt;
    return counters;
}

PortPauses&
EthernetPort::GetPauses()
{
    return m_pauses;
}

SimTime
EthernetPort::GetPausedTime(uint8_t priority, SimTime now) const
{
    // Link pause stops lossy priorities, too; it is counted once.
    return m_config.pfc.IsLossless(priority) ? m_pauses.GetTotal(priority, now) : SimTime{};
}

Frame*
EthernetPort::TakeQueued(uint8_t priority)
{
    if ((m_queues.Waiting() & PriorityBit(priority)) == 0)
    {
        return nullptr;
    }
    Frame* frame = m_queues.Pop(priority);
    m_queuedBytes -= frame->frameBytes;
    return frame;
}

HeldFrames
EthernetPort::CountHeld() const
{
    HeldFrames held;
    const auto addList = [&held](const Frame* frame)
    {
        for (; frame != nullptr; frame = frame->next)
        {
            held.all.Add(*frame);
            held.marked += !IsMacControl(frame->kind) && frame->ecn == Ecn::CE ? 1 : 0;
        }
    };
    addList(m_flightHead);
    addList(m_control);
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        addList(m_queues.Head(priority));
    }
    if (m_peer != nullptr && m_peer->m_injector != nullptr)
    {
        const HeldFrames delayed = m_peer->m_injector->GetHeld();
        held.all.frames += delayed.all.frames;
        held.all.bytes += delayed.all.bytes;
        held.marked += delayed.marked;
    }
    return held;
}

} // namespace ns3::rdma
