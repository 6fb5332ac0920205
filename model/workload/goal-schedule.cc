// SPDX-License-Identifier: GPL-2.0-only
#include "workload/goal-schedule.h"

#include "workload/flow-checks.h"

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_NANOSECONDS = std::numeric_limits<int64_t>::max();

OperationKind
GetKind(GoalOperation::Kind kind)
{
    switch (kind)
    {
    case GoalOperation::Kind::SEND:
        return OperationKind::MESSAGE;
    case GoalOperation::Kind::RECV:
        return OperationKind::MESSAGE_RECEIVE;
    case GoalOperation::Kind::CALC:
        return OperationKind::COMPUTE;
    }
    return OperationKind::NONE;
}

} // namespace

GoalSchedule::GoalSchedule(uint32_t ranks, Places places, DiagnosticList& errors)
    : m_places{places},
      m_ranks{ranks},
      m_errors{errors}
{
    m_schedule.AddProcesses("rank ", ranks);
}

void
GoalSchedule::Report(uint64_t place, std::string message, std::string got, std::string expected)
{
    const bool isLine = m_places == Places::LINES;
    m_errors.Add(isLine ? static_cast<uint32_t>(place) : 0,
                 isLine ? std::move(message)
                        : "offset " + std::to_string(place) + ": " + std::move(message),
                 std::move(got),
                 std::move(expected));
}

bool
GoalSchedule::Check(const GoalOperation& operation)
{
    const bool isCalc = operation.kind == GoalOperation::Kind::CALC;
    const uint64_t limit = isCalc ? MAX_NANOSECONDS : MAX_FLOW_BYTES;
    if (operation.amount > limit)
    {
        Report(operation.place,
               isCalc ? "longer than a time can be" : "larger than a message can be",
               std::to_string(operation.amount),
               "at most " + std::to_string(limit));
        return false;
    }
    if (isCalc)
    {
        return true;
    }
    if (operation.peer == ANY || operation.tag == ANY)
    {
        Report(operation.place,
               operation.peer == ANY ? "a recv from any source is not modelled"
                                     : "any tag is not modelled",
               "-1",
               operation.peer == ANY ? "the rank that sends" : "the tag of the message");
        return false;
    }
    if (operation.peer >= m_ranks)
    {
        Report(operation.place,
               "no such rank",
               std::to_string(operation.peer),
               "0 to " + std::to_string(m_ranks - 1));
        return false;
    }
    return true;
}

ObjectId
GoalSchedule::GetConnection(uint32_t rank, const GoalOperation& operation)
{
    const uint64_t pair = uint64_t{rank} << 32 | operation.peer;
    const auto [entry, isNew] = m_connections.try_emplace({pair, operation.nic}, NO_OBJECT);
    if (isNew)
    {
        entry->second = m_schedule.Connect(rank, {.peerProcess = operation.peer});
    }
    return entry->second;
}

ScheduleStepId
GoalSchedule::Add(uint32_t rank, const GoalOperation& operation)
{
    ScheduleStep step;
    step.kind = GetKind(operation.kind);
    step.processor = operation.cpu;
    step.amount = operation.amount;
    step.place = operation.place;
    if (Check(operation) && operation.kind != GoalOperation::Kind::CALC)
    {
        const bool isReceive = operation.kind == GoalOperation::Kind::RECV;
        step.tag = operation.tag;
        step.connection = GetConnection(rank, operation);
        m_otherNics += operation.nic != 0 ? 1 : 0;
        m_matcher.Add({isReceive ? rank : operation.peer,
                       isReceive ? operation.peer : rank,
                       operation.tag,
                       isReceive,
                       operation.place,
                       operation.amount});
    }
    return m_schedule.Add(rank, step);
}

void
GoalSchedule::Match()
{
    m_matcher.Match(
        [this](const MessageSide& receive, uint64_t messages, uint64_t receives)
        {
            Report(receive.place,
                   "rank " + std::to_string(receive.receiver) + " waits for a message that rank " +
                       std::to_string(receive.sender) + " does not send",
                   std::to_string(messages) + " with tag " + std::to_string(receive.tag),
                   std::to_string(receives));
        });
}

void
GoalSchedule::ReportCircle()
{
    const auto circle = m_schedule.FindCircle();
    if (!circle.empty())
    {
        Report(m_schedule.Get(circle.front()).place,
               "operations of rank " + std::to_string(circle.front().thread) +
                   " wait for each other in a circle",
               m_schedule.DescribeCircle(circle, m_places == Places::LINES ? "line" : "offset"),
               "dependencies without a circle");
    }
}

void
GoalSchedule::NoteCounts()
{
    const auto note = [this](uint64_t count, const std::string& text)
    {
        if (count > 0)
        {
            m_schedule.Note(std::to_string(count) + text);
        }
    };
    note(m_otherNics,
         " operations name another nic than 0: they have connections of their own, on whichever "
         "interface their rank is mapped to");
    note(m_matcher.CountUnreceived(),
         " messages have no recv: they arrive, and nobody waits for them");
    note(m_matcher.CountOtherSizes(),
         " recvs name another size than their message: the message's counts");
}

Expected<Trace>
GoalSchedule::Finish()
{
    if (m_errors.IsEmpty())
    {
        Match();
        ReportCircle();
    }
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    NoteCounts();
    return m_schedule.Take();
}

} // namespace ns3::rdma
