// SPDX-License-Identifier: GPL-2.0-only
#include "wire/mpa.h"

#include <algorithm>
#include <string_view>

namespace ns3::rdma
{
namespace
{

constexpr std::string_view REQUEST_KEY = "MPA ID Req Frame";
constexpr std::string_view REPLY_KEY = "MPA ID Rep Frame";
constexpr uint8_t DDP_TAGGED = 0x80;
constexpr uint8_t DDP_LAST = 0x40;
constexpr uint8_t DDP_VERSION_MASK = 0x03;
constexpr uint8_t RDMAP_OPCODE_MASK = 0x0f;
constexpr uint8_t RDMAP_VERSION_SHIFT = 6;
constexpr uint8_t MAX_OPCODE = static_cast<uint8_t>(RdmapOpcode::ATOMIC_RESPONSE);

bool
BeginsWith(std::span<const std::byte> bytes, std::string_view key)
{
    return bytes.size() >= key.size() &&
           std::equal(key.begin(),
                      key.end(),
                      bytes.begin(),
                      [](char letter, std::byte byte)
                      { return static_cast<std::byte>(letter) == byte; });
}

} // namespace

bool
MpaStart::IsRequest(std::span<const std::byte> bytes)
{
    return BeginsWith(bytes, REQUEST_KEY);
}

bool
MpaStart::IsReply(std::span<const std::byte> bytes)
{
    return BeginsWith(bytes, REPLY_KEY);
}

std::optional<MpaStart>
MpaStart::Parse(std::span<const std::byte> bytes)
{
    if (bytes.size() < SIZE || !(IsRequest(bytes) || IsReply(bytes)))
    {
        return std::nullopt;
    }
    constexpr uint8_t ENHANCED = 0x10; // S
    const auto flags = LoadBigEndian<uint8_t>(bytes, REQUEST_KEY.size());
    MpaStart start{.isReply = IsReply(bytes),
                   .needsMarkers = (flags & 0x80) != 0,
                   .usesCrc = (flags & 0x40) != 0,
                   .isRejected = (flags & 0x20) != 0,
                   .revision = LoadBigEndian<uint8_t>(bytes, REQUEST_KEY.size() + 1),
                   .privateBytes = LoadBigEndian<uint16_t>(bytes, REQUEST_KEY.size() + 2)};
    if (start.revision >= 2 && (flags & ENHANCED) != 0 && start.privateBytes >= 4 &&
        bytes.size() >= SIZE + 4)
    {
        const auto reads = LoadBigEndian<uint16_t>(bytes, SIZE);
        const auto outgoing = LoadBigEndian<uint16_t>(bytes, SIZE + 2);
        start.isPeerToPeer = (reads & 0x8000) != 0;
        start.offersSend = (reads & 0x4000) != 0;
        start.offersWrite = (outgoing & 0x8000) != 0;
        start.offersRead = (outgoing & 0x4000) != 0;
    }
    return start;
}

std::optional<Fpdu>
Fpdu::Parse(std::span<const std::byte> bytes)
{
    if (bytes.size() < LENGTH_BYTES + TAGGED_BYTES)
    {
        return std::nullopt;
    }
    const std::size_t ulpduBytes = LoadBigEndian<uint16_t>(bytes, 0);
    const auto ddp = LoadBigEndian<uint8_t>(bytes, LENGTH_BYTES);
    const auto rdmap = LoadBigEndian<uint8_t>(bytes, LENGTH_BYTES + 1);
    const bool isTagged = (ddp & DDP_TAGGED) != 0;
    const std::size_t headerBytes = isTagged ? TAGGED_BYTES : UNTAGGED_BYTES;
    if ((ddp & DDP_VERSION_MASK) != 1 || rdmap >> RDMAP_VERSION_SHIFT != 1 ||
        (rdmap & RDMAP_OPCODE_MASK) > MAX_OPCODE || ulpduBytes < headerBytes ||
        bytes.size() < LENGTH_BYTES + headerBytes)
    {
        return std::nullopt;
    }
    Fpdu fpdu{.isTagged = isTagged,
              .isLast = (ddp & DDP_LAST) != 0,
              .opcode = static_cast<RdmapOpcode>(rdmap & RDMAP_OPCODE_MASK),
              .tag = LoadBigEndian<uint32_t>(bytes, LENGTH_BYTES + 2),
              .payloadBytes = static_cast<uint32_t>(ulpduBytes - headerBytes)};
    if (isTagged)
    {
        fpdu.offset = LoadBigEndian<uint64_t>(bytes, LENGTH_BYTES + 6);
        return fpdu;
    }
    fpdu.queue = LoadBigEndian<uint32_t>(bytes, LENGTH_BYTES + 6);
    fpdu.message = LoadBigEndian<uint32_t>(bytes, LENGTH_BYTES + 10);
    fpdu.offset = LoadBigEndian<uint32_t>(bytes, LENGTH_BYTES + 14);
    if (fpdu.opcode == RdmapOpcode::READ_REQUEST)
    {
        constexpr std::size_t READ = LENGTH_BYTES + UNTAGGED_BYTES;
        if (bytes.size() < READ + READ_BYTES || fpdu.payloadBytes < READ_BYTES)
        {
            return std::nullopt;
        }
        fpdu.sinkTag = LoadBigEndian<uint32_t>(bytes, READ);
        fpdu.readBytes = LoadBigEndian<uint32_t>(bytes, READ + 12);
        fpdu.sourceTag = LoadBigEndian<uint32_t>(bytes, READ + 16);
        fpdu.sourceOffset = LoadBigEndian<uint64_t>(bytes, READ + 20);
    }
    return fpdu;
}

} // namespace ns3::rdma
