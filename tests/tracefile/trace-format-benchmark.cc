// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tracefile/block-encoder.h"
#include "tracefile/trace-folder.h"
#include "tracefile/trace-writer.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sys/resource.h>

/**
 * The cost of an operation of the data path in the trace format.
 *
 *   trace-format-benchmark                     packed into blocks, and read from a file
 *   trace-format-benchmark --stream 100000000  a trace of that many operations is written, then
 * read operation by operation: time, size, and memory
 */
namespace ns3::rdma
{
namespace
{

/** A program with some queue pairs: it posts, polls in vain, takes two completions, and so on. */
class DataPath final : public OperationStream
{
  public:
    explicit DataPath(uint64_t count) : m_left{count} {}

    bool Next(TraceOperation& operation) override
    {
        if (m_left == 0)
        {
            return false;
        }
        --m_left;
        Make(operation);
        return true;
    }

    void Make(TraceOperation& operation)
    {
        constexpr uint32_t QUEUE_PAIRS = 8;
        constexpr uint64_t STEPS = 5;
        // A few hundred nanoseconds from call to call, none like the other.
        m_random = m_random * 6364136223846793005 + 1442695040888963407;
        m_timeNs += 50 + static_cast<int64_t>(m_random >> 56);
        operation = TraceOperation{};
        operation.timeNs = m_timeNs;
        operation.object = static_cast<uint32_t>(m_round % QUEUE_PAIRS);
        operation.other = NO_OBJECT;
        switch (m_step)
        {
        case 0:
            MakePost(operation, OperationKind::POST_RECEIVE);
            break;
        case 1:
            MakePost(operation, OperationKind::POST_SEND);
            operation.flags = 2;
            operation.remoteAddress = 0x7f2000000000 + m_round % 64 * BYTES;
            operation.rkey = 0x1234;
            break;
        case 2:
            operation.kind = OperationKind::EMPTY_POLLS;
            operation.object = 0;
            operation.count = static_cast<uint32_t>(1 + (m_random >> 40) % 100);
            break;
        default:
            operation.kind = OperationKind::COMPLETION;
            operation.opcode = m_step == 3 ? 1 : 128;
            operation.wrId = m_round;
            operation.bytes = BYTES;
            operation.other = 0;
            break;
        }
        m_step = (m_step + 1) % STEPS;
        m_round += m_step == 0 ? 1 : 0;
    }

  private:
    static constexpr uint64_t BYTES = 65536;

    void MakePost(TraceOperation& operation, OperationKind kind) const
    {
        operation.kind = kind;
        operation.wrId = m_round;
        operation.elements = 1;
        operation.bytes = BYTES;
        operation.localAddress = 0x7f1000000000 + m_round % 64 * BYTES;
        operation.localKey = 0x1000;
        operation.durationNs = static_cast<int64_t>(20 + (m_random >> 48) % 30);
    }

    uint64_t m_left;
    uint64_t m_random{1};
    uint64_t m_round{0};
    uint64_t m_step{0};
    int64_t m_timeNs{0};
};

Trace
MakeTrace(uint64_t operations)
{
    Trace trace;
    trace.processes.resize(1);
    trace.processes[0].name = "program";
    trace.threads.push_back(
        {0, "thread", ThreadOrder::PROGRAM, std::make_unique<DataPath>(operations)});
    return trace;
}

void
Encode(benchmark::State& state)
{
    constexpr std::size_t OPERATIONS = 1 << 16;
    DataPath source{0};
    std::vector<TraceOperation> operations(OPERATIONS);
    for (TraceOperation& operation : operations)
    {
        source.Make(operation);
    }
    std::vector<std::byte> buffer(1 << 16);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    uint64_t bytes = 0;
    for ([[maybe_unused]] auto _ : state)
    {
        for (const TraceOperation& operation : operations)
        {
            if (!encoder.Append(operation))
            {
                bytes += encoder.Finish();
                encoder.Begin(buffer);
                encoder.Append(operation);
            }
        }
    }
    const auto items = static_cast<int64_t>(state.iterations() * OPERATIONS);
    state.SetItemsProcessed(items);
    state.counters["bytes_per_operation"] = static_cast<double>(bytes) / static_cast<double>(items);
}

void
Read(benchmark::State& state)
{
    constexpr uint64_t OPERATIONS = 1'000'000;
    const TemporaryFolder folder;
    Trace trace = MakeTrace(OPERATIONS);
    const std::string path = folder.Path() / "trace";
    if (!WriteTrace(trace, path))
    {
        state.SkipWithError("the trace cannot be written");
    }
    uint64_t sum = 0;
    for ([[maybe_unused]] auto _ : state)
    {
        const auto read = OpenTraceFolders({path});
        TraceOperation operation;
        while (read->threads[0].operations->Next(operation))
        {
            sum += operation.bytes;
        }
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * OPERATIONS));
}

BENCHMARK(Encode);
BENCHMARK(Read)->Unit(benchmark::kMillisecond);

/** What the clock on the wall showed, and what of it this program had the processor. */
struct Seconds
{
    double wall{0};
    double processor{0};

    static Seconds Now()
    {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return {std::chrono::duration<double>(now).count(),
                static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
    }
};

int64_t
GetPeakKilobytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void
Report(const char* what, uint64_t operations, const Seconds& start)
{
    const Seconds now = Seconds::Now();
    const double processor = now.processor - start.processor;
    std::cout << what << ": " << operations << " operations in " << now.wall - start.wall
              << " s, of these on the processor " << processor
              << " s: " << static_cast<double>(operations) / processor / 1e6
              << " million/s, peak memory so far " << GetPeakKilobytes() << " KB\n";
}

int
Stream(uint64_t operations)
{
    const TemporaryFolder folder;
    const std::string path = folder.Path() / "trace";
    Trace trace = MakeTrace(operations);
    Seconds start = Seconds::Now();
    const auto written = WriteTrace(trace, path);
    if (!written)
    {
        std::cerr << ToString(written.Errors());
        return 1;
    }
    Report("written", written->operations, start);
    std::cout << written->bytes << " bytes\n";
    start = Seconds::Now();
    const auto read = OpenTraceFolders({path});
    if (!read)
    {
        std::cerr << ToString(read.Errors());
        return 1;
    }
    DataPath expected{operations};
    TraceOperation operation;
    uint64_t count = 0;
    uint64_t bytes = 0;
    while (read->threads[0].operations->Next(operation))
    {
        bytes += operation.bytes;
        ++count;
    }
    Report("read", count, start);
    TraceOperation source;
    uint64_t expectedBytes = 0;
    while (expected.Next(source))
    {
        expectedBytes += source.bytes;
    }
    const bool isWhole = count == operations && bytes == expectedBytes;
    std::cout << (isWhole ? "all of them came back\n" : "not all of them came back\n");
    return isWhole ? 0 : 1;
}

} // namespace
} // namespace ns3::rdma

int
main(int count, char** words)
{
    if (count == 3 && std::string{words[1]} == "--stream")
    {
        return ns3::rdma::Stream(std::strtoull(words[2], nullptr, 10));
    }
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words))
    {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
