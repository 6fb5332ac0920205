// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/receive-path.h"

#include "base/quantity.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Numbers of these events are those of their devices with this bit. */
constexpr uint64_t RECEIVE_PATH_ID = uint64_t{1} << 51;

/** When a PAUSE that must last is repeated. */
SimTime
RefreshTime(const PortConfig& config)
{
    const SimTime pause = QuantaToTime(config.pfc.quanta, config.rate);
    return {pause.ps / 100 * config.pfc.refreshPercent};
}

Diagnostic
Misfit(const std::string& key, uint64_t got, const std::string& expected)
{
    Diagnostic diagnostic;
    diagnostic.key = "nic." + key;
    diagnostic.message = "the thresholds of the receive buffer do not fit";
    diagnostic.got = ToString(ByteCount{got});
    diagnostic.expected = expected;
    return diagnostic;
}

} // namespace

Expected<ReceiveLimits>
MakeReceiveLimits(const ReceivePlan& plan)
{
    const uint64_t parts = std::min<uint64_t>(plan.lossless + 1, PRIORITY_COUNT);
    const uint64_t part = plan.buffer / parts;
    ReceiveLimits limits{plan.rate, part, plan.xoff, plan.xon, {}};
    if (part < plan.maxFrameBytes)
    {
        return Misfit("receive_buffer",
                      plan.buffer,
                      "room for a largest frame in each of its " + std::to_string(parts) +
                          " parts, " + ToString(ByteCount{plan.maxFrameBytes * parts}));
    }
    if (plan.lossless == 0)
    {
        return limits;
    }
    const uint64_t offset = 2 * uint64_t{plan.maxFrameBytes};
    if (limits.xoff == 0)
    {
        limits.xoff = part > plan.headroom + offset ? part - plan.headroom : part / 2;
    }
    if (limits.xoff > part)
    {
        return Misfit("receive_xoff",
                      limits.xoff,
                      "at most the priority's part of the buffer, " + ToString(ByteCount{part}));
    }
    if (limits.xon == 0)
    {
        limits.xon = limits.xoff > offset ? limits.xoff - offset : 0;
    }
    if (limits.xon >= limits.xoff)
    {
        return Misfit(
            "receive_xon", limits.xon, "below receive_xoff, " + ToString(ByteCount{limits.xoff}));
    }
    if (part - limits.xoff < plan.headroom)
    {
        limits.warning =
            "receive buffers are too small: " + ToString(ByteCount{part - limits.xoff}) +
            " above receive_xoff, but " + ToString(ByteCount{plan.headroom}) +
            " may still arrive after a pause; lossless frames may be dropped";
    }
    return limits;
}

ReceivePath::ReceivePath(const ReceiveLimits& limits, const Setup& setup)
    : m_limits{limits},
      m_setup{setup},
      m_byteTime{limits.rate}
{
    const uint64_t id = setup.id | RECEIVE_PATH_ID;
    m_passed.Bind<&ReceivePath::OnPassed>(this, EventOrder::Of(EventPhase::ARRIVAL, id));
    m_refresh.Bind<&ReceivePath::OnRefresh>(this, EventOrder::Of(EventPhase::TIMER, id));
}

void
ReceivePath::SetPort(EthernetPort& port)
{
    m_port = &port;
    m_pauses.SetUp({RefreshTime(port.GetConfig())});
}

void
ReceivePath::OnFrame(uint16_t, Frame* frame, SimTime now)
{
    const uint8_t priority = frame->priority;
    uint64_t& waiting = m_bytesOf[PartOf(priority)];
    if (waiting + frame->frameBytes > m_limits.part)
    {
        ++*m_setup.overflows;
        m_setup.ledger->Drop(frame, DropReason::RX_OVERFLOW, m_port->GetConfig().id);
        return;
    }
    frame->next = nullptr;
    *m_tail = frame;
    m_tail = &frame->next;
    waiting += frame->frameBytes;
    if (m_head == frame)
    {
        StartNext(now);
    }
    if (PartOf(priority) == priority && waiting >= m_limits.xoff && !m_pauses.IsPaused(0, priority))
    {
        m_pauses.Pause(0, priority, now);
        m_port->SendPfc(PriorityBit(priority), m_port->GetConfig().pfc.quanta, now);
        m_setup.events->Schedule(m_refresh, m_pauses.NextRefresh());
    }
}

void
ReceivePath::StartNext(SimTime now)
{
    while (m_head != nullptr && m_head->payloadBytes == 0)
    {
        HandOn(now);
    }
    if (m_head != nullptr && m_passed.GetTime().IsNever())
    {
        m_setup.events->Schedule(m_passed, now + m_byteTime.Of(m_head->payloadBytes, m_remainder));
    }
}

void
ReceivePath::HandOn(SimTime now)
{
    Frame* frame = m_head;
    const uint8_t priority = frame->priority;
    m_head = frame->next;
    if (m_head == nullptr)
    {
        m_tail = &m_head;
        m_remainder = 0;
    }
    uint64_t& waiting = m_bytesOf[PartOf(priority)];
    waiting -= frame->frameBytes;
    if (m_pauses.IsPaused(0, priority) && waiting <= m_limits.xon)
    {
        m_pauses.Resume(0, priority);
        m_port->SendPfc(PriorityBit(priority), 0, now);
    }
    m_setup.device->OnFrame(0, frame, now);
}

void
ReceivePath::OnPassed(SimTime now)
{
    HandOn(now);
    StartNext(now);
}

void
ReceivePath::OnRefresh(SimTime now)
{
    while (const auto due = m_pauses.PopDue(now))
    {
        m_port->SendPfc(PriorityBit(due->priority), m_port->GetConfig().pfc.quanta, now);
        m_pauses.Pause(0, due->priority, now);
    }
    const SimTime next = m_pauses.NextRefresh();
    if (!next.IsNever())
    {
        m_setup.events->Schedule(m_refresh, next);
    }
}

HeldFrames
ReceivePath::CountHeld() const
{
    HeldFrames held;
    for (const Frame* frame = m_head; frame != nullptr; frame = frame->next)
    {
        held.all.Add(*frame);
        held.marked += frame->ecn == Ecn::CE ? 1 : 0;
    }
    return held;
}

void
ReceivePath::OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
{
    m_setup.device->OnPause(port, priority, quanta, now);
}

void
ReceivePath::OnLinkChanged(uint16_t port, SimTime now)
{
    m_pauses.SetRefreshTime(0, RefreshTime(m_port->GetConfig()));
    // The neighbour forgets with the link that it was paused; the next frame tells it again.
    for (uint8_t priority = 0; priority < PRIORITY_COUNT && !m_port->IsLinkUp(); ++priority)
    {
        m_pauses.Resume(0, priority);
    }
    m_setup.device->OnLinkChanged(port, now);
}

} // namespace ns3::rdma
