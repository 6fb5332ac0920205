// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-command.h"

#include "workload/trace-reader.h"

namespace ns3::rdma
{

namespace
{

int
RunTrace(const CommandWords& words, const CommandContext& context)
{
    static const std::vector<std::string> ACTIONS{"formats"};
    if (words.operands.empty() || words.operands.front() != ACTIONS.front())
    {
        const std::string got = words.operands.empty() ? "" : words.operands.front();
        return ReportBadInput({MakeWordDiagnostic("no such action of 'trace'", got, "", ACTIONS)},
                              context.err);
    }
    for (const std::string& format : GetTraceFormats())
    {
        context.out << format << "\n";
    }
    return static_cast<int>(ExitCode::OK);
}

} // namespace

Command
MakeTraceCommand()
{
    return {"trace", "formats", "Lists the formats of traces that can be read", {}, RunTrace};
}

} // namespace ns3::rdma
