// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/workload/trace-content.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** What an operation waits for: " after 1:3 and start of 0:2", " after 1 of 0:2, 0:3". */
inline std::string
WaitText(const KeptOperation& kept)
{
    std::string text;
    for (const Dependency& dependency : kept.dependencies)
    {
        text += text.empty() ? " after " : ", ";
        text += dependency.event == DependencyEvent::START ? "start of " : "";
        text += std::to_string(dependency.thread) + ":" + std::to_string(dependency.operation);
    }
    const uint32_t needed = kept.operation.dependenciesNeeded;
    return text + (needed == 0 ? "" : " (" + std::to_string(needed) + " enough)");
}

/** An operation of a schedule as a line: "message 0 of 4096 B, tag 7, processor 0 after 0:2". */
inline std::string
StepText(const KeptOperation& kept)
{
    const TraceOperation& operation = kept.operation;
    std::string text;
    if (operation.kind == OperationKind::CONTROL)
    {
        const auto& detail = std::get<ConnectionDetail>(operation.control.detail);
        text = "connect " + std::to_string(operation.object) + " to " +
               std::to_string(detail.peerProcess);
        text += detail.priority == 0xff ? "" : ", priority " + std::to_string(detail.priority);
        return text + (detail.destinationPort == 0
                           ? ""
                           : ", port " + std::to_string(detail.destinationPort));
    }
    if (operation.kind == OperationKind::COMPUTE)
    {
        text = "compute " + std::to_string(operation.durationNs) + " ns";
    }
    else
    {
        text = operation.kind == OperationKind::MESSAGE ? "message " : "receive ";
        text += std::to_string(operation.object) + " of " + std::to_string(operation.bytes) + " B";
        text += operation.opcode == 0 ? "" : ", opcode " + std::to_string(operation.opcode);
        text += operation.count == 0 ? "" : ", tag " + std::to_string(operation.count);
    }
    text += operation.other == NO_OBJECT ? "" : ", processor " + std::to_string(operation.other);
    text += operation.timeNs == 0 ? "" : ", at " + std::to_string(operation.timeNs) + " ns";
    return text + WaitText(kept);
}

/** All operations of a trace, a list for each thread. */
inline std::vector<std::vector<std::string>>
ScheduleTexts(Trace& trace)
{
    std::vector<std::vector<std::string>> threads;
    for (TraceThread& thread : trace.threads)
    {
        EXPECT_EQ(thread.order, ThreadOrder::GRAPH);
        threads.emplace_back();
        for (const KeptOperation& kept : ReadOperations(*thread.operations))
        {
            threads.back().push_back(StepText(kept));
        }
    }
    return threads;
}

} // namespace ns3::rdma
