// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/run-performance.h"
#include "scenario/run-report.h"

#include <string>

namespace ns3::rdma
{

/** The text of summary.json: equal for equal scenarios and seeds. */
std::string MakeSummaryJson(const Scenario& scenario, const RunReport& report);

/** The text of run.json: what the run has cost, and where. */
std::string MakeRunJson(const RunReport& report, const RunPerformance& performance);

} // namespace ns3::rdma
