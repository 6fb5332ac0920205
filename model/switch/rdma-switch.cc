// SPDX-License-Identifier: GPL-2.0-only
#include "switch/rdma-switch.h"

#include "base/hash.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The part of a pause after which it must be repeated. */
SimTime
GetRefreshTime(const PortConfig& port)
{
    const SimTime pause = QuantaToTime(port.pfc.quanta, port.rate);
    return {pause.ps / 100 * port.pfc.refreshPercent};
}

/** Orders the looks of the watchdog behind all other timers. */
constexpr uint64_t POLL_ID = uint64_t{1} << 42;

} // namespace

Diagnostics
RdmaSwitch::CheckSettings() const
{
    // Entries of single switches are looked at when the topology is known, by the same function.
    const auto classifier = TrafficClassifier::Make(*this, "");
    return classifier ? Diagnostics{} : classifier.Errors();
}

void
RdmaSwitch::SetUp(const SwitchSetup& setup)
{
    m_events = setup.events;
    m_ledger = setup.ledger;
    m_name = setup.name;
    m_seed = setup.seed;
    m_pathSeed = Mix64(HashName(setup.name) + setup.seed);
    m_buffer = setup.buffer;
    m_marker = setup.marker;
    m_path = setup.path;
    m_marksAtEnqueue = m_marker->GetPoint() == MarkingPoint::ENQUEUE;
    m_watchdogConfig = setup.watchdog;
    m_looksAtQueues = m_marksAtEnqueue;
    if (const auto classifier = TrafficClassifier::Make(*this, m_name))
    {
        m_classifier = *classifier; // CheckSettings has looked at it
    }
    m_classifies = !setup.marks.empty() && !m_classifier.IsPlain();
    for (uint8_t priority = 0; priority < setup.marks.size(); ++priority)
    {
        m_classifies |= m_classifier.Classify(setup.marks[priority]) != priority;
    }
    m_refresh.Bind<&RdmaSwitch::OnRefresh>(this, EventOrder::Of(EventPhase::TIMER, setup.id));
    m_poll.Bind<&RdmaSwitch::OnPoll>(this, EventOrder::Of(EventPhase::TIMER, POLL_ID | setup.id));
}

EthernetPort&
RdmaSwitch::AddPort(const PortConfig& config, Ptr<EgressScheduler> scheduler)
{
    const auto index = static_cast<uint16_t>(m_ports.size());
    const std::string path = m_name + "/port" + std::to_string(index);
    const PortPlace place{*m_events, *m_ledger, *this, index};
    m_ports.push_back(
        std::make_unique<EthernetPort>(place, config, RandomStream{m_seed, path + "/loss"}));
    m_ports.back()->SetScheduler(scheduler);
    m_markStreams.emplace_back(m_seed, path + "/mark");
    m_marked.push_back(0);
    m_dropped.push_back(0);

    std::vector<SimTime> refreshAfter;
    for (const auto& each : m_ports)
    {
        refreshAfter.push_back(GetRefreshTime(each->GetConfig()));
    }
    m_pauses.SetUp(std::move(refreshAfter));
    return *m_ports.back();
}

Diagnostics
RdmaSwitch::Start(const BufferSetup& setup,
                  std::vector<std::string>& notes,
                  std::vector<std::string>& warnings)
{
    const auto addOnce = [](std::vector<std::string>& list, const std::vector<std::string>& more)
    {
        for (const std::string& line : more)
        {
            if (std::ranges::find(list, line) == list.end())
            {
                list.push_back(line);
            }
        }
    };
    std::vector<BitRate> rates;
    for (const BufferPort& port : setup.ports)
    {
        rates.push_back(port.rate);
    }
    const auto bufferWarnings = m_buffer->SetUp(setup);
    const auto markerNotes = m_marker->SetUp(rates);
    Diagnostics errors = bufferWarnings ? Diagnostics{} : bufferWarnings.Errors();
    if (!markerNotes)
    {
        errors.insert(errors.end(), markerNotes.Errors().begin(), markerNotes.Errors().end());
    }
    m_watchdog.SetUp(m_watchdogConfig, GetPortCount());
    if (errors.empty())
    {
        addOnce(notes, *markerNotes);
        AfterChange();
        warnings.insert(warnings.end(), bufferWarnings->begin(), bufferWarnings->end());
    }
    return errors;
}

void
RdmaSwitch::Reroute(ForwardingTable table)
{
    if (!m_startTable)
    {
        m_startTable = std::move(m_table);
    }
    m_table = std::move(table);
}

int
RdmaSwitch::ChoosePort(const ForwardingTable& table, uint32_t destination, uint32_t flowHash) const
{
    const ForwardingTable::Group group = table.Find(destination);
    if (group.count == 0)
    {
        return -1;
    }
    const uint32_t choice =
        group.count == 1 ? 0 : m_path->Choose(flowHash, group.count, m_pathSeed);
    return table.GetPort(group.first + choice);
}

void
RdmaSwitch::OnFrame(uint16_t port, Frame* frame, SimTime now)
{
    const int egress = ChoosePort(frame->destination, frame->flowHash);
    if (egress < 0)
    {
        Drop(frame, DropReason::NO_ROUTE, port, now);
        return;
    }
    if (m_classifies) [[unlikely]]
    {
        frame->priority = m_classifier.Classify(frame->mark);
    }
    if (m_watchdog.IsDropping() && DropsByWatchdog(port, static_cast<uint16_t>(egress), frame, now))
        [[unlikely]]
    {
        return;
    }
    EthernetPort& out = *m_ports[static_cast<std::size_t>(egress)];
    out.PrefetchQueue(frame->priority);
    out.Advance(now);
    frame->ingressPort = port;
    const BufferArrival arrival{
        port, frame->priority, frame->frameBytes, out.GetQueues().Bytes(frame->priority)};
    if (!m_buffer->TryAccept(arrival)) [[unlikely]]
    {
        DropReason reason{};
        if (!AdmitNearLimit(arrival, out.GetIndex(), now, reason))
        {
            ++m_dropped[static_cast<std::size_t>(egress)];
            Drop(frame, reason, out.GetIndex(), now);
            return;
        }
    }
    else if (m_nearArrivals != 0 && ++m_calmArrivals == WINDOW)
    {
        NoteCalm(now);
    }
    if (m_looksAtQueues)
    {
        OnQueue(out.GetIndex(), *frame, out.GetQueues().Bytes(frame->priority), now);
    }
    out.Enqueue(frame, now);
}

void
RdmaSwitch::PrepareFrame(uint16_t port, const Frame& frame) const
{
    const int egress = ChoosePort(frame.destination, frame.flowHash);
    if (egress >= 0)
    {
        m_ports[static_cast<std::size_t>(egress)]->PrefetchQueue(frame.priority);
        m_buffer->Prefetch(port, frame.priority);
    }
}

void
RdmaSwitch::Drop(Frame* frame, DropReason reason, uint16_t port, SimTime now)
{
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(m_name, reason, now);
    }
    m_ledger->Drop(frame, reason, m_ports[port]->GetConfig().id);
}

bool
RdmaSwitch::AdmitNearLimit(const BufferArrival& arrival,
                           uint16_t egress,
                           SimTime now,
                           DropReason& reason)
{
    m_calmArrivals = 0;
    ++m_nearArrivals;
    if (!m_isWatching)
    {
        Settle(now);
        Watch(m_nearArrivals > NEAR_ARRIVALS, now);
    }
    const Admission admission = m_buffer->Admit(arrival);
    if (admission.pauses && !m_pauses.IsPaused(arrival.ingress, arrival.priority))
    {
        Watch(true, now);
        m_pauses.Pause(arrival.ingress, arrival.priority, now);
        EthernetPort& in = *m_ports[arrival.ingress];
        in.SendPfc(PriorityBit(arrival.priority), in.GetConfig().pfc.quanta, now);
        m_events->Schedule(m_refresh, m_pauses.NextRefresh());
        m_pauseTrace({arrival.ingress, arrival.priority, egress, arrival.bytes}, now);
    }
    reason = admission.reason;
    return admission.isAccepted;
}

void
RdmaSwitch::Settle(SimTime now)
{
    ++m_counters.settlements;
    for (const auto& port : m_ports)
    {
        port->Advance(now);
    }
}

void
RdmaSwitch::BeforeChange(SimTime now)
{
    if (now.ps != 0)
    {
        Settle(now - SimTime{1});
    }
}

void
RdmaSwitch::AfterChange()
{
    for (const auto& port : m_ports)
    {
        const uint64_t floor = m_marksAtEnqueue ? UINT64_MAX : m_marker->GetFloor(port->GetIndex());
        port->SetStartFloor(m_tellsOfQueues ? 0 : floor);
    }
}

void
RdmaSwitch::Watch(bool isWatching, SimTime now)
{
    if (m_isWatching == isWatching)
    {
        return;
    }
    m_isWatching = isWatching;
    for (const auto& port : m_ports)
    {
        port->WatchDepartures(isWatching, now);
    }
}

void
RdmaSwitch::NoteCalm(SimTime now)
{
    m_calmArrivals = 0;
    if (!m_pauses.HasPauses())
    {
        m_nearArrivals = 0;
        Watch(false, now);
    }
}

void
RdmaSwitch::Mark(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime when)
{
    const bool isCapable = frame.ecn == Ecn::ECT_0 || frame.ecn == Ecn::ECT_1;
    if (isCapable && m_marker->ShouldMark(port, queueBytes, m_markStreams[port]))
    {
        frame.ecn = Ecn::CE;
        ++m_marked[port];
        ++m_counters.markedFrames;
        if (!m_markTrace.IsEmpty())
        {
            m_markTrace(port, frame, queueBytes, when);
        }
    }
}

void
RdmaSwitch::OnDeparted(uint16_t, const Departure& departure, SimTime when)
{
    m_buffer->Release(departure.ingressPort, departure.priority, departure.frameBytes);
    if (m_pauses.HasPauses() && m_pauses.IsPaused(departure.ingressPort, departure.priority) &&
        m_buffer->MayResume(departure.ingressPort, departure.priority))
    {
        m_pauses.Resume(departure.ingressPort, departure.priority);
        m_ports[departure.ingressPort]->SendPfc(PriorityBit(departure.priority), 0, when);
    }
}

void
RdmaSwitch::OnLinkChanged(uint16_t port, SimTime)
{
    const EthernetPort& changed = *m_ports[port];
    m_pauses.SetRefreshTime(port, GetRefreshTime(changed.GetConfig()));
    // A neighbour forgets with the link that it was paused.
    for (uint8_t priority = 0; priority < PRIORITY_COUNT && !changed.IsLinkUp(); ++priority)
    {
        m_pauses.Resume(port, priority);
    }
}

void
RdmaSwitch::OnRefresh(SimTime now)
{
    while (const auto due = m_pauses.PopDue(now))
    {
        EthernetPort& port = *m_ports[due->port];
        port.SendPfc(PriorityBit(due->priority), port.GetConfig().pfc.quanta, now);
        m_pauses.Pause(due->port, due->priority, now);
    }
    const SimTime next = m_pauses.NextRefresh();
    if (!next.IsNever())
    {
        m_events->Schedule(m_refresh, next);
    }
}

void
RdmaSwitch::OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
{
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(m_name, port, priority, quanta, now);
    }
    if (m_watchdog.IsOn())
    {
        const BitRate rate = m_ports[port]->GetConfig().rate;
        m_watchdog.OnPause(port, priority, now + QuantaToTime(quanta, rate));
        if (!m_poll.IsPending())
        {
            m_events->Schedule(m_poll, m_watchdog.GetNextPoll(now));
        }
    }
}

bool
RdmaSwitch::DropsByWatchdog(uint16_t ingress, uint16_t egress, Frame* frame, SimTime now)
{
    const bool isForStorm = m_watchdog.Drops(egress, frame->priority);
    if (!isForStorm && !m_watchdog.Drops(ingress, frame->priority))
    {
        return false;
    }
    m_watchdog.CountDrop(isForStorm ? egress : ingress, *frame);
    ++m_dropped[egress];
    Drop(frame, DropReason::PFC_WATCHDOG, egress, now);
    return true;
}

void
RdmaSwitch::OnPoll(SimTime now)
{
    bool mustLookAgain = false;
    for (const auto& port : m_ports)
    {
        port->Advance(now);
        const PriorityMask lossless = port->GetConfig().pfc.lossless;
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            mustLookAgain |=
                (lossless & PriorityBit(priority)) != 0 && PollQueue(*port, priority, now);
        }
    }
    if (mustLookAgain)
    {
        m_events->Schedule(m_poll, m_watchdog.GetNextPoll(now));
    }
}

bool
RdmaSwitch::PollQueue(EthernetPort& port, uint8_t priority, SimTime now)
{
    const WatchedQueue queue{.port = port.GetIndex(),
                             .priority = priority,
                             .isWaiting = port.GetQueues().Bytes(priority) != 0,
                             .pause = port.GetPauses().Get(priority)};
    const WatchdogVerdict verdict = m_watchdog.Look(queue, now);
    if (verdict != WatchdogVerdict::NOTHING)
    {
        Act(queue, verdict, now);
    }
    return m_watchdog.IsInStorm(queue.port, priority) || queue.pause.until > now;
}

void
RdmaSwitch::Act(const WatchedQueue& queue, WatchdogVerdict verdict, SimTime now)
{
    EthernetPort& port = *m_ports[queue.port];
    const bool isDetected = verdict == WatchdogVerdict::DETECTED;
    if (m_watchdog.GetConfig().action != WatchdogAction::ALERT)
    {
        port.GetPauses().Ignore(queue.priority, isDetected, now);
    }
    while (m_watchdog.Drops(queue.port, queue.priority))
    {
        Frame* frame = port.TakeQueued(queue.priority);
        if (frame == nullptr)
        {
            break;
        }
        OnFlushed(queue.port, {frame->frameBytes, frame->ingressPort, frame->priority}, now);
        m_watchdog.CountDrop(queue.port, *frame);
        ++m_dropped[queue.port];
        Drop(frame, DropReason::PFC_WATCHDOG, queue.port, now);
    }
    port.OnSourceChanged(now);
    m_watchdogTrace(m_name, m_watchdog.MakeReport(queue, verdict), now);
}

void
RdmaSwitch::DoDispose()
{
    m_ports.clear();
    m_buffer = nullptr;
    m_marker = nullptr;
    m_path = nullptr;
    Object::DoDispose();
}

} // namespace ns3::rdma
