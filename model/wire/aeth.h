// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** ACK extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.5 */
struct Aeth
{
    static constexpr std::size_t SIZE = AETH_BYTES;

    uint8_t syndrome;
    uint32_t msn; ///< message sequence number, 24 bits

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Aeth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Aeth{.syndrome = LoadBigEndian<uint8_t>(bytes, 0),
                    .msn = LoadBigEndian<uint32_t, 3>(bytes, 1)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, syndrome);
        StoreBigEndian<uint32_t, 3>(bytes, 1, msn);
    }

    bool operator==(const Aeth&) const = default;
};

/** @name AETH syndromes. @spec IBTA Vol 1 Rel 1.7 section 9.3.5, AETH syndrome field @{ */
constexpr uint8_t SYNDROME_TYPE_MASK = 0xe0;     ///< upper bits: 000 ACK, 001 RNR NAK, 011 NAK
constexpr uint8_t SYNDROME_VALUE_MASK = 0x1f;    ///< credit code, timer code or NAK code
constexpr uint8_t SYNDROME_TYPE_ACK = 0x00;      ///< lower five bits: credit code
constexpr uint8_t SYNDROME_TYPE_RNR = 0x20;      ///< lower five bits: timer code
constexpr uint8_t SYNDROME_TYPE_NAK = 0x60;      ///< lower five bits: NAK code
constexpr uint8_t SYNDROME_ACK_UNLIMITED = 0x1f; ///< ACK, credit code 31: no end-to-end credits
constexpr uint8_t SYNDROME_NAK_SEQUENCE = 0x60;  ///< NAK, code 0: PSN sequence error
constexpr uint8_t SYNDROME_NAK_INVALID_REQUEST = 0x61;
constexpr uint8_t SYNDROME_NAK_REMOTE_ACCESS = 0x62;
constexpr uint8_t SYNDROME_NAK_REMOTE_OPERATION = 0x63;
constexpr uint8_t SYNDROME_NAK_INVALID_RD = 0x64;
/** @} */

} // namespace ns3::rdma
