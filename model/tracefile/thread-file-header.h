// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"
#include "tracefile/trace-clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ns3::rdma
{

/** The beginning of a thread file; blocks follow it. README.md has it byte by byte. */
struct ThreadFileHeader
{
    /** "\x89RDMTRC\n": not text, and seen to be damaged by what turns line ends. */
    static constexpr std::array<uint8_t, 8> MAGIC{0x89, 'R', 'D', 'M', 'T', 'R', 'C', '\n'};
    static constexpr uint16_t VERSION = 1;
    static constexpr std::size_t FIXED_BYTES = 36;
    static constexpr std::size_t MAX_NAME_BYTES = 255;
    static constexpr std::size_t MAX_BYTES = FIXED_BYTES + MAX_NAME_BYTES;
    static constexpr const char* SUFFIX = ".rdt"; ///< of the file's name

    ThreadOrder order{ThreadOrder::PROGRAM};
    uint32_t number{0}; ///< of the thread; what dependencies name
    TraceClock clock;   ///< as far as it is known when the file begins; the manifest knows better
    std::string name;   ///< what is beyond MAX_NAME_BYTES is not stored

    bool operator==(const ThreadFileHeader&) const = default;

    /** Whether bytes are the beginning of a thread file, of whatever version. */
    static bool IsOne(std::span<const std::byte> bytes);

    /**
     * @param file for diagnostics
     * @param bytes the first MAX_BYTES of the file, or all of it
     * @error another format or version, too few bytes, a CRC that does not fit
     */
    static Expected<ThreadFileHeader> Parse(const std::string& file,
                                            std::span<const std::byte> bytes);

    /**
     * Writes it; allocates nothing.
     *
     * @param bytes at least MAX_BYTES
     * @return how many of them it takes
     */
    std::size_t Emit(std::span<std::byte> bytes) const;

    std::size_t GetSize() const;
};

/** That something is wrong at an offset of a file. */
Diagnostic MakeOffsetDiagnostic(const std::string& file,
                                uint64_t offset,
                                const std::string& message);

} // namespace ns3::rdma
