// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a replay costs besides its packets: a kept measurement, never run as a test.
 *
 *     replay-cost <kind> <operations> <folder>     from the top of the tree; kinds as below
 *
 * Two hosts on a cable; one writes 64 B to the other, again and again, 64 at a time, each
 * signalled. "perftest" sends the same packets without a trace: what another kind takes longer,
 * divided by its operations (two of a message for programs, one for schedules), is the replay's
 * own. "read" only reads the trace, which is made while it is read; "stored" is "fast" with a trace
 * in files of our own format. Processor time and memory are printed; instructions: valgrind
 * --tool=callgrind, or perf stat.
 */
#include "scenario/run-machine.h"
#include "scenario/run.h"
#include "scenario/scenario-loader.h"
#include "tracefile/trace-writer.h"
#include "verbs/access.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"
#include "workload/trace-reader.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t DEPTH = 64;
constexpr uint64_t BYTES = 64;
constexpr ObjectId OBJECT = 1;
constexpr uint32_t KEY = 5;
constexpr uint64_t ADDRESS = 4096;

/** The calls of a program at one end. */
class ProgramStream : public OperationStream
{
  public:
    ProgramStream(uint32_t process, uint64_t operations, int64_t gapNs)
        : m_process{process},
          m_left{operations},
          m_gapNs{gapNs}
    {
    }

    bool Next(TraceOperation& operation) override
    {
        if (m_step < 4)
        {
            Prepare(operation);
            return true;
        }
        if (m_process == 1 || m_left == 0)
        {
            return false;
        }
        --m_left;
        m_timeNs += m_gapNs;
        const bool posts = m_posted < m_taken + DEPTH && m_left >= m_posted - m_taken;
        operation.kind = posts ? OperationKind::POST_SEND : OperationKind::COMPLETION;
        operation.opcode = posts ? 0 : 1; // RDMA_WRITE of ibv_wr_opcode and of ibv_wc_opcode
        operation.flags = SEND_SIGNALED;
        operation.elements = 1;
        operation.object = OBJECT;
        operation.timeNs = m_timeNs;
        operation.bytes = BYTES;
        operation.localAddress = operation.remoteAddress = ADDRESS;
        operation.localKey = operation.rkey = KEY;
        ++(posts ? m_posted : m_taken);
        return true;
    }

  private:
    void Prepare(TraceOperation& operation)
    {
        operation = {};
        operation.kind = OperationKind::CONTROL;
        operation.object = OBJECT;
        QueuePairChange change;
        change.mask = QP_STATE;
        switch (m_step++)
        {
        case 0:
            operation.control = {ControlVerb::CREATE,
                                 ObjectKind::MEMORY_REGION,
                                 MemoryRegionDetail{.address = ADDRESS,
                                                    .iova = ADDRESS,
                                                    .bytes = 1 << 20,
                                                    .access = ACCESS_ALL,
                                                    .lkey = KEY,
                                                    .rkey = KEY}};
            return;
        case 1:
            operation.control = {ControlVerb::CREATE,
                                 ObjectKind::QUEUE_PAIR,
                                 QueuePairDetail{.number = 10 + m_process,
                                                 .maxSendRequests = 2 * DEPTH,
                                                 .maxReceiveRequests = 1}};
            return;
        case 2:
            change.mask |= QP_DEST_QPN;
            change.state = static_cast<uint8_t>(QueuePairState::RTR);
            change.destinationQp = 11 - m_process;
            operation.control = {ControlVerb::MODIFY, ObjectKind::QUEUE_PAIR, change};
            return;
        default:
            change.state = static_cast<uint8_t>(QueuePairState::RTS);
            operation.control = {ControlVerb::MODIFY, ObjectKind::QUEUE_PAIR, change};
        }
    }

    uint32_t m_process;
    uint64_t m_left;
    int64_t m_gapNs;
    int64_t m_timeNs{0};
    int m_step{0};
    uint64_t m_posted{0};
    uint64_t m_taken{0};
};

/** Messages of a schedule, each after the one that is 64 before it. */
class ScheduleStream : public OperationStream
{
  public:
    ScheduleStream(uint32_t process, uint64_t operations) : m_process{process}, m_left{operations}
    {
    }

    bool Next(TraceOperation& operation) override
    {
        operation.dependencies = {};
        if (m_number == 0)
        {
            operation = {};
            operation.kind = OperationKind::CONTROL;
            operation.object = OBJECT;
            operation.control = {ControlVerb::CREATE,
                                 ObjectKind::QUEUE_PAIR,
                                 ConnectionDetail{.peerProcess = 1 - m_process}};
            ++m_number;
            return true;
        }
        if (m_process == 1 || m_left == 0)
        {
            return false;
        }
        --m_left;
        operation.kind = OperationKind::MESSAGE;
        operation.object = OBJECT;
        operation.bytes = BYTES;
        if (m_number > DEPTH)
        {
            m_dependency = {0, DependencyEvent::END, m_number - DEPTH};
            operation.dependencies = {&m_dependency, 1};
        }
        ++m_number;
        return true;
    }

  private:
    uint32_t m_process;
    uint64_t m_left;
    uint64_t m_number{0};
    Dependency m_dependency;
};

/** The path is the kind of the trace. */
class EndlessTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId{"ns3::rdma::EndlessTraceReader"}
                .SetParent<TraceReader>()
                .SetGroupName("Rdma")
                .AddConstructor<EndlessTraceReader>()
                .AddAttribute("Operations",
                              "Of the first process",
                              UintegerValue{1000},
                              MakeUintegerAccessor(&EndlessTraceReader::m_operations),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

  private:
    Match DoProbe(const std::string&, std::span<const std::byte>) const override
    {
        return Match::NO;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        Trace trace;
        const bool isSchedule = paths.front() == "schedule";
        trace.timing = isSchedule ? TraceTiming::NONE : TraceTiming::RECORDED;
        for (const uint32_t process : {0U, 1U})
        {
            trace.processes.push_back({.name = std::to_string(process), .host = "", .gids = {}});
            TraceThread thread;
            thread.process = process;
            thread.name = "0";
            thread.order = isSchedule ? ThreadOrder::GRAPH : ThreadOrder::PROGRAM;
            const int64_t gapNs = paths.front() == "dependent" ? 1 : 0;
            if (isSchedule)
            {
                thread.operations = std::make_unique<ScheduleStream>(process, m_operations);
            }
            else
            {
                thread.operations = std::make_unique<ProgramStream>(process, m_operations, gapNs);
            }
            trace.threads.push_back(std::move(thread));
        }
        return trace;
    }

    uint64_t m_operations{0};
};

NS_OBJECT_ENSURE_REGISTERED(EndlessTraceReader);

Expected<Trace>
OpenEndless(const std::string& operations)
{
    return OpenTrace(
        {.paths = {"fast"}, .format = "endless", .options = {{"operations", operations}}});
}

std::string
MakeWorkload(const std::string& kind, const std::string& operations, const std::string& folder)
{
    if (kind == "stored")
    {
        return "[{pattern: replay, files: [" + folder + "/process-0, " + folder +
               "/process-1], mode: fast}]";
    }
    if (kind == "perftest")
    {
        return "[{pattern: perftest, verb: write, test: bw, sizes: 64B, tx_depth: 64, "
               "cq_moderation: 1, inline: 0B, iterations: " +
               operations + "}]";
    }
    return "[{pattern: replay, format: endless, files: " + kind +
           ", options: operations=" + operations +
           ", mode: " + (kind == "fast" ? "fast" : "dependent") + "}]";
}

int
Measure(const std::string& kind, const std::string& operations, const std::string& folder)
{
    const std::string stored = folder + "-trace";
    if (kind == "stored")
    {
        auto trace = OpenEndless(operations);
        if (!WriteTrace(*trace, stored))
        {
            std::cerr << stored << " cannot be written\n";
            return 2;
        }
    }
    const double before = GetProcessorSeconds();
    if (kind == "read")
    {
        const auto trace = OpenEndless(operations);
        TraceOperation operation;
        while (trace->threads[0].operations->Next(operation))
        {
        }
    }
    else
    {
        LoadRequest request;
        request.file = "scenarios/replay.yaml";
        request.overrides = {
            {"topology", "{family: back-to-back, rate: 100Gbps, delay: 1us}", "--set"},
            {"workload", MakeWorkload(kind, operations, stored), "--set"}};
        const auto scenario = LoadScenario(request);
        if (!scenario)
        {
            std::cerr << ToString(scenario.Errors());
            return 2;
        }
        const int code = RunScenario(
            *scenario,
            {.outFolder = folder, .isQuiet = true, .out = &std::cout, .err = &std::cerr});
        if (code != 0)
        {
            return code;
        }
    }
    const double seconds = GetProcessorSeconds() - before;
    std::cout << kind << ": " << seconds << " s, " << seconds * 1e9 / std::stod(operations)
              << " ns an operation, " << GetPeakMemoryBytes() / 1'000'000 << " MB\n";
    return 0;
}

} // namespace
} // namespace ns3::rdma

int
main(int argc, char** argv)
{
    if (argc != 4)
    {
        std::cerr
            << "replay-cost perftest|read|fast|stored|dependent|schedule <operations> <folder>\n";
        return 2;
    }
    ns3::rdma::PreferHugePages();
    ns3::Time::SetResolution(ns3::Time::PS);
    return ns3::rdma::Measure(argv[1], argv[2], argv[3]);
}
