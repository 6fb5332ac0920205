// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/block-encoder.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The file of a recorded thread, written block by block.
 *
 * A block is written when it is full, or when the caller wants it.
 */
class ThreadFile
{
  public:
    /** @choice large enough that opening the file for each block costs little beside writing it */
    static constexpr std::size_t BLOCK_BYTES = 256 << 10;

    /**
     * Makes the file.
     *
     * @param name of the thread: its number in the system
     * @return 0, or what errno was
     */
    int Make(const std::string& path, uint32_t number, const std::string& name);

    /** Adds an operation, times in nanoseconds. @return 0, or what errno was */
    int Append(const TraceOperation& operation);

    /** Writes what has been added. @return 0, or what errno was */
    int Flush();

    /** Nanoseconds of the monotonic clock when the oldest operation that is not written came. */
    int64_t GetOldestNs() const
    {
        return m_oldestNs;
    }

    bool IsEmpty() const
    {
        return m_encoder.GetCount() == 0;
    }

    uint64_t GetOperations() const
    {
        return m_encoder.GetNumber();
    }

  private:
    std::string m_path;
    BlockEncoder m_encoder;
    std::vector<std::byte> m_block;
    int64_t m_oldestNs{0};
};

} // namespace ns3::rdma
