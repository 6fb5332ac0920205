// SPDX-License-Identifier: GPL-2.0-only
#include "transport/response-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{
namespace
{

Opcode
ReadResponseOpcode(bool isFirst, bool isLast)
{
    if (isFirst)
    {
        return isLast ? Opcode::RC_RDMA_READ_RESPONSE_ONLY : Opcode::RC_RDMA_READ_RESPONSE_FIRST;
    }
    return isLast ? Opcode::RC_RDMA_READ_RESPONSE_LAST : Opcode::RC_RDMA_READ_RESPONSE_MIDDLE;
}

} // namespace

ResponseQueue::ResponseQueue(uint32_t resources, uint32_t pathMtu)
    : m_pathMtu{pathMtu},
      m_resources(resources)
{
}

bool
ResponseQueue::HasRoom() const
{
    return m_count < m_resources.size() || (m_count > 0 && m_resources[m_first].hasLeft);
}

void
ResponseQueue::Push(const ReadAtomicRequest& request, uint32_t msn, uint64_t original)
{
    if (m_count == m_resources.size())
    {
        // A response that waits here is a repeat, and the requester has gone on without it.
        m_waiting -= At(0).isWaiting ? 1 : 0;
        m_first = (m_first + 1) % m_resources.size();
        --m_count;
    }
    ++m_count;
    ++m_taken;
    Resource& resource = At(m_count - 1);
    resource = {.request = request, .msn = msn, .original = original, .rest = request};
    Restart(resource, request);
}

bool
ResponseQueue::Repeat(const ReadAtomicRequest& repeat, uint32_t msn)
{
    Resource* resource = Find(repeat.psn);
    if (!resource || !IsPartOf(repeat, resource->request))
    {
        return false;
    }
    if (resource->isWaiting && IsPartOf(repeat, resource->rest))
    {
        return true;
    }
    for (std::size_t index = 0; index < m_count; ++index)
    {
        Resource& later = At(index);
        if (later.isWaiting && Psn::IsBefore(repeat.psn, later.request.psn))
        {
            later.msn = msn;
            Restart(later, later.isUnderWay ? later.request : later.rest);
        }
    }
    resource->msn = msn;
    Restart(*resource, repeat);
    return true;
}

void
ResponseQueue::PushAck(Psn psn, const Aeth& aeth)
{
    m_ack = {.psn = psn, .aeth = aeth, .position = m_taken, .isWaiting = true};
}

void
ResponseQueue::PushNak(Psn psn, const Aeth& aeth)
{
    m_ack.isWaiting = false;
    m_nak = {.psn = psn, .aeth = aeth, .position = m_taken, .isWaiting = true};
}

OutgoingResponse
ResponseQueue::Pop(uint8_t syndrome)
{
    std::size_t index = 0;
    while (index < m_count && !At(index).isWaiting)
    {
        ++index;
    }
    const uint64_t firstWaiting = m_taken - m_count + index;
    for (Answer* answer : {&m_nak, &m_ack})
    {
        if (IsNext(*answer, firstWaiting))
        {
            answer->isWaiting = false;
            return {.psn = answer->psn, .aeth = answer->aeth};
        }
    }
    return PopResource(At(index), syndrome);
}

void
ResponseQueue::Clear()
{
    for (std::size_t index = 0; index < m_count; ++index)
    {
        At(index).isWaiting = false;
    }
    m_waiting = 0;
    m_nak.isWaiting = false;
    m_ack.isWaiting = false;
}

ResponseQueue::Resource&
ResponseQueue::At(std::size_t index)
{
    const std::size_t place = m_first + index;
    return m_resources[place < m_resources.size() ? place : place - m_resources.size()];
}

ResponseQueue::Resource*
ResponseQueue::Find(Psn psn)
{
    // The newest first: an old one may have the same PSNs, 2^24 packets ago.
    for (std::size_t index = m_count; index-- > 0;)
    {
        const ReadAtomicRequest& request = At(index).request;
        const int32_t distance = Psn::Distance(request.psn, psn);
        const uint32_t packets = ReadResponsePackets(request.bytes, m_pathMtu);
        if (distance >= 0 && static_cast<uint32_t>(distance) < packets)
        {
            return &At(index);
        }
    }
    return nullptr;
}

bool
ResponseQueue::IsPartOf(const ReadAtomicRequest& repeat, const ReadAtomicRequest& original) const
{
    const int32_t distance = Psn::Distance(original.psn, repeat.psn);
    if (repeat.opcode != original.opcode || repeat.rkey != original.rkey || distance < 0)
    {
        return false;
    }
    const uint64_t skipped = uint64_t{m_pathMtu} * static_cast<uint32_t>(distance);
    return repeat.address == original.address + skipped && skipped + repeat.bytes <= original.bytes;
}

void
ResponseQueue::Restart(Resource& resource, const ReadAtomicRequest& from)
{
    m_waiting += resource.isWaiting ? 0 : 1;
    resource.isWaiting = true;
    resource.isUnderWay = false;
    resource.rest = from;
}

bool
ResponseQueue::IsNext(const Answer& answer, uint64_t firstWaiting) const
{
    return answer.isWaiting && (m_waiting == 0 || answer.position <= firstWaiting);
}

OutgoingResponse
ResponseQueue::PopResource(Resource& resource, uint8_t syndrome)
{
    ReadAtomicRequest& rest = resource.rest;
    const uint32_t bytes = std::min(rest.bytes, m_pathMtu);
    const bool isLast = bytes == rest.bytes;
    OutgoingResponse response{.opcode = Opcode::RC_ATOMIC_ACKNOWLEDGE, .psn = rest.psn};
    if (rest.opcode == Opcode::RC_RDMA_READ_REQUEST)
    {
        response.opcode = ReadResponseOpcode(!resource.isUnderWay, isLast);
        response.payloadBytes = bytes;
        response.address = rest.address;
        response.rkey = rest.rkey;
    }
    else
    {
        response.atomicOriginal = resource.original;
    }
    if (response.opcode != Opcode::RC_RDMA_READ_RESPONSE_MIDDLE)
    {
        // It stands already raised by the request. @spec IBTA section 9.7.7.1 (MSN), C9-148
        response.aeth = {syndrome, resource.msn};
    }
    rest.psn = rest.psn.Plus(1);
    rest.address += bytes;
    rest.bytes -= bytes;
    resource.isUnderWay = !isLast;
    resource.isWaiting = !isLast;
    resource.hasLeft = resource.hasLeft || isLast;
    m_waiting -= isLast ? 1 : 0;
    return response;
}

} // namespace ns3::rdma
