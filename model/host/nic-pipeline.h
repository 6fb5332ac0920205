// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/qpn.h"
#include "base/sim-time.h"
#include "base/units.h"
#include "host/context-cache.h"
#include "host/nic-profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * When the steps of a NIC and its host are done, by a profile.
 *
 * A plain value: it is told of each step when the step begins, in the order of time, and says when
 * the step ends. What can do one thing at a time (the posting processor, each direction of the PCIe
 * link, each processing unit, the atomic unit) is a mark "busy until"; what comes while it is busy
 * waits its turn. Passes through the NIC, PCIe round trips and context misses are delays that
 * overlap. Payload takes its share of the link when it is sent, so that requests that wait take
 * nothing from those that are being sent.
 *
 * Sending and receiving have processing units of their own (@choice: the two pipelines of a NIC are
 * apart). Entries of the send queue and of the completion queue take no share of the PCIe link's
 * data rate (@choice: they are short; their latency counts).
 */
class NicPipeline
{
  public:
    explicit NicPipeline(const NicProfile& profile);

    const NicProfile& GetProfile() const
    {
        return m_profile;
    }

    /**
     * Bytes of a send queue entry with inline data.
     *
     * With inline data it is that and headers of 36 bytes, in whole units of the profile's entry.
     *
     * @spec rdma-core, providers/mlx5: control 16 B, remote address 16 B, inline header 4 B
     */
    uint64_t GetEntryBytes(uint64_t inlineBytes) const;

    /**
     * The application posts a list by one call.
     *
     * A single entry that the doorbell can carry is in the NIC with it; else the NIC fetches the
     * list by one PCIe read.
     *
     * @param entryBytes of all of them
     * @return when the NIC has them
     */
    SimTime OnPost(uint32_t requests, uint64_t entryBytes, SimTime now);

    /**
     * A request that the NIC has is taken up.
     *
     * @param fetchedBytes payload of its first packet that is read from memory; 0: inline, or none
     * @return when that packet may go to the wire
     */
    SimTime OnRequest(Qpn qpn, uint64_t fetchedBytes, SimTime now);

    /**
     * A packet has gone to the wire.
     *
     * Its payload takes its share of the PCIe link's data rate now, and the requests for it take
     * theirs of the other direction. What follows is read ahead: the link's rate can make it late,
     * its latency cannot.
     *
     * @param payloadBytes of the packet
     * @return when the queue pair's next packet may go
     */
    SimTime OnPacketSent(Qpn qpn, uint64_t payloadBytes, SimTime now);

    /** A packet has come from the wire. @return when the transport handles it */
    SimTime OnPacketReceived(Qpn qpn, SimTime now);

    /** READ: the NIC reads memory to answer. @return when the response may go to the wire */
    SimTime OnReadRequest(uint64_t firstBytes, SimTime now);

    /** An atomic operation reads and writes a word. @return when its answer may go to the wire */
    SimTime OnAtomicRequest(SimTime now);

    /** Received data goes to memory. @return when an application that polls memory has seen it */
    SimTime OnMemoryWrite(uint64_t bytes, SimTime now);

    /**
     * A completion goes to memory, behind the data that was handed over before.
     *
     * @return when an application that polls the queue has it
     */
    SimTime OnCompletion(SimTime now);

    /** The application has taken a completion: its processor was busy with that until now. */
    void OnPolled(SimTime now);

  private:
    /** Time of a transfer on the PCIe link, with the headers of its transaction packets. */
    SimTime LinkTime(uint64_t bytes, uint64_t headerBytes) const;

    SimTime GetFetchTime(uint64_t bytes) const;
    SimTime MissTime(Qpn qpn);
    SimTime& UnitOf(std::vector<SimTime>& units, Qpn qpn) const;

    NicProfile m_profile;
    std::optional<ByteTime> m_link;
    ContextCache m_contexts;
    SimTime m_processorBusy{};
    SimTime m_entriesArrived{};
    SimTime m_readBusy{};
    SimTime m_writeBusy{};
    SimTime m_atomicBusy{};
    std::vector<SimTime> m_sendUnits;
    std::vector<SimTime> m_receiveUnits;
};

} // namespace ns3::rdma
