// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "wire/ethernet.h"

#include <array>
#include <optional>

namespace ns3::rdma
{

/** Where MAC control frames go; no bridge passes it on. @spec IEEE 802.3-2018 annex 31B.1 */
constexpr MacAddress MAC_CONTROL_DESTINATION{std::byte{0x01},
                                             std::byte{0x80},
                                             std::byte{0xc2},
                                             std::byte{0x00},
                                             std::byte{0x00},
                                             std::byte{0x01}};

/** Bytes of a MAC control frame before the FCS: always the minimum. */
constexpr std::size_t MAC_CONTROL_BYTES = MIN_FRAME_BYTES - FCS_BYTES;

/** A PAUSE frame, which stops all priorities. @spec IEEE 802.3-2018 annex 31B */
struct PauseFrame
{
    static constexpr std::size_t SIZE = MAC_CONTROL_BYTES;
    static constexpr uint16_t OPCODE = 0x0001;

    MacAddress source{};
    uint16_t quanta{0}; ///< of 512 bit times; 0 resumes

    /** Nothing unless it is a whole PAUSE frame; what lies behind SIZE does not count. */
    static std::optional<PauseFrame> Parse(std::span<const std::byte> bytes);

    /** Emits the whole frame, but for the FCS. */
    void Emit(std::span<std::byte, SIZE> bytes) const;

    bool operator==(const PauseFrame&) const = default;
};

/** A priority-based flow control frame. @spec IEEE 802.3-2018 annex 31D */
struct PfcFrame
{
    static constexpr std::size_t SIZE = MAC_CONTROL_BYTES;
    static constexpr uint16_t OPCODE = 0x0101;

    MacAddress source{};
    PriorityMask classEnable{0};                   ///< which quanta are valid
    std::array<uint16_t, PRIORITY_COUNT> quanta{}; ///< of 512 bit times; 0 resumes

    /** Nothing unless it is a whole PFC frame; what lies behind SIZE does not count. */
    static std::optional<PfcFrame> Parse(std::span<const std::byte> bytes);

    /** Emits the whole frame, but for the FCS. */
    void Emit(std::span<std::byte, SIZE> bytes) const;

    bool operator==(const PfcFrame&) const = default;
};

} // namespace ns3::rdma
