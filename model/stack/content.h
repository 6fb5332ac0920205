// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
        for (std::size_t i = 0; i < bytes.size(); i += WORD)
        {
            const uint64_t word = WordAt(offset + i);
            std::memcpy(&bytes[i], &word, std::min(WORD, bytes.size() - i));
        }
    }

    /** How many of the bytes are not those from a place of the stream on. */
    uint64_t CountWrong(uint64_t offset, std::span<const std::byte> bytes) const
    {
        uint64_t wrong = 0;
        for (std::size_t i = 0; i < bytes.size(); i += WORD)
        {
            const std::size_t size = std::min(WORD, bytes.size() - i);
            const uint64_t right = WordAt(offset + i);
            uint64_t found = right;
            std::memcpy(&found, &bytes[i], size);
            for (uint64_t difference = found ^ right; difference != 0; difference >>= 8)
            {
                wrong += (difference & 0xff) != 0 ? 1 : 0;
            }
        }
        return wrong;
    }

  private:
    static constexpr std::size_t WORD = sizeof(uint64_t);
    static_assert(std::endian::native == std::endian::little, "words are stored as they stand");

    /** Eight bytes from a place on, the first in the lowest bits. */
    uint64_t WordAt(uint64_t offset) const
    {
        const uint64_t word = Mix64(m_salt ^ (offset / WORD));
        const unsigned shift = offset % WORD * 8;
        if (shift == 0)
        {
            return word;
        }
        return word >> shift | Mix64(m_salt ^ (offset / WORD + 1)) << (64 - shift);
    }

    uint64_t m_salt;
};

} // namespace ns3::rdma
