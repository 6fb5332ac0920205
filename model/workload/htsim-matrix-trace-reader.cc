// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/choice-attribute.h"
#include "base/component-help.h"
#include "topology/text-reader.h"
#include "workload/htsim-matrix.h"
#include "workload/message-schedule.h"
#include "workload/text-trace-reader.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

enum class StartUnit : uint8_t
{
    AUTO,
    PS,
    US,
};

/** The unit of a matrix' start times, and why it is taken. */
struct UnitChoice
{
    StartUnit unit;
    std::string reason;
};

/**
 * Infers the unit: htsim's present reader takes start as picoseconds, its older one and its own
 * writer as microseconds.
 */
UnitChoice
InferUnit(const std::vector<HtsimFlow>& flows)
{
    constexpr uint64_t PS_PER_NS = 1000;
    uint64_t greatest = 0;
    for (const HtsimFlow& flow : flows)
    {
        if (flow.start.find_first_of(".eE") != std::string_view::npos)
        {
            return {StartUnit::US,
                    "line " + std::to_string(flow.line) +
                        " has a fraction, and a picosecond has none"};
        }
        greatest = std::max(greatest, ParseWhole(flow.start).value_or(0));
    }
    if (greatest == 0)
    {
        return {StartUnit::PS, "all are 0, so that the unit does not matter"};
    }
    if (greatest < PS_PER_NS)
    {
        return {StartUnit::US, "as picoseconds none would reach a nanosecond"};
    }
    return {StartUnit::PS, "they are whole numbers, which htsim's present reader takes so"};
}

/** Makes the trace of a matrix. */
class MatrixConverter
{
  public:
    MatrixConverter(const HtsimMatrix& matrix, const std::string& file)
        : m_matrix{matrix},
          m_errors{file}
    {
    }

    Expected<Trace> Convert(StartUnit unit, bool isStrict);

  private:
    /** What a trigger brings together. */
    struct Trigger
    {
        HtsimTrigger definition;
        std::vector<ScheduleStepId> causes; ///< whose ends fire it
        std::vector<std::size_t> flows;     ///< that it starts, in the order of the file
    };

    uint32_t GetLine(ScheduleStepId id) const
    {
        return static_cast<uint32_t>(m_schedule.Get(id).place);
    }

    void TakeMiscounts(bool isStrict);
    void ChooseUnit(StartUnit unit);
    void AddFlow(const HtsimFlow& flow);
    int64_t ReadStart(const HtsimFlow& flow);
    ScheduleStepId AddReceive(const HtsimFlow& flow, uint32_t tag);
    Trigger& FindTrigger(uint64_t id);
    void Join(const Trigger& trigger);
    void CheckDefined(const Trigger& trigger, bool isStrict);
    void CheckCircle();
    void NoteRest();

    const HtsimMatrix& m_matrix;
    DiagnosticList m_errors;
    std::vector<std::string> m_notes;
    MessageSchedule m_schedule{TraceTiming::PLANNED};
    StartUnit m_unit{StartUnit::PS};
    uint64_t m_inexact{0};
    std::vector<ScheduleStepId> m_messages;                          ///< by flow
    std::map<uint64_t, Trigger> m_triggers;                          ///< by id
    std::map<std::pair<uint32_t, uint32_t>, ObjectId> m_receiveEnds; ///< by receiver and sender
};

/** Header and lines that do not agree: an error, or told. */
void
MatrixConverter::TakeMiscounts(bool isStrict)
{
    for (const Diagnostic& miscount : m_matrix.miscounts)
    {
        if (isStrict)
        {
            m_errors.Add(miscount);
            continue;
        }
        m_notes.push_back("the header announces " + miscount.expected + " " + miscount.key +
                          ", there are " + miscount.got);
    }
}

void
MatrixConverter::ChooseUnit(StartUnit unit)
{
    const auto hasStart = [](const HtsimFlow& flow) { return !flow.start.empty(); };
    const UnitChoice choice = unit == StartUnit::AUTO ? InferUnit(m_matrix.flows)
                                                      : UnitChoice{unit, "start_unit says so"};
    m_unit = choice.unit;
    if (std::ranges::any_of(m_matrix.flows, hasStart))
    {
        const bool isPs = m_unit == StartUnit::PS;
        m_notes.push_back(std::string{"start times are taken as "} +
                          (isPs ? "picoseconds" : "microseconds") + ": " + choice.reason +
                          "; the option start_unit=" + (isPs ? "us" : "ps") + " takes them as " +
                          (isPs ? "microseconds" : "picoseconds"));
    }
}

int64_t
MatrixConverter::ReadStart(const HtsimFlow& flow)
{
    constexpr int PS_PER_US_EXPONENT = 6;
    if (flow.start.empty())
    {
        return 0;
    }
    const bool isPs = m_unit == StartUnit::PS;
    const auto ps = isPs ? ParseWhole(flow.start) : ParseScaled(flow.start, PS_PER_US_EXPONENT);
    if (!ps)
    {
        m_errors.Add(flow.line,
                     "not a start time",
                     std::string{flow.start.substr(0, 80)},
                     isPs ? "a whole number of picoseconds" : "a number of microseconds");
    }
    return RoundToNs(ps.value_or(0), m_inexact);
}

MatrixConverter::Trigger&
MatrixConverter::FindTrigger(uint64_t id)
{
    Trigger& trigger = m_triggers[id];
    trigger.definition.id = id;
    return trigger;
}

/** The receiver's part in a flow, whose end is the arrival of its last byte. */
ScheduleStepId
MatrixConverter::AddReceive(const HtsimFlow& flow, uint32_t tag)
{
    const auto [end, isNew] = m_receiveEnds.try_emplace({flow.destination, flow.source}, NO_OBJECT);
    if (isNew)
    {
        end->second = m_schedule.Connect(flow.destination, {.peerProcess = flow.source});
    }
    ScheduleStep step;
    step.kind = OperationKind::MESSAGE_RECEIVE;
    step.connection = end->second;
    step.tag = tag;
    step.amount = flow.bytes;
    step.place = flow.line;
    return m_schedule.Add(flow.destination, step);
}

void
MatrixConverter::AddFlow(const HtsimFlow& flow)
{
    ScheduleStep step;
    step.connection = m_schedule.Connect(flow.source, {.peerProcess = flow.destination});
    step.tag = static_cast<uint32_t>(m_messages.size());
    step.amount = flow.bytes;
    step.place = flow.line;
    step.timeNs = ReadStart(flow);
    const ScheduleStepId message = m_schedule.Add(flow.source, step);
    if (flow.trigger != 0)
    {
        FindTrigger(flow.trigger).flows.push_back(m_messages.size());
    }
    if (flow.sendDoneTrigger != 0)
    {
        FindTrigger(flow.sendDoneTrigger).causes.push_back(message);
    }
    if (flow.receiveDoneTrigger != 0)
    {
        const ScheduleStepId receive = AddReceive(flow, step.tag);
        m_schedule.Pair(receive, message);
        FindTrigger(flow.receiveDoneTrigger).causes.push_back(receive);
    }
    m_messages.push_back(message);
}

/** Makes the flows of a trigger depend on what fires it. */
void
MatrixConverter::Join(const Trigger& trigger)
{
    const auto count = static_cast<uint32_t>(trigger.causes.size());
    for (std::size_t i = 0; i < trigger.flows.size(); i++)
    {
        const auto kind = trigger.definition.kind;
        const uint64_t enough = kind == HtsimTrigger::Kind::ONESHOT   ? 1
                                : kind == HtsimTrigger::Kind::BARRIER ? trigger.definition.count
                                                                      : i + 1;
        if (enough > count)
        {
            m_errors.Add(m_matrix.flows[trigger.flows[i]].line,
                         "the flow never starts: its trigger " +
                             std::to_string(trigger.definition.id) + " is not fired often enough",
                         std::to_string(count) + " times",
                         "at least " + std::to_string(enough));
            continue;
        }
        const ScheduleStepId message = m_messages[trigger.flows[i]];
        for (const ScheduleStepId cause : trigger.causes)
        {
            m_schedule.Depend(message, cause, DependencyEvent::END);
        }
        m_schedule.SetEnough(message, enough == count ? 0 : static_cast<uint32_t>(enough));
    }
}

void
MatrixConverter::CheckDefined(const Trigger& trigger, bool isStrict)
{
    const std::string name = "trigger " + std::to_string(trigger.definition.id);
    if (trigger.definition.line != 0)
    {
        if (trigger.flows.empty())
        {
            m_notes.push_back(name + " starts nothing");
        }
        return;
    }
    if (isStrict)
    {
        const ScheduleStepId user =
            trigger.flows.empty() ? trigger.causes.front() : m_messages[trigger.flows.front()];
        m_errors.Add(GetLine(user),
                     name + " is used and not defined",
                     "",
                     "a line 'trigger id " + std::to_string(trigger.definition.id) + " oneshot'");
    }
}

void
MatrixConverter::CheckCircle()
{
    const auto circle =
        m_errors.IsEmpty() ? m_schedule.FindCircle() : std::vector<ScheduleStepId>{};
    if (!circle.empty())
    {
        m_errors.Add(GetLine(circle.front()),
                     "flows wait for each other in a circle",
                     m_schedule.DescribeCircle(circle, "line"),
                     "triggers without a circle");
    }
}

void
MatrixConverter::NoteRest()
{
    NoteRounding(m_inexact, m_notes);
    const auto undefined = std::ranges::count_if(
        m_triggers, [](const auto& entry) { return entry.second.definition.line == 0; });
    if (undefined > 0)
    {
        m_notes.push_back(std::to_string(undefined) +
                          " triggers are used and not defined: taken as oneshot");
    }
    const auto prioritised = std::ranges::count_if(
        m_matrix.flows, [](const HtsimFlow& flow) { return flow.priority.has_value(); });
    if (prioritised > 0)
    {
        m_notes.push_back("prio of " + std::to_string(prioritised) +
                          " flows is not used: it orders the pulls of htsim's receivers");
    }
    if (!m_matrix.failures.empty())
    {
        m_notes.push_back(std::to_string(m_matrix.failures.size()) +
                          " failures of links are not part of a trace and do not happen (" +
                          m_matrix.failures.front() +
                          " is the first); a timeline of the fabric can have them");
    }
    for (std::string& note : m_notes)
    {
        m_schedule.Note(std::move(note));
    }
}

Expected<Trace>
MatrixConverter::Convert(StartUnit unit, bool isStrict)
{
    TakeMiscounts(isStrict);
    for (uint32_t node = 0; node < m_matrix.nodes; node++)
    {
        const std::string name = std::to_string(node);
        m_schedule.AddThread(m_schedule.AddProcess("host " + name, name), name);
    }
    for (const HtsimTrigger& trigger : m_matrix.triggers)
    {
        FindTrigger(trigger.id).definition = trigger;
    }
    ChooseUnit(unit);
    for (const HtsimFlow& flow : m_matrix.flows)
    {
        AddFlow(flow);
    }
    for (const auto& [id, trigger] : m_triggers)
    {
        Join(trigger);
        CheckDefined(trigger, isStrict);
    }
    CheckCircle();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    NoteRest();
    return m_schedule.Take();
}

/** Connection matrices of htsim (.cm). */
class HtsimMatrixTraceReader : public TextTraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbeText(std::string_view head) const override
    {
        return LooksLikeHtsimMatrix(head) ? Match::YES : Match::NO;
    }

    Expected<Trace> DoParse(const std::string& text, const std::string& file) const override
    {
        const auto matrix = ParseHtsimMatrix(text, file);
        if (!matrix)
        {
            return matrix.Errors();
        }
        return MatrixConverter{*matrix, file}.Convert(m_startUnit, m_strict);
    }

    StartUnit m_startUnit{StartUnit::AUTO};
    bool m_strict{false};
};

NS_OBJECT_ENSURE_REGISTERED(HtsimMatrixTraceReader);

const ComponentHelp HELP{"ns3::rdma::HtsimMatrixTraceReader", "A connection matrix of htsim (.cm)"};

TypeId
HtsimMatrixTraceReader::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::HtsimMatrixTraceReader"}
            .SetParent<TextTraceReader>()
            .SetGroupName("Rdma")
            .AddConstructor<HtsimMatrixTraceReader>()
            .AddAttribute(
                "StartUnit",
                "Unit of start: ps, us, or auto (inferred, and told with the reason)",
                ChoiceValue<StartUnit>{StartUnit::AUTO},
                MakeChoiceAccessor<StartUnit>(&HtsimMatrixTraceReader::m_startUnit),
                MakeChoiceChecker<StartUnit>(
                    {{StartUnit::AUTO, "auto"}, {StartUnit::PS, "ps"}, {StartUnit::US, "us"}}))
            .AddAttribute("Strict",
                          "Refuse a header whose numbers are wrong and triggers that are not "
                          "defined, as htsim does; else they are told, and such triggers taken as "
                          "oneshot",
                          BooleanValue{false},
                          MakeBooleanAccessor(&HtsimMatrixTraceReader::m_strict),
                          MakeBooleanChecker());
    return tid;
}

} // namespace

} // namespace ns3::rdma
