// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/quantity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * What a network interface and its host cost: the time of each step between an application's call
 * and the wire, and back.
 *
 * A plain value; all zero is the ideal NIC, which costs nothing. A profile is a YAML file in which
 * each value has its unit and its source; the project's own (model/host/profiles) are part of the
 * program.
 *
 * Not modelled: noise, more than one posting thread for a device, limits of outstanding PCIe reads,
 * address translation, sockets.
 */
struct NicProfile
{
    std::string name; ///< "generic-100g", or the path of the user's file

    uint32_t pcieGeneration{0};   ///< 1 .. 5; 0 only without lanes
    uint32_t pcieLanes{0};        ///< 1 .. 32; 0: transfers take no time of their own
    Fraction pcieLinkOverhead{};  ///< share of the link that acknowledgements and credits take
    ByteCount pcieMaxPayload{};   ///< of a transaction packet (MPS)
    ByteCount pcieMaxRead{};      ///< of a read request (MRRS)
    SimTime pcieReadRoundTrip{};  ///< from a read request of the NIC to its first data
    SimTime pcieWriteLatency{};   ///< from a write of the NIC to its visibility for the processor
    SimTime hostPost{};           ///< processor time to build a work request
    SimTime hostDoorbell{};       ///< from the end of a post to the doorbell's arrival at the NIC
    SimTime hostPoll{};           ///< processor time to take a completion, or to see memory change
    uint32_t nicUnits{0};         ///< processing units; a queue pair always uses the same
    SimTime nicRequest{};         ///< a unit is busy for so long with a work request
    SimTime nicPacket{};          ///< a unit is busy for so long with a packet, sent or received
    SimTime nicTransmitLatency{}; ///< pass through the NIC, from request to wire
    SimTime nicReceiveLatency{};  ///< pass through the NIC, from wire to its next step
    ByteCount nicRequestBytes{};  ///< of a work queue entry without inline data
    ByteCount nicCompletionBytes{}; ///< of a completion queue entry
    ByteCount nicDoorbellBytes{};   ///< the largest single entry that travels with its doorbell
    ByteCount nicInlineLimit{};     ///< the most inline data of a request
    SimTime nicAtomic{};            ///< an atomic unit is busy for so long with an operation
    uint32_t nicContextEntries{0};  ///< queue pairs in the context cache; 0: all
    SimTime nicContextMiss{};       ///< to fetch the context of one that is not there

    bool operator==(const NicProfile&) const = default;

    /** Whether nothing costs anything: such a profile needs no pipeline at all. */
    bool IsIdeal() const;

    /**
     * Data that the PCIe link carries per second, before headers of transaction packets.
     *
     * @spec Neugebauer et al., Understanding PCIe performance for end host networking, SIGCOMM
     * 2018, section 3; PCI Express Base Specification 5.0 section 4.2 (encoding)
     */
    BitRate GetLinkRate() const;
};

/**
 * Reads a profile.
 *
 * @param text YAML: groups pcie, host and nic, in which each key has a value with its unit, and a
 *             source
 * @param file its name for messages, and the profile's name
 * @error no YAML; unknown, missing or repeated keys, values without unit, out of range or without
 *        source; all of them, with file, line and key
 */
Expected<NicProfile> ReadNicProfile(const std::string& text, const std::string& file);

/**
 * Finds a profile by its name, or reads the user's own.
 *
 * @param name one of GetNicProfileNames, or the path of a file: it has a '/' or ends in ".yaml"
 * @error an unknown name (all known ones are given), a file that cannot be read, as ReadNicProfile
 */
Expected<NicProfile> FindNicProfile(const std::string& name);

/** The profiles that are part of the program, in the order of their names. */
std::vector<std::string> GetNicProfileNames();

} // namespace ns3::rdma
