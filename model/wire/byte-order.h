// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/**
 * @name Unsigned integers from and into bytes, most significant byte first ("network order").
 *
 * BYTES is the width of the field where it is not that of the type, as for 24-bit fields; higher
 * bits of a stored value are dropped. The caller has checked that the field lies in the span.
 * @{
 */
template <std::unsigned_integral T, std::size_t BYTES = sizeof(T)>
constexpr T
LoadBigEndian(std::span<const std::byte> bytes, std::size_t offset)
{
    T value = 0;
    for (std::size_t i = 0; i < BYTES; ++i)
    {
        value = static_cast<T>(value << 8 | static_cast<T>(bytes[offset + i]));
    }
    return value;
}

template <std::unsigned_integral T, std::size_t BYTES = sizeof(T)>
constexpr void
StoreBigEndian(std::span<std::byte> bytes, std::size_t offset, T value)
{
    for (std::size_t i = 0; i < BYTES; ++i)
    {
        bytes[offset + i] = static_cast<std::byte>(value >> 8 * (BYTES - 1 - i));
    }
}

/** @} */

/** @name The same, least significant byte first. @{ */
template <std::unsigned_integral T>
constexpr T
LoadLittleEndian(std::span<const std::byte> bytes, std::size_t offset)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value |= static_cast<T>(static_cast<T>(bytes[offset + i]) << 8 * i);
    }
    return value;
}

template <std::unsigned_integral T>
constexpr void
StoreLittleEndian(std::span<std::byte> bytes, std::size_t offset, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        bytes[offset + i] = static_cast<std::byte>(value >> 8 * i);
    }
}

/** @} */

} // namespace ns3::rdma
