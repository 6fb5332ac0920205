// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/hash.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/**
 * What a stream carries: each byte follows from its place in the stream and the stream's number, so
 * that a receiver can tell a wrong byte, a byte of another place and one of another stream.
 */
class Content
{
  public:
    explicit Content(uint64_t stream) : m_salt{Mix64(stream + 1)} {}

    /** Writes the bytes from a place of the stream on. */
    void Fill(uint64_t offset, std::span<std::byte> bytes) const
    {
        for (std::byte& byte : bytes)
        {
            byte = At(offset++);
        }
    }

    /** How many of the bytes are not those from a place of the stream on. */
    uint64_t CountWrong(uint64_t offset, std::span<const std::byte> bytes) const
    {
        uint64_t wrong = 0;
        for (const std::byte byte : bytes)
        {
            wrong += byte != At(offset++) ? 1 : 0;
        }
        return wrong;
    }

  private:
    static constexpr uint64_t WORD = sizeof(uint64_t);

    std::byte At(uint64_t offset) const
    {
        const uint64_t word = Mix64(m_salt ^ (offset / WORD));
        return static_cast<std::byte>(word >> (offset % WORD * 8));
    }

    uint64_t m_salt;
};

} // namespace ns3::rdma
