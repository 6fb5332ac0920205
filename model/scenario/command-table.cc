// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-table.h"

#include "scenario/replay-command.h"
#include "scenario/trace-command.h"

namespace ns3::rdma
{

const std::vector<Command>&
GetCommandTable()
{
    static const std::vector<Command> COMMANDS{
        MakeTraceCommand(),
        MakeReplayCommand(),
    };
    return COMMANDS;
}

int
ReportBadInput(const Diagnostics& diagnostics, std::ostream& err)
{
    err << ToString(diagnostics);
    return static_cast<int>(ExitCode::BAD_INPUT);
}

} // namespace ns3::rdma
