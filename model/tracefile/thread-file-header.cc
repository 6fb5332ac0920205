// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/thread-file-header.h"

#include "tracefile/block-format.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

namespace
{

/** @name Where the fields are. @{ */
constexpr std::size_t VERSION_AT = 8;
constexpr std::size_t ORDER_AT = 10;
constexpr std::size_t NAME_BYTES_AT = 11;
constexpr std::size_t NUMBER_AT = 12;
constexpr std::size_t TICKS_PER_SECOND_AT = 16;
constexpr std::size_t ORIGIN_AT = 24;
constexpr std::size_t CRC_AT = 32;
/** @} */

/** Of all bytes but the CRC itself. */
uint32_t
ComputeHeaderCrc(std::span<const std::byte> header)
{
    Crc32c crc;
    crc.Update(header.first(CRC_AT));
    crc.Update(header.subspan(ThreadFileHeader::FIXED_BYTES));
    return crc.Get();
}

} // namespace

bool
ThreadFileHeader::IsOne(std::span<const std::byte> bytes)
{
    return bytes.size() >= MAGIC.size() &&
           std::memcmp(bytes.data(), MAGIC.data(), MAGIC.size()) == 0;
}

Expected<ThreadFileHeader>
ThreadFileHeader::Parse(const std::string& file, std::span<const std::byte> bytes)
{
    if (!IsOne(bytes))
    {
        auto diagnostic = MakeOffsetDiagnostic(file, 0, "not a thread file of a trace");
        diagnostic.expected = "the bytes 89 'RDMTRC' 0a";
        return diagnostic;
    }
    const std::size_t nameBytes =
        bytes.size() > NAME_BYTES_AT ? static_cast<std::size_t>(bytes[NAME_BYTES_AT]) : 0;
    const std::size_t size = FIXED_BYTES + nameBytes;
    if (bytes.size() < size)
    {
        auto diagnostic = MakeOffsetDiagnostic(file, 0, "the file ends inside its header");
        diagnostic.got = std::to_string(bytes.size()) + " bytes";
        diagnostic.expected = std::to_string(size) + " or more";
        return diagnostic;
    }
    if (const auto version = LoadLittle<uint16_t>(bytes, VERSION_AT); version != VERSION)
    {
        auto diagnostic = MakeOffsetDiagnostic(file, VERSION_AT, "unknown version of the format");
        diagnostic.got = std::to_string(version);
        diagnostic.expected = std::to_string(VERSION);
        return diagnostic;
    }
    const auto header = bytes.first(size);
    ThreadFileHeader result;
    result.order = static_cast<ThreadOrder>(header[ORDER_AT]);
    result.number = LoadLittle<uint32_t>(header, NUMBER_AT);
    result.clock.ticksPerSecond = LoadLittle<uint64_t>(header, TICKS_PER_SECOND_AT);
    result.clock.originTicks = static_cast<int64_t>(LoadLittle<uint64_t>(header, ORIGIN_AT));
    const bool isGood = LoadLittle<uint32_t>(header, CRC_AT) == ComputeHeaderCrc(header) &&
                        result.order <= ThreadOrder::GRAPH && result.clock.ticksPerSecond != 0 &&
                        result.clock.ticksPerSecond <= TraceClock::MAX_TICKS;
    if (!isGood)
    {
        return MakeOffsetDiagnostic(file, 0, "the header is damaged: its CRC or a field is wrong");
    }
    const auto name = header.subspan(FIXED_BYTES);
    result.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    return result;
}

std::size_t
ThreadFileHeader::GetSize() const
{
    return FIXED_BYTES + std::min(name.size(), MAX_NAME_BYTES);
}

std::size_t
ThreadFileHeader::Emit(std::span<std::byte> bytes) const
{
    const auto header = bytes.first(GetSize());
    std::memcpy(header.data(), MAGIC.data(), MAGIC.size());
    StoreLittle(header, VERSION_AT, VERSION);
    header[ORDER_AT] = static_cast<std::byte>(order);
    header[NAME_BYTES_AT] = static_cast<std::byte>(header.size() - FIXED_BYTES);
    StoreLittle(header, NUMBER_AT, number);
    StoreLittle(header, TICKS_PER_SECOND_AT, clock.ticksPerSecond);
    StoreLittle(header, ORIGIN_AT, static_cast<uint64_t>(clock.originTicks));
    std::memcpy(header.data() + FIXED_BYTES, name.data(), header.size() - FIXED_BYTES);
    StoreLittle(header, CRC_AT, ComputeHeaderCrc(header));
    return header.size();
}

Diagnostic
MakeOffsetDiagnostic(const std::string& file, uint64_t offset, const std::string& message)
{
    return {file, 0, "byte " + std::to_string(offset), message, "", "", "", {}};
}

} // namespace ns3::rdma
