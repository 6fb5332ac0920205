// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/host-path.h"

#include "wire/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Numbers of host paths are those of their devices with this bit; the port's have none. */
constexpr uint64_t HOST_PATH_ID = uint64_t{1} << 49;

} // namespace

HostPath::HostPath(const NicProfile& profile, const Setup& setup)
    : m_pipeline{profile},
      m_setup{setup}
{
    m_step.Bind<&HostPath::OnStep>(this,
                                   EventOrder::Of(EventPhase::ARRIVAL, setup.id | HOST_PATH_ID));
}

HostPath::Order&
HostPath::OrderOf(Qpn qpn)
{
    if (qpn.value >= m_orders.size())
    {
        m_orders.resize(std::max<std::size_t>(qpn.value + 1, 2 * m_orders.size()));
    }
    return m_orders[qpn.value];
}

void
HostPath::Push(SimTime time, const Step& step)
{
    m_steps.Push(time, step);
    if (time < m_step.GetTime())
    {
        m_setup.events->Schedule(m_step, time);
    }
}

void
HostPath::OnStep(SimTime now)
{
    while (m_steps.NextTime() <= now)
    {
        const Step step = m_steps.Pop();
        std::visit([this, now](const auto& what) { Do(what, now); }, step);
    }
    if (!m_steps.NextTime().IsNever())
    {
        m_setup.events->Schedule(m_step, m_steps.NextTime());
    }
}

uint64_t
HostPath::GetFirstFetch(Qpn qpn, const SendRequest& request) const
{
    const bool isRead = request.opcode == SendOpcode::RDMA_READ ||
                        request.opcode == SendOpcode::ATOMIC_CMP_AND_SWP ||
                        request.opcode == SendOpcode::ATOMIC_FETCH_AND_ADD ||
                        request.opcode == SendOpcode::LOCAL_INV;
    if (isRead || (request.flags & SEND_INLINE) != 0)
    {
        return 0;
    }
    return std::min<uint64_t>(TotalBytes(request.sgList), m_setup.user->GetPathMtu(qpn));
}

void
HostPath::OnPost(Qpn qpn, std::span<const SendRequest> requests, SimTime now)
{
    if (requests.empty())
    {
        return;
    }
    uint64_t entryBytes = 0;
    for (const SendRequest& request : requests)
    {
        const bool isInline = (request.flags & SEND_INLINE) != 0;
        entryBytes += m_pipeline.GetEntryBytes(isInline ? TotalBytes(request.sgList) : 0);
    }
    const SimTime arrival =
        m_pipeline.OnPost(static_cast<uint32_t>(requests.size()), entryBytes, now);
    for (const SendRequest& request : requests)
    {
        Push(arrival, Arrival{.qpn = qpn, .fetchedBytes = GetFirstFetch(qpn, request)});
    }
}

void
HostPath::Do(const Arrival& arrival, SimTime now)
{
    const SimTime ready = m_pipeline.OnRequest(arrival.qpn, arrival.fetchedBytes, now);
    Order& order = OrderOf(arrival.qpn);
    order.ready = std::max(order.ready, ready);
    Push(order.ready, Ready{arrival.qpn});
}

void
HostPath::Do(const Ready& ready, SimTime now)
{
    m_setup.user->OnRequestReady(ready.qpn, now);
}

void
HostPath::OnFrame(uint16_t port, Frame* frame, SimTime now)
{
    Push(GetHandledTime(*frame, now), Handled{.port = port, .frame = frame});
}

SimTime
HostPath::GetHandledTime(const Frame& frame, SimTime now)
{
    const Qpn qpn{frame.destinationQp};
    const uint16_t pathMtu = m_setup.user->GetPathMtu(qpn);
    if (pathMtu == 0)
    {
        return now + m_pipeline.GetProfile().nicReceiveLatency;
    }
    SimTime handled = m_pipeline.OnPacketReceived(qpn, now);
    const Operation operation = GetOpcodeInfo(frame.opcode).operation;
    if (operation == Operation::RDMA_READ_REQUEST)
    {
        handled = m_pipeline.OnReadRequest(std::min<uint64_t>(frame.GetReth().dmaLength, pathMtu),
                                           handled);
    }
    else if (operation == Operation::COMPARE_SWAP || operation == Operation::FETCH_ADD)
    {
        handled = m_pipeline.OnAtomicRequest(handled);
    }
    Order& order = OrderOf(qpn);
    order.handled = std::max(order.handled, handled);
    return order.handled;
}

void
HostPath::Do(const Handled& handled, SimTime now)
{
    m_memoryVisible = m_pipeline.OnMemoryWrite(handled.frame->payloadBytes, now);
    m_setup.device->OnFrame(handled.port, handled.frame, now);
}

void
HostPath::OnMessage(uint32_t mark, uint64_t bytes)
{
    Push(m_memoryVisible, Message{.mark = mark, .bytes = bytes});
}

void
HostPath::Do(const Message& message, SimTime now)
{
    m_setup.user->OnMessageVisible(message.mark, message.bytes, now);
}

void
HostPath::OnCompletion(const HostCompletion& completion, SimTime now)
{
    Push(m_pipeline.OnCompletion(now), completion);
}

void
HostPath::Do(const HostCompletion& completion, SimTime now)
{
    m_pipeline.OnPolled(now);
    m_setup.user->OnCompletionVisible(completion, now);
}

void
HostPath::Forget(Qpn qpn)
{
    m_steps.RemoveIf(
        [qpn](const Step& step)
        {
            const auto* arrival = std::get_if<Arrival>(&step);
            const auto* ready = std::get_if<Ready>(&step);
            const auto* completion = std::get_if<HostCompletion>(&step);
            return (arrival != nullptr && arrival->qpn == qpn) ||
                   (ready != nullptr && ready->qpn == qpn) ||
                   (completion != nullptr && completion->qpn == qpn);
        });
}

HeldFrames
HostPath::CountHeld() const
{
    HeldFrames held;
    m_steps.ForEach(
        [&held](const Step& step)
        {
            if (const auto* handled = std::get_if<Handled>(&step))
            {
                held.all.Add(*handled->frame);
                held.marked += handled->frame->ecn == Ecn::CE ? 1 : 0;
            }
        });
    return held;
}

void
HostPath::OnLinkChanged(uint16_t port, SimTime now)
{
    m_setup.device->OnLinkChanged(port, now);
}

void
HostPath::OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
{
    m_setup.device->OnPause(port, priority, quanta, now);
}

} // namespace ns3::rdma
