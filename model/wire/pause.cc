// SPDX-License-Identifier: GPL-2.0-only
#include "wire/pause.h"

namespace ns3::rdma
{
namespace
{

constexpr std::size_t OPCODE_OFFSET = EthernetFields::SIZE;
constexpr std::size_t PARAMETERS_OFFSET = OPCODE_OFFSET + 2;

/** The source of a whole MAC control frame of an opcode; nothing for any other frame. */
std::optional<MacAddress>
ParseControl(std::span<const std::byte> bytes, uint16_t opcode)
{
    const std::optional<EthernetFields> ethernet = EthernetFields::Parse(bytes);
    if (!ethernet || bytes.size() < MAC_CONTROL_BYTES ||
        ethernet->etherType != ETHERTYPE_MAC_CONTROL ||
        ethernet->destination != MAC_CONTROL_DESTINATION ||
        LoadBigEndian<uint16_t>(bytes, OPCODE_OFFSET) != opcode)
    {
        return std::nullopt;
    }
    return ethernet->source;
}

/** A MAC control frame whose parameters are all zero. */
void
EmitControl(std::span<std::byte, MAC_CONTROL_BYTES> bytes,
            const MacAddress& source,
            uint16_t opcode)
{
    EthernetFields{.destination = MAC_CONTROL_DESTINATION,
                   .source = source,
                   .etherType = ETHERTYPE_MAC_CONTROL}
        .Emit(bytes.first<EthernetFields::SIZE>());
    StoreBigEndian(bytes, OPCODE_OFFSET, opcode);
    std::ranges::fill(bytes.subspan(PARAMETERS_OFFSET), std::byte{0});
}

} // namespace

std::optional<PauseFrame>
PauseFrame::Parse(std::span<const std::byte> bytes)
{
    const std::optional<MacAddress> source = ParseControl(bytes, OPCODE);
    if (!source)
    {
        return std::nullopt;
    }
    return PauseFrame{.source = *source,
                      .quanta = LoadBigEndian<uint16_t>(bytes, PARAMETERS_OFFSET)};
}

void
PauseFrame::Emit(std::span<std::byte, SIZE> bytes) const
{
    EmitControl(bytes, source, OPCODE);
    StoreBigEndian(bytes, PARAMETERS_OFFSET, quanta);
}

std::optional<PfcFrame>
PfcFrame::Parse(std::span<const std::byte> bytes)
{
    const std::optional<MacAddress> source = ParseControl(bytes, OPCODE);
    if (!source)
    {
        return std::nullopt;
    }
    // The upper byte of the vector is reserved.
    PfcFrame frame{.source = *source,
                   .classEnable = LoadBigEndian<uint8_t>(bytes, PARAMETERS_OFFSET + 1)};
    for (std::size_t priority = 0; priority < frame.quanta.size(); ++priority)
    {
        frame.quanta[priority] =
            LoadBigEndian<uint16_t>(bytes, PARAMETERS_OFFSET + 2 + 2 * priority);
    }
    return frame;
}

void
PfcFrame::Emit(std::span<std::byte, SIZE> bytes) const
{
    EmitControl(bytes, source, OPCODE);
    StoreBigEndian(bytes, PARAMETERS_OFFSET + 1, classEnable);
    for (std::size_t priority = 0; priority < quanta.size(); ++priority)
    {
        StoreBigEndian(bytes, PARAMETERS_OFFSET + 2 + 2 * priority, quanta[priority]);
    }
}

} // namespace ns3::rdma
