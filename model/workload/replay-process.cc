// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-process.h"

#include "verbs/bring-up.h"
#include "workload/replay-engine.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Never a key of a device. */
constexpr uint32_t WRONG_KEY = 0;

bool
Knows(const SurveyedProcess& process, uint32_t key)
{
    return std::ranges::binary_search(process.keys, key);
}

} // namespace

ReplayProcess::ReplayProcess(ReplayEngine& engine, uint32_t number)
    : m_engine{engine},
      m_number{number},
      m_keys(std::max<std::size_t>(1, engine.GetSurvey().processes[number].devices.size()))
{
}

ReplayInterface&
ReplayProcess::GetInterface(uint32_t device) const
{
    return m_engine.GetInterface(m_number, device);
}

std::string
ReplayProcess::Create()
{
    const SurveyedProcess& process = m_engine.GetSurvey().processes[m_number];
    for (const SurveyedSharedQueue& shared : m_engine.GetSurvey().sharedQueues)
    {
        if (shared.process != m_number)
        {
            continue;
        }
        const std::optional<uint32_t> number = process.FindDevice(shared.device);
        if (!number)
        {
            continue; // Nothing takes from it.
        }
        SharedQueue& queue = m_sharedOf[shared.object];
        queue.device = *number;
        ReplayInterface& interface = GetInterface(queue.device);
        VerbsDevice& device = interface.GetDevice();
        const uint32_t requests =
            std::clamp<uint32_t>(shared.detail.maxRequests, 1, device.GetLimits().maxQueueRequests);
        const SharedReceiveQueueInit init{interface.GetDomain(), requests, 1};
        const VerbsError error = device.CreateSharedReceiveQueue(init, queue.id);
        if (error != VerbsError::NONE)
        {
            return "shared receive queue: " + std::string{ToString(error)};
        }
        device.SetSharedReceiveLimit(queue.id, shared.detail.limit);
    }
    constexpr auto RC = static_cast<uint8_t>(QueuePairType::RC);
    for (const SurveyedQueuePair& surveyed : m_engine.GetSurvey().queuePairs)
    {
        if (surveyed.process != m_number || surveyed.detail.type != RC)
        {
            continue;
        }
        m_pairs.push_back(std::make_unique<ProgramQueuePair>(m_engine, surveyed));
        m_pairOf[surveyed.object] = m_pairs.back().get();
        m_lastPair = {surveyed.object, m_pairs.back().get()};
        std::string refusal =
            m_pairs.back()->Create(FindSharedQueue(surveyed.detail.sharedReceiveQueue).id);
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    return "";
}

std::string
ReplayProcess::Connect(SimTime now)
{
    const auto& all = m_engine.GetSurvey().queuePairs;
    for (const auto& pair : m_pairs)
    {
        const uint32_t number = pair->GetSurveyed().peer;
        ProgramQueuePair* peer = nullptr;
        if (number != NO_INDEX)
        {
            peer = m_engine.GetProcess(all[number].process).FindQueuePair(all[number].object);
        }
        std::string refusal = pair->Connect(peer, now);
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    return "";
}

ProgramQueuePair*
ReplayProcess::FindQueuePair(ObjectId object)
{
    if (m_lastPair.first != object)
    {
        const auto found = m_pairOf.find(object);
        m_lastPair = {object, found == m_pairOf.end() ? nullptr : found->second};
    }
    return m_lastPair.second;
}

ReplayProcess::SharedQueue
ReplayProcess::FindSharedQueue(ObjectId object) const
{
    const auto found = m_sharedOf.find(object);
    return found == m_sharedOf.end() ? SharedQueue{} : found->second;
}

ScatterGatherElement
ReplayProcess::TranslateLocal(const TraceOperation& operation, uint32_t device) const
{
    ScatterGatherElement element{operation.localAddress,
                                 static_cast<uint32_t>(operation.bytes),
                                 GetInterface(device).GetAllMemory().lkey};
    const SurveyedProcess& surveyed = m_engine.GetSurvey().processes[m_number];
    // Of several pieces the trace has the first and the sum: any memory will do.
    const bool isInline =
        operation.kind == OperationKind::POST_SEND && (operation.flags & SEND_INLINE) != 0;
    if (!surveyed.hasRegions || operation.elements > 1 || isInline)
    {
        element.address = 0;
        return element;
    }
    const Keys& keys = m_keys[device];
    LastKey& last = keys.lastLocal;
    if (last.deviceKey == WRONG_KEY || last.key != operation.localKey)
    {
        const auto found = keys.local.find(operation.localKey);
        last = {operation.localKey, found == keys.local.end() ? WRONG_KEY : found->second.lkey};
    }
    element.lkey = last.deviceKey;
    return element;
}

std::optional<uint32_t>
ReplayProcess::TranslateRemote(uint32_t rkey, uint32_t device) const
{
    const SurveyedProcess& surveyed = m_engine.GetSurvey().processes[m_number];
    if (!surveyed.hasRegions)
    {
        return GetInterface(device).GetAllMemory().rkey;
    }
    const Keys& keys = m_keys[device];
    if (keys.lastRemote.deviceKey != WRONG_KEY && keys.lastRemote.key == rkey)
    {
        return keys.lastRemote.deviceKey;
    }
    const auto found = keys.remote.find(rkey);
    if (found != keys.remote.end())
    {
        keys.lastRemote = {rkey, found->second.rkey};
        return found->second.rkey;
    }
    return Knows(surveyed, rkey) ? std::nullopt : std::optional{WRONG_KEY};
}

void
ReplayProcess::DoControl(const TraceOperation& operation)
{
    const Control& control = operation.control;
    if (operation.result != 0)
    {
        ++m_engine.GetFigures(m_number).leftOut;
        return;
    }
    if (control.kind == ObjectKind::MEMORY_REGION)
    {
        const auto* detail = std::get_if<MemoryRegionDetail>(&control.detail);
        if (control.verb == ControlVerb::DESTROY)
        {
            Deregister(operation.object);
        }
        else if (detail != nullptr)
        {
            const SurveyedProcess& process = m_engine.GetSurvey().processes[m_number];
            // On a device without queue pairs nothing uses it.
            if (const auto device = process.FindDevice(operation.other))
            {
                Register(operation.object, *device, *detail);
            }
        }
        return;
    }
    ProgramQueuePair* pair =
        control.kind == ObjectKind::QUEUE_PAIR ? FindQueuePair(operation.object) : nullptr;
    if (pair != nullptr && control.verb == ControlVerb::DESTROY)
    {
        pair->End(ProgramQueuePair::Ending::DESTROYED);
    }
    const auto* change = std::get_if<QueuePairChange>(&control.detail);
    if (pair != nullptr && change != nullptr && control.verb == ControlVerb::MODIFY)
    {
        Change(*pair, *change);
    }
    const auto* shared = std::get_if<SharedReceiveQueueDetail>(&control.detail);
    if (shared != nullptr && control.verb == ControlVerb::MODIFY)
    {
        const SharedQueue queue = FindSharedQueue(operation.object);
        GetInterface(queue.device).GetDevice().SetSharedReceiveLimit(queue.id, shared->limit);
    }
}

void
ReplayProcess::Change(ProgramQueuePair& pair, const QueuePairChange& change)
{
    const auto state = static_cast<QueuePairState>(change.state);
    const bool isDone = change.result == 0 && (change.mask & QP_STATE) != 0;
    if (!isDone)
    {
        ++m_engine.GetFigures(m_number).leftOut;
        return;
    }
    switch (state)
    {
    case QueuePairState::RTR:
        pair.SetReady();
        return;
    case QueuePairState::ERR:
        pair.End(ProgramQueuePair::Ending::ERROR);
        return;
    case QueuePairState::INIT:
    case QueuePairState::RTS:
        return; // It is there already.
    case QueuePairState::RESET:
    case QueuePairState::SQD:
    case QueuePairState::SQE:
        ++m_engine.GetFigures(m_number).leftOut;
        return;
    }
}

void
ReplayProcess::Register(ObjectId object, uint32_t device, const MemoryRegionDetail& detail)
{
    Deregister(object);
    ReplayInterface& interface = GetInterface(device);
    const MemoryRegionSpec spec{.protectionDomain = interface.GetDomain().value,
                                .address = detail.iova != 0 ? detail.iova : detail.address,
                                .length = detail.bytes,
                                .access = static_cast<uint8_t>(detail.access & ACCESS_ALL),
                                .isInvalidatable = true};
    Region region{.device = device, .lkey = detail.lkey, .rkey = detail.rkey, .keys = {}};
    const VerbsError error = interface.GetDevice().RegisterMemory(spec, region.keys);
    if (error != VerbsError::NONE)
    {
        m_engine.Refuse(m_number, "memory region: " + std::string{ToString(error)});
        return;
    }
    m_regionOf[object] = region;
    Keys& keys = m_keys[device];
    keys.lastLocal = {};
    keys.lastRemote = {};
    keys.local[detail.lkey] = region.keys;
    keys.remote[detail.rkey] = region.keys;
    for (ReplayThread* waiter : m_keyWaiters)
    {
        m_engine.Wake(*waiter);
    }
    m_keyWaiters.clear();
}

void
ReplayProcess::Deregister(ObjectId object)
{
    const auto found = m_regionOf.find(object);
    if (found == m_regionOf.end())
    {
        return;
    }
    m_gone.push_back(found->second);
    m_regionOf.erase(found);
    if (m_gone.size() > MOST_KEPT_REGIONS)
    {
        ForgetOldest();
    }
}

void
ReplayProcess::ForgetOldest()
{
    const Region region = m_gone.front();
    m_gone.pop_front();
    const auto forget = [&](auto& regions, uint32_t key)
    {
        const auto found = regions.find(key);
        if (found != regions.end() && found->second == region.keys)
        {
            regions.erase(found);
        }
    };
    Keys& keys = m_keys[region.device];
    keys.lastLocal = {};
    keys.lastRemote = {};
    forget(keys.local, region.lkey);
    forget(keys.remote, region.rkey);
    GetInterface(region.device).GetDevice().DeregisterMemory(region.keys);
}

bool
ReplayProcess::OwesCompletions() const
{
    return std::ranges::any_of(m_pairs, [](const auto& pair) { return pair->OwesCompletions(); });
}

void
ReplayProcess::OnEnded()
{
    for (const auto& pair : m_pairs)
    {
        pair->SetReady();
        if (pair->GetPeer() != nullptr)
        {
            pair->GetPeer()->OnPeerEnded();
        }
    }
}

} // namespace ns3::rdma
