// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-survey.h"

#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"
#include "verbs/work-completion.h"
#include "workload/queue-pair-change.h"
#include "workload/replay-clocks.h"
#include "workload/replay-peers.h"

#include <algorithm>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint8_t RECEIVE_BIT = 128; ///< of ibv_wc_opcode

bool
IsKnownOpcode(uint8_t opcode)
{
    return opcode <= static_cast<uint8_t>(SendOpcode::LOCAL_INV) ||
           opcode == static_cast<uint8_t>(SendOpcode::SEND_WITH_INV);
}

bool
TakesReceive(uint8_t opcode)
{
    switch (static_cast<SendOpcode>(opcode))
    {
    case SendOpcode::SEND:
    case SendOpcode::SEND_WITH_IMM:
    case SendOpcode::SEND_WITH_INV:
    case SendOpcode::RDMA_WRITE_WITH_IMM:
        return true;
    default:
        return false;
    }
}

/** Reads a trace once; an object because all that it sees goes into one result. */
class Surveyor
{
  public:
    explicit Surveyor(Trace trace)
        : m_trace{std::move(trace)},
          m_clocks{m_trace.processes, m_survey}
    {
        m_survey.threads.resize(m_trace.threads.size());
        m_heads.resize(m_trace.threads.size());
        m_latest.resize(m_trace.threads.size());
        m_hasSeen.resize(m_trace.processes.size());
        m_survey.notes = m_trace.notes;
    }

    Expected<ReplaySurvey> Run()
    {
        for (uint32_t thread = 0; thread < m_trace.threads.size(); ++thread)
        {
            if (m_trace.threads[thread].order == ThreadOrder::GRAPH)
            {
                ReadSteps(thread);
                continue;
            }
            TakeNext(thread);
        }
        while (!m_order.empty())
        {
            const uint32_t thread = std::get<1>(m_order.top());
            m_order.pop();
            See(thread, m_heads[thread]);
            TakeNext(thread);
        }
        return Conclude();
    }

  private:
    using Key = std::pair<uint32_t, ObjectId>; ///< process and its number of an object

    int64_t Absolute(uint32_t process, int64_t timeNs) const
    {
        return m_trace.processes[process].originNs + timeNs;
    }

    void TakeNext(uint32_t thread)
    {
        TraceThread& source = m_trace.threads[thread];
        if (source.operations->Next(m_heads[thread]))
        {
            m_order.emplace(Absolute(source.process, m_heads[thread].timeNs), thread);
            return;
        }
        if (source.operations->GetDamage())
        {
            const Diagnostic& damage = *source.operations->GetDamage();
            m_damages.push_back(damage);
        }
    }

    /** Steps of a schedule mean the same in any order of the threads. */
    void ReadSteps(uint32_t thread)
    {
        OperationStream& stream = *m_trace.threads[thread].operations;
        while (stream.Next(m_heads[thread]))
        {
            See(thread, m_heads[thread]);
        }
        if (stream.GetDamage())
        {
            m_damages.push_back(*stream.GetDamage());
        }
    }

    void See(uint32_t thread, const TraceOperation& operation)
    {
        const TraceThread& source = m_trace.threads[thread];
        SurveyedProcess& process = m_survey.processes[source.process];
        const bool isLost = std::ranges::any_of(operation.dependencies,
                                                [this](const Dependency& what)
                                                { return what.thread >= m_trace.threads.size(); });
        if (isLost)
        {
            Refuse("dependencies on a thread that the trace does not have");
        }
        const bool isGraph = source.order == ThreadOrder::GRAPH;
        const int64_t end = operation.timeNs +
                            (operation.kind == OperationKind::COMPUTE ? 0 : operation.durationNs);
        if (!m_hasSeen[source.process])
        {
            process.firstNs = operation.timeNs;
            process.lastNs = end;
            m_hasSeen[source.process] = true;
        }
        process.firstNs = std::min(process.firstNs, operation.timeNs);
        process.lastNs = std::max(process.lastNs, end);
        process.operations += operation.kind == OperationKind::EMPTY_POLLS ? 0 : 1;
        process.isSchedule = process.isSchedule || isGraph;
        if (isGraph)
        {
            SeeStep(thread, operation);
            return;
        }
        SeeCall(thread, operation);
    }

    /** An operation of a schedule. */
    void SeeStep(uint32_t thread, const TraceOperation& operation)
    {
        SurveyedThread& surveyed = m_survey.threads[thread];
        surveyed.isSorted = surveyed.isSorted && operation.timeNs >= m_latest[thread];
        m_latest[thread] = operation.timeNs;
        switch (operation.kind)
        {
        case OperationKind::MESSAGE:
        case OperationKind::MESSAGE_RECEIVE:
        case OperationKind::COMPUTE:
            SeeMessage(thread, operation);
            return;
        case OperationKind::CONTROL:
            SeeConnection(thread, operation);
            return;
        case OperationKind::NONE:
            return;
        default:
            Refuse("calls of the verbs in a schedule");
        }
    }

    void SeeMessage(uint32_t thread, const TraceOperation& operation)
    {
        constexpr auto LAST = static_cast<uint8_t>(SendOpcode::ATOMIC_FETCH_AND_ADD);
        if (operation.kind == OperationKind::MESSAGE && operation.opcode > LAST)
        {
            Refuse("messages of opcode " + std::to_string(operation.opcode));
        }
        const uint32_t process = m_trace.threads[thread].process;
        const bool isReceive = operation.kind == OperationKind::MESSAGE_RECEIVE;
        m_survey.processes[process].receives += isReceive ? 1 : 0;
        const bool isTransfer = isReceive || operation.kind == OperationKind::MESSAGE;
        if (isTransfer && m_lastConnection != Key{process, operation.object})
        {
            m_lastConnection = {process, operation.object};
            m_usedConnections.insert(m_lastConnection);
        }
    }

    void SeeConnection(uint32_t thread, const TraceOperation& operation)
    {
        const auto* detail = std::get_if<ConnectionDetail>(&operation.control.detail);
        if (detail == nullptr)
        {
            return;
        }
        if (detail->peerProcess >= m_trace.processes.size())
        {
            Refuse("connections to a process that the trace does not have");
            return;
        }
        m_connections.emplace(m_trace.threads[thread].process, operation.object);
    }

    /** A call of a program. */
    void SeeCall(uint32_t thread, const TraceOperation& operation)
    {
        const uint32_t process = m_trace.threads[thread].process;
        SurveyedThread& surveyed = m_survey.threads[thread];
        switch (operation.kind)
        {
        case OperationKind::POST_SEND:
            ++surveyed.posts;
            SeeSend(process, operation);
            return;
        case OperationKind::POST_RECEIVE:
            ++surveyed.posts;
            SeeReceive(process, operation);
            return;
        case OperationKind::POST_SHARED_RECEIVE:
            ++surveyed.posts;
            return;
        case OperationKind::COMPLETION:
            ++surveyed.completions;
            SeeCompletion(process, operation);
            return;
        case OperationKind::CONTROL:
            SeeControl(process, operation);
            return;
        case OperationKind::MESSAGE:
        case OperationKind::MESSAGE_RECEIVE:
            Refuse("messages of a schedule in a thread that is a program");
            return;
        default:
            return;
        }
    }

    SurveyedQueuePair* FindQueuePair(uint32_t process, ObjectId object)
    {
        if (m_last.first != Key{process, object})
        {
            const auto found = m_pairOf.find({process, object});
            if (found == m_pairOf.end())
            {
                return nullptr;
            }
            m_last = *found;
        }
        return &m_survey.queuePairs[m_last.second];
    }

    std::size_t IndexOf(const SurveyedQueuePair& pair) const
    {
        return static_cast<std::size_t>(&pair - m_survey.queuePairs.data());
    }

    void SeeSend(uint32_t process, const TraceOperation& operation)
    {
        SurveyedQueuePair* pair = FindQueuePair(process, operation.object);
        if (pair == nullptr)
        {
            Refuse("posts to a queue pair that the trace does not create");
            return;
        }
        ++pair->posts;
        if (operation.result != 0)
        {
            return;
        }
        if (!IsKnownOpcode(operation.opcode))
        {
            Refuse(operation.opcode == 8 ? "memory windows (bind)"
                                         : "send opcode " + std::to_string(operation.opcode));
            return;
        }
        const bool reachesPeer = operation.opcode != static_cast<uint8_t>(SendOpcode::LOCAL_INV);
        pair->requests += reachesPeer ? 1 : 0;
        if (TakesReceive(operation.opcode))
        {
            m_clocks.OnSent(IndexOf(*pair), Absolute(process, operation.timeNs));
        }
    }

    void SeeReceive(uint32_t process, const TraceOperation& operation)
    {
        if (SurveyedQueuePair* pair = FindQueuePair(process, operation.object))
        {
            ++pair->posts;
            return;
        }
        Refuse("posts to a queue pair that the trace does not create");
    }

    void SeeCompletion(uint32_t process, const TraceOperation& operation)
    {
        SurveyedQueuePair* pair = FindQueuePair(process, operation.object);
        if (pair == nullptr)
        {
            Refuse("completions of a queue pair that the trace does not create");
            return;
        }
        constexpr auto FLUSHED = static_cast<uint8_t>(CompletionStatus::WR_FLUSH_ERR);
        const bool isReceive = (operation.opcode & RECEIVE_BIT) != 0;
        if (operation.status != 0)
        {
            pair->flushedSends += operation.status == FLUSHED && !isReceive ? 1 : 0;
            return;
        }
        if (isReceive)
        {
            m_clocks.OnReceived(IndexOf(*pair),
                                Absolute(process, operation.timeNs + operation.durationNs));
        }
    }

    void SeeControl(uint32_t process, const TraceOperation& operation)
    {
        const Control& control = operation.control;
        if (operation.result != 0 || control.verb == ControlVerb::DESTROY ||
            control.verb == ControlVerb::CM)
        {
            return;
        }
        if (const auto* device = std::get_if<DeviceDetail>(&control.detail))
        {
            if (device->gid != Gid{})
            {
                m_survey.processes[process].gids.push_back(device->gid);
            }
        }
        else if (const auto* region = std::get_if<MemoryRegionDetail>(&control.detail))
        {
            m_survey.processes[process].hasRegions = true;
            AddKeys(process, *region);
        }
        else if (const auto* pair = std::get_if<QueuePairDetail>(&control.detail))
        {
            m_pairOf[{process, operation.object}] =
                static_cast<uint32_t>(m_survey.queuePairs.size());
            m_survey.queuePairs.push_back({.process = process,
                                           .object = operation.object,
                                           .detail = *pair,
                                           .attributes = {}});
            m_clocks.AddQueuePair();
        }
        else if (const auto* shared = std::get_if<SharedReceiveQueueDetail>(&control.detail))
        {
            m_survey.sharedQueues.push_back({process, operation.object, *shared});
        }
        else if (const auto* change = std::get_if<QueuePairChange>(&control.detail))
        {
            SeeChange(process, operation.object, *change);
        }
    }

    /** Keys that are registered; a program that registers for every transfer has few in turn. */
    void AddKeys(uint32_t process, const MemoryRegionDetail& region)
    {
        auto& keys = m_survey.processes[process].keys;
        for (const uint32_t key : {region.lkey, region.rkey})
        {
            const auto place = std::ranges::lower_bound(keys, key);
            if (key != 0 && (place == keys.end() || *place != key))
            {
                keys.insert(place, key);
            }
        }
    }

    void SeeChange(uint32_t process, ObjectId object, const QueuePairChange& change)
    {
        SurveyedQueuePair* pair = FindQueuePair(process, object);
        if (pair == nullptr || change.result != 0)
        {
            return;
        }
        constexpr auto RC = static_cast<uint8_t>(QueuePairType::RC);
        const bool changesState = (change.mask & QP_STATE) != 0 && pair->detail.type == RC;
        if (changesState && change.state == static_cast<uint8_t>(QueuePairState::RTR))
        {
            if ((change.mask & QP_DEST_QPN) == 0)
            {
                Refuse("connections whose peer has no number, as those of iWARP have none");
                return;
            }
            pair->isConnected = true;
            if (++pair->connections > 1)
            {
                Refuse("queue pairs that are connected a second time");
                return;
            }
        }
        if (changesState && change.state == static_cast<uint8_t>(QueuePairState::RTS))
        {
            pair->sends = true;
        }
        MergeChange(pair->attributes, change);
    }

    void Refuse(const std::string& what)
    {
        ++m_refused[what];
    }

    Expected<ReplaySurvey> Conclude()
    {
        constexpr auto RC = static_cast<uint8_t>(QueuePairType::RC);
        std::map<std::string, uint64_t> unused;
        for (const SurveyedQueuePair& pair : m_survey.queuePairs)
        {
            if (pair.detail.type != RC)
            {
                (pair.posts > 0 ? m_refused
                                : unused)[NameQueuePairType(pair.detail.type) + " queue pairs"] +=
                    1;
            }
        }
        for (const Key& connection : m_usedConnections)
        {
            if (!m_connections.contains(connection))
            {
                Refuse("connections with messages that the trace does not name");
            }
        }
        Diagnostics findings;
        for (const auto& [what, count] : m_refused)
        {
            Diagnostic finding;
            finding.key = "files";
            finding.message = what + ": not modelled, " + std::to_string(count) + " in the trace";
            findings.push_back(finding);
        }
        for (const auto& [what, count] : unused)
        {
            m_survey.notes.push_back(std::to_string(count) + " " + what +
                                     " are created but never used: left out");
        }
        const Diagnostics peerless = FindPeers(m_survey, m_trace.processes);
        findings.insert(findings.end(), peerless.begin(), peerless.end());
        const bool isEmpty = std::ranges::all_of(
            m_survey.processes, [](const auto& process) { return process.operations == 0; });
        if (isEmpty)
        {
            findings.insert(findings.end(), m_damages.begin(), m_damages.end());
            if (findings.empty())
            {
                Diagnostic finding;
                finding.key = "files";
                finding.message = "no operation is in the trace";
                findings.push_back(finding);
            }
        }
        if (!findings.empty())
        {
            return findings;
        }
        for (const Diagnostic& damage : m_damages)
        {
            m_survey.notes.push_back("what stands behind is not replayed: " + ToString(damage));
        }
        m_clocks.Align();
        return std::move(m_survey);
    }

    Trace m_trace;
    ReplaySurvey m_survey;
    ReplayClocks m_clocks;
    std::vector<TraceOperation> m_heads; ///< the next operation of each thread
    std::priority_queue<std::tuple<int64_t, uint32_t>,
                        std::vector<std::tuple<int64_t, uint32_t>>,
                        std::greater<>>
        m_order;                                               ///< of threads by the times of these
    std::map<Key, uint32_t> m_pairOf;                          ///< index among all queue pairs
    std::pair<Key, uint32_t> m_last{{NO_INDEX, NO_OBJECT}, 0}; ///< of them, found last
    std::vector<bool> m_hasSeen;                               ///< processes with an operation
    std::vector<int64_t> m_latest; ///< earliest start of the last operation of a thread
    std::set<Key> m_connections;
    std::set<Key> m_usedConnections;
    Key m_lastConnection{NO_INDEX, NO_OBJECT}; ///< found last
    std::map<std::string, uint64_t> m_refused;
    Diagnostics m_damages;
};

} // namespace

Expected<ReplaySurvey>
SurveyTrace(Trace trace)
{
    return Surveyor{std::move(trace)}.Run();
}

} // namespace ns3::rdma
