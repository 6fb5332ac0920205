// SPDX-License-Identifier: GPL-2.0-only
#include "commit.h"
#include "scenario/command-line.h"
#include "scenario/run-machine.h"
#include "scenario/run.h"
#include "scenario/version.h"

#include "ns3/nstime.h"

#include <iostream>
#include <unistd.h>

/** The one program: everything it does lies in model/scenario. */
int
main(int argc, char** argv)
{
    ns3::rdma::PreferHugePages();
    ns3::Time::SetResolution(ns3::Time::PS);
    ns3::rdma::SetCommit(RDMASIM_COMMIT);
    const std::vector<std::string> words{argv + 1, argv + argc};
    const auto run = [](const ns3::rdma::Scenario& scenario, const ns3::rdma::RunRequest& request)
    {
        return ns3::rdma::RunScenario(scenario,
                                      {.outFolder = request.outFolder,
                                       .isQuiet = request.isQuiet,
                                       .out = &std::cout,
                                       .err = &std::cerr,
                                       .isErrTerminal = isatty(STDERR_FILENO) == 1});
    };
    return ns3::rdma::RunCommandLine(words, run, std::cout, std::cerr);
}
