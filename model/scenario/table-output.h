// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/run-report.h"
#include "trace/result-file.h"

namespace ns3::rdma
{

/** Writes flows.csv: a row for each flow, by number. */
void WriteFlows(ResultFile& file,
                const Scenario& scenario,
                const FlowRunner& runner,
                const RunReport& report);

/** Writes links.csv: a row for each direction of each cable. */
void WriteLinks(ResultFile& file, const Fabric& fabric, SimTime end);

} // namespace ns3::rdma
