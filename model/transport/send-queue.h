// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ns3::rdma
{

/** A request in the send queue: a cache line. */
struct SendEntry
{
    uint64_t wrId{0};
    uint64_t remoteAddress{0};
    uint64_t firstPacket{0};        ///< number of its first packet
    ScatterGatherElement element{}; ///< its first piece
    uint32_t packetCount{1};        ///< PSNs it takes; 1 for LOCAL_INV, which no PSN acknowledges
    uint32_t bytes{0};              ///< of the message, 8 for an atomic
    uint32_t rkey{0};
    uint32_t immediate{0}; ///< ImmDt or the R_Key to invalidate; 0 where there is none
    uint32_t ssn{0};       ///< send sequence number, 24 bits. @spec IBTA section 9.7.7.2
    SendOpcode opcode{SendOpcode::RDMA_WRITE};
    uint8_t flags{0}; ///< SendFlag bits
    uint16_t pieces{0};

    bool Has(SendFlag flag) const
    {
        return (flags & flag) != 0;
    }
};

static_assert(sizeof(SendEntry) == 64, "an entry is a cache line");

/** Operands of an atomic request. */
struct AtomicOperands
{
    uint64_t compareAdd{0};
    uint64_t swap{0};
};

/**
 * The entries of a send queue: a ring that grows with use, up to what the queue pair asked for.
 *
 * Entries have running numbers, which wrap at 2^32. Lists of more than one piece, inline bytes and
 * operands of atomics have a place beside each entry, which is made when the first is posted; after
 * the ring has reached its size nothing is allocated.
 *
 * An entry's slot is free again when a signalled entry behind it, or itself, was completed: an
 * application learns of unsignalled ones in no other way.
 */
class SendQueue
{
  public:
    explicit SendQueue(const QueuePairCapabilities& capabilities);

    SendEntry& At(uint32_t number)
    {
        return m_ring[number & m_mask];
    }

    const SendEntry& At(uint32_t number) const
    {
        return m_ring[number & m_mask];
    }

    /** The oldest entry, and one beyond the newest. */
    uint32_t GetBegin() const
    {
        return m_begin;
    }

    uint32_t GetEnd() const
    {
        return m_end;
    }

    bool IsEmpty() const
    {
        return m_begin == m_end;
    }

    /** Whether all slots are taken. */
    bool IsFull() const
    {
        return m_end - m_freed >= m_maxRequests;
    }

    uint32_t GetMaxElements() const
    {
        return m_maxElements;
    }

    uint32_t GetMaxInlineBytes() const
    {
        return m_maxInlineBytes;
    }

    /**
     * Adds an entry with what the request says; packets and sequence number are the caller's.
     * Only if not full, and within the limits of pieces and inline bytes.
     */
    SendEntry& Push(const SendRequest& request);

    /** Removes the oldest entry. @param freesSlots its slot and all before it are free */
    void PopFront(bool freesSlots)
    {
        ++m_begin;
        m_freed = freesSlots ? m_begin : m_freed;
    }

    /** The pieces of an entry; valid until the next Push. */
    ScatterGatherList GetList(uint32_t number) const;

    /** Place for the bytes of an entry with SEND_INLINE. */
    std::span<std::byte> GetInline(uint32_t number);
    std::span<const std::byte> GetInline(uint32_t number) const;

    /** Of an entry that is an atomic. */
    const AtomicOperands& GetOperands(uint32_t number) const
    {
        return m_extras->operands[number & m_mask];
    }

    uint64_t GetHeapBytes() const;

  private:
    /** What few entries have, by place in the ring. */
    struct Extras
    {
        std::vector<ScatterGatherElement> elements; ///< m_maxElements each
        std::vector<std::byte> inlineBytes;         ///< m_maxInlineBytes each
        std::vector<AtomicOperands> operands;
    };

    void Grow();

    /** Makes the places that a request needs. */
    void MakeExtras(const SendRequest& request);

    std::vector<SendEntry> m_ring;
    std::unique_ptr<Extras> m_extras;
    uint32_t m_mask{0}; ///< size of the ring, a power of two, less one
    uint32_t m_begin{0};
    uint32_t m_end{0};
    uint32_t m_freed{0}; ///< slots of the entries before it are free
    uint32_t m_maxRequests;
    uint32_t m_maxElements;
    uint32_t m_maxInlineBytes;
};

} // namespace ns3::rdma
