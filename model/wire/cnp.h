// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/bth.h"
#include "wire/opcode.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

/** What follows the BTH of a congestion notification packet. @spec IBTA Vol 1 Annex A17.9.3 */
struct CnpReserved
{
    static constexpr std::size_t SIZE = CNP_RESERVED_BYTES;

    std::array<std::byte, SIZE> bytes{}; ///< zeros; kept as they came

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<CnpReserved> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        CnpReserved reserved;
        std::copy_n(bytes.begin(), SIZE, reserved.bytes.begin());
        return reserved;
    }

    void Emit(std::span<std::byte, SIZE> out) const
    {
        std::ranges::copy(bytes, out.begin());
    }

    bool operator==(const CnpReserved&) const = default;
};

/**
 * The BTH of a notification for the queue pair whose packets met congestion.
 *
 * BECN is set, the PSN is 0, and no acknowledgement is asked for.
 *
 * @param destinationQp the queue pair that sent the marked packets
 * @spec IBTA Vol 1 Annex A17.9.3
 */
constexpr Bth
MakeCnpBth(uint32_t destinationQp)
{
    return {.opcode = static_cast<uint8_t>(Opcode::CNP),
            .isBackwardCongested = true,
            .destinationQp = destinationQp};
}

} // namespace ns3::rdma
