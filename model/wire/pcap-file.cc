// SPDX-License-Identifier: GPL-2.0-only
#include "wire/pcap-file.h"

#include "wire/byte-order.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MAGIC_MICROSECONDS = 0xa1b2c3d4;
constexpr uint32_t MAGIC_NANOSECONDS = 0xa1b23c4d;
constexpr uint16_t VERSION_MAJOR = 2;
constexpr uint16_t VERSION_MINOR = 4;
constexpr uint64_t NANOSECONDS_PER_SECOND = 1'000'000'000;
constexpr uint32_t MICROSECONDS_PER_SECOND = 1'000'000;

/** What no record exceeds, where the file sets no limit: that of tcpdump and Wireshark. */
constexpr uint32_t MAX_SNAP_BYTES = 262144;

} // namespace

Expected<PcapReader>
PcapReader::Open(const std::string& path)
{
    std::error_code error; // also where the path names a folder
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    std::ifstream stream{path, std::ios::binary};
    if (error || !stream)
    {
        return Diagnostic{path, 0, "", "cannot read the file", "", "a pcap file", "", {}};
    }
    std::vector<std::byte> bytes(size);
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return FromBytes(std::move(bytes), path);
}

bool
PcapHeader::HasMagic(std::span<const std::byte> bytes)
{
    if (bytes.size() < 4)
    {
        return false;
    }
    const auto little = LoadLittleEndian<uint32_t>(bytes, 0);
    const auto big = LoadBigEndian<uint32_t>(bytes, 0);
    return little == MAGIC_MICROSECONDS || little == MAGIC_NANOSECONDS ||
           big == MAGIC_MICROSECONDS || big == MAGIC_NANOSECONDS;
}

uint32_t
PcapHeader::Load(std::span<const std::byte> bytes, std::size_t offset) const
{
    return isBigEndian ? LoadBigEndian<uint32_t>(bytes, offset)
                       : LoadLittleEndian<uint32_t>(bytes, offset);
}

Expected<PcapHeader>
PcapHeader::Parse(std::span<const std::byte> bytes, const std::string& name)
{
    constexpr const char* PLACE = "record 1 at byte 0";
    const auto complain = [&](const char* message, std::string got, std::string expected) {
        return Diagnostic{name, 0, PLACE, message, std::move(got), std::move(expected), "", {}};
    };
    if (bytes.size() < PcapWriter::HEADER_BYTES)
    {
        return complain("the file is shorter than a pcap header",
                        std::to_string(bytes.size()) + " bytes",
                        std::to_string(PcapWriter::HEADER_BYTES) + " bytes at least");
    }
    PcapHeader header;
    const auto big = LoadBigEndian<uint32_t>(bytes, 0);
    header.isBigEndian = big == MAGIC_MICROSECONDS || big == MAGIC_NANOSECONDS;
    const uint32_t magic = header.Load(bytes, 0);
    header.isNanosecond = magic == MAGIC_NANOSECONDS;
    if (!HasMagic(bytes))
    {
        return complain("no pcap file", std::to_string(magic), "magic number of pcap");
    }
    const uint32_t major = header.isBigEndian ? LoadBigEndian<uint16_t>(bytes, 4)
                                              : LoadLittleEndian<uint16_t>(bytes, 4);
    if (major != VERSION_MAJOR)
    {
        return complain("unknown version of pcap", std::to_string(major), "2");
    }
    const uint32_t snapBytes = header.Load(bytes, 16);
    header.snapBytes = snapBytes == 0 ? MAX_SNAP_BYTES : snapBytes;
    // The upper bits say whether frames end with an FCS, which is then part of the record.
    header.linkType = static_cast<uint16_t>(header.Load(bytes, 20));
    return header;
}

Expected<PcapRecordHeader>
PcapHeader::ParseRecord(std::span<const std::byte> bytes) const
{
    const auto complain = [](const char* message, std::string got, std::string expected) {
        return Diagnostic{"", 0, "", message, std::move(got), std::move(expected), "", {}};
    };
    if (bytes.size() < PcapWriter::RECORD_HEADER_BYTES)
    {
        return complain("the file ends inside a record's header",
                        std::to_string(bytes.size()) + " bytes",
                        std::to_string(PcapWriter::RECORD_HEADER_BYTES) + " bytes");
    }
    const uint32_t seconds = Load(bytes, 0);
    const uint32_t fraction = Load(bytes, 4);
    const uint32_t captured = Load(bytes, 8);
    const uint32_t original = Load(bytes, 12);
    if (fraction >= (isNanosecond ? NANOSECONDS_PER_SECOND : MICROSECONDS_PER_SECOND))
    {
        return complain("the time's fraction is a second or more", std::to_string(fraction), "");
    }
    if (captured > original || captured > snapBytes)
    {
        return complain("the record is longer than its frame or the snap length",
                        std::to_string(captured) + " bytes",
                        "at most " + std::to_string(std::min(original, snapBytes)) + " bytes");
    }
    const uint64_t fractionNs = isNanosecond ? fraction : uint64_t{fraction} * 1000;
    return PcapRecordHeader{.timeNs = seconds * NANOSECONDS_PER_SECOND + fractionNs,
                            .captured = captured,
                            .original = original};
}

Expected<PcapReader>
PcapReader::FromBytes(std::vector<std::byte> bytes, std::string name)
{
    const auto header = PcapHeader::Parse(bytes, name);
    if (!header)
    {
        return header.Errors();
    }
    PcapReader reader;
    reader.m_name = std::move(name);
    reader.m_bytes = std::move(bytes);
    reader.m_header = *header;
    reader.m_offset = PcapWriter::HEADER_BYTES;
    return reader;
}

Diagnostic
PcapReader::Complain(std::string message, std::string got, std::string expected) const
{
    const std::string place =
        "record " + std::to_string(m_records + 1) + " at byte " + std::to_string(m_offset);
    return {m_name, 0, place, std::move(message), std::move(got), std::move(expected), "", {}};
}

Expected<std::optional<PcapRecord>>
PcapReader::Next()
{
    const auto left = std::span{std::as_const(m_bytes)}.subspan(m_offset);
    if (left.empty())
    {
        return std::optional<PcapRecord>{};
    }
    const auto header = m_header.ParseRecord(left);
    if (!header)
    {
        const Diagnostic& why = header.Errors().front();
        return Complain(why.message, why.got, why.expected);
    }
    const auto data = left.subspan(PcapWriter::RECORD_HEADER_BYTES);
    if (header->captured > data.size())
    {
        return Complain("the file ends inside the record",
                        std::to_string(data.size()) + " bytes",
                        std::to_string(header->captured) + " bytes");
    }
    m_offset += PcapWriter::RECORD_HEADER_BYTES + header->captured;
    ++m_records;
    return std::optional{PcapRecord{.timeNs = header->timeNs,
                                    .originalBytes = header->original,
                                    .bytes = data.first(header->captured)}};
}

PcapWriter::PcapWriter(ByteSink sink, uint32_t snapBytes)
    : m_sink{std::move(sink)},
      m_snapBytes{snapBytes}
{
    std::array<std::byte, HEADER_BYTES> header{};
    StoreLittleEndian(header, 0, MAGIC_NANOSECONDS);
    StoreLittleEndian(header, 4, VERSION_MAJOR);
    StoreLittleEndian(header, 6, VERSION_MINOR);
    StoreLittleEndian(header, 16, m_snapBytes);
    StoreLittleEndian(header, 20, uint32_t{PCAP_LINK_ETHERNET});
    m_sink(header);
}

void
PcapWriter::Write(uint64_t timeNs, std::span<const std::byte> frame)
{
    const auto captured = frame.first(std::min<std::size_t>(frame.size(), m_snapBytes));
    std::array<std::byte, RECORD_HEADER_BYTES> header{};
    StoreLittleEndian(header, 0, static_cast<uint32_t>(timeNs / NANOSECONDS_PER_SECOND));
    StoreLittleEndian(header, 4, static_cast<uint32_t>(timeNs % NANOSECONDS_PER_SECOND));
    StoreLittleEndian(header, 8, static_cast<uint32_t>(captured.size()));
    StoreLittleEndian(header, 12, static_cast<uint32_t>(frame.size()));
    m_sink(header);
    m_sink(captured);
    m_bytes += GetRecordBytes(frame.size());
}

uint64_t
PcapWriter::GetRecordBytes(std::size_t frameBytes) const
{
    return RECORD_HEADER_BYTES + std::min<std::size_t>(frameBytes, m_snapBytes);
}

} // namespace ns3::rdma
