// SPDX-License-Identifier: GPL-2.0-only
// What responses and repeated requests mean: the other half of CaptureRequestFlow.
#include "workload/capture-request-flow.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

/**
 * A response that is missing while so many later requests were answered is missing in the capture.
 *
 * @choice a requester asks again long before
 */
constexpr std::ptrdiff_t LATER_ANSWERS = 64;

/** What a request completes with that a NAK refuses; 0: a NAK of a gap, which refuses none. */
uint8_t
FindErrorStatus(uint8_t syndrome)
{
    switch (syndrome)
    {
    case SYNDROME_NAK_INVALID_REQUEST:
        return WC_REMOTE_INVALID_REQUEST;
    case SYNDROME_NAK_REMOTE_ACCESS:
        return WC_REMOTE_ACCESS;
    case SYNDROME_NAK_REMOTE_OPERATION:
        return WC_REMOTE_OPERATION;
    default:
        return 0;
    }
}

} // namespace

std::deque<CaptureRequestFlow::Message>::iterator
CaptureRequestFlow::FindMessage(uint64_t packet)
{
    const auto isBefore = [](const Message& message, uint64_t number)
    { return message.last < number; };
    return std::lower_bound(m_outstanding.begin(), m_outstanding.end(), packet, isBefore);
}

void
CaptureRequestFlow::OnRepeat(uint64_t packet, const OpcodeInfo& info, int64_t now)
{
    ++m_setup.counters->repeatedPackets;
    if (!info.endsMessage)
    {
        return;
    }
    const auto isBefore = [](const Arrival& arrival, uint64_t number)
    { return arrival.last < number; };
    const auto arrival = std::lower_bound(m_arrivals.begin(), m_arrivals.end(), packet, isBefore);
    if (arrival != m_arrivals.end() && arrival->last == packet && arrival->isRefused)
    {
        arrival->completion.timeNs = now;
        arrival->place = m_setup.responder->Reserve(arrival->completion);
        arrival->isRefused = false;
    }
}

void
CaptureRequestFlow::OnResponse(const CapturedPacket& packet, int64_t timeNs)
{
    if (!m_setup.hasRequests || !m_hasStarted)
    {
        ++m_setup.counters->strayResponses;
        return;
    }
    const uint64_t number = Extend(packet.bth.psn);
    const OpcodeInfo& info = packet.GetInfo();
    if (info.operation != Operation::ACKNOWLEDGE)
    {
        AcknowledgeUpTo(number - 1, timeNs);
        OnAnswer(number, info, timeNs);
        return;
    }
    const uint8_t syndrome = packet.extended.aeth.syndrome;
    const unsigned type = syndrome & SYNDROME_TYPE_MASK;
    if (type == SYNDROME_TYPE_ACK)
    {
        AcknowledgeUpTo(number, timeNs);
        return;
    }
    AcknowledgeUpTo(number - 1, timeNs);
    const uint8_t status = type == SYNDROME_TYPE_NAK ? FindErrorStatus(syndrome) : 0;
    m_setup.counters->rnrNaks += type == SYNDROME_TYPE_RNR ? 1 : 0;
    m_setup.counters->sequenceNaks += syndrome == SYNDROME_NAK_SEQUENCE ? 1 : 0;
    m_setup.counters->errorNaks += status != 0 ? 1 : 0;
    Refuse(number);
    if (status != 0)
    {
        Fail(number, status, timeNs);
    }
}

void
CaptureRequestFlow::AcknowledgeUpTo(uint64_t packet, int64_t now)
{
    while (m_expected <= packet)
    {
        const bool isHeld = !m_held.empty() && m_held.begin()->first <= packet;
        SkipTo(isHeld ? m_held.begin()->first : packet + 1);
        AcceptHeld(now);
    }
    m_acknowledged = std::max(m_acknowledged, packet);
    ReleaseArrivals(now);
    Retire(now);
}

void
CaptureRequestFlow::ReleaseArrivals(int64_t now)
{
    while (!m_arrivals.empty() && m_arrivals.front().last <= m_acknowledged)
    {
        Arrival& arrival = m_arrivals.front();
        if (arrival.isRefused) // it was sent again, which the capture lacks
        {
            arrival.completion.timeNs = now;
            m_setup.responder->Add(arrival.completion);
        }
        else
        {
            m_setup.responder->Release(arrival.place);
        }
        m_arrivals.pop_front();
    }
}

void
CaptureRequestFlow::OnAnswer(uint64_t packet, const OpcodeInfo& info, int64_t now)
{
    const auto message = FindMessage(packet);
    const Operation operation = info.operation;
    const bool isRead = operation == Operation::RDMA_READ_RESPONSE;
    if (message == m_outstanding.end() || message->first > packet || !message->needsResponse ||
        (message->opcode == WR_RDMA_READ) != isRead || packet < message->nextResponse)
    {
        ++m_setup.counters->repeatedPackets;
        return;
    }
    if (packet > message->nextResponse) // the requester asks again for what lies between
    {
        return;
    }
    message->nextResponse = packet + 1;
    message->isAnswered = message->nextResponse > message->last;
    if (message->isAnswered && message - m_outstanding.begin() > LATER_ANSWERS)
    {
        ++m_setup.counters->missingPackets;
        m_outstanding.front().isAnswered = true;
    }
    Retire(now);
}

void
CaptureRequestFlow::Retire(int64_t now)
{
    while (!m_outstanding.empty())
    {
        const Message& message = m_outstanding.front();
        const bool isDone =
            message.needsResponse ? message.isAnswered : message.last <= m_acknowledged;
        const auto later = [&] { return FindMessage(m_acknowledged + 1) - m_outstanding.begin(); };
        if (!isDone && (message.last > m_acknowledged || later() <= LATER_ANSWERS))
        {
            break;
        }
        m_setup.counters->missingPackets += isDone ? 0 : 1;
        Complete(message, 0, now);
        m_outstanding.pop_front();
    }
}

void
CaptureRequestFlow::Refuse(uint64_t packet)
{
    for (auto arrival = m_arrivals.rbegin(); arrival != m_arrivals.rend(); ++arrival)
    {
        if (arrival->last < packet)
        {
            break;
        }
        if (!arrival->isRefused)
        {
            m_setup.responder->Drop(arrival->place);
            arrival->isRefused = true;
        }
    }
}

void
CaptureRequestFlow::Fail(uint64_t packet, uint8_t status, int64_t now)
{
    while (!m_outstanding.empty())
    {
        const Message& message = m_outstanding.front();
        const bool isBefore = message.last < packet;
        Complete(message, isBefore ? 0 : std::exchange(status, WC_FLUSHED), now);
        m_outstanding.pop_front();
    }
    m_arrivals.clear(); // they are refused and will not be sent again
}

void
CaptureRequestFlow::Complete(const Message& message, uint8_t status, int64_t now)
{
    TraceOperation completion =
        MakeCapturedCompletion(now, GetCompletionOpcode(message.opcode), message.bytes);
    completion.status = status;
    m_setup.requester->Add(completion);
}

} // namespace ns3::rdma
