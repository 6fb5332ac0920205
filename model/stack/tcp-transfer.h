// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "stack/content.h"
#include "workload/application.h"

#include "ns3/address.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How the sockets of a transfer are set up. */
struct TcpSettings
{
    TypeId congestion{};
    bool usesEcn{false};
    uint32_t sendBufferBytes{0};
    uint32_t receiveBufferBytes{0};
    SimTime minimumRto{};
    SimTime delayedAck{};    ///< at most so long
    uint8_t trafficClass{0}; ///< of IP, without ECN
    uint64_t bytes{0};       ///< 0: it goes on
};

/** What a transfer has done so far. */
struct TcpResult
{
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint64_t receivedBytes{0}; ///< in order, at the application
    uint64_t wrongBytes{0};    ///< of these, not what was sent
    uint64_t segments{0};      ///< with data, sent by the source
    uint64_t retransmissions{0};
    SimTime start{SimTime::Never()};
    SimTime connected{SimTime::Never()};
    SimTime lastReceived{SimTime::Never()};
    bool hasEnded{false};
    std::string failure;
};

/** One connection of ns-3's TCP by which a source sends bytes that its destination checks. */
class TcpTransfer
{
  public:
    /** @param number of the transfer: which bytes it carries, and the port that it asks for */
    TcpTransfer(const TcpSettings& settings, uint64_t number, std::pair<IpEnd, IpEnd> ends);
    ~TcpTransfer();

    TcpTransfer(const TcpTransfer&) = delete;
    TcpTransfer& operator=(const TcpTransfer&) = delete;

    /**
     * Begins to listen and to connect; from an ns-3 event.
     *
     * @param onEnd called once, when all bytes have arrived or the connection has failed
     */
    void Open(std::function<void(SimTime)> onEnd);

    const TcpResult& GetResult() const
    {
        return m_result;
    }

  private:
    Ptr<Socket> MakeSocket(const IpEnd& end) const;
    void OnConnected(Ptr<Socket> socket);
    void OnFailed(Ptr<Socket> socket);
    void OnClosed(Ptr<Socket> socket);
    void OnRoom(Ptr<Socket> socket, uint32_t room);
    void OnAccepted(Ptr<Socket> socket, const Address& from);
    void OnArrival(Ptr<Socket> socket);
    void OnSegment(Ptr<const Packet> packet,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);
    void End(const std::string& failure);

    TcpSettings m_settings;
    Content m_content;
    uint64_t m_number;
    IpEnd m_source;
    IpEnd m_destination;
    uint32_t m_segmentBytes;
    std::function<void(SimTime)> m_onEnd;
    Ptr<Socket> m_listener;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
    uint64_t m_written{0};
    uint64_t m_highest{0}; ///< end of what was sent, in sequence numbers made unique
    TcpResult m_result;
    std::vector<std::byte> m_bytes;
};

} // namespace ns3::rdma
