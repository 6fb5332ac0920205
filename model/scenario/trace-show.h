// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"
#include "tracefile/trace-statistics.h"

#include <cstdint>
#include <limits>
#include <ostream>

namespace ns3::rdma
{

/**
 * Writes a line for each operation, in the order of their times over all threads.
 *
 * Operations of a thread stay in their order; without times a thread comes behind the other.
 *
 * @param limit how many at most
 * @return where threads ended before their end, as far as they were read
 */
Diagnostics ShowTrace(Trace& trace, std::ostream& out, uint64_t limit);

/** Writes what is in a trace: counts, bytes, percentiles, what could not be read. */
void ShowStatistics(const Trace& trace, const TraceStatistics& statistics, std::ostream& out);

} // namespace ns3::rdma
