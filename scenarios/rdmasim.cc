// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-line.h"

#include "ns3/nstime.h"

#include <iostream>

/** The one program: everything it does lies in model/scenario. */
int
main(int argc, char** argv)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    const std::vector<std::string> words{argv + 1, argv + argc};
    const auto run = [](const ns3::rdma::Scenario&, const ns3::rdma::RunRequest&)
    {
        std::cerr << "this build has no runner\n";
        return static_cast<int>(ns3::rdma::ExitCode::RUN_FAILED);
    };
    return ns3::rdma::RunCommandLine(words, run, std::cout, std::cerr);
}
