// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/block-format.h"
#include "tracefile/operation-fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/**
 * Packs the operations of a thread into blocks of the trace format.
 *
 * A plain value: works on buffers of the caller, allocates nothing, throws nothing, calls nothing
 * of the system. One encoder goes through all blocks of a thread, because it numbers operations:
 *
 *     encoder.Begin(buffer);
 *     if (!encoder.Append(operation))     // does not fit any more
 *     {
 *         Write(buffer, encoder.Finish());
 *         encoder.Begin(next);
 *         encoder.Append(operation);
 *     }
 *
 * Each block is understood without those before it: a lost one costs no other.
 */
class BlockEncoder
{
  public:
    /** A buffer of this size takes any operation with few dependencies and a short name. */
    static constexpr std::size_t MIN_BUFFER_BYTES = 1024;

    /**
     * Begins a block; what was appended since the last Finish is forgotten, its numbers not.
     *
     * @param buffer stays the caller's; used until Finish. What lies beyond
     *        BlockHeader::SIZE + BlockHeader::MAX_PAYLOAD is not used
     */
    void Begin(std::span<std::byte> buffer);

    /**
     * Adds an operation: times and durations in ticks of the thread file's clock.
     *
     * @return false: it does not fit, nothing has changed; if the block is empty it never will
     */
    bool Append(const TraceOperation& operation);

    /**
     * Completes the block: its header is written, its CRC computed.
     *
     * @return bytes of the buffer to be written to the file; 0 if nothing was appended
     */
    std::size_t Finish();

    /** Operations in the block so far. */
    uint32_t GetCount() const
    {
        return m_count;
    }

    /** Operations in all blocks so far: the number of the next one in its thread. */
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /**
     * The most bytes that an operation takes, whatever came before it.
     *
     * Enough for what Append decides; a record is mostly six to twelve bytes.
     */
    static std::size_t GetBound(const TraceOperation& operation);

  private:
    std::span<std::byte> m_buffer;
    std::byte* m_next{nullptr};
    uint64_t m_number{0};
    uint32_t m_count{0};
    int64_t m_lastTime{0};
    std::array<FieldValues, RECORD_KINDS> m_last{};
};

} // namespace ns3::rdma
