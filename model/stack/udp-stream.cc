// SPDX-License-Identifier: GPL-2.0-only
#include "stack/udp-stream.h"

#include "engine/event-queue.h"
#include "wire/byte-order.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** iperf's; each stream asks for one of its own, and takes the next that is free. */
constexpr uint16_t FIRST_PORT = 5001;

/** Ports that are tried: more than any host has. */
constexpr uint16_t PORTS = 40'000;

/** What a destination may hold; it takes datagrams as they come. */
constexpr uint32_t RECEIVE_BUFFER_BYTES = 1U << 20;

SimTime
Now()
{
    return EventQueue::Get().Now();
}

InetSocketAddress
AddressOf(const IpEnd& end, uint16_t port)
{
    return {Ipv4Address{end.address}, port};
}

Time
ToTime(SimTime time)
{
    return PicoSeconds(static_cast<int64_t>(time.ps));
}

} // namespace

UdpStream::UdpStream(const UdpSettings& settings, uint64_t number, std::pair<IpEnd, IpEnd> ends)
    : m_settings{settings},
      m_content{number},
      m_number{number},
      m_source{ends.first},
      m_destination{ends.second}
{
    m_bytes.resize(settings.datagramBytes);
}

UdpStream::~UdpStream()
{
    m_next.Cancel();
    if (m_receiver)
    {
        m_receiver->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }
}

Ptr<Socket>
UdpStream::MakeSocket(const IpEnd& end) const
{
    const auto socket = end.node->GetObject<UdpL4Protocol>()->CreateSocket();
    socket->SetAttribute("RcvBufSize", UintegerValue(RECEIVE_BUFFER_BYTES));
    socket->SetIpTos(m_settings.trafficClass);
    return socket;
}

void
UdpStream::Open(std::function<void(SimTime)> onEnd)
{
    m_onEnd = std::move(onEnd);
    m_result.start = Now();
    m_receiver = MakeSocket(m_destination);
    for (uint16_t i = 0; i < PORTS && m_result.destinationPort == 0; ++i)
    {
        const auto port = static_cast<uint16_t>(FIRST_PORT + (m_number + i) % PORTS);
        m_result.destinationPort = m_receiver->Bind(AddressOf(m_destination, port)) == 0 ? port : 0;
    }
    m_receiver->SetRecvCallback(MakeCallback(&UdpStream::OnArrival, this));

    m_sender = MakeSocket(m_source);
    m_sender->Bind(AddressOf(m_source, 0));
    Address own;
    m_sender->GetSockName(own);
    m_result.sourcePort = InetSocketAddress::ConvertFrom(own).GetPort();
    InetSocketAddress peer = AddressOf(m_destination, m_result.destinationPort);
    peer.SetTos(m_settings.trafficClass); // Connect takes it from the address, whatever was set.
    m_sender->Connect(peer);
    SendNext();
}

void
UdpStream::SendNext()
{
    const uint64_t end = m_settings.bytes == 0 ? UINT64_MAX : m_settings.bytes;
    const uint64_t left = end - m_result.sentBytes;
    const auto size = static_cast<uint32_t>(
        std::min<uint64_t>(m_settings.datagramBytes, std::max<uint64_t>(left, HEADER_BYTES)));
    const auto datagram = std::span{m_bytes}.first(size);
    StoreBigEndian(datagram, 0, m_result.sentBytes);
    m_content.Fill(m_result.sentBytes + HEADER_BYTES, datagram.subspan(HEADER_BYTES));
    const auto packet = Create<Packet>(reinterpret_cast<const uint8_t*>(datagram.data()), size);
    ++m_result.sentDatagrams;
    m_sender->Send(packet);
    m_result.sentBytes += size;
    // From the start, so that nothing adds up.
    const SimTime next = m_result.start + ByteTime{m_settings.rate}.Of(m_result.sentBytes);
    const bool isLast = m_result.sentBytes >= end;
    const SimTime wait = isLast ? m_settings.linger : next - Now();
    m_next =
        Simulator::Schedule(ToTime(wait), isLast ? &UdpStream::End : &UdpStream::SendNext, this);
}

void
UdpStream::OnArrival(Ptr<Socket> socket)
{
    while (const auto packet = socket->Recv())
    {
        const uint32_t size = packet->GetSize();
        std::vector<std::byte> bytes(size);
        packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), size);
        ++m_result.receivedDatagrams;
        m_result.receivedBytes += size;
        m_result.lastReceived = Now();
        if (size < HEADER_BYTES)
        {
            m_result.wrongBytes += size;
            continue;
        }
        const auto place = LoadBigEndian<uint64_t>(bytes, 0);
        m_result.wrongBytes +=
            m_content.CountWrong(place + HEADER_BYTES, std::span{bytes}.subspan(HEADER_BYTES));
    }
    const bool areAllSent = m_settings.bytes != 0 && m_result.sentBytes >= m_settings.bytes;
    if (areAllSent && m_result.receivedDatagrams == m_result.sentDatagrams)
    {
        End();
    }
}

void
UdpStream::End()
{
    m_next.Cancel();
    if (!m_result.hasEnded)
    {
        m_result.hasEnded = true;
        m_onEnd(Now());
    }
}

} // namespace ns3::rdma
