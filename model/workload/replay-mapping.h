// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Where a process of a trace runs. */
struct ReplayPlace
{
    uint32_t node{0}; ///< a host, index into Topology::nodes
    uint32_t interface {
        0
    }; ///< which of its cables, from 0

    bool operator==(const ReplayPlace&) const = default;
};

/** A process to be put somewhere. */
struct MappedProcess
{
    std::string name;
    std::string host; ///< where it ran; empty: unknown
    /** Names of the devices that its queue pairs are on; empty where unknown. At least one. */
    std::vector<std::string> devices{""};
};

/** By process, then by device. */
using ReplayPlaces = std::vector<std::vector<ReplayPlace>>;

/**
 * Puts processes on hosts: those that ran on one host share one, in the order of their appearance.
 *
 * Where each process names a host of the fabric as the one where it ran ("h12", or 12 for it, as
 * flow lists of simulators do), it runs there instead. Processes that share a host, and the devices
 * of a process, take its interfaces in turn.
 *
 * @param shares whether hosts take processes of several hosts of the trace, in turn, if there are
 *               more of those
 * @error more hosts in the trace than on the fabric
 */
Expected<ReplayPlaces> MapInOrder(const std::vector<MappedProcess>& processes,
                                  const Topology& topology,
                                  bool shares);

/**
 * Puts processes on hosts as a table says, a line each: "process,host", "process,host,interface" or
 * "process,host,interface,device" for what is on one of its devices; the interface may be left
 * empty.
 *
 * A process may be a pattern with "*"; what the first "*" stands for replaces one in the host's
 * name. The first line that fits a process and a device of it counts. Lines that begin with "#" are
 * comments, and the first may be a header.
 *
 * @param file for messages
 * @error with its line: another number of columns, an unknown host, an interface that it does not
 *        have, a line that fits no process or device; a process that no line fits
 */
Expected<ReplayPlaces> MapByTable(std::string_view text,
                                  const std::string& file,
                                  const std::vector<MappedProcess>& processes,
                                  const Topology& topology);

} // namespace ns3::rdma
