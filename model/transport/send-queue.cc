// SPDX-License-Identifier: GPL-2.0-only
#include "transport/send-queue.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

bool
IsAtomic(SendOpcode opcode)
{
    return opcode == SendOpcode::ATOMIC_CMP_AND_SWP || opcode == SendOpcode::ATOMIC_FETCH_AND_ADD;
}

uint32_t
ImmediateOf(const SendRequest& request)
{
    switch (request.opcode)
    {
    case SendOpcode::SEND_WITH_IMM:
    case SendOpcode::RDMA_WRITE_WITH_IMM:
        return request.immediate;
    case SendOpcode::SEND_WITH_INV:
    case SendOpcode::LOCAL_INV:
        return request.invalidateRkey;
    default:
        return 0;
    }
}

/** Moves places of a fixed size from one ring to a larger one; nothing if there are none. */
template <typename Item>
void
MovePlaces(std::vector<Item>& items, std::size_t perEntry, uint32_t oldMask, uint32_t begin)
{
    if (items.empty())
    {
        return;
    }
    const std::size_t oldSize = std::size_t{oldMask} + 1;
    const std::size_t newMask = 2 * oldSize - 1;
    std::vector<Item> larger(2 * oldSize * perEntry);
    for (uint32_t i = 0; i < oldSize; ++i)
    {
        const uint32_t number = begin + i;
        std::copy_n(items.begin() + static_cast<std::ptrdiff_t>((number & oldMask) * perEntry),
                    perEntry,
                    larger.begin() + static_cast<std::ptrdiff_t>((number & newMask) * perEntry));
    }
    items = std::move(larger);
}

} // namespace

SendQueue::SendQueue(const QueuePairCapabilities& capabilities)
    : m_maxRequests{capabilities.maxSendRequests},
      m_maxElements{capabilities.maxSendElements},
      m_maxInlineBytes{capabilities.maxInlineBytes}
{
}

SendEntry&
SendQueue::Push(const SendRequest& request)
{
    if (m_end - m_begin == m_ring.size())
    {
        Grow();
    }
    const bool isInline = (request.flags & SEND_INLINE) != 0;
    const bool isListed = !isInline && request.sgList.size() > 1;
    const uint32_t place = m_end & m_mask;
    if (isInline || isListed || IsAtomic(request.opcode))
    {
        MakeExtras(request);
    }
    if (isListed)
    {
        std::ranges::copy(request.sgList,
                          m_extras->elements.begin() +
                              static_cast<std::ptrdiff_t>(std::size_t{place} * m_maxElements));
    }
    if (IsAtomic(request.opcode))
    {
        m_extras->operands[place] = {request.compareAdd, request.swap};
    }
    SendEntry& entry = At(m_end++);
    entry = {.wrId = request.wrId,
             .remoteAddress = request.remoteAddress,
             .bytes = static_cast<uint32_t>(TotalBytes(request.sgList)),
             .rkey = request.rkey,
             .immediate = ImmediateOf(request),
             .opcode = request.opcode,
             .flags = request.flags,
             .pieces = static_cast<uint16_t>(request.sgList.size())};
    if (!request.sgList.empty())
    {
        entry.element = request.sgList.front();
    }
    return entry;
}

ScatterGatherList
SendQueue::GetList(uint32_t number) const
{
    const SendEntry& entry = At(number);
    if (entry.pieces <= 1)
    {
        return {&entry.element, entry.pieces};
    }
    return ScatterGatherList{m_extras->elements}.subspan(
        std::size_t{number & m_mask} * m_maxElements, entry.pieces);
}

std::span<std::byte>
SendQueue::GetInline(uint32_t number)
{
    return std::span{m_extras->inlineBytes}.subspan(std::size_t{number & m_mask} * m_maxInlineBytes,
                                                    At(number).bytes);
}

std::span<const std::byte>
SendQueue::GetInline(uint32_t number) const
{
    return std::span<const std::byte>{m_extras->inlineBytes}.subspan(
        std::size_t{number & m_mask} * m_maxInlineBytes, At(number).bytes);
}

void
SendQueue::Grow()
{
    const std::size_t size = std::max<std::size_t>(1, 2 * m_ring.size());
    const auto mask = static_cast<uint32_t>(size - 1);
    std::vector<SendEntry> larger(size);
    for (uint32_t number = m_begin; number != m_end; ++number)
    {
        larger[number & mask] = At(number);
    }
    if (m_extras)
    {
        MovePlaces(m_extras->elements, m_maxElements, m_mask, m_begin);
        MovePlaces(m_extras->inlineBytes, m_maxInlineBytes, m_mask, m_begin);
        MovePlaces(m_extras->operands, 1, m_mask, m_begin);
    }
    m_ring = std::move(larger);
    m_mask = mask;
}

void
SendQueue::MakeExtras(const SendRequest& request)
{
    if (!m_extras)
    {
        m_extras = std::make_unique<Extras>();
    }
    if ((request.flags & SEND_INLINE) != 0)
    {
        m_extras->inlineBytes.resize(m_ring.size() * m_maxInlineBytes);
    }
    else if (request.sgList.size() > 1)
    {
        m_extras->elements.resize(m_ring.size() * m_maxElements);
    }
    if (IsAtomic(request.opcode))
    {
        m_extras->operands.resize(m_ring.size());
    }
}

uint64_t
SendQueue::GetHeapBytes() const
{
    uint64_t bytes = m_ring.capacity() * sizeof(SendEntry);
    if (m_extras)
    {
        bytes += sizeof(Extras) + m_extras->elements.capacity() * sizeof(ScatterGatherElement) +
                 m_extras->inlineBytes.capacity() +
                 m_extras->operands.capacity() * sizeof(AtomicOperands);
    }
    return bytes;
}

} // namespace ns3::rdma
