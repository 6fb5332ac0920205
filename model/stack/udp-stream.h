// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "base/units.h"
#include "stack/content.h"
#include "workload/application.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** How a stream is sent. */
struct UdpSettings
{
    BitRate rate{}; ///< of the datagrams' payload
    uint32_t datagramBytes{0};
    SimTime linger{};        ///< how long after the last datagram others are waited for
    uint8_t trafficClass{0}; ///< of IP
    uint64_t bytes{0};       ///< of payload; 0: it goes on
};

/** What a stream has done so far. */
struct UdpResult
{
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint64_t sentDatagrams{0};
    uint64_t sentBytes{0}; ///< what the source's own queues have dropped is among them
    uint64_t receivedDatagrams{0};
    uint64_t receivedBytes{0};
    uint64_t wrongBytes{0}; ///< of the received ones
    SimTime start{SimTime::Never()};
    SimTime lastReceived{SimTime::Never()};
    bool hasEnded{false};
};

/**
 * Datagrams of ns-3's UDP at a constant rate, each with its number, which the destination checks.
 *
 * A datagram starts with the place of its payload in the stream, 8 bytes; what follows is the
 * Content of that place.
 */
class UdpStream
{
  public:
    /** The place of the payload, in front of it. */
    static constexpr uint32_t HEADER_BYTES = 8;

    /** @param number of the stream: which bytes it carries, and the port that it asks for */
    UdpStream(const UdpSettings& settings, uint64_t number, std::pair<IpEnd, IpEnd> ends);
    ~UdpStream();

    UdpStream(const UdpStream&) = delete;
    UdpStream& operator=(const UdpStream&) = delete;

    /**
     * Begins to send; from an ns-3 event.
     *
     * @param onEnd called once, when all datagrams have arrived or those that are missing are late
     */
    void Open(std::function<void(SimTime)> onEnd);

    const UdpResult& GetResult() const
    {
        return m_result;
    }

  private:
    Ptr<Socket> MakeSocket(const IpEnd& end) const;
    void SendNext();
    void OnArrival(Ptr<Socket> socket);
    void End();

    UdpSettings m_settings;
    Content m_content;
    uint64_t m_number;
    IpEnd m_source;
    IpEnd m_destination;
    std::function<void(SimTime)> m_onEnd;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
    EventId m_next; ///< the next datagram, or the end
    UdpResult m_result;
    std::vector<std::byte> m_bytes;
};

} // namespace ns3::rdma
