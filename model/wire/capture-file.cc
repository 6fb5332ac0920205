// SPDX-License-Identifier: GPL-2.0-only
#include "wire/capture-file.h"

#include "wire/byte-order.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** @name Blocks of pcapng. @spec draft-ietf-opsawg-pcapng section 4 @{ */
constexpr uint32_t BLOCK_SECTION = 0x0a0d0d0a;
constexpr uint32_t BLOCK_INTERFACE = 1;
constexpr uint32_t BLOCK_PACKET = 2; ///< obsolete
constexpr uint32_t BLOCK_SIMPLE = 3;
constexpr uint32_t BLOCK_ENHANCED = 6;
constexpr uint32_t BYTE_ORDER_MAGIC = 0x1a2b3c4d;
constexpr std::size_t BLOCK_HEAD_BYTES = 8; ///< type and length
constexpr std::size_t BLOCK_OVERHEAD_BYTES = 12;
constexpr uint16_t OPTION_END = 0;
constexpr uint16_t OPTION_RESOLUTION = 9;     ///< if_tsresol
constexpr uint16_t OPTION_TIME_OFFSET = 14;   ///< if_tsoffset
constexpr std::size_t OPTION_HEAD_BYTES = 4;  ///< code and length
constexpr std::size_t ENHANCED_BYTES = 20;    ///< before the data, also of the obsolete block
constexpr std::size_t MAX_INTERFACES = 65536; ///< in one section
/** @} */

constexpr uint64_t NANOSECONDS_PER_SECOND = 1'000'000'000;

std::size_t
PadToWord(std::size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/** Units of time in a second; 0: more than fit. */
uint64_t
DecodeResolution(uint8_t value)
{
    const unsigned exponent = value & 0x7fU;
    if ((value & 0x80U) != 0)
    {
        return exponent < 64 ? uint64_t{1} << exponent : 0;
    }
    uint64_t units = 1;
    for (unsigned i = 0; i < exponent && units != 0; ++i)
    {
        units = units > std::numeric_limits<uint64_t>::max() / 10 ? 0 : units * 10;
    }
    return units;
}

} // namespace

CaptureFile::CaptureFile(const std::string& path) : m_file{path} {}

bool
CaptureFile::IsCapture(std::span<const std::byte> head)
{
    return head.size() >= 4 &&
           (LoadLittleEndian<uint32_t>(head, 0) == BLOCK_SECTION || PcapHeader::HasMagic(head));
}

Expected<CaptureFile>
CaptureFile::Open(const std::string& path)
{
    CaptureFile file{path};
    const auto head = file.m_file.Peek(PcapWriter::HEADER_BYTES);
    if (!file.m_file.IsReadable())
    {
        return Diagnostic{path, 0, "", "cannot read the file", "", "a capture", "", {}};
    }
    if (head.size() >= 4 && LoadLittleEndian<uint32_t>(head, 0) == BLOCK_SECTION)
    {
        file.m_isPcapng = true;
        return file;
    }
    const auto header = PcapHeader::Parse(head, path);
    if (!header)
    {
        return header.Errors();
    }
    file.m_header = *header;
    file.m_file.Skip(PcapWriter::HEADER_BYTES);
    return file;
}

template <typename T>
T
CaptureFile::Load(std::span<const std::byte> bytes, std::size_t offset) const
{
    return m_header.isBigEndian ? LoadBigEndian<T>(bytes, offset)
                                : LoadLittleEndian<T>(bytes, offset);
}

bool
CaptureFile::Damage(std::string message, std::string got, std::string expected)
{
    const std::string place = "record " + std::to_string(m_records + 1) + " at byte " +
                              std::to_string(m_file.GetOffset());
    m_damage = Diagnostic{m_file.GetPath(),
                          0,
                          place,
                          std::move(message),
                          std::move(got),
                          std::move(expected),
                          "",
                          {}};
    return false;
}

bool
CaptureFile::Next(CaptureRecord& record)
{
    m_file.Skip(std::exchange(m_blockBytes, 0));
    if (m_damage)
    {
        return false;
    }
    record.offset = m_file.GetOffset();
    if (!(m_isPcapng ? NextPcapng(record) : NextPcap(record)))
    {
        return false;
    }
    record.number = ++m_records;
    m_lastTimeNs = record.timeNs;
    return true;
}

bool
CaptureFile::NextPcap(CaptureRecord& record)
{
    const auto head = m_file.Peek(PcapWriter::RECORD_HEADER_BYTES);
    if (head.empty())
    {
        return false;
    }
    const auto fields = m_header.ParseRecord(head);
    if (!fields)
    {
        const Diagnostic& why = fields.Errors().front();
        return Damage(why.message, why.got, why.expected);
    }
    const std::size_t whole = PcapWriter::RECORD_HEADER_BYTES + std::size_t{fields->captured};
    if (fields->captured > MAX_RECORD_BYTES || m_file.Peek(whole).size() < whole)
    {
        return Damage("the file ends inside the record",
                      std::to_string(m_file.Peek(whole).size() - head.size()) + " bytes",
                      std::to_string(fields->captured) + " bytes");
    }
    record.bytes = m_file.Peek(whole).subspan(PcapWriter::RECORD_HEADER_BYTES);
    record.timeNs = fields->timeNs;
    record.originalBytes = fields->original;
    record.linkType = m_header.linkType;
    m_blockBytes = whole;
    return true;
}

bool
CaptureFile::NextPcapng(CaptureRecord& record)
{
    while (true)
    {
        m_file.Skip(std::exchange(m_blockBytes, 0));
        const auto block = ReadBlock();
        if (!block)
        {
            return false;
        }
        switch (block->type)
        {
        case BLOCK_SECTION:
            m_interfaces.clear();
            break;
        case BLOCK_INTERFACE:
            if (!TakeInterface(block->body))
            {
                return false;
            }
            break;
        case BLOCK_PACKET:
        case BLOCK_SIMPLE:
        case BLOCK_ENHANCED:
            return TakePacket(*block, record);
        default:
            break;
        }
    }
}

std::optional<CaptureFile::Block>
CaptureFile::ReadBlock()
{
    const auto head = m_file.Peek(BLOCK_OVERHEAD_BYTES);
    if (head.empty())
    {
        return std::nullopt;
    }
    if (head.size() < BLOCK_OVERHEAD_BYTES)
    {
        Damage("the file ends inside a block's header", std::to_string(head.size()), "12 bytes");
        return std::nullopt;
    }
    if (LoadLittleEndian<uint32_t>(head, 0) == BLOCK_SECTION && !TakeSection(head))
    {
        return std::nullopt;
    }
    const auto length = Load<uint32_t>(head, 4);
    if (length < BLOCK_OVERHEAD_BYTES || length % 4 != 0 || length > MAX_RECORD_BYTES)
    {
        Damage("a block's length is wrong",
               std::to_string(length),
               "a multiple of 4 from 12 to " + std::to_string(MAX_RECORD_BYTES));
        return std::nullopt;
    }
    const auto whole = m_file.Peek(length);
    if (whole.size() < length || Load<uint32_t>(whole, length - 4) != length)
    {
        Damage("the file ends inside a block, or the block's two lengths differ",
               std::to_string(whole.size()) + " bytes",
               std::to_string(length) + " bytes");
        return std::nullopt;
    }
    m_blockBytes = length;
    return Block{.type = Load<uint32_t>(whole, 0),
                 .body = whole.subspan(BLOCK_HEAD_BYTES, length - BLOCK_OVERHEAD_BYTES)};
}

bool
CaptureFile::TakeSection(std::span<const std::byte> head)
{
    m_header.isBigEndian = LoadBigEndian<uint32_t>(head, BLOCK_HEAD_BYTES) == BYTE_ORDER_MAGIC;
    return Load<uint32_t>(head, BLOCK_HEAD_BYTES) == BYTE_ORDER_MAGIC ||
           Damage("a section without its byte order",
                  std::to_string(LoadLittleEndian<uint32_t>(head, BLOCK_HEAD_BYTES)),
                  std::to_string(BYTE_ORDER_MAGIC));
}

bool
CaptureFile::TakeInterface(std::span<const std::byte> body)
{
    Interface interface;
    if (body.size() < 8 || m_interfaces.size() >= MAX_INTERFACES)
    {
        return Damage("the description of an interface is too short, or there are too many",
                      std::to_string(body.size()) + " bytes",
                      "8 bytes at least");
    }
    interface.linkType = Load<uint16_t>(body, 0);
    interface.snapBytes = Load<uint32_t>(body, 4);
    if (!TakeOptions(body.subspan(8), interface))
    {
        return false;
    }
    m_interfaces.push_back(interface);
    return true;
}

bool
CaptureFile::TakeOptions(std::span<const std::byte> options, Interface& interface)
{
    while (options.size() >= OPTION_HEAD_BYTES)
    {
        const auto code = Load<uint16_t>(options, 0);
        const auto length = Load<uint16_t>(options, 2);
        if (code == OPTION_END)
        {
            return true;
        }
        const auto rest = options.subspan(OPTION_HEAD_BYTES);
        if (PadToWord(length) > rest.size())
        {
            return Damage("an option is longer than its block", std::to_string(length), "");
        }
        if (code == OPTION_RESOLUTION && length >= 1)
        {
            interface.unitsPerSecond = DecodeResolution(LoadBigEndian<uint8_t>(rest, 0));
        }
        if (code == OPTION_TIME_OFFSET && length >= 8)
        {
            interface.offsetSeconds = static_cast<int64_t>(Load<uint64_t>(rest, 0));
        }
        options = rest.subspan(PadToWord(length));
    }
    return interface.unitsPerSecond != 0 ||
           Damage("an interface's times are too fine", "if_tsresol", "at most 10^-19 s");
}

uint64_t
CaptureFile::ToNanoseconds(uint64_t units, const Interface& interface) const
{
    using Wide = unsigned __int128;
    const uint64_t second = interface.unitsPerSecond;
    const uint64_t seconds = units / second + static_cast<uint64_t>(interface.offsetSeconds);
    const Wide fraction = Wide{units % second} * NANOSECONDS_PER_SECOND / second;
    return seconds * NANOSECONDS_PER_SECOND + static_cast<uint64_t>(fraction);
}

bool
CaptureFile::TakePacket(const Block& block, CaptureRecord& record)
{
    if (m_interfaces.empty())
    {
        return Damage("a packet before the description of its interface", "", "");
    }
    return block.type == BLOCK_SIMPLE ? TakeSimple(block.body, record)
                                      : TakeEnhanced(block.body, record);
}

bool
CaptureFile::TakeEnhanced(std::span<const std::byte> body, CaptureRecord& record)
{
    if (body.size() < ENHANCED_BYTES)
    {
        return Damage("a packet's block is too short", std::to_string(body.size()), "20 bytes");
    }
    // The obsolete block has the interface in 16 bits, and a count of drops behind.
    const bool isObsolete = body.size() >= ENHANCED_BYTES && Load<uint32_t>(body, 0) > 0xffff;
    const uint32_t interface =
        isObsolete ? Load<uint16_t>(body, 0) : Load<uint32_t>(body, 0) & 0xffff;
    if (interface >= m_interfaces.size())
    {
        return Damage("a packet of an interface that is not described",
                      std::to_string(interface),
                      "less than " + std::to_string(m_interfaces.size()));
    }
    const uint64_t units = uint64_t{Load<uint32_t>(body, 4)} << 32 | Load<uint32_t>(body, 8);
    record.timeNs = ToNanoseconds(units, m_interfaces[interface]);
    record.linkType = m_interfaces[interface].linkType;
    record.originalBytes = Load<uint32_t>(body, 16);
    return TakeData(body.subspan(ENHANCED_BYTES), Load<uint32_t>(body, 12), record);
}

bool
CaptureFile::TakeSimple(std::span<const std::byte> body, CaptureRecord& record)
{
    if (body.size() < 4)
    {
        return Damage("a packet's block is too short", std::to_string(body.size()), "4 bytes");
    }
    const Interface& interface = m_interfaces.front();
    record.originalBytes = Load<uint32_t>(body, 0);
    record.timeNs = m_lastTimeNs;
    record.linkType = interface.linkType;
    ++m_untimed;
    const uint32_t snap = interface.snapBytes == 0 ? record.originalBytes : interface.snapBytes;
    return TakeData(body.subspan(4), std::min(record.originalBytes, snap), record);
}

bool
CaptureFile::TakeData(std::span<const std::byte> data, uint32_t captured, CaptureRecord& record)
{
    if (captured > data.size() || captured > record.originalBytes)
    {
        return Damage("a packet is longer than its block or its frame",
                      std::to_string(captured) + " bytes",
                      "at most " +
                          std::to_string(std::min<std::size_t>(data.size(), record.originalBytes)));
    }
    record.bytes = data.first(captured);
    return true;
}

} // namespace ns3::rdma
