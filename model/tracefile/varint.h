// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

constexpr std::size_t MAX_VARINT_BYTES = 10; ///< seven bits of 64 each

/** Small numbers of either sign become small ones without: 0, -1, 1, -2 are 0, 1, 2, 3. */
constexpr uint64_t
ToZigzag(uint64_t value)
{
    return value << 1 ^ (static_cast<int64_t>(value) < 0 ? ~uint64_t{0} : 0);
}

constexpr uint64_t
FromZigzag(uint64_t value)
{
    return value >> 1 ^ (~(value & 1) + 1);
}

/**
 * Writes a number, seven bits a byte, the lowest first; all bytes but the last have the top bit.
 *
 * @param out has room for MAX_VARINT_BYTES
 * @return behind what was written
 */
inline std::byte*
PutVarint(std::byte* out, uint64_t value)
{
    while (value >= 0x80)
    {
        *out++ = static_cast<std::byte>(value | 0x80);
        value >>= 7;
    }
    *out++ = static_cast<std::byte>(value);
    return out;
}

/** Takes numbers and bytes from a span; once they do not suffice it has failed, and gives zeros. */
class VarintReader
{
  public:
    VarintReader() = default;

    explicit VarintReader(std::span<const std::byte> bytes)
        : m_next{bytes.data()},
          m_end{bytes.data() + bytes.size()}
    {
    }

    uint64_t Take()
    {
        if (m_next != m_end && (*m_next & std::byte{0x80}) == std::byte{0})
        {
            return static_cast<uint64_t>(*m_next++);
        }
        return TakeLong();
    }

    /** The next bytes; empty and failed if there are not so many. */
    std::span<const std::byte> TakeBytes(uint64_t count)
    {
        if (count > GetLeft())
        {
            m_hasFailed = true;
            m_next = m_end;
            return {};
        }
        const std::span<const std::byte> bytes{m_next, static_cast<std::size_t>(count)};
        m_next += count;
        return bytes;
    }

    std::size_t GetLeft() const
    {
        return static_cast<std::size_t>(m_end - m_next);
    }

    bool HasFailed() const
    {
        return m_hasFailed;
    }

  private:
    uint64_t TakeLong()
    {
        uint64_t value = 0;
        for (unsigned shift = 0; m_next != m_end && shift < 64; shift += 7)
        {
            const auto bits = static_cast<uint64_t>(*m_next++);
            value |= (bits & 0x7f) << shift;
            if (bits < 0x80)
            {
                // The tenth byte has one bit of the number.
                m_hasFailed = m_hasFailed || (shift == 63 && bits > 1);
                return m_hasFailed ? 0 : value;
            }
        }
        m_hasFailed = true;
        m_next = m_end;
        return 0;
    }

    const std::byte* m_next{nullptr};
    const std::byte* m_end{nullptr};
    bool m_hasFailed{false};
};

} // namespace ns3::rdma
