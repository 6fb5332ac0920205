// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "workload/goal-scanner.h"
#include "workload/goal-schedule.h"
#include "workload/text-trace-reader.h"

#include <map>
#include <optional>

namespace ns3::rdma
{

namespace
{

/**
 * Reads "num_ranks n", then a block for each rank.
 *
 * A statement is one line; what is wrong with it is reported, and the next one is read.
 */
class GoalParser
{
  public:
    GoalParser(std::string_view text, const std::string& file) : m_scanner{text}, m_errors{file} {}

    Expected<Trace> Parse();

  private:
    /** That one label requires another, until the block has ended and all labels are known. */
    struct Requirement
    {
        TextToken step;
        TextToken on;
        DependencyEvent event;
    };

    void Advance()
    {
        m_token = m_scanner.Next();
    }

    bool ReadHeader();
    void ReadRank();
    bool OpenRank();
    void ReadStatement();
    void ReadLabelled();
    void ReadOperation(std::string_view label);
    bool ReadAmount(GoalOperation& operation);
    bool ReadPeer(GoalOperation& operation);
    bool ReadOption(GoalOperation& operation);
    std::optional<uint64_t> ReadNumber(uint64_t maximum, const char* expected);
    void ReadRequirement(const TextToken& label);
    void ResolveRequirements();
    std::optional<ScheduleStepId> Find(const TextToken& label);
    bool IsAtEnd() const;
    void Fail(const char* expected);
    void SkipNewlines();
    void SkipStatement();
    void SkipBlock();

    GoalScanner m_scanner;
    DiagnosticList m_errors;
    GoalToken m_token; ///< the next one
    std::optional<GoalSchedule> m_schedule;
    std::vector<uint32_t> m_blockLines; ///< by rank; 0: not seen
    uint32_t m_rank{0};
    std::map<std::string_view, ScheduleStepId> m_labels; ///< of this rank
    std::vector<Requirement> m_requirements;             ///< of this rank
};

bool
GoalParser::IsAtEnd() const
{
    return m_token.kind == GoalTokenKind::NEWLINE || m_token.kind == GoalTokenKind::END ||
           m_token.kind == GoalTokenKind::CLOSE;
}

/** Reports the next token as out of place. */
void
GoalParser::Fail(const char* expected)
{
    const bool isEnd = m_token.kind == GoalTokenKind::END;
    const bool isNewline = m_token.kind == GoalTokenKind::NEWLINE;
    const bool isOpen = m_token.at.text == "/";
    m_errors.Add(m_token.at,
                 isEnd       ? "the file ends too early"
                 : isNewline ? "the line ends too early"
                 : isOpen    ? "a comment that is not closed, or a stray character"
                             : "not understood",
                 expected);
}

void
GoalParser::SkipNewlines()
{
    while (m_token.kind == GoalTokenKind::NEWLINE)
    {
        Advance();
    }
}

void
GoalParser::SkipBlock()
{
    while (m_token.kind != GoalTokenKind::CLOSE && m_token.kind != GoalTokenKind::END)
    {
        Advance();
    }
    Advance();
}

void
GoalParser::SkipStatement()
{
    while (!IsAtEnd())
    {
        Advance();
    }
}

/** A number up to a maximum; -1 stands for 2^32 - 1 where that is in range. */
std::optional<uint64_t>
GoalParser::ReadNumber(uint64_t maximum, const char* expected)
{
    const bool isAny = m_token.at.text == "-1" && maximum == GoalSchedule::ANY;
    const auto value =
        isAny ? std::optional<uint64_t>{GoalSchedule::ANY} : ParseWhole(m_token.at.text);
    if (m_token.kind != GoalTokenKind::NUMBER || !value || *value > maximum)
    {
        Fail(expected);
        return std::nullopt;
    }
    Advance();
    return value;
}

bool
GoalParser::ReadHeader()
{
    Advance();
    SkipNewlines();
    if (!m_token.Is("num_ranks"))
    {
        Fail("num_ranks and the number of ranks");
        return false;
    }
    Advance();
    const auto ranks =
        ReadNumber(GoalSchedule::MAX_RANKS, "the number of ranks, 1 to 1000000, after num_ranks");
    if (!ranks || *ranks == 0)
    {
        if (ranks)
        {
            m_errors.Add(m_token.at.line, "no ranks", "0", "1 to 1000000");
        }
        return false;
    }
    m_blockLines.assign(*ranks, 0);
    m_schedule.emplace(static_cast<uint32_t>(*ranks), GoalSchedule::Places::LINES, m_errors);
    return true;
}

/** Reads "rank n {". */
bool
GoalParser::OpenRank()
{
    if (!m_token.Is("rank"))
    {
        Fail("rank, its number and {");
        return false;
    }
    const TextToken at = m_token.at;
    Advance();
    const auto rank = ReadNumber(GoalSchedule::MAX_RANKS, "the number of the rank");
    if (!rank)
    {
        return false;
    }
    if (m_token.kind != GoalTokenKind::OPEN)
    {
        Fail("{ after the number of the rank");
        return false;
    }
    Advance();
    if (*rank >= m_blockLines.size())
    {
        m_errors.Add(at.line,
                     "a rank beyond num_ranks",
                     std::to_string(*rank),
                     "0 to " + std::to_string(m_blockLines.size() - 1));
        return false;
    }
    if (m_blockLines[*rank] != 0)
    {
        m_errors.Add(at.line,
                     "the rank has a block already, in line " + std::to_string(m_blockLines[*rank]),
                     "rank " + std::to_string(*rank),
                     "each rank once");
    }
    m_rank = static_cast<uint32_t>(*rank);
    m_blockLines[m_rank] = at.line;
    return true;
}

void
GoalParser::ReadRank()
{
    if (!OpenRank())
    {
        SkipBlock();
        return;
    }
    m_labels.clear();
    m_requirements.clear();
    for (SkipNewlines(); m_token.kind != GoalTokenKind::CLOSE; SkipNewlines())
    {
        if (m_token.kind == GoalTokenKind::END)
        {
            m_errors.Add(m_token.at.line,
                         "the file ends within rank " + std::to_string(m_rank),
                         "",
                         "} at the end of the rank that line " +
                             std::to_string(m_blockLines[m_rank]) + " begins");
            return;
        }
        ReadStatement();
    }
    Advance();
    ResolveRequirements();
}

void
GoalParser::ReadStatement()
{
    if (m_token.Is("send") || m_token.Is("recv") || m_token.Is("calc"))
    {
        ReadOperation({});
    }
    else if (m_token.kind == GoalTokenKind::WORD)
    {
        ReadLabelled();
    }
    else
    {
        Fail("send, recv, calc, a label or }");
        Advance();
    }
    SkipStatement();
}

void
GoalParser::ReadLabelled()
{
    const TextToken label = m_token.at;
    Advance();
    if (m_token.Is("requires") || m_token.Is("irequires"))
    {
        ReadRequirement(label);
        return;
    }
    if (m_token.kind != GoalTokenKind::COLON)
    {
        Fail("':', requires or irequires after a label");
        return;
    }
    Advance();
    if (m_labels.contains(label.text))
    {
        m_errors.Add(label, "the label is used twice in this rank", "each label once");
    }
    if (m_token.Is("send") || m_token.Is("recv") || m_token.Is("calc"))
    {
        ReadOperation(label.text);
        return;
    }
    Fail("send, recv or calc");
}

void
GoalParser::ReadRequirement(const TextToken& label)
{
    const auto event = m_token.Is("requires") ? DependencyEvent::END : DependencyEvent::START;
    Advance();
    if (m_token.kind != GoalTokenKind::WORD)
    {
        Fail("the label that is required");
        return;
    }
    m_requirements.push_back({label, m_token.at, event});
    Advance();
    if (!IsAtEnd())
    {
        Fail("the end of the line");
    }
}

bool
GoalParser::ReadAmount(GoalOperation& operation)
{
    const bool isCalc = operation.kind == GoalOperation::Kind::CALC;
    const auto amount = ReadNumber(std::numeric_limits<uint64_t>::max(),
                                   isCalc ? "a number of nanoseconds" : "a number of bytes");
    operation.amount = amount.value_or(0);
    if (!amount || isCalc)
    {
        return amount.has_value();
    }
    if (!m_token.Is("b"))
    {
        Fail("the unit b after the number of bytes");
        return false;
    }
    Advance();
    return true;
}

bool
GoalParser::ReadPeer(GoalOperation& operation)
{
    const bool isSend = operation.kind == GoalOperation::Kind::SEND;
    if (!m_token.Is(isSend ? "to" : "from"))
    {
        Fail(isSend ? "to and a rank" : "from and a rank");
        return false;
    }
    Advance();
    const auto peer = ReadNumber(GoalSchedule::ANY, "a rank");
    operation.peer = static_cast<uint32_t>(peer.value_or(0));
    return peer.has_value();
}

/** Reads "tag t", "cpu c" or "nic n". */
bool
GoalParser::ReadOption(GoalOperation& operation)
{
    const bool isCalc = operation.kind == GoalOperation::Kind::CALC;
    const bool isTag = m_token.Is("tag");
    const bool isCpu = m_token.Is("cpu");
    if (!isCpu && (isCalc || !(isTag || m_token.Is("nic"))))
    {
        Fail(isCalc ? "cpu and a number, or the end of the line"
                    : "tag, cpu or nic and a number, or the end of the line");
        return false;
    }
    Advance();
    const auto value = ReadNumber(isTag ? GoalSchedule::ANY : std::numeric_limits<uint8_t>::max(),
                                  isTag ? "a tag, 0 to 4294967294" : "a number, 0 to 255");
    if (!value)
    {
        return false;
    }
    if (isTag)
    {
        operation.tag = static_cast<uint32_t>(*value);
    }
    else
    {
        (isCpu ? operation.cpu : operation.nic) = static_cast<uint8_t>(*value);
    }
    return true;
}

void
GoalParser::ReadOperation(std::string_view label)
{
    GoalOperation operation;
    operation.place = m_token.at.line;
    operation.kind = m_token.Is("send")   ? GoalOperation::Kind::SEND
                     : m_token.Is("recv") ? GoalOperation::Kind::RECV
                                          : GoalOperation::Kind::CALC;
    Advance();
    bool isRight = ReadAmount(operation) &&
                   (operation.kind == GoalOperation::Kind::CALC || ReadPeer(operation));
    while (isRight && !IsAtEnd())
    {
        isRight = ReadOption(operation);
    }
    if (!isRight)
    {
        operation.kind = GoalOperation::Kind::CALC;
        operation.amount = 0;
    }
    // One that is wrong keeps its place and its label, so that nothing else seems wrong.
    const ScheduleStepId id = m_schedule->Add(m_rank, operation);
    if (!label.empty())
    {
        m_labels.emplace(label, id);
    }
}

std::optional<ScheduleStepId>
GoalParser::Find(const TextToken& label)
{
    const auto found = m_labels.find(label.text);
    if (found != m_labels.end())
    {
        return found->second;
    }
    constexpr std::size_t COMPARED = 1000;
    Diagnostic diagnostic;
    diagnostic.line = label.line;
    diagnostic.message =
        "rank " + std::to_string(m_rank) + " has no such label, neither before nor after";
    diagnostic.got = std::string{label.text};
    diagnostic.expected = "a label of the same rank";
    std::vector<std::string> known;
    for (auto entry = m_labels.begin(); entry != m_labels.end() && known.size() < COMPARED; ++entry)
    {
        known.emplace_back(entry->first);
    }
    diagnostic.nearest = NearestName(diagnostic.got, known);
    m_errors.Add(std::move(diagnostic));
    return std::nullopt;
}

void
GoalParser::ResolveRequirements()
{
    for (const Requirement& requirement : m_requirements)
    {
        const auto step = Find(requirement.step);
        const auto on = Find(requirement.on);
        if (step && on)
        {
            m_schedule->Depend(*step, *on, requirement.event);
        }
    }
}

Expected<Trace>
GoalParser::Parse()
{
    if (!ReadHeader())
    {
        return m_errors.Take();
    }
    for (SkipNewlines(); m_token.kind != GoalTokenKind::END; SkipNewlines())
    {
        ReadRank();
    }
    for (std::size_t rank = 0; rank < m_blockLines.size() && m_errors.IsEmpty(); rank++)
    {
        if (m_blockLines[rank] == 0)
        {
            m_errors.Add(m_token.at.line,
                         "rank " + std::to_string(rank) + " has no block",
                         "",
                         "a block for each of " + std::to_string(m_blockLines.size()) + " ranks");
        }
    }
    return m_schedule->Finish();
}

/** GOAL schedules as text. */
class GoalTraceReader : public TextTraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbeText(std::string_view head) const override;

    Expected<Trace> DoParse(const std::string& text, const std::string& file) const override
    {
        return GoalParser{text, file}.Parse();
    }
};

NS_OBJECT_ENSURE_REGISTERED(GoalTraceReader);

const ComponentHelp HELP{"ns3::rdma::GoalTraceReader",
                         "A GOAL schedule (LogGOPSim, ATLAHS) as text"};

TypeId
GoalTraceReader::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::GoalTraceReader"}
                            .SetParent<TextTraceReader>()
                            .SetGroupName("Rdma")
                            .AddConstructor<GoalTraceReader>();
    return tid;
}

TraceReader::Match
GoalTraceReader::DoProbeText(std::string_view head) const
{
    GoalScanner scanner{head};
    GoalToken token = scanner.Next();
    while (token.kind == GoalTokenKind::NEWLINE)
    {
        token = scanner.Next();
    }
    return token.Is("num_ranks") ? Match::YES : Match::NO;
}

} // namespace

} // namespace ns3::rdma
