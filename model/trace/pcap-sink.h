// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "trace/result-file.h"
#include "wire/frame-bytes.h"
#include "wire/frame-tap.h"
#include "wire/pcap-file.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

namespace ns3::rdma
{

/** Kinds of frames that a capture may be limited to, as bits. */
enum PcapClass : uint8_t
{
    PCAP_REQUEST = 1 << 0,     ///< SEND, RDMA WRITE, RDMA READ and atomic requests
    PCAP_RESPONSE = 1 << 1,    ///< RDMA READ responses and atomic acknowledges
    PCAP_ACKNOWLEDGE = 1 << 2, ///< ACK and NAK
    PCAP_CNP = 1 << 3,
    PCAP_PFC = 1 << 4,
    PCAP_FOREIGN = 1 << 5, ///< frames of other stacks: TCP, UDP, ARP
    PCAP_ALL = (1 << 6) - 1,
};

/** The bit of a frame. */
PcapClass ClassifyFrame(const Frame& frame);

/** Where a frame comes from; its addresses and ports follow. */
struct FrameOrigin
{
    uint32_t source{0}; ///< number of the interface that sent it
    uint16_t udpSourcePort{0};
};

/** What of a port's frames goes into a file, and how much. */
struct PcapSettings
{
    bool capturesIn{true};
    bool capturesOut{true};
    uint8_t classes{PCAP_ALL};     ///< PcapClass bits
    std::vector<uint32_t> flows{}; ///< ascending; empty: all. Only RoCE frames have one
    uint32_t snapBytes{PcapWriter::DEFAULT_SNAP_BYTES};
    uint64_t maxFrames{UINT64_MAX};
    uint64_t maxBytes{UINT64_MAX}; ///< of the file
};

/** The port that is listened to. */
struct PcapPort
{
    MacAddress mac{};     ///< of the port, for PFC frames that it sends
    MacAddress peerMac{}; ///< of the port at the other end of the cable
    SimTime delay{};      ///< of the cable
};

/** What became of the frames that were wanted. */
struct PcapCounters
{
    uint64_t written{0};
    uint64_t leftOut{0}; ///< beyond a limit
};

/**
 * Writes the frames that pass one port into a pcap file, in the order of their times.
 *
 * Times are those of the last bit, from the start of the run, cut to nanoseconds. Once a limit is
 * reached nothing more is written, so that what is in the file has no gap.
 *
 * @choice IPv4's identification counts the frames of each sender that pass this port, wanted or
 * not; the priority is the class selector of the DSCP (RFC 2474 section 4.2.2), as networks that
 * trust the DSCP are set up; the time to live is not counted down by switches
 */
class PcapSink : public FrameTap
{
  public:
    /** Tells where a RoCE frame comes from. */
    using Directory = std::function<FrameOrigin(const Frame&)>;

    /**
     * @param file      open; whoever owns it commits it after Finish
     * @param directory asked during the run
     */
    PcapSink(ResultFile& file,
             const PcapSettings& settings,
             const PcapPort& port,
             Directory directory);

    PcapSink(const PcapSink&) = delete;
    PcapSink& operator=(const PcapSink&) = delete;

    void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) override;

    /** Writes what was held back; nothing may come after it. */
    void Finish();

    const PcapCounters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /** A frame that came in; one that went out earlier may yet be told of. */
    struct Held
    {
        SimTime when{};
        std::vector<std::byte> bytes;
    };

    bool IsWanted(FrameDirection direction, const Frame& frame) const;
    uint16_t Count(const Frame& frame);
    std::span<const std::byte> MakeBytes(FrameDirection direction, const Frame& frame);
    std::span<const std::byte> MakePfcBytes(FrameDirection direction, const Frame& frame);
    std::span<const std::byte> MakeRoceBytes(const Frame& frame, uint16_t identification);
    void ReleaseBefore(SimTime when);
    void Write(SimTime when, std::span<const std::byte> bytes);

    PcapSettings m_settings;
    PcapPort m_port;
    Directory m_directory;
    PcapWriter m_writer;
    PcapCounters m_counters{};
    std::map<uint32_t, uint16_t> m_identifications; ///< next, by number of the sending interface
    std::deque<Held> m_held;                        ///< in the order of their times
    std::vector<std::byte> m_bytes;                 ///< of the frame at hand
};

} // namespace ns3::rdma
