// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "link/ethernet-port.h"
#include "link/fault-injector.h"
#include "tests/conformance/allowances.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * The cable between the two hosts of the captures: a program with two ports that forwards frames,
 * does to them what its rules say, and writes down what each host's capture shows.
 *
 * The captures come from slow hosts: a burst is sent whole before its first answer comes back. So
 * the cable holds frames for much longer than a burst lasts. What has arrived meanwhile it forwards
 * together (a host that reads its frames in bunches), or one by one (a host that answers each
 * before it reads the next).
 */
class Cable : private PortOwner
{
  public:
    /** Told of each frame that is forwarded to a host. */
    class Listener
    {
      public:
        virtual ~Listener() = default;
        virtual void OnForwarded(uint32_t host, uint32_t connection) = 0;
    };

    struct Setup
    {
        EventQueue& events;
        FrameLedger& ledger;
        BitRate rate{};
        SimTime delay{};   ///< of the first frame of a bunch
        SimTime spacing{}; ///< between frames that are forwarded; 0: together
        Listener* listener{nullptr};
    };

    explicit Cable(const Setup& setup);
    ~Cable() override;

    Cable(const Cable&) = delete;
    Cable& operator=(const Cable&) = delete;

    EthernetPort& GetPort(uint32_t host)
    {
        return m_sides[host].port;
    }

    /** The injector of the frames that go to a host. */
    FaultInjector& GetInjector(uint32_t host)
    {
        return m_sides[host].injector;
    }

    /** Packets to this queue pair of a host belong to a connection. */
    void AddQueuePair(uint32_t host, uint32_t qpn, uint32_t connection);

    /** Has the requests that a timer repeated sent again where the capture has them. */
    void AddRepeat(const TimerRepeat& repeat)
    {
        m_repeats.push_back(repeat);
    }

    /** What a host's capture shows: what it sent, and what reached it. */
    const std::vector<Connection>& GetView(uint32_t host) const
    {
        return m_sides[host].view;
    }

    /** Frames seen so far. */
    uint64_t GetFrames() const
    {
        return m_frames;
    }

  private:
    struct Side
    {
        Side(Cable& cable, uint16_t host, BitRate rate);

        EthernetPort port;
        FaultInjector injector;
        Event forward;           ///< of the frames that the host has sent
        std::deque<Frame*> sent; ///< and not yet forwarded
        std::vector<Connection> view;
        std::vector<std::vector<Frame*>> requests; ///< copies, by connection
    };

    void OnFrame(uint16_t host, Frame* frame, SimTime now) override;
    void Accept(uint32_t host, Frame* frame);
    void RepeatAfter(uint32_t host, uint32_t connection);
    void Forward(uint32_t from, SimTime now);
    void ForwardOne(uint32_t from, SimTime now);
    void ForwardFromClient(SimTime now);
    void ForwardFromServer(SimTime now);
    uint32_t FindConnection(uint32_t to, const Frame& frame) const;
    void Note(uint32_t viewer, uint32_t sender, const Frame& frame);

    Setup m_setup;
    std::array<Side, 2> m_sides;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_connections; ///< by host and QPN
    std::vector<TimerRepeat> m_repeats;
    uint64_t m_frames{0};
};

} // namespace ns3::rdma
