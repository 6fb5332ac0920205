// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "wire/buffered-file.h"
#include "wire/pcap-file.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/** @name Link types. @spec draft-ietf-opsawg-pcaplinktype @{ */
constexpr uint16_t PCAP_LINK_RAW_IP = 101;
constexpr uint16_t PCAP_LINK_COOKED = 113; ///< LINUX_SLL
constexpr uint16_t PCAP_LINK_ERF = 197;    ///< records of Endace's cards
constexpr uint16_t PCAP_LINK_IPV4 = 228;
constexpr uint16_t PCAP_LINK_IPV6 = 229;
constexpr uint16_t PCAP_LINK_INFINIBAND = 247; ///< local route header to VCRC
constexpr uint16_t PCAP_LINK_COOKED_2 = 276;   ///< LINUX_SLL2
/** @} */

/** One frame of a capture of any form. */
struct CaptureRecord : PcapRecord
{
    uint64_t number{0};   ///< from 1
    uint64_t offset{0};   ///< of its header in the file
    uint16_t linkType{0}; ///< of its interface
};

/**
 * Reads a capture, pcap or pcapng, from beginning to end without holding it.
 *
 * pcapng: several sections and interfaces of either byte order, enhanced, simple and obsolete
 * packet blocks, resolution and offset of times; other blocks are passed over. A simple packet
 * block has no time: it gets that of the packet before it.
 *
 * @spec draft-ietf-opsawg-pcap sections 4 and 5; draft-ietf-opsawg-pcapng sections 3 and 4
 */
class CaptureFile
{
  public:
    /** What a record may hold at most, in bytes: more is damage. */
    static constexpr uint32_t MAX_RECORD_BYTES = 1 << 24;

    /** Whether a file begins as a capture does. */
    static bool IsCapture(std::span<const std::byte> head);

    /** @error the file cannot be read, or is no capture */
    static Expected<CaptureFile> Open(const std::string& path);

    /**
     * Takes the next frame.
     *
     * @param record its bytes live until the next call
     * @return false at the end, or at damage
     */
    bool Next(CaptureRecord& record);

    /** Why the frames ended before the file did. */
    const std::optional<Diagnostic>& GetDamage() const
    {
        return m_damage;
    }

    const std::string& GetPath() const
    {
        return m_file.GetPath();
    }

    /** Frames of which the file does not say when they were captured. */
    uint64_t GetUntimedRecords() const
    {
        return m_untimed;
    }

  private:
    /** An interface of a pcapng section. */
    struct Interface
    {
        uint16_t linkType{0};
        uint32_t snapBytes{0};
        uint64_t unitsPerSecond{1'000'000};
        int64_t offsetSeconds{0};
    };

    /** A block of pcapng: its type, and what stands between its two lengths. */
    struct Block
    {
        uint32_t type{0};
        std::span<const std::byte> body;
    };

    explicit CaptureFile(const std::string& path);

    bool NextPcap(CaptureRecord& record);
    bool NextPcapng(CaptureRecord& record);
    std::optional<Block> ReadBlock();
    bool TakeSection(std::span<const std::byte> body);
    bool TakeInterface(std::span<const std::byte> body);
    bool TakeOptions(std::span<const std::byte> options, Interface& interface);
    bool TakePacket(const Block& block, CaptureRecord& record);
    bool TakeEnhanced(std::span<const std::byte> body, CaptureRecord& record);
    bool TakeSimple(std::span<const std::byte> body, CaptureRecord& record);
    bool TakeData(std::span<const std::byte> data, uint32_t captured, CaptureRecord& record);
    uint64_t ToNanoseconds(uint64_t units, const Interface& interface) const;
    template <typename T>
    T Load(std::span<const std::byte> bytes, std::size_t offset) const;
    bool Damage(std::string message, std::string got, std::string expected);

    BufferedFile m_file;
    bool m_isPcapng{false};
    PcapHeader m_header; ///< of a pcap file; of a pcapng section its byte order
    std::vector<Interface> m_interfaces;
    uint64_t m_records{0};
    uint64_t m_untimed{0};
    uint64_t m_lastTimeNs{0};
    uint64_t m_blockBytes{0}; ///< of the block read last, still to be skipped
    std::optional<Diagnostic> m_damage;
};

} // namespace ns3::rdma
