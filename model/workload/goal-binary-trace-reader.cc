// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "workload/goal-schedule.h"
#include "workload/text-trace-reader.h"

#include <algorithm>
#include <optional>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAGIC = 4223;
constexpr uint64_t MAGIC_USED_UP = 2342; ///< a run with --save-mem has changed the counters
constexpr uint64_t BASE = 8;             ///< offsets in the file count from behind the magic number
constexpr uint64_t HEADER_BYTES = 14;    ///< magic number, ranks, highest cpu, highest nic
constexpr uint64_t JUMP_BYTES = 16;      ///< of a rank: where it begins and ends
constexpr uint64_t OPERATION_BYTES = 39;
constexpr uint64_t NUMBER_BYTES = 4; ///< of a root, and of an entry of the appendix

/** A file's bytes; what is read is little-endian, and inside: the caller has checked. */
class Bytes
{
  public:
    explicit Bytes(std::string bytes) : m_bytes{std::move(bytes)} {}

    uint64_t Size() const
    {
        return m_bytes.size();
    }

    template <typename T>
    T Get(uint64_t offset) const
    {
        uint64_t value = 0;
        for (uint64_t i = 0; i < sizeof(T); i++)
        {
            value |= uint64_t{static_cast<uint8_t>(m_bytes[offset + i])} << (8 * i);
        }
        return static_cast<T>(value);
    }

  private:
    std::string m_bytes;
};

/** Where the parts of a rank are; offsets in the file. */
struct RankLayout
{
    uint64_t roots{0};
    uint64_t rootCount{0};
    uint64_t operations{0};
    uint64_t operationCount{0};
    uint64_t appendix{0};
    uint64_t appendixCount{0};
};

/**
 * Reads the binary form.
 *
 * Behind the magic number (8 bytes) stand the number of ranks (4), the highest cpu and nic (1
 * each) and for each rank its beginning and end (8 each, from behind the magic number). A rank has
 * its numbers of operations and of those without dependencies (4 each), the list of the latter,
 * then 39 bytes an operation: dependencies (4), kind (1), peer (4), size (8), tag (4), cpu (1), nic
 * (1), and how many operations wait for its end and where their list begins in the appendix, the
 * same for its start (4 each); then the appendix. All little-endian, without padding.
 *
 * @spec LogGOPSim, Parser.hpp (serialize_mmap)
 */
class GoalBinaryParser
{
  public:
    GoalBinaryParser(Bytes bytes, const std::string& file)
        : m_bytes{std::move(bytes)},
          m_errors{file}
    {
    }

    Expected<Trace> Parse();

  private:
    bool ReadHeader();
    void ReadRank(uint32_t rank);
    std::optional<RankLayout> FindParts(uint32_t rank);
    void ReadOperation(uint32_t rank, uint64_t offset);
    void ReadDependents(uint32_t rank, const RankLayout& layout, uint32_t step);
    void ReadList(ScheduleStepId on, const RankLayout& layout, bool isStart);
    void CheckCounts(const RankLayout& layout);
    void Fail(uint64_t offset, std::string message, std::string got, std::string expected);

    Bytes m_bytes;
    DiagnosticList m_errors;
    std::optional<GoalSchedule> m_schedule;
    uint32_t m_ranks{0};
    uint64_t m_end{0};             ///< of the rank before, from behind the magic number
    uint64_t m_listed{0};          ///< entries of a rank's appendix that are used
    std::vector<uint32_t> m_waits; ///< by operation of a rank: dependencies found
};

void
GoalBinaryParser::Fail(uint64_t offset, std::string message, std::string got, std::string expected)
{
    m_errors.Add(0,
                 "offset " + std::to_string(offset) + ": " + std::move(message),
                 std::move(got),
                 std::move(expected));
}

bool
GoalBinaryParser::ReadHeader()
{
    const uint64_t size = m_bytes.Size();
    if (size < HEADER_BYTES)
    {
        Fail(size, "the file ends within its header", std::to_string(size) + " bytes", "14 bytes");
        return false;
    }
    const auto magic = m_bytes.Get<uint64_t>(0);
    if (magic != MAGIC)
    {
        Fail(0,
             magic == MAGIC_USED_UP ? "a simulation has used this schedule up (--save-mem)"
                                    : "not a binary GOAL schedule",
             "magic number " + std::to_string(magic),
             std::to_string(MAGIC));
        return false;
    }
    m_ranks = m_bytes.Get<uint32_t>(BASE);
    const uint64_t fit = (size - HEADER_BYTES) / JUMP_BYTES;
    if (m_ranks == 0 || m_ranks > fit || m_ranks > GoalSchedule::MAX_RANKS)
    {
        Fail(BASE,
             "the number of ranks does not fit the file",
             std::to_string(m_ranks),
             "1 to " + std::to_string(std::min<uint64_t>(fit, GoalSchedule::MAX_RANKS)));
        return false;
    }
    m_end = HEADER_BYTES - BASE + JUMP_BYTES * m_ranks;
    m_schedule.emplace(m_ranks, GoalSchedule::Places::OFFSETS, m_errors);
    return true;
}

std::optional<RankLayout>
GoalBinaryParser::FindParts(uint32_t rank)
{
    const uint64_t jump = HEADER_BYTES + JUMP_BYTES * rank;
    const auto begin = m_bytes.Get<uint64_t>(jump);
    const auto end = m_bytes.Get<uint64_t>(jump + JUMP_BYTES / 2);
    constexpr uint64_t COUNTS = 2 * NUMBER_BYTES;
    if (end > m_bytes.Size() - BASE || begin > end || end - begin < COUNTS || begin < m_end)
    {
        Fail(jump,
             "rank " + std::to_string(rank) +
                 " lies outside of the file, or on what stands before it",
             std::to_string(begin) + " to " + std::to_string(end),
             "within " + std::to_string(m_end) + " to " + std::to_string(m_bytes.Size() - BASE));
        return std::nullopt;
    }
    m_end = end;
    RankLayout layout;
    layout.operationCount = m_bytes.Get<uint32_t>(BASE + begin);
    layout.rootCount = m_bytes.Get<uint32_t>(BASE + begin + NUMBER_BYTES);
    const uint64_t needed =
        COUNTS + NUMBER_BYTES * layout.rootCount + OPERATION_BYTES * layout.operationCount;
    if (needed > end - begin || (end - begin - needed) % NUMBER_BYTES != 0)
    {
        Fail(BASE + begin,
             "the operations of rank " + std::to_string(rank) + " do not fit its part of the file",
             std::to_string(needed) + " bytes and a list of 4 bytes each",
             std::to_string(end - begin) + " bytes");
        return std::nullopt;
    }
    layout.roots = BASE + begin + COUNTS;
    layout.operations = layout.roots + NUMBER_BYTES * layout.rootCount;
    layout.appendix = layout.operations + OPERATION_BYTES * layout.operationCount;
    layout.appendixCount = (end - begin - needed) / NUMBER_BYTES;
    return layout;
}

void
GoalBinaryParser::ReadOperation(uint32_t rank, uint64_t offset)
{
    constexpr uint64_t KIND = 4;
    constexpr uint64_t PEER = 5;
    constexpr uint64_t SIZE = 9;
    constexpr uint64_t TAG = 17;
    constexpr uint64_t CPU = 21;
    constexpr uint64_t NIC = 22;
    GoalOperation operation;
    operation.place = offset;
    const auto kind = m_bytes.Get<uint8_t>(offset + KIND);
    if (kind >= 1 && kind <= 3)
    {
        operation.kind = static_cast<GoalOperation::Kind>(kind);
    }
    else
    {
        Fail(offset + KIND, "unknown kind of operation", std::to_string(kind), "1, 2 or 3");
    }
    operation.peer = m_bytes.Get<uint32_t>(offset + PEER);
    operation.amount = m_bytes.Get<uint64_t>(offset + SIZE);
    operation.tag = m_bytes.Get<uint32_t>(offset + TAG);
    operation.cpu = m_bytes.Get<uint8_t>(offset + CPU);
    operation.nic = m_bytes.Get<uint8_t>(offset + NIC);
    m_schedule->Add(rank, operation);
}

/** Reads which operations wait for one, and says so of them. */
void
GoalBinaryParser::ReadList(ScheduleStepId on, const RankLayout& layout, bool isStart)
{
    constexpr uint64_t ENDS = 23;
    constexpr uint64_t STARTS = 31;
    const uint64_t offset =
        layout.operations + OPERATION_BYTES * on.step + (isStart ? STARTS : ENDS);
    const auto count = m_bytes.Get<uint32_t>(offset);
    const auto first = m_bytes.Get<uint32_t>(offset + NUMBER_BYTES);
    m_listed += count;
    if (count > 0 && (first > layout.appendixCount || count > layout.appendixCount - first ||
                      m_listed > layout.appendixCount))
    {
        Fail(offset,
             "the list of dependent operations leaves the appendix of its rank, or lies on another",
             std::to_string(count) + " from " + std::to_string(first),
             "within " + std::to_string(layout.appendixCount));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
    {
        const uint64_t entry = layout.appendix + NUMBER_BYTES * (uint64_t{first} + i);
        const auto step = m_bytes.Get<uint32_t>(entry);
        if (step >= layout.operationCount)
        {
            Fail(entry,
                 "no such operation in this rank",
                 std::to_string(step),
                 "below " + std::to_string(layout.operationCount));
            return;
        }
        m_waits[step]++;
        m_schedule->Depend(
            {on.thread, step}, on, isStart ? DependencyEvent::START : DependencyEvent::END);
    }
}

/** What the file says twice must agree: dependencies of each operation, and those without. */
void
GoalBinaryParser::CheckCounts(const RankLayout& layout)
{
    uint64_t roots = 0;
    for (uint64_t step = 0; step < layout.operationCount; step++)
    {
        const uint64_t offset = layout.operations + OPERATION_BYTES * step;
        const auto announced = m_bytes.Get<uint32_t>(offset);
        roots += announced == 0 ? 1 : 0;
        if (announced != m_waits[step])
        {
            Fail(offset,
                 "the number of dependencies differs from what other operations say",
                 std::to_string(announced),
                 std::to_string(m_waits[step]));
        }
    }
    if (roots != layout.rootCount)
    {
        Fail(layout.roots - NUMBER_BYTES,
             "the number of operations without dependencies is wrong",
             std::to_string(layout.rootCount),
             std::to_string(roots));
    }
}

void
GoalBinaryParser::ReadRank(uint32_t rank)
{
    const auto layout = FindParts(rank);
    if (!layout)
    {
        return;
    }
    m_waits.assign(layout->operationCount, 0);
    m_listed = 0;
    const auto count = static_cast<uint32_t>(layout->operationCount);
    for (uint32_t step = 0; step < count; step++)
    {
        ReadOperation(rank, layout->operations + OPERATION_BYTES * step);
    }
    for (uint32_t step = 0; step < count; step++)
    {
        ReadList({rank, step}, *layout, false);
        ReadList({rank, step}, *layout, true);
    }
    if (m_errors.IsEmpty())
    {
        CheckCounts(*layout);
    }
}

Expected<Trace>
GoalBinaryParser::Parse()
{
    if (!ReadHeader())
    {
        return m_errors.Take();
    }
    for (uint32_t rank = 0; rank < m_ranks; rank++)
    {
        ReadRank(rank);
    }
    return m_schedule->Finish();
}

/** GOAL schedules in the form that LogGOPSim's txt2bin writes. */
class GoalBinaryTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbe(const std::string& path, std::span<const std::byte> head) const override;
    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override;
};

NS_OBJECT_ENSURE_REGISTERED(GoalBinaryTraceReader);

const ComponentHelp HELP{"ns3::rdma::GoalBinaryTraceReader",
                         "A GOAL schedule in LogGOPSim's binary form"};

TypeId
GoalBinaryTraceReader::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::GoalBinaryTraceReader"}
                            .SetParent<TraceReader>()
                            .SetGroupName("Rdma")
                            .AddConstructor<GoalBinaryTraceReader>();
    return tid;
}

TraceReader::Match
GoalBinaryTraceReader::DoProbe(const std::string&, std::span<const std::byte> head) const
{
    if (head.size() < sizeof(uint64_t))
    {
        return Match::NO;
    }
    const Bytes bytes{std::string{reinterpret_cast<const char*>(head.data()), sizeof(uint64_t)}};
    const auto magic = bytes.Get<uint64_t>(0);
    return magic == MAGIC || magic == MAGIC_USED_UP ? Match::YES : Match::NO;
}

Expected<Trace>
GoalBinaryTraceReader::DoOpen(const std::vector<std::string>& paths) const
{
    const auto path = TakeOnlyPath(paths);
    if (!path)
    {
        return path.Errors();
    }
    const auto content = ReadWholeFile(*path);
    if (!content)
    {
        return content.Errors();
    }
    return GoalBinaryParser{Bytes{*content}, *path}.Parse();
}

} // namespace

} // namespace ns3::rdma
