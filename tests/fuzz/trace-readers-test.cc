// SPDX-License-Identifier: GPL-2.0-only
// Sample inputs of all readers of traces with seeded damage. A reader that is registered is tested:
// its samples are the files below tests/workload/data/traces/<format>. RDMASIM_FUZZ_INPUTS and
// RDMASIM_FUZZ_SEED make another run.
#include "tests/fuzz/allocation-meter.h"
#include "tests/fuzz/trace-mutator.h"
#include "tests/support/source-folder.h"
#include "tests/support/temporary-folder.h"
#include "tests/tracefile/random-operations.h"
#include "tracefile/block-encoder.h"
#include "tracefile/thread-file-stream.h"
#include "tracefile/trace-statistics.h"
#include "workload/trace-reader.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <iostream>

namespace ns3::rdma
{
namespace
{

namespace fs = std::filesystem;

/** More operations than a sample of a few thousand bytes can have: a stream without end. */
constexpr uint64_t MAX_OPERATIONS = 1'000'000;
/** A schedule of one line may ask for a million ranks, and a reader notes a few words of each. */
constexpr int64_t MAX_BYTES = 512 << 20;

uint64_t
GetNumber(const char* variable, uint64_t otherwise)
{
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string
ReadFile(const fs::path& path)
{
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

void
WriteFile(const fs::path& path, const std::string& bytes)
{
    std::ofstream{path, std::ios::binary} << bytes;
}

std::vector<fs::path>
FindFiles(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator{folder, none})
    {
        if (entry.is_regular_file())
        {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

/** What happened to inputs. */
struct Outcomes
{
    uint64_t inputs{0};
    uint64_t refused{0};    ///< not opened
    uint64_t damaged{0};    ///< opened, and ended by damage
    uint64_t operations{0}; ///< read in all
};

/** What an operation may not be, whatever the input; empty: nothing is wrong. */
std::string
CheckOperation(const Trace& trace, const TraceOperation& operation)
{
    if (operation.kind == OperationKind::NONE || operation.kind > OperationKind::COMPUTE)
    {
        return "an operation of no known kind";
    }
    for (const Dependency& dependency : operation.dependencies)
    {
        if (dependency.thread >= trace.threads.size())
        {
            return "a dependency on a thread that is not there";
        }
    }
    if (operation.kind == OperationKind::CONTROL)
    {
        const auto* peer = std::get_if<ConnectionDetail>(&operation.control.detail);
        if (peer != nullptr && peer->peerProcess >= trace.processes.size())
        {
            return "a connection with a process that is not there";
        }
    }
    return "";
}

std::string
CheckDiagnostics(const Diagnostics& diagnostics)
{
    if (diagnostics.empty())
    {
        return "a failure without a diagnostic";
    }
    for (const Diagnostic& diagnostic : diagnostics)
    {
        if (diagnostic.message.empty())
        {
            return "a diagnostic without a message";
        }
    }
    return "";
}

std::string
ReadThread(const Trace& trace, const TraceThread& thread, Outcomes& outcomes)
{
    if (thread.operations == nullptr || thread.process >= trace.processes.size())
    {
        return "a thread without operations, or of a process that is not there";
    }
    TraceOperation operation;
    uint64_t count = 0;
    while (thread.operations->Next(operation))
    {
        if (const std::string failed = CheckOperation(trace, operation); !failed.empty())
        {
            return failed;
        }
        if (++count > MAX_OPERATIONS)
        {
            return "more operations than the input can have";
        }
    }
    outcomes.operations += count;
    if (thread.operations->Next(operation))
    {
        return "operations behind the end";
    }
    const auto& damage = thread.operations->GetDamage();
    outcomes.damaged += damage ? 1 : 0;
    return damage ? CheckDiagnostics({*damage}) : "";
}

/** Opens and reads; what went wrong that may not, empty if nothing did. */
std::string
CheckInput(const TraceRequest& request, Outcomes& outcomes)
{
    const int64_t before = AllocationMeter::GetLiveBytes();
    AllocationMeter::Reset();
    ++outcomes.inputs;
    std::string failed;
    try
    {
        const auto trace = OpenTrace(request);
        if (!trace)
        {
            ++outcomes.refused;
            failed = CheckDiagnostics(trace.Errors());
        }
        for (std::size_t i = 0; trace && failed.empty() && i < trace->threads.size(); ++i)
        {
            failed = ReadThread(*trace, trace->threads[i], outcomes);
        }
    }
    catch (const std::exception& exception)
    {
        failed = std::string{"an exception: "} + exception.what();
    }
    const int64_t bytes = AllocationMeter::GetPeakBytes() - before;
    return failed.empty() && bytes > MAX_BYTES ? std::to_string(bytes) + " bytes of memory"
                                               : failed;
}

/** The samples of a format in a folder of their own, where they can be damaged. */
class SampleFolder
{
  public:
    explicit SampleFolder(const std::string& format) : m_format{format}
    {
        const fs::path source = GetSourceFolder() / "tests/workload/data/traces" / format;
        std::error_code none;
        fs::copy(source, m_folder.Path() / "in", fs::copy_options::recursive, none);
        m_files = FindFiles(m_folder.Path() / "in");
        for (const fs::path& file : m_files)
        {
            m_originals.push_back(ReadFile(file));
        }
    }

    std::size_t CountFiles() const
    {
        return m_files.size();
    }

    /** Damages a file, reads it or its folder, and mends it again. */
    void Try(TraceMutator& mutator, Outcomes& outcomes)
    {
        const std::size_t which = mutator.Below(m_files.size());
        const std::string bytes = mutator.Damage(m_originals[which]);
        WriteFile(m_files[which], bytes);
        TraceRequest request;
        request.paths = {m_files[which]};
        request.format = mutator.Below(4) == 0 ? "" : m_format;
        const std::size_t choice = mutator.Below(4);
        if (choice == 0)
        {
            request.paths = {m_files[which].parent_path()};
        }
        else if (choice == 1)
        {
            const std::size_t other = mutator.Below(m_files.size());
            request.paths.push_back(m_files[other]);
        }
        const std::string failed = CheckInput(request, outcomes);
        EXPECT_EQ(failed, "") << Keep(m_files[which].filename(), bytes);
        WriteFile(m_files[which], m_originals[which]);
    }

  private:
    /** Puts an input that failed where it can be looked at. @return what to say about it */
    std::string Keep(const std::string& name, const std::string& bytes) const
    {
        const fs::path path = fs::temp_directory_path() / ("rdmasim-fuzz-" + m_format + "-" + name);
        WriteFile(path, bytes);
        return "format " + m_format + ", the input is kept as " + path.string();
    }

    std::string m_format;
    TemporaryFolder m_folder;
    std::vector<fs::path> m_files;
    std::vector<std::string> m_originals;
};

TEST(TraceReadersFuzz, DamagedSamplesOfEachFormatAreReadOrRefused)
{
    const uint64_t inputs = GetNumber("RDMASIM_FUZZ_INPUTS", 500);
    const uint64_t seed = GetNumber("RDMASIM_FUZZ_SEED", 1);
    std::cout << "seed " << seed << "\n";
    for (const std::string& format : GetTraceFormats())
    {
        SampleFolder samples{format};
        ASSERT_GT(samples.CountFiles(), 0u) << "no samples of " << format;
        TraceMutator mutator{seed};
        Outcomes outcomes;
        while (outcomes.inputs < inputs && !HasFailure())
        {
            samples.Try(mutator, outcomes);
        }
        std::cout << format << ": " << outcomes.inputs << " inputs from " << samples.CountFiles()
                  << " samples, " << outcomes.refused << " refused, " << outcomes.damaged
                  << " threads ended by damage, " << outcomes.operations << " operations read\n";
        EXPECT_GT(outcomes.operations, 0u);
        EXPECT_GT(outcomes.refused + outcomes.damaged, inputs / 20);
    }
}

/** Samples are refused by no reader before they are damaged: else the test above tests nothing. */
TEST(TraceReadersFuzz, SamplesThemselvesAreRead)
{
    for (const std::string& format : GetTraceFormats())
    {
        const fs::path folder = GetSourceFolder() / "tests/workload/data/traces" / format;
        Outcomes outcomes;
        for (const fs::path& file : FindFiles(folder))
        {
            EXPECT_EQ(CheckInput({{file}, format, {}}, outcomes), "") << file;
        }
        EXPECT_LT(outcomes.refused, outcomes.inputs) << format;
        EXPECT_GT(outcomes.operations, 0u) << format;
    }
}

/** Payloads of our own format whose CRC is right in spite of their damage. */
TEST(TraceReadersFuzz, DamageUnderARightCrcIsFound)
{
    const uint64_t inputs = GetNumber("RDMASIM_FUZZ_INPUTS", 500) * 4;
    const TemporaryFolder folder;
    const fs::path path = folder.Path() / "t.rdt";
    TraceMutator mutator{GetNumber("RDMASIM_FUZZ_SEED", 1)};
    RandomOperations random{1};
    std::vector<std::byte> buffer(1 << 16);
    uint64_t damages = 0;
    uint64_t operations = 0;
    for (uint64_t input = 0; input < inputs; ++input)
    {
        BlockEncoder encoder;
        encoder.Begin(buffer);
        for (int i = 0; i < 10; ++i)
        {
            ASSERT_TRUE(encoder.Append(random.Make()));
        }
        const std::size_t size = encoder.Finish();
        const std::string payload =
            mutator.Damage({reinterpret_cast<const char*>(buffer.data()) + BlockHeader::SIZE,
                            size - BlockHeader::SIZE});
        std::ranges::copy(std::as_bytes(std::span{payload}), buffer.begin() + BlockHeader::SIZE);
        BlockHeader header;
        header.payloadBytes = static_cast<uint32_t>(payload.size());
        header.operations = 10;
        header.Emit(buffer);
        std::array<std::byte, ThreadFileHeader::MAX_BYTES> head{};
        const ThreadFileHeader fileHeader;
        std::string bytes(reinterpret_cast<const char*>(head.data()), fileHeader.Emit(head));
        bytes.append(reinterpret_cast<const char*>(buffer.data()),
                     BlockHeader::SIZE + payload.size());
        WriteFile(path, bytes);
        ThreadFileStream stream{path, fileHeader};
        TraceOperation operation;
        while (stream.Next(operation))
        {
            ASSERT_FALSE(Describe(operation).empty());
            ++operations;
        }
        damages += stream.GetDamage() ? 1 : 0;
    }
    std::cout << inputs << " blocks, " << damages << " ended by damage, " << operations
              << " operations read\n";
    // Some changes are of values only, which no reader can tell.
    EXPECT_GT(damages, inputs / 2);
    EXPECT_GT(operations, inputs);
}

} // namespace
} // namespace ns3::rdma
