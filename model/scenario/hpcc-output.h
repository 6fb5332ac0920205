// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/results-settings.h"
#include "scenario/run-report.h"
#include "trace/result-file.h"

namespace ns3::rdma
{

/**
 * The files in that simulator's columns that a run writes; empty names of those that it does not.
 *
 * @choice files that an HPCC configuration names by a path go to the result folder under their
 * name: a run writes nowhere else
 */
HpccOutputs NameHpccFiles(const ResultsSettings& settings, const Scenario& scenario);

/** What is wrong with their names. @param taken other files of the folder */
Diagnostics CheckHpccFiles(const HpccOutputs& files, const std::vector<std::string>& taken);

/**
 * Writes the finished flows in the columns of the HPCC simulator, in the order of completion:
 * sip dip sport dport size start_ns fct_ns standalone_fct_ns.
 *
 * Addresses are 11.H.L.1 for node 256 H + L, in hexadecimal. Source ports count from 10000 for
 * each pair of hosts. The completion time ends with the last acknowledgement. The standalone time
 * is that simulator's own: base round trip, plus size and 48 bytes of header per packet at the
 * slowest link's rate; it is not a bound. Nanoseconds are cut, not rounded.
 *
 * @spec Li et al., SIGCOMM 2019, the authors' simulator, its output FCT_OUTPUT_FILE
 */
void WriteHpccFct(ResultFile& file,
                  const Scenario& scenario,
                  uint32_t pathMtu,
                  const RunReport& report);

} // namespace ns3::rdma
