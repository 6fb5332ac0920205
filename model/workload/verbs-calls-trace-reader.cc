// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads verbs calls as lines of JSON, a file for each process (verbs-call-decoder.h has the form).
 *
 * A file NAME.HOST.jsonl ran on HOST. Each file is read once to find its threads and connections,
 * and then once by each thread's stream, so that no operation is kept. The address of a process is
 * what another file's queue pair was connected to, whose numbers and PSNs are those of its own.
 */
#include "workload/trace-reader.h"
#include "workload/verbs-call-decoder.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** ibv_qp_attr_mask. */
enum QueuePairMask : uint32_t
{
    MASK_RECEIVE_PSN = 1 << 12,
    MASK_SEND_PSN = 1 << 16,
    MASK_DESTINATION = 1 << 20,
};

/** What a queue pair was connected to. */
struct Connection
{
    uint32_t number{0};
    uint32_t destinationQp{0};
    uint32_t receivePsn{0};
    std::optional<uint32_t> sendPsn; ///< nothing: it was never made ready to send
    Gid destination{};

    /** Whether this is the other end, as far as PSNs tell. */
    bool Fits(const Connection& other) const
    {
        return receivePsn == other.sendPsn.value_or(receivePsn) &&
               other.receivePsn == sendPsn.value_or(other.receivePsn);
    }
};

/** What the first reading of a file finds. */
struct Survey
{
    VerbsCallStart start;
    VerbsCallPlan plan;
    std::map<ObjectId, Connection> connections;
    std::vector<std::string> notes;
};

void
NoteConnection(const TraceOperation& operation, Survey& survey)
{
    if (operation.kind != OperationKind::CONTROL)
    {
        return;
    }
    if (const auto* pair = std::get_if<QueuePairDetail>(&operation.control.detail))
    {
        survey.connections[operation.object].number = pair->number;
    }
    const auto* change = std::get_if<QueuePairChange>(&operation.control.detail);
    if (change == nullptr)
    {
        return;
    }
    Connection& connection = survey.connections[operation.object];
    if ((change->mask & MASK_DESTINATION) != 0)
    {
        connection.destinationQp = change->destinationQp;
        connection.destination = change->destination;
    }
    if ((change->mask & MASK_RECEIVE_PSN) != 0)
    {
        connection.receivePsn = change->receivePsn;
    }
    if ((change->mask & MASK_SEND_PSN) != 0)
    {
        connection.sendPsn = change->sendPsn;
    }
}

/** What a person should know of a file. */
std::vector<std::string>
MakeNotes(const std::string& path, const VerbsCallDecoder& decoder)
{
    std::vector<std::string> notes;
    for (const auto& [event, count] : decoder.GetUnknownEvents())
    {
        notes.push_back(path + ": " + std::to_string(count) + " calls of an unknown kind, \"" +
                        event + "\", were passed over");
    }
    for (const uint32_t requests : decoder.GetPlan().sharedQueues)
    {
        notes.push_back(path +
                        ": the creation of a shared receive queue is not in the file; it is "
                        "created for the " +
                        std::to_string(requests) + " requests that were in it at most");
    }
    if (decoder.GetTrailingPolls() > 0)
    {
        notes.push_back(path + ": " + std::to_string(decoder.GetTrailingPolls()) +
                        " empty polls before the end, of an unknown thread, were left out");
    }
    if (!decoder.HasEnd())
    {
        notes.push_back(path + ": the file does not end with \"end\": the program was killed, or "
                               "the file was cut");
    }
    return notes;
}

Expected<Survey>
Examine(const std::string& path, uint32_t firstThread)
{
    Survey survey;
    survey.plan.firstThread = firstThread;
    VerbsCallDecoder decoder{path, survey.plan};
    const auto start = decoder.ReadStart();
    if (!start)
    {
        return start.Errors();
    }
    survey.start = *start;
    while (decoder.Next())
    {
        for (const TraceOperation& operation : decoder.GetOperations())
        {
            NoteConnection(operation, survey);
        }
    }
    survey.plan = decoder.GetPlan();
    survey.notes = MakeNotes(path, decoder);
    return survey;
}

/** The operations of one thread. */
class VerbsCallStream : public OperationStream
{
  public:
    VerbsCallStream(const std::string& path, const VerbsCallPlan& plan, uint32_t thread)
        : m_decoder{path, plan},
          m_thread{thread}
    {
        const auto start = m_decoder.ReadStart();
        m_isReadable = start.HasValue();
        if (!start)
        {
            SetDamage(start.Errors().front()); // it was there when the trace was opened
        }
    }

    bool Next(TraceOperation& operation) override
    {
        while (m_isReadable && m_next == m_operations.size())
        {
            m_isReadable = m_decoder.Next();
            const bool isOurs = m_isReadable && m_decoder.GetThread() == m_thread;
            m_operations = isOurs ? m_decoder.GetOperations() : std::span<const TraceOperation>{};
            m_next = 0;
            if (m_decoder.GetDamage())
            {
                SetDamage(*m_decoder.GetDamage());
            }
        }
        if (!m_isReadable)
        {
            return false;
        }
        operation = m_operations[m_next++];
        return true;
    }

  private:
    VerbsCallDecoder m_decoder;
    uint32_t m_thread;
    bool m_isReadable{false};
    std::span<const TraceOperation> m_operations;
    std::size_t m_next{0};
};

/** "vm1" of "trace_rping.vm1.jsonl"; empty if the name has no such part. */
std::string
FindHost(const std::string& path)
{
    const std::filesystem::path stem = std::filesystem::path{path}.stem();
    const std::string host = stem.extension();
    return host.empty() ? host : host.substr(1);
}

/** A name that no process has yet. */
std::string
MakeName(const std::string& host, const VerbsCallStart& start, const Trace& trace)
{
    const std::string name =
        (host.empty() ? "" : host + "/") + start.command + ":" + std::to_string(start.process);
    std::string unique = name;
    const auto isTaken = [&](const TraceProcess& process) { return process.name == unique; };
    for (int i = 2; std::ranges::any_of(trace.processes, isTaken); ++i)
    {
        unique = name + "#" + std::to_string(i);
    }
    return unique;
}

/** The addresses under which others know a process. */
std::set<Gid>
FindAddresses(const Survey& survey,
              const std::map<std::pair<uint32_t, uint32_t>, std::vector<const Connection*>>& all)
{
    std::set<Gid> addresses;
    for (const auto& [object, own] : survey.connections)
    {
        const auto peers = all.find({own.destinationQp, own.number});
        if (own.destinationQp == 0 || peers == all.end())
        {
            continue;
        }
        for (const Connection* peer : peers->second)
        {
            if (peer != &own && peer->Fits(own))
            {
                addresses.insert(peer->destination);
            }
        }
    }
    return addresses;
}

/** Gives each process its addresses. */
void
SetAddresses(const std::vector<Survey>& surveys, Trace& trace)
{
    std::map<std::pair<uint32_t, uint32_t>, std::vector<const Connection*>> all;
    for (const Survey& survey : surveys)
    {
        for (const auto& [object, connection] : survey.connections)
        {
            all[{connection.number, connection.destinationQp}].push_back(&connection);
        }
    }
    for (std::size_t i = 0; i < surveys.size(); ++i)
    {
        const auto addresses = FindAddresses(surveys[i], all);
        trace.processes[i].gids.assign(addresses.begin(), addresses.end());
    }
}

class VerbsCallsTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId{"ns3::rdma::VerbsCallsTraceReader"}
                                .SetParent<TraceReader>()
                                .SetGroupName("Rdma")
                                .AddConstructor<VerbsCallsTraceReader>();
        return tid;
    }

  private:
    Match DoProbe(const std::string&, std::span<const std::byte> head) const override
    {
        const auto end = std::ranges::find(head, std::byte{'\n'});
        const auto* const first = reinterpret_cast<const char*>(head.data());
        const auto line =
            nlohmann::json::parse(first, first + (end - head.begin()), nullptr, false);
        const bool isOurs = line.is_object() && line.value("ev", nlohmann::json{}) == "start" &&
                            line.contains("pid") && line.contains("comm");
        return isOurs ? Match::YES : Match::NO;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        Trace trace;
        std::vector<Survey> surveys;
        Diagnostics findings;
        for (const std::string& path : paths)
        {
            auto survey = Examine(path, static_cast<uint32_t>(trace.threads.size()));
            if (!survey)
            {
                findings.insert(findings.end(), survey.Errors().begin(), survey.Errors().end());
                continue;
            }
            AddProcess(path, *survey, trace);
            surveys.push_back(std::move(*survey));
        }
        if (!findings.empty())
        {
            return findings;
        }
        SetAddresses(surveys, trace);
        return trace;
    }

    static void AddProcess(const std::string& path, const Survey& survey, Trace& trace)
    {
        TraceProcess process;
        process.host = FindHost(path);
        process.name = MakeName(process.host, survey.start, trace);
        process.originNs = survey.start.realtimeNs;
        const auto number = static_cast<uint32_t>(trace.processes.size());
        trace.processes.push_back(std::move(process));
        trace.notes.insert(trace.notes.end(), survey.notes.begin(), survey.notes.end());
        for (uint32_t i = 0; i < survey.plan.threads.size(); ++i)
        {
            TraceThread thread;
            thread.process = number;
            thread.name = std::to_string(survey.plan.threads[i]);
            thread.operations = std::make_unique<VerbsCallStream>(path, survey.plan, i);
            trace.threads.push_back(std::move(thread));
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(VerbsCallsTraceReader);

} // namespace
} // namespace ns3::rdma
