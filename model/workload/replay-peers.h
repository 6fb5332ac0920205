// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/replay-survey.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Finds for each connected queue pair the other end of its connection.
 *
 * Two ends fit if each names the other's number, the packet sequence numbers of one are those that
 * the other expects, and the destination GID is one of the other process, as far as these are
 * known. A GID that leads to the only end that fits is one of that process, which may decide for
 * others.
 *
 * @return of those without a peer in the trace, or with several
 */
Diagnostics FindPeers(ReplaySurvey& survey, const std::vector<TraceProcess>& processes);

} // namespace ns3::rdma
