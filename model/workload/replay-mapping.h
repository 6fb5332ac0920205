// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"
#include "tracefile/operation-stream.h"

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

/**
 * Puts processes on hosts: those that ran on one host share one, in the order of their appearance.
 *
 * Where each process names a host of the fabric as the one where it ran ("h12", or 12 for it, as
 * flow lists of simulators do), it runs there instead. Processes that share a host take its
 * interfaces in turn.
 *
 * @param shares whether hosts take processes of several hosts of the trace, in turn, if there are
 *               more of those
 * @error more hosts in the trace than on the fabric
 */
Expected<std::vector<ReplayPlace>> MapInOrder(const std::vector<TraceProcess>& processes,
                                              const Topology& topology,
                                              bool shares);

/**
 * Puts processes on hosts as a table says: "process,host" or "process,host,interface" in a line.
 *
 * A process may be a pattern with "*"; what the first "*" stands for replaces one in the host's
 * name. The first line that fits a process counts. Lines that begin with "#" are comments, and the
 * first may be a header.
 *
 * @param file for messages
 * @error with its line: another number of columns, an unknown host, an interface that it does not
 *        have, a line that fits no process; a process that no line fits
 */
Expected<std::vector<ReplayPlace>> MapByTable(std::string_view text,
                                              const std::string& file,
                                              const std::vector<TraceProcess>& processes,
                                              const Topology& topology);

} // namespace ns3::rdma
