// SPDX-License-Identifier: GPL-2.0-only
// What each event of a file of verbs calls becomes: VerbsCallDecoder's handlers.
#include "workload/verbs-call-decoder.h"
#include "workload/verbs-call-fields.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{
namespace
{

constexpr int64_t MIN_RESULT = std::numeric_limits<int16_t>::min();
constexpr int64_t MAX_RESULT = std::numeric_limits<int16_t>::max();
constexpr uint64_t MAX_BYTES = std::numeric_limits<uint32_t>::max(); ///< of an ibv_sge, a wc
constexpr uint64_t MAX_LENGTH = std::numeric_limits<uint64_t>::max();
constexpr uint8_t WC_RECEIVE = 128; ///< IBV_WC_RECV: this bit says that a receive has completed
constexpr std::size_t MAX_ELEMENTS = 255;

/** Names of ibv_wr_opcode in the files, in the order of its values. */
constexpr std::array REQUEST_NAMES{"WRITE",
                                   "WRITE_WITH_IMM",
                                   "SEND",
                                   "SEND_WITH_IMM",
                                   "READ",
                                   "CMP_AND_SWP",
                                   "FETCH_ADD",
                                   "LOCAL_INV",
                                   "BIND_MW",
                                   "SEND_WITH_INV"};

int16_t
ReadResult(VerbsCallFields& call)
{
    return static_cast<int16_t>(call.Signed("rc", MIN_RESULT, MAX_RESULT));
}

uint8_t
ReadOpcode(VerbsCallFields& request)
{
    const std::string name = request.Text("op");
    const auto found = std::ranges::find(REQUEST_NAMES, name);
    if (found == REQUEST_NAMES.end())
    {
        std::string known;
        for (const char* word : REQUEST_NAMES)
        {
            known += std::string{known.empty() ? "" : ", "} + word;
        }
        request.Complain("op", known);
    }
    return static_cast<uint8_t>(found - REQUEST_NAMES.begin());
}

/** The list [["0x7f00", bytes, lkey], ...] of a work request. */
void
ReadElements(VerbsCallFields& request, TraceOperation& operation)
{
    const nlohmann::json& list = request.List("sge");
    operation.elements = static_cast<uint8_t>(std::min(list.size(), MAX_ELEMENTS));
    for (const nlohmann::json& element : list)
    {
        const bool isWhole = element.is_array() && element.size() == 3 && element[0].is_string() &&
                             element[1].is_number_unsigned() && element[2].is_number_unsigned();
        const auto address =
            isWhole ? ParseAddress(element[0].get<std::string>()) : std::optional<uint64_t>{};
        if (!address || element[1].get<uint64_t>() > MAX_BYTES ||
            element[2].get<uint64_t>() > MAX_BYTES)
        {
            request.Complain("sge", "elements as [\"0x7f00\", bytes, lkey]");
            return;
        }
        if (&element == &list.front())
        {
            operation.localAddress = *address;
            operation.localKey = element[2].get<uint32_t>();
        }
        operation.bytes += element[1].get<uint64_t>();
    }
}

/** "00000000000000000000ffff0a000002" */
Gid
ReadGid(VerbsCallFields& call)
{
    const std::string text = call.Text("dgid");
    Gid gid{};
    if (text.size() != 2 * gid.size() ||
        text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    {
        call.Complain("dgid", "32 hexadecimal digits");
        return gid;
    }
    for (std::size_t i = 0; i < gid.size(); ++i)
    {
        gid[i] = static_cast<std::byte>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
    }
    return gid;
}

} // namespace

void
VerbsCallDecoder::OnOpenDevice(VerbsCallFields& call, const nlohmann::json&)
{
    TraceOperation& operation = AddControl(ControlVerb::CREATE, ObjectKind::DEVICE);
    operation.object = m_nextDevice++;
    operation.control.detail = DeviceDetail{.name = call.Text("dev"), .gid = {}};
}

void
VerbsCallDecoder::OnRegister(VerbsCallFields& call, const nlohmann::json&)
{
    MemoryRegionDetail region{.address = call.Address("addr"),
                              .bytes = call.Unsigned("len", MAX_LENGTH)};
    region.iova = call.Has("iova") ? call.Address("iova") : region.address;
    call.Read("access", region.access);
    call.Read("lkey", region.lkey);
    call.Read("rkey", region.rkey);
    const auto known = m_regions.find(region.lkey);
    if (known != m_regions.end() && known->second.address == region.address &&
        known->second.bytes == region.bytes)
    {
        return;
    }
    TraceOperation& operation = AddControl(ControlVerb::CREATE, ObjectKind::MEMORY_REGION);
    operation.object = m_nextRegion++;
    operation.control.detail = region;
    m_regions[region.lkey] = {operation.object, region.address, region.bytes};
}

void
VerbsCallDecoder::OnDeregister(VerbsCallFields& call, const nlohmann::json&)
{
    const auto region = m_regions.find(call.Unsigned("lkey", MAX_BYTES));
    if (region == m_regions.end())
    {
        call.Complain("lkey", "the key of a region that was registered in a line before");
        return;
    }
    TraceOperation& operation = AddControl(ControlVerb::DESTROY, ObjectKind::MEMORY_REGION);
    operation.object = region->second.object;
    operation.result = ReadResult(call);
    if (operation.result == 0)
    {
        m_regions.erase(region);
    }
}

void
VerbsCallDecoder::OnCreateCompletionQueue(VerbsCallFields& call, const nlohmann::json&)
{
    CompletionQueueDetail queue;
    call.Read("cqe", queue.entries);
    queue.channel = FindChannel(call);
    TraceOperation& operation = AddControl(ControlVerb::CREATE, ObjectKind::COMPLETION_QUEUE);
    operation.object = m_completionQueues.Create(call.Unsigned("cq", MAX_BYTES));
    operation.control.detail = queue;
}

void
VerbsCallDecoder::OnCreateQueuePair(VerbsCallFields& call, const nlohmann::json& object)
{
    QueuePairDetail pair;
    call.Read("type", pair.type);
    pair.signalsAll = call.Unsigned("sq_sig_all", MAX_BYTES) != 0;
    call.Read("qp", pair.number);
    pair.sendQueue = Find(call, "send_cq", m_completionQueues);
    pair.receiveQueue = Find(call, "recv_cq", m_completionQueues);
    call.Read("max_send_wr", pair.maxSendRequests);
    call.Read("max_recv_wr", pair.maxReceiveRequests);
    call.Read("max_send_sge", pair.maxSendElements);
    call.Read("max_recv_sge", pair.maxReceiveElements);
    call.Read("max_inline", pair.maxInlineBytes);
    if (object.value("srq", nlohmann::json{}) != -1)
    {
        pair.sharedReceiveQueue = FindSharedQueue(call, "srq");
    }
    TraceOperation& operation = AddControl(ControlVerb::CREATE, ObjectKind::QUEUE_PAIR);
    operation.object = m_queuePairs.Create(pair.number);
    operation.control.detail = pair;
    if (pair.sharedReceiveQueue != NO_OBJECT)
    {
        m_sharedQueueOf[operation.object] = pair.sharedReceiveQueue;
    }
}

void
VerbsCallDecoder::OnModifyQueuePair(VerbsCallFields& call, const nlohmann::json&)
{
    QueuePairChange change;
    const ObjectId pair = Find(call, "qp", m_queuePairs);
    call.Read("mask", change.mask);
    call.ReadIfThere("qp_state", change.state);
    call.ReadIfThere("path_mtu", change.pathMtu);
    call.ReadIfThere("port_num", change.port);
    call.ReadIfThere("timeout", change.timeout);
    call.ReadIfThere("retry_cnt", change.retryCount);
    call.ReadIfThere("rnr_retry", change.rnrRetry);
    call.ReadIfThere("min_rnr_timer", change.minRnrTimer);
    call.ReadIfThere("max_rd_atomic", change.maxReadAtomic);
    call.ReadIfThere("max_dest_rd_atomic", change.maxDestReadAtomic);
    call.ReadIfThere("hop", change.hopLimit);
    call.ReadIfThere("tclass", change.trafficClass);
    call.ReadIfThere("sl", change.serviceLevel);
    call.ReadIfThere("sgid_index", change.sgidIndex);
    call.ReadIfThere("pkey_index", change.pkeyIndex);
    call.ReadIfThere("qp_access_flags", change.accessFlags);
    call.ReadIfThere("qkey", change.qkey);
    call.ReadIfThere("flow", change.flowLabel);
    call.ReadIfThere("rq_psn", change.receivePsn);
    call.ReadIfThere("sq_psn", change.sendPsn);
    call.ReadIfThere("dest_qp_num", change.destinationQp);
    if (call.Has("dgid"))
    {
        change.destination = ReadGid(call);
    }
    change.result = ReadResult(call);
    TraceOperation& operation = AddControl(ControlVerb::MODIFY, ObjectKind::QUEUE_PAIR);
    operation.object = pair;
    operation.result = static_cast<int16_t>(change.result);
    operation.control.detail = change;
}

void
VerbsCallDecoder::OnDestroyQueuePair(VerbsCallFields& call, const nlohmann::json&)
{
    const ObjectId pair = Find(call, "qp", m_queuePairs);
    TraceOperation& operation = AddControl(ControlVerb::DESTROY, ObjectKind::QUEUE_PAIR);
    operation.object = pair;
    operation.result = ReadResult(call);
    if (operation.result == 0)
    {
        m_queuePairs.Remove(call.Unsigned("qp", MAX_BYTES));
        m_sharedQueueOf.erase(pair);
    }
}

void
VerbsCallDecoder::AddRequests(VerbsCallFields& call, OperationKind kind, ObjectId object)
{
    const int16_t result = ReadResult(call);
    const nlohmann::json& list = call.List("wr");
    if (list.empty())
    {
        call.Complain("wr", "work requests");
    }
    for (const nlohmann::json& entry : list)
    {
        VerbsCallFields request{entry};
        TraceOperation& operation = Add(kind);
        operation.object = object;
        operation.result = result;
        request.Read("id", operation.wrId);
        ReadElements(request, operation);
        if (kind == OperationKind::POST_SEND)
        {
            operation.opcode = ReadOpcode(request);
            request.Read("flags", operation.flags);
            operation.remoteAddress = request.Has("raddr") ? request.Address("raddr") : 0;
            request.ReadIfThere("rkey", operation.rkey);
            request.ReadIfThere("cmpadd", operation.compareAdd);
            request.ReadIfThere("swap", operation.swap);
        }
        call.Adopt(request);
    }
    if (call.Has("dt") && !list.empty())
    {
        m_operations.back().durationNs = call.Signed("dt", 0, std::numeric_limits<int64_t>::max());
    }
}

void
VerbsCallDecoder::OnPostSend(VerbsCallFields& call, const nlohmann::json&)
{
    AddRequests(call, OperationKind::POST_SEND, Find(call, "qp", m_queuePairs));
}

void
VerbsCallDecoder::OnPostReceive(VerbsCallFields& call, const nlohmann::json&)
{
    AddRequests(call, OperationKind::POST_RECEIVE, Find(call, "qp", m_queuePairs));
}

void
VerbsCallDecoder::OnPostSharedReceive(VerbsCallFields& call, const nlohmann::json&)
{
    const ObjectId queue = FindSharedQueue(call, "srq");
    AddRequests(call, OperationKind::POST_SHARED_RECEIVE, queue);
    if (call.GetError())
    {
        return;
    }
    SharedQueue& state = m_sharedStates[queue];
    for (const TraceOperation& operation : m_operations)
    {
        state.posted += operation.kind == OperationKind::POST_SHARED_RECEIVE ? 1 : 0;
        state.elements = std::max(state.elements, operation.elements);
    }
    state.most = std::max(state.most, state.posted);
}

void
VerbsCallDecoder::AddCompletions(VerbsCallFields& call, ObjectId queue)
{
    for (const nlohmann::json& entry : call.List("wc"))
    {
        VerbsCallFields completion{entry};
        TraceOperation& operation = Add(OperationKind::COMPLETION);
        operation.other = queue;
        operation.object = Find(completion, "qp", m_queuePairs);
        operation.bytes = completion.Unsigned("len", MAX_BYTES);
        completion.Read("id", operation.wrId);
        completion.Read("status", operation.status);
        completion.Read("op", operation.opcode);
        completion.Read("src_qp", operation.remoteQp);
        completion.Read("flags", operation.flags);
        call.Adopt(completion);
        const auto shared = m_sharedQueueOf.find(operation.object);
        if (shared != m_sharedQueueOf.end() && (operation.opcode & WC_RECEIVE) != 0)
        {
            uint32_t& posted = m_sharedStates[shared->second].posted;
            posted -= posted > 0 ? 1 : 0;
        }
        m_pollers.insert(m_thread);
    }
}

void
VerbsCallDecoder::OnPoll(VerbsCallFields& call, const nlohmann::json&)
{
    const ObjectId queue = Find(call, "cq", m_completionQueues);
    const uint64_t empty = call.Unsigned("empty_before", MAX_BYTES);
    const int64_t found = call.Signed("n", MIN_RESULT, MAX_RESULT);
    if (empty > 0 || found <= 0)
    {
        TraceOperation& polls = Add(OperationKind::EMPTY_POLLS);
        polls.object = queue;
        polls.count = static_cast<uint32_t>(std::max<uint64_t>(empty, 1));
        polls.result = static_cast<int16_t>(std::min<int64_t>(found, 0));
        polls.timeNs = empty > 0 ? m_lastEnds[m_thread] : m_timeNs;
    }
    AddCompletions(call, queue);
    const auto taken = static_cast<int64_t>(call.List("wc").size());
    if (taken != std::max<int64_t>(found, 0))
    {
        call.Complain("n", std::to_string(taken) + ", as entries follow");
    }
}

void
VerbsCallDecoder::OnArm(VerbsCallFields& call, const nlohmann::json&)
{
    TraceOperation& operation = Add(OperationKind::ARM);
    operation.object = Find(call, "cq", m_completionQueues);
    operation.flags = call.Unsigned("solicited", MAX_BYTES) != 0 ? 1 : 0;
    operation.result = ReadResult(call);
}

void
VerbsCallDecoder::OnEvent(VerbsCallFields& call, const nlohmann::json&)
{
    TraceOperation& operation = Add(OperationKind::CQ_EVENT);
    operation.object = Find(call, "cq", m_completionQueues);
    operation.result = ReadResult(call);
}

} // namespace ns3::rdma
