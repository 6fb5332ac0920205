// SPDX-License-Identifier: GPL-2.0-only
#include "workload/verbs-call-decoder.h"

#include "workload/verbs-call-fields.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{
namespace
{

constexpr int64_t MAX_TIME_NS = std::numeric_limits<int64_t>::max();
constexpr std::size_t SHOWN_CHARACTERS = 60; ///< of a wrong line
constexpr uint64_t MAX_NUMBER = std::numeric_limits<uint32_t>::max();

} // namespace

VerbsCallDecoder::VerbsCallDecoder(const std::string& path, VerbsCallPlan plan)
    : m_path{path},
      m_plan{std::move(plan)},
      m_file{path},
      m_order{m_plan.firstThread, m_plan.isPoller}
{
}

const std::map<std::string, VerbsCallDecoder::Handler>&
VerbsCallDecoder::GetHandlers()
{
    static const std::map<std::string, Handler> HANDLERS{
        {"open_device", &VerbsCallDecoder::OnOpenDevice},
        {"reg_mr", &VerbsCallDecoder::OnRegister},
        {"reg_mr_iova2", &VerbsCallDecoder::OnRegister},
        {"dereg_mr", &VerbsCallDecoder::OnDeregister},
        {"create_cq", &VerbsCallDecoder::OnCreateCompletionQueue},
        {"create_qp", &VerbsCallDecoder::OnCreateQueuePair},
        {"modify_qp", &VerbsCallDecoder::OnModifyQueuePair},
        {"destroy_qp", &VerbsCallDecoder::OnDestroyQueuePair},
        {"post_send", &VerbsCallDecoder::OnPostSend},
        {"post_recv", &VerbsCallDecoder::OnPostReceive},
        {"post_srq_recv", &VerbsCallDecoder::OnPostSharedReceive},
        {"poll_cq", &VerbsCallDecoder::OnPoll},
        {"req_notify_cq", &VerbsCallDecoder::OnArm},
        {"get_cq_event", &VerbsCallDecoder::OnEvent},
    };
    return HANDLERS;
}

Diagnostic
VerbsCallDecoder::Locate(Diagnostic finding) const
{
    finding.file = m_path;
    finding.line = m_line;
    return finding;
}

bool
VerbsCallDecoder::ReadLine(nlohmann::json& object)
{
    std::string line;
    do
    {
        if (!std::getline(m_file, line))
        {
            return false;
        }
        ++m_line;
    } while (line.empty());
    object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object())
    {
        Diagnostic finding;
        finding.message = "the line is no JSON object";
        finding.got = line.substr(0, SHOWN_CHARACTERS);
        finding.expected = "a call as {\"t\":1,\"tid\":1,\"ev\":\"poll_cq\"}";
        m_damage = Locate(finding);
        return false;
    }
    return true;
}

Expected<VerbsCallStart>
VerbsCallDecoder::ReadStart()
{
    nlohmann::json object;
    if (!m_file.is_open() || !ReadLine(object))
    {
        Diagnostic finding;
        finding.message = "the file cannot be read, or is empty";
        return m_damage.value_or(Locate(finding));
    }
    VerbsCallFields start{object};
    if (start.Text("ev") != "start")
    {
        start.Complain("ev", "\"start\" in the first line");
    }
    m_start.process = start.Unsigned("pid", MAX_NUMBER);
    m_start.command = start.Text("comm");
    m_start.realtimeNs = start.Signed("realtime_ns", 0, MAX_TIME_NS);
    if (start.GetError())
    {
        return Locate(*start.GetError());
    }
    return m_start;
}

bool
VerbsCallDecoder::Next()
{
    nlohmann::json object;
    m_operations.clear();
    while (m_operations.empty())
    {
        if (m_damage || !ReadLine(object))
        {
            return false;
        }
        Decode(object);
    }
    Finish();
    return true;
}

void
VerbsCallDecoder::Decode(const nlohmann::json& object)
{
    VerbsCallFields call{object};
    const std::string event = call.Text("ev");
    if (event == "end")
    {
        m_hasEnd = true;
        m_trailingPolls = call.Unsigned("empty_polls_since", MAX_NUMBER);
    }
    else if (const auto handler = GetHandlers().find(event); handler != GetHandlers().end())
    {
        m_timeNs = call.Signed("t", 0, MAX_TIME_NS) - m_start.realtimeNs;
        FindThread(call.Unsigned("tid", MAX_NUMBER));
        (this->*handler->second)(call, object);
    }
    else if (!event.empty())
    {
        ++m_unknownEvents[event];
    }
    if (call.GetError())
    {
        m_operations.clear();
        m_damage = Locate(*call.GetError());
    }
}

void
VerbsCallDecoder::FindThread(uint64_t thread)
{
    const auto [found, isNew] =
        m_threadNumbers.try_emplace(thread, static_cast<uint32_t>(m_threadNumbers.size()));
    m_thread = found->second;
    if (isNew)
    {
        m_lastEnds.push_back(m_timeNs);
    }
}

void
VerbsCallDecoder::Finish()
{
    m_dependencies.clear();
    std::vector<Dependency>& dependencies = m_dependencies;
    for (const TraceOperation& operation : m_operations)
    {
        m_order.Note(m_thread, operation, dependencies);
    }
    m_operations.front().dependencies = m_dependencies;
    m_lastEnds[m_thread] = m_timeNs + m_operations.back().durationNs;
}

VerbsCallPlan
VerbsCallDecoder::GetPlan() const
{
    VerbsCallPlan plan;
    plan.firstThread = m_plan.firstThread;
    plan.threads.resize(m_threadNumbers.size());
    for (const auto& [thread, number] : m_threadNumbers)
    {
        plan.threads[number] = thread;
        plan.isPoller.push_back(false);
    }
    for (const uint32_t thread : m_pollers)
    {
        plan.isPoller[thread] = true;
    }
    for (const SharedQueue& queue : m_sharedStates)
    {
        plan.sharedQueues.push_back(queue.most);
        plan.sharedElements.push_back(queue.elements);
    }
    return plan;
}

bool
VerbsCallDecoder::HasEnd() const
{
    return m_hasEnd;
}

TraceOperation&
VerbsCallDecoder::Add(OperationKind kind)
{
    TraceOperation& operation = m_operations.emplace_back();
    operation.kind = kind;
    operation.timeNs = m_timeNs;
    return operation;
}

TraceOperation&
VerbsCallDecoder::AddControl(ControlVerb verb, ObjectKind kind)
{
    TraceOperation& operation = Add(OperationKind::CONTROL);
    operation.control.verb = verb;
    operation.control.kind = kind;
    return operation;
}

ObjectId
VerbsCallDecoder::Find(VerbsCallFields& call, const char* key, const VerbsHandles& handles)
{
    const uint64_t handle = call.Unsigned(key, MAX_NUMBER);
    const auto object = handles.Find(handle);
    if (!object)
    {
        call.Complain(key, "an object that was created in a line before");
    }
    return object.value_or(NO_OBJECT);
}

ObjectId
VerbsCallDecoder::FindSharedQueue(VerbsCallFields& call, const char* key)
{
    const uint64_t handle = call.Unsigned(key, MAX_NUMBER);
    if (const auto object = m_sharedQueues.Find(handle); object || call.GetError())
    {
        return object.value_or(NO_OBJECT);
    }
    TraceOperation& create = AddControl(ControlVerb::CREATE, ObjectKind::SHARED_RECEIVE_QUEUE);
    create.object = m_sharedQueues.Create(handle);
    SharedReceiveQueueDetail detail;
    if (create.object < m_plan.sharedQueues.size())
    {
        detail.maxRequests = m_plan.sharedQueues[create.object];
        detail.maxElements = m_plan.sharedElements[create.object];
    }
    create.control.detail = detail;
    m_sharedStates.emplace_back();
    return create.object;
}

ObjectId
VerbsCallDecoder::FindChannel(VerbsCallFields& call)
{
    const int64_t handle = call.Signed("channel", -1, std::numeric_limits<int32_t>::max());
    if (handle < 0 || call.GetError())
    {
        return NO_OBJECT;
    }
    if (const auto object = m_channels.Find(static_cast<uint64_t>(handle)))
    {
        return *object;
    }
    TraceOperation& create = AddControl(ControlVerb::CREATE, ObjectKind::COMPLETION_CHANNEL);
    create.object = m_channels.Create(static_cast<uint64_t>(handle));
    return create.object;
}

} // namespace ns3::rdma
