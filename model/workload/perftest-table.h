// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/application.h"
#include "workload/perftest-plan.h"
#include "workload/perftest-session.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** What the rows of one test have in common. */
struct PerftestLabels
{
    std::string tag;
    std::string source; ///< name of the host that posts
    std::string destination;
};

/**
 * The results as rows of perftest.csv.
 *
 * Columns of the other kind of test, a peak that was not computed and figures of a test in which
 * no time passed are empty, never 0.
 */
ResultTable MakePerftestTable(const PerftestPlan& plan,
                              const PerftestLabels& labels,
                              const std::vector<PerftestResult>& results);

} // namespace ns3::rdma
