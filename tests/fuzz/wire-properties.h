// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/pause.h"
#include "wire/pcap-file.h"
#include "wire/roce-packet.h"

#include <string_view>
#include <vector>

/**
 * @file
 * What holds for any bytes whatever; besides, the sanitizers see every read out of bounds.
 *
 * Each check gives the property that failed, empty if all hold.
 */
namespace ns3::rdma
{

/** Whatever is a packet or a pause frame comes back as the same bytes. */
inline std::string_view
CheckFrameProperties(std::span<const std::byte> frame)
{
    const auto result = RocePacket::Parse(frame);
    if (const auto* packet = std::get_if<RocePacket>(&result))
    {
        std::vector<std::byte> emitted(packet->GetSize());
        packet->Emit(emitted);
        if (!std::ranges::equal(emitted, frame))
        {
            return "a packet comes back as other bytes";
        }
        RocePacket completed = *packet;
        completed.Complete();
        std::vector<std::byte> whole(completed.GetSize());
        completed.Emit(whole);
        const auto again = RocePacket::Parse(whole);
        const auto* parsed = std::get_if<RocePacket>(&again);
        if (parsed == nullptr || !parsed->isIcrcGood)
        {
            return "a completed packet is not good";
        }
    }
    else if (ToString(std::get<RoceError>(result)).empty())
    {
        return "an error without a name";
    }
    if (const std::optional<PfcFrame> pfc = PfcFrame::Parse(frame))
    {
        std::array<std::byte, PfcFrame::SIZE> emitted;
        pfc->Emit(emitted);
        if (PfcFrame::Parse(emitted) != pfc)
        {
            return "a PFC frame comes back as another";
        }
    }
    return {};
}

/** A file is read to its end or to the first complaint, never longer than it is. */
inline std::string_view
CheckPcapProperties(std::span<const std::byte> file)
{
    Expected<PcapReader> reader = PcapReader::FromBytes({file.begin(), file.end()}, "input");
    if (!reader)
    {
        return reader.Errors().size() == 1 ? "" : "more or less than one complaint";
    }
    std::size_t bytes = PcapWriter::HEADER_BYTES;
    while (true)
    {
        const Expected<std::optional<PcapRecord>> record = reader->Next();
        if (!record)
        {
            return record.Errors().front().message.empty() ? "a complaint without a message" : "";
        }
        if (!*record)
        {
            return bytes == file.size() ? "" : "the reader skipped bytes";
        }
        bytes += PcapWriter::RECORD_HEADER_BYTES + (*record)->bytes.size();
        if (bytes > file.size())
        {
            return "records are longer than the file";
        }
        const std::string_view failed = CheckFrameProperties((*record)->bytes);
        if (!failed.empty())
        {
            return failed;
        }
    }
}

} // namespace ns3::rdma
