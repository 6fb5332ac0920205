// SPDX-License-Identifier: GPL-2.0-only
#include "workload/program-surveyor.h"

#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"
#include "verbs/takes-receive.h"
#include "verbs/work-completion.h"
#include "workload/queue-pair-change.h"

#include <algorithm>
#include <string>
#include <variant>

namespace ns3::rdma
{

namespace
{

constexpr uint8_t RECEIVE_BIT = 128; ///< of ibv_wc_opcode
constexpr uint8_t BIND_MW = 8;       ///< of ibv_wr_opcode

bool
IsKnownOpcode(uint8_t opcode)
{
    return opcode <= static_cast<uint8_t>(SendOpcode::LOCAL_INV) ||
           opcode == static_cast<uint8_t>(SendOpcode::SEND_WITH_INV);
}

} // namespace

ProgramSurveyor::ProgramSurveyor(const Trace& trace, ReplaySurvey& survey, ReplayRefusals& refusals)
    : m_trace{trace},
      m_survey{survey},
      m_refusals{refusals},
      m_clocks{trace.processes, survey}
{
}

void
ProgramSurveyor::See(uint32_t thread, const TraceOperation& operation)
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
        m_refusals.Add("messages of a schedule in a thread that is a program");
        return;
    default:
        return;
    }
}

SurveyedQueuePair*
ProgramSurveyor::FindQueuePair(uint32_t process, ObjectId object)
{
    if (m_last.process != process || m_last.object != object)
    {
        const auto found = m_pairOf.find({process, object});
        if (found == m_pairOf.end())
        {
            return nullptr;
        }
        m_last = {process, object, found->second};
    }
    return &m_survey.queuePairs[m_last.index];
}

void
ProgramSurveyor::SeeSend(uint32_t process, const TraceOperation& operation)
{
    SurveyedQueuePair* pair = FindQueuePair(process, operation.object);
    if (pair == nullptr)
    {
        m_refusals.Add("posts to a queue pair that the trace does not create");
        return;
    }
    ++pair->posts;
    if (operation.result != 0)
    {
        return;
    }
    if (!IsKnownOpcode(operation.opcode))
    {
        m_refusals.Add(operation.opcode == BIND_MW
                           ? "memory windows (bind)"
                           : "send opcode " + std::to_string(operation.opcode));
        return;
    }
    const bool reachesPeer = operation.opcode != static_cast<uint8_t>(SendOpcode::LOCAL_INV);
    pair->requests += reachesPeer ? 1 : 0;
    if (TakesReceive(static_cast<SendOpcode>(operation.opcode)))
    {
        m_clocks.OnSent(IndexOf(*pair), Absolute(process, operation.timeNs));
    }
}

void
ProgramSurveyor::SeeReceive(uint32_t process, const TraceOperation& operation)
{
    if (SurveyedQueuePair* pair = FindQueuePair(process, operation.object))
    {
        ++pair->posts;
        return;
    }
    m_refusals.Add("posts to a queue pair that the trace does not create");
}

void
ProgramSurveyor::SeeCompletion(uint32_t process, const TraceOperation& operation)
{
    SurveyedQueuePair* pair = FindQueuePair(process, operation.object);
    if (pair == nullptr)
    {
        m_refusals.Add("completions of a queue pair that the trace does not create");
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

void
ProgramSurveyor::SeeControl(uint32_t process, const TraceOperation& operation)
{
    const Control& control = operation.control;
    if (operation.result != 0 || control.verb == ControlVerb::DESTROY ||
        control.verb == ControlVerb::CM)
    {
        return;
    }
    if (const auto* device = std::get_if<DeviceDetail>(&control.detail))
    {
        m_deviceNames[{process, operation.object}] = device->name;
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
        m_pairOf[{process, operation.object}] = static_cast<uint32_t>(m_survey.queuePairs.size());
        m_survey.queuePairs.push_back({.process = process,
                                       .object = operation.object,
                                       .detail = *pair,
                                       .device = NumberDevice(process, operation.other),
                                       .attributes = {}});
        m_clocks.AddQueuePair();
    }
    else if (const auto* shared = std::get_if<SharedReceiveQueueDetail>(&control.detail))
    {
        m_survey.sharedQueues.push_back({process, operation.object, operation.other, *shared});
    }
    else if (const auto* change = std::get_if<QueuePairChange>(&control.detail))
    {
        SeeChange(process, operation.object, *change);
    }
}

uint32_t
ProgramSurveyor::NumberDevice(uint32_t process, ObjectId device)
{
    SurveyedProcess& surveyed = m_survey.processes[process];
    const auto [entry, isNew] = surveyed.deviceOf.try_emplace(device, 0);
    if (isNew)
    {
        const std::string& name = m_deviceNames[{process, device}];
        auto place = std::ranges::find(surveyed.devices, name);
        if (place == surveyed.devices.end() || name.empty())
        {
            place = surveyed.devices.insert(surveyed.devices.end(), name);
        }
        entry->second = static_cast<uint32_t>(place - surveyed.devices.begin());
    }
    return entry->second;
}

void
ProgramSurveyor::AddKeys(uint32_t process, const MemoryRegionDetail& region)
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

void
ProgramSurveyor::SeeChange(uint32_t process, ObjectId object, const QueuePairChange& change)
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
            m_refusals.Add("connections whose peer has no number, as those of iWARP have none");
            return;
        }
        pair->isConnected = true;
        if (++pair->connections > 1)
        {
            m_refusals.Add("queue pairs that are connected a second time");
            return;
        }
    }
    if (changesState && change.state == static_cast<uint8_t>(QueuePairState::RTS))
    {
        pair->sends = true;
    }
    MergeChange(pair->attributes, change);
}

void
ProgramSurveyor::Conclude()
{
    constexpr auto RC = static_cast<uint8_t>(QueuePairType::RC);
    std::map<std::string, uint64_t> unused;
    for (const SurveyedQueuePair& pair : m_survey.queuePairs)
    {
        const std::string what = NameQueuePairType(pair.detail.type) + " queue pairs";
        if (pair.detail.type != RC && pair.posts > 0)
        {
            m_refusals.Add(what);
        }
        else if (pair.detail.type != RC)
        {
            ++unused[what];
        }
    }
    for (const auto& [what, count] : unused)
    {
        m_survey.notes.push_back(std::to_string(count) + " " + what +
                                 " are created but never used: left out");
    }
}

} // namespace ns3::rdma
