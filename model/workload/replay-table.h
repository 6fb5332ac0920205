// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/topology.h"
#include "workload/replay-engine.h"
#include "workload/result-table.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** What tables and lines of a replay are made from. */
struct ReplayReport
{
    std::string tag;
    ReplayEngine& engine;
    const ReplayPlaces& places;
    const Topology& topology;
};

/** replay.csv: a row for each process. Without a report only the columns. */
ResultTable MakeProcessTable(const ReplayReport* report);

/** messages.csv: a row for each opcode and class of sizes. Without a report only the columns. */
ResultTable MakeMessageTable(const ReplayReport* report);

/**
 * Lines for people: first how far the replay is from the recording, then clocks, what differs, and
 * what was noted.
 */
std::vector<std::string> MakeReplaySummary(const ReplayReport& report);

} // namespace ns3::rdma
