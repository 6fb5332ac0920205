// SPDX-License-Identifier: GPL-2.0-only
#include "trace/pcap-sink.h"

#include "wire/foreign-frame.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ns3::rdma
{
namespace
{

constexpr uint64_t PS_PER_NS = 1000;

} // namespace

PcapClass
ClassifyFrame(const Frame& frame)
{
    if (frame.kind != FrameKind::ROCE)
    {
        return IsMacControl(frame.kind) ? PCAP_PFC : PCAP_FOREIGN;
    }
    switch (GetOpcodeInfo(frame.opcode).operation)
    {
    case Operation::SEND:
    case Operation::RDMA_WRITE:
    case Operation::RDMA_READ_REQUEST:
    case Operation::COMPARE_SWAP:
    case Operation::FETCH_ADD:
        return PCAP_REQUEST;
    case Operation::RDMA_READ_RESPONSE:
    case Operation::ATOMIC_ACKNOWLEDGE:
        return PCAP_RESPONSE;
    case Operation::ACKNOWLEDGE:
        return PCAP_ACKNOWLEDGE;
    case Operation::NOTIFICATION:
        return PCAP_CNP;
    }
    return PCAP_REQUEST;
}

PcapSink::PcapSink(ResultFile& file,
                   const PcapSettings& settings,
                   const PcapPort& port,
                   Directory directory)
    : m_settings{settings},
      m_port{port},
      m_directory{std::move(directory)},
      m_writer{[&file](std::span<const std::byte> bytes) {
                   file.Write(
                       std::string_view{reinterpret_cast<const char*>(bytes.data()), bytes.size()});
               },
               settings.snapBytes},
      m_bytes(MAX_FRAME_BYTES)
{
}

void
PcapSink::OnFrame(FrameDirection direction, const Frame& frame, SimTime when)
{
    const uint16_t identification = frame.kind == FrameKind::ROCE ? Count(frame) : 0;
    if (!IsWanted(direction, frame))
    {
        return;
    }
    const auto bytes = frame.kind == FrameKind::ROCE ? MakeRoceBytes(frame, identification)
                                                     : MakeBytes(direction, frame);
    if (direction == FrameDirection::OUT)
    {
        ReleaseBefore(when);
        Write(when, bytes);
        return;
    }
    // Frames that left at least a cable's delay ago have been told of.
    ReleaseBefore(when < m_port.delay ? SimTime{} : when - m_port.delay);
    m_held.push_back({when, {bytes.begin(), bytes.end()}});
}

void
PcapSink::Finish()
{
    ReleaseBefore(SimTime::Never());
}

bool
PcapSink::IsWanted(FrameDirection direction, const Frame& frame) const
{
    const bool isRightWay =
        direction == FrameDirection::IN ? m_settings.capturesIn : m_settings.capturesOut;
    const bool isRightFlow =
        m_settings.flows.empty() || frame.kind != FrameKind::ROCE ||
        std::binary_search(m_settings.flows.begin(), m_settings.flows.end(), frame.flow);
    return isRightWay && isRightFlow && (m_settings.classes & ClassifyFrame(frame)) != 0;
}

uint16_t
PcapSink::Count(const Frame& frame)
{
    return m_identifications[m_directory(frame).source]++;
}

std::span<const std::byte>
PcapSink::MakeBytes(FrameDirection direction, const Frame& frame)
{
    if (IsMacControl(frame.kind))
    {
        return MakePfcBytes(direction, frame);
    }
    return std::span{m_bytes}.first(WriteForeignFrame(frame, m_bytes));
}

std::span<const std::byte>
PcapSink::MakePfcBytes(FrameDirection direction, const Frame& frame)
{
    const MacAddress& sender = direction == FrameDirection::OUT ? m_port.mac : m_port.peerMac;
    return std::span{m_bytes}.first(WritePauseFrame(frame, sender, m_bytes));
}

std::span<const std::byte>
PcapSink::MakeRoceBytes(const Frame& frame, uint16_t identification)
{
    const auto [source, udpSourcePort] = m_directory(frame);
    const RoceAddresses addresses{.sourceMac = InterfaceMac(source),
                                  .destinationMac = InterfaceMac(frame.destination),
                                  .sourceIpv4 = InterfaceIpv4(source),
                                  .destinationIpv4 = InterfaceIpv4(frame.destination),
                                  .udpSourcePort = udpSourcePort};
    return std::span{m_bytes}.first(WriteRoceFrame(frame, addresses, identification, m_bytes));
}

void
PcapSink::ReleaseBefore(SimTime when)
{
    while (!m_held.empty() && m_held.front().when < when)
    {
        Write(m_held.front().when, m_held.front().bytes);
        m_held.pop_front();
    }
}

void
PcapSink::Write(SimTime when, std::span<const std::byte> bytes)
{
    const bool isBeyond =
        m_counters.written >= m_settings.maxFrames ||
        m_writer.GetBytes() + m_writer.GetRecordBytes(bytes.size()) > m_settings.maxBytes;
    if (isBeyond || m_counters.leftOut != 0)
    {
        ++m_counters.leftOut;
        return;
    }
    m_writer.Write(when.ps / PS_PER_NS, bytes);
    ++m_counters.written;
}

} // namespace ns3::rdma
