// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/block-format.h"
#include "tracefile/operation-fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Unpacks the payload of a block whose CRC was right. */
class BlockDecoder
{
  public:
    /** @param payload stays the caller's, until all of it has been taken */
    void Begin(const BlockHeader& header, std::span<const std::byte> payload);

    /** Operations that Next can still give. */
    uint32_t GetLeft() const
    {
        return m_left;
    }

    /**
     * Takes the next operation; times and durations in ticks. Only while GetLeft is not 0.
     *
     * @param operation its dependencies are valid until the next call
     * @return false: the record is not one of this version (GetError), and none can follow
     */
    bool Next(TraceOperation& operation);

    /** What was wrong with the record, one sentence; its place in the payload. */
    const std::string& GetError() const
    {
        return m_error;
    }

    std::size_t GetErrorOffset() const
    {
        return m_errorOffset;
    }

  private:
    bool TakeRecord(TraceOperation& operation);
    bool TakeFields(FieldValues& last);
    bool TakeDependencies(TraceOperation& operation);
    bool TakeControl(Control& control);
    bool Fail(const char* reason);

    VarintReader m_reader;
    std::size_t m_payloadBytes{0};
    uint32_t m_left{0};
    uint64_t m_number{0};
    uint64_t m_lastTime{0};
    std::array<FieldValues, RECORD_KINDS> m_last{};
    std::vector<Dependency> m_dependencies;
    std::string m_error;
    std::size_t m_errorOffset{0};
};

} // namespace ns3::rdma
