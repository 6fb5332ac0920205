// SPDX-License-Identifier: GPL-2.0-only
#include "stack/tcp-transfer.h"

#include "engine/event-queue.h"

#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** iperf's; each transfer asks for one of its own, and takes the next that is free. */
constexpr uint16_t FIRST_PORT = 5001;

/** Ports that are tried: more than any host has. */
constexpr uint16_t PORTS = 40'000;

/** What is taken from a socket at a time. */
constexpr uint32_t PIECE_BYTES = 16'384;

/** IPv4 and TCP with the time stamp option, of 12 bytes with its padding. @spec RFC 7323 */
constexpr uint32_t HEADER_BYTES = 20 + 20 + 12;

SimTime
Now()
{
    return EventQueue::Get().Now();
}

TimeValue
ToTimeValue(SimTime time)
{
    return {PicoSeconds(static_cast<int64_t>(time.ps))};
}

InetSocketAddress
AddressOf(const IpEnd& end, uint16_t port)
{
    return {Ipv4Address{end.address}, port};
}

uint16_t
GetLocalPort(const Socket& socket)
{
    Address address;
    socket.GetSockName(address);
    return InetSocketAddress::ConvertFrom(address).GetPort();
}

void
Release(Ptr<Socket>& socket)
{
    if (!socket)
    {
        return;
    }
    const auto none = MakeNullCallback<void, Ptr<Socket>>();
    socket->SetConnectCallback(none, none);
    socket->SetCloseCallbacks(none, none);
    socket->SetRecvCallback(none);
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeNullCallback<void, Ptr<Socket>, const Address&>());
    socket = nullptr;
}

} // namespace

TcpTransfer::TcpTransfer(const TcpSettings& settings, uint64_t number, std::pair<IpEnd, IpEnd> ends)
    : m_settings{settings},
      m_content{number},
      m_number{number},
      m_source{ends.first},
      m_destination{ends.second},
      m_segmentBytes{std::min(m_source.mtu, m_destination.mtu) - HEADER_BYTES}
{
    m_bytes.resize(std::max(m_segmentBytes, PIECE_BYTES));
}

TcpTransfer::~TcpTransfer()
{
    if (m_sender)
    {
        m_sender->TraceDisconnectWithoutContext("Tx", MakeCallback(&TcpTransfer::OnSegment, this));
    }
    Release(m_listener);
    Release(m_sender);
    Release(m_receiver);
}

Ptr<Socket>
TcpTransfer::MakeSocket(const IpEnd& end) const
{
    const auto socket = end.node->GetObject<TcpL4Protocol>()->CreateSocket(m_settings.congestion);
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentBytes));
    socket->SetAttribute("SndBufSize", UintegerValue(m_settings.sendBufferBytes));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_settings.receiveBufferBytes));
    socket->SetAttribute("MinRto", ToTimeValue(m_settings.minimumRto));
    socket->SetAttribute("DelAckTimeout", ToTimeValue(m_settings.delayedAck));
    if (m_settings.usesEcn)
    {
        socket->SetAttribute("UseEcn", EnumValue(TcpSocketState::On));
    }
    socket->SetIpTos(m_settings.trafficClass);
    return socket;
}

void
TcpTransfer::Open(std::function<void(SimTime)> onEnd)
{
    m_onEnd = std::move(onEnd);
    m_result.start = Now();
    m_listener = MakeSocket(m_destination);
    for (uint16_t i = 0; i < PORTS && m_result.destinationPort == 0; ++i)
    {
        const auto port = static_cast<uint16_t>(FIRST_PORT + (m_number + i) % PORTS);
        m_result.destinationPort = m_listener->Bind(AddressOf(m_destination, port)) == 0 ? port : 0;
    }
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&TcpTransfer::OnAccepted, this));
    m_listener->Listen();

    m_sender = MakeSocket(m_source);
    m_sender->Bind(AddressOf(m_source, 0));
    m_result.sourcePort = GetLocalPort(*m_sender);
    m_sender->SetConnectCallback(MakeCallback(&TcpTransfer::OnConnected, this),
                                 MakeCallback(&TcpTransfer::OnFailed, this));
    m_sender->SetCloseCallbacks(MakeCallback(&TcpTransfer::OnClosed, this),
                                MakeCallback(&TcpTransfer::OnClosed, this));
    m_sender->SetSendCallback(MakeCallback(&TcpTransfer::OnRoom, this));
    m_sender->TraceConnectWithoutContext("Tx", MakeCallback(&TcpTransfer::OnSegment, this));
    InetSocketAddress peer = AddressOf(m_destination, m_result.destinationPort);
    peer.SetTos(m_settings.trafficClass); // Connect takes it from the address, whatever was set.
    m_sender->Connect(peer);
}

void
TcpTransfer::OnConnected(Ptr<Socket> socket)
{
    m_result.connected = Now();
    OnRoom(socket, socket->GetTxAvailable());
}

void
TcpTransfer::OnRoom(Ptr<Socket> socket, uint32_t)
{
    if (m_result.connected.IsNever())
    {
        return;
    }
    const uint64_t end = m_settings.bytes == 0 ? UINT64_MAX : m_settings.bytes;
    while (m_written < end)
    {
        // Whole segments: TCP then need not put pieces together.
        const auto size =
            static_cast<uint32_t>(std::min<uint64_t>(m_segmentBytes, end - m_written));
        if (socket->GetTxAvailable() < size)
        {
            return;
        }
        const auto piece = std::span{m_bytes}.first(size);
        m_content.Fill(m_written, piece);
        const auto packet = Create<Packet>(reinterpret_cast<const uint8_t*>(piece.data()), size);
        if (socket->Send(packet) < 0)
        {
            return;
        }
        m_written += size;
        if (m_written == end)
        {
            socket->Close(); // When all has been acknowledged.
        }
    }
}

void
TcpTransfer::OnAccepted(Ptr<Socket> socket, const Address&)
{
    m_receiver = socket;
    socket->SetRecvCallback(MakeCallback(&TcpTransfer::OnArrival, this));
}

void
TcpTransfer::OnArrival(Ptr<Socket> socket)
{
    while (const auto packet = socket->Recv(PIECE_BYTES, 0))
    {
        const uint32_t size = packet->GetSize();
        if (size == 0)
        {
            return; // The end of the stream.
        }
        packet->CopyData(reinterpret_cast<uint8_t*>(m_bytes.data()), size);
        m_result.wrongBytes +=
            m_content.CountWrong(m_result.receivedBytes, std::span{m_bytes}.first(size));
        m_result.receivedBytes += size;
        m_result.lastReceived = Now();
    }
    if (m_settings.bytes != 0 && m_result.receivedBytes >= m_settings.bytes)
    {
        End(m_result.wrongBytes == 0 ? "" : "other bytes arrived than were sent");
    }
}

void
TcpTransfer::OnSegment(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>)
{
    if (packet->GetSize() == 0)
    {
        return;
    }
    ++m_result.segments;
    // Sequence numbers begin anew after 4 GiB; the nearest to the highest is meant.
    const auto ahead = static_cast<int32_t>(header.GetSequenceNumber().GetValue() -
                                            static_cast<uint32_t>(m_highest));
    if (ahead < 0 && m_result.segments > 1)
    {
        ++m_result.retransmissions;
        return;
    }
    m_highest += static_cast<uint64_t>(ahead) + packet->GetSize();
}

void
TcpTransfer::OnFailed(Ptr<Socket>)
{
    End("it cannot connect");
}

void
TcpTransfer::OnClosed(Ptr<Socket>)
{
    End("the connection was closed before all had arrived");
}

void
TcpTransfer::End(const std::string& failure)
{
    if (m_result.hasEnded)
    {
        return;
    }
    m_result.hasEnded = true;
    m_result.failure = failure;
    m_onEnd(Now());
}

} // namespace ns3::rdma
