// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/run-performance.h"
#include "scenario/run-report.h"

#include <ostream>
#include <string>

namespace ns3::rdma
{

/** A number for people: three significant digits, with k, M or G behind thousands. */
std::string FormatCount(double value);

/** A time for people: its first four digits, the rest cut off. */
std::string FormatTime(SimTime time);

/** Prints what a person wants to know first of a run that has ended. */
void PrintSummary(std::ostream& out,
                  const Scenario& scenario,
                  const RunReport& report,
                  const RunPerformance& performance);

} // namespace ns3::rdma
