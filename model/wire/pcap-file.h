// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Link type of Ethernet frames without FCS. @spec draft-ietf-opsawg-pcaplinktype,
 * LINKTYPE_ETHERNET */
constexpr uint16_t PCAP_LINK_ETHERNET = 1;

/** One captured frame. */
struct PcapRecord
{
    uint64_t timeNs{0};               ///< nanoseconds since the epoch of the capture
    uint32_t originalBytes{0};        ///< length on the wire; the capture may hold fewer
    std::span<const std::byte> bytes; ///< what the capture holds

    /** Whether the capture cut the frame. */
    bool IsCut() const
    {
        return bytes.size() < originalBytes;
    }
};

/** The header of a record: what stands before the bytes of a frame. */
struct PcapRecordHeader
{
    uint64_t timeNs{0};
    uint32_t captured{0}; ///< bytes that follow
    uint32_t original{0}; ///< bytes on the wire
};

/** The header of a pcap file. @spec draft-ietf-opsawg-pcap section 4 */
struct PcapHeader
{
    bool isBigEndian{false};
    bool isNanosecond{false};
    uint16_t linkType{0};
    uint32_t snapBytes{0}; ///< that of tcpdump where the file says 0: any length

    /** Whether bytes begin with one of the magic numbers; false of fewer than four. */
    static bool HasMagic(std::span<const std::byte> bytes);

    /** @param name for diagnostics. @error too short, another magic number or version */
    static Expected<PcapHeader> Parse(std::span<const std::byte> bytes, const std::string& name);

    /**
     * Reads the header of a record.
     *
     * @error too short, no time, or longer than its frame or the snap length; without a place
     */
    Expected<PcapRecordHeader> ParseRecord(std::span<const std::byte> bytes) const;

    /** A field of the file, in its byte order. */
    uint32_t Load(std::span<const std::byte> bytes, std::size_t offset) const;
};

/**
 * Reads a pcap file from memory, record by record: microseconds or nanoseconds, either byte order.
 *
 * A record that contradicts itself or the file's size ends the reading with a diagnostic that names
 * the record and its offset; those before it have been handed out.
 *
 * Not modelled: pcapng (CaptureFile reads it); the obsolete variants of the magic number.
 *
 * @spec draft-ietf-opsawg-pcap sections 4 (file header) and 5 (packet record)
 */
class PcapReader
{
  public:
    /** Reads a whole file into memory. @error it cannot be read, or is no pcap file */
    static Expected<PcapReader> Open(const std::string& path);

    /**
     * Reads a file that is in memory already.
     *
     * @param name for diagnostics
     * @error no pcap file, or another version than 2.4
     */
    static Expected<PcapReader> FromBytes(std::vector<std::byte> bytes, std::string name);

    /**
     * The next record, nothing at the end of the file; its bytes live as long as the reader.
     *
     * @error the file ends inside the record, or the record is longer than the snap length
     */
    Expected<std::optional<PcapRecord>> Next();

    uint16_t GetLinkType() const
    {
        return m_header.linkType;
    }

    /** The longest record in bytes; 0 in the file means any length. */
    uint32_t GetSnapBytes() const
    {
        return m_header.snapBytes;
    }

  private:
    PcapReader() = default;

    Diagnostic Complain(std::string message, std::string got, std::string expected) const;

    std::string m_name;
    std::vector<std::byte> m_bytes;
    std::size_t m_offset{0};
    uint64_t m_records{0};
    PcapHeader m_header;
};

/**
 * Writes a pcap file of Ethernet frames with nanoseconds, least significant byte first.
 *
 * @spec draft-ietf-opsawg-pcap sections 4 and 5
 */
class PcapWriter
{
  public:
    static constexpr uint32_t HEADER_BYTES = 24;        ///< of the file
    static constexpr uint32_t RECORD_HEADER_BYTES = 16; ///< before each frame
    static constexpr uint32_t DEFAULT_SNAP_BYTES = 262144;

    /** Takes the bytes of the file, in order; whoever keeps them looks after errors. */
    using ByteSink = std::function<void(std::span<const std::byte>)>;

    /**
     * Writes the file's header.
     *
     * @param snapBytes longer frames are cut to this; at least 1
     */
    explicit PcapWriter(ByteSink sink, uint32_t snapBytes = DEFAULT_SNAP_BYTES);

    /** Writes one frame, from the destination address on, without FCS. */
    void Write(uint64_t timeNs, std::span<const std::byte> frame);

    /** Bytes of the file so far. */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** Bytes that a frame of some length will take in the file. */
    uint64_t GetRecordBytes(std::size_t frameBytes) const;

  private:
    ByteSink m_sink;
    uint32_t m_snapBytes;
    uint64_t m_bytes{HEADER_BYTES};
};

} // namespace ns3::rdma
