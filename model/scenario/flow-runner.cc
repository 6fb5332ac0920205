// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/flow-runner.h"

#include "base/hash.h"
#include "verbs/bring-up.h"
#include "wire/flow-hash.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Flow starts come after the timers of all devices at the same time. */
constexpr uint64_t FLOW_TIMER_ID = uint64_t{1} << 40;

/**
 * A UDP source port of the dynamic range that depends on both queue pairs, so that connections
 * between the same hosts take different paths.
 *
 * @spec IBTA Vol 1 Annex A17 (the source port carries entropy); range 0xc000 to 0xffff as Linux
 */
uint16_t
ChooseSourcePort(InterfacePair interfaces, Qpn source, Qpn destination)
{
    constexpr uint16_t FIRST = 0xc000;
    constexpr uint16_t MASK = 0x3fff;
    const uint64_t ends = uint64_t{interfaces.source} << 32 | interfaces.destination;
    const uint64_t pairs = uint64_t{source.value} << 32 | destination.value;
    return static_cast<uint16_t>(FIRST | (Mix64(Mix64(ends) ^ pairs) & MASK));
}

/** Where a flow with real payload has its bytes, at both ends: apart from all others. */
uint64_t
FlowAddress(uint32_t number)
{
    constexpr unsigned REGION_BITS = 40;
    return (uint64_t{number} + 1) << REGION_BITS;
}

} // namespace

FlowRunner::FlowRunner(Fabric& fabric, const FlowList& flows, uint64_t seed)
    : m_fabric{fabric},
      m_flows{flows},
      m_seed{seed},
      m_records(flows.size())
{
    Await({0, static_cast<uint32_t>(flows.size())});
    m_start.Bind<&FlowRunner::OnStart>(this, EventOrder::Of(EventPhase::TIMER, FLOW_TIMER_ID));
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        OpenSession(*device);
    }
}

void
FlowRunner::OpenSession(Rnic& device)
{
    // Completions are polled at once, so that the queue holds few.
    constexpr uint32_t COMPLETIONS = 64;
    Session& session = m_sessions.emplace_back();
    const bool isOpen =
        device.AllocateProtectionDomain(session.domain) == VerbsError::NONE &&
        device.RegisterMemory(
            {.protectionDomain = session.domain.value, .length = UINT64_MAX, .access = ACCESS_ALL},
            session.region) == VerbsError::NONE &&
        device.CreateCompletionQueue(COMPLETIONS, this, session.completions) == VerbsError::NONE;
    NS_ABORT_MSG_UNLESS(isOpen, device.GetName() << ": no verbs objects are left");
    device.GetCompletionQueue(session.completions).RequestNotify(Notify::NEXT);
    device.SetObserver(this);
}

Expected<std::unique_ptr<FlowRunner>>
FlowRunner::Make(Fabric& fabric, const FlowList& flows, uint64_t seed)
{
    std::unique_ptr<FlowRunner> runner{new FlowRunner{fabric, flows, seed}};
    for (std::size_t number = 0; number < flows.size(); ++number)
    {
        const Flow& flow = flows[number];
        const auto interfaces = fabric.ChooseInterfaces(flow.source, flow.destination);
        if (!interfaces)
        {
            return interfaces.Errors();
        }
        runner->m_records[number].interfaces = *interfaces;
        runner->m_records[number].start = flow.start;
    }
    if (!flows.empty())
    {
        fabric.GetEvents().Schedule(runner->m_start, flows.front().start);
    }
    return runner;
}

void
FlowRunner::OnStart(SimTime now)
{
    while (m_nextFlow < m_flows.size() && m_flows[m_nextFlow].start <= now)
    {
        const uint32_t number = m_nextFlow++;
        if (!m_records[number].isHeld && !m_records[number].isStopped)
        {
            StartFlow(number, now);
        }
    }
    if (m_nextFlow < m_flows.size())
    {
        m_fabric.GetEvents().Schedule(m_start, m_flows[m_nextFlow].start);
    }
}

void
FlowRunner::StartFlow(uint32_t number, SimTime now)
{
    m_records[number].isStarted = true;
    m_records[number].start = now;
    if (m_fabric.GetConnectionDefaults().hasRealPayload)
    {
        AddMemory(number);
    }
    Connect(number, now);
    PostMessages(number, now);
}

void
FlowRunner::Start(uint32_t flow, SimTime now)
{
    if (!m_records[flow].isStarted && !m_records[flow].isStopped)
    {
        StartFlow(flow, now);
    }
}

void
FlowRunner::Stop(uint32_t flow, SimTime now)
{
    FlowRecord& record = m_records[flow];
    if (record.IsFinished() || record.HasFailed() || record.isStopped)
    {
        return;
    }
    record.isStopped = true;
    if (record.isStarted)
    {
        Rnic& source = *m_fabric.GetInterfaces()[record.interfaces.source];
        const auto refusal =
            source.ModifyQueuePair(record.sourceQp, {.state = QueuePairState::ERR}, QP_STATE, now);
        NS_ABORT_MSG_IF(refusal, "flow " << flow << ": " << ToString(*refusal));
        CheckMemory(flow);
    }
    End(flow, now);
}

Qpn
FlowRunner::CreateQueuePair(uint32_t interface, uint32_t flow, uint32_t requests)
{
    Qpn qpn;
    const Session& session = m_sessions[interface];
    Rnic& device = *m_fabric.GetInterfaces()[interface];
    const VerbsError error =
        device.CreateQueuePair({.protectionDomain = session.domain,
                                .sendQueue = session.completions,
                                .receiveQueue = session.completions,
                                .capabilities = {.maxSendRequests = requests},
                                .signalsAll = true,
                                .mark = flow,
                                .hasCongestionControl = m_flows[flow].hasCongestionControl},
                               qpn);
    NS_ABORT_MSG_IF(error != VerbsError::NONE, device.GetName() << ": " << ToString(error));
    return qpn;
}

void
FlowRunner::Connect(uint32_t number, SimTime now)
{
    const Flow& flow = m_flows[number];
    FlowRecord& record = m_records[number];
    const auto messages = static_cast<uint32_t>(flow.bytes / MAX_MESSAGE_BYTES + 1);
    record.sourceQp = CreateQueuePair(record.interfaces.source, number, messages);
    record.destinationQp = CreateQueuePair(record.interfaces.destination, number, 1);
    const uint16_t common = m_fabric.GetConnectionDefaults().attributes.address.udpSourcePort;
    record.udpSourcePort =
        common != 0 ? common
                    : ChooseSourcePort(record.interfaces, record.sourceQp, record.destinationQp);

    QueuePairAttributes attributes = m_fabric.GetConnectionDefaults().attributes;
    attributes.address = {.destination = record.interfaces.destination,
                          .udpSourcePort = record.udpSourcePort,
                          .priority = flow.priority};
    attributes.destinationQp = record.destinationQp;
    attributes.sendPsn = Psn{Mix64(m_seed ^ (2 * uint64_t{number}))};
    attributes.receivePsn = Psn{Mix64(m_seed ^ (2 * uint64_t{number} + 1))};
    attributes.rateLimit = flow.rate.value_or(BitRate{});
    Rnic& source = *m_fabric.GetInterfaces()[record.interfaces.source];
    auto refusal = BringToReadyToSend(source, record.sourceQp, attributes, now);
    attributes.address.destination = record.interfaces.source;
    attributes.destinationQp = record.sourceQp;
    std::swap(attributes.sendPsn, attributes.receivePsn);
    Rnic& destination = *m_fabric.GetInterfaces()[record.interfaces.destination];
    if (!refusal)
    {
        refusal = BringToReadyToSend(destination, record.destinationQp, attributes, now);
    }
    NS_ABORT_MSG_IF(refusal, "flow " << number << ": " << ToString(*refusal));
}

void
FlowRunner::PostMessages(uint32_t number, SimTime now)
{
    const Flow& flow = m_flows[number];
    const FlowRecord& record = m_records[number];
    uint32_t lkey = m_sessions[record.interfaces.source].region.lkey;
    uint32_t rkey = m_sessions[record.interfaces.destination].region.rkey;
    uint64_t address = 0;
    if (const auto memory = m_memory.find(number); memory != m_memory.end())
    {
        lkey = memory->second.source.lkey;
        rkey = memory->second.sink.rkey;
        address = FlowAddress(number);
    }
    uint64_t offset = 0;
    do
    {
        const uint64_t bytes = std::min(flow.bytes - offset, MAX_MESSAGE_BYTES);
        const ScatterGatherElement element{address + offset, static_cast<uint32_t>(bytes), lkey};
        const SendRequest request{.wrId = number,
                                  .opcode = SendOpcode::RDMA_WRITE,
                                  .sgList = {&element, 1},
                                  .remoteAddress = address + offset,
                                  .rkey = rkey};
        const PostResult result = m_fabric.GetInterfaces()[record.interfaces.source]->PostSend(
            record.sourceQp, {&request, 1}, now);
        NS_ABORT_MSG_UNLESS(result.IsOk(), "flow " << number << ": " << ToString(result.error));
        offset += bytes;
    } while (offset < flow.bytes);
}

void
FlowRunner::AddMemory(uint32_t number)
{
    const InterfacePair interfaces = m_records[number].interfaces;
    FlowMemory& memory = m_memory[number];
    memory.sent.resize(m_flows[number].bytes);
    memory.received.resize(m_flows[number].bytes);
    for (std::size_t i = 0; i < memory.sent.size(); ++i)
    {
        memory.sent[i] = static_cast<std::byte>(Mix64(number) + i + (i >> 8));
    }
    const auto add = [&](uint32_t interface, std::vector<std::byte>& bytes, MemoryRegion& region)
    {
        const VerbsError error = m_fabric.GetInterfaces()[interface]->RegisterMemory(
            {.protectionDomain = m_sessions[interface].domain.value,
             .address = FlowAddress(number),
             .length = bytes.size(),
             .access = ACCESS_ALL,
             .storage = bytes.data()},
            region);
        NS_ABORT_MSG_IF(error != VerbsError::NONE, "flow " << number << ": " << ToString(error));
    };
    add(interfaces.source, memory.sent, memory.source);
    add(interfaces.destination, memory.received, memory.sink);
}

void
FlowRunner::CheckMemory(uint32_t number)
{
    const auto memory = m_memory.find(number);
    if (memory == m_memory.end())
    {
        return;
    }
    FlowRecord& record = m_records[number];
    record.isDamaged =
        !record.HasFailed() && !record.isStopped && memory->second.sent != memory->second.received;
    const auto& devices = m_fabric.GetInterfaces();
    devices[record.interfaces.source]->DeregisterMemory(memory->second.source);
    devices[record.interfaces.destination]->DeregisterMemory(memory->second.sink);
    m_memory.erase(memory);
}

void
FlowRunner::OnDelivered(uint32_t flow, uint64_t bytes, SimTime now)
{
    FlowRecord& record = m_records[flow];
    record.deliveredBytes += bytes;
    if (record.deliveredBytes == m_flows[flow].bytes)
    {
        record.delivered = now;
    }
}

void
FlowRunner::OnAsyncEvent(const AsyncEvent&, SimTime)
{
    // What goes wrong with a flow its completions tell.
}

void
FlowRunner::OnCompletionEvent(CompletionQueue& queue, SimTime now)
{
    std::array<WorkCompletion, 4> completions;
    while (const std::size_t count = queue.Poll(completions))
    {
        for (const WorkCompletion& completion : std::span{completions}.first(count))
        {
            OnCompletion(completion, now);
        }
    }
    queue.RequestNotify(Notify::NEXT);
}

void
FlowRunner::OnCompletion(const WorkCompletion& completion, SimTime now)
{
    const auto flow = static_cast<uint32_t>(completion.wrId);
    FlowRecord& record = m_records[flow];
    if (record.isStopped)
    {
        return; // What was posted is flushed.
    }
    if (completion.status != CompletionStatus::SUCCESS)
    {
        if (!record.HasFailed())
        {
            record.status = completion.status;
            CheckMemory(flow);
            End(flow, now);
        }
        return;
    }
    record.ackedBytes += completion.byteLength;
    if (record.ackedBytes == m_flows[flow].bytes)
    {
        record.acked = now;
        CheckMemory(flow);
        End(flow, now);
    }
}

void
FlowRunner::End(uint32_t flow, SimTime now)
{
    ++m_ended;
    m_missing -= IsAwaited(flow) ? 1 : 0;
    if (m_missing == 0 && IsAwaited(flow) && m_onDone)
    {
        m_onDone(now);
    }
}

FlowIdeals
FlowRunner::GetIdeals(uint32_t flow) const
{
    const FlowRecord& record = m_records[flow];
    const InterfacePair back{record.interfaces.destination, record.interfaces.source};
    const auto hash = [port = record.udpSourcePort](InterfacePair pair)
    { return FlowHash(pair.source, pair.destination, port); };
    const auto forward = m_fabric.TracePath(record.interfaces, hash(record.interfaces));
    const auto reverse = m_fabric.TracePath(back, hash(back));
    FlowIdeals ideals;
    ideals.delivered =
        IdealDeliveredTime({.bytes = m_flows[flow].bytes,
                            .pathMtu = m_fabric.GetConnectionDefaults().attributes.pathMtu,
                            .maxMessageBytes = MAX_MESSAGE_BYTES,
                            .tagBytes = m_fabric.GetTagBytes()},
                           forward);
    const uint32_t ackBytes = RoceFrameBytes(AETH_BYTES, 0) + m_fabric.GetTagBytes();
    ideals.acked = ideals.delivered + FrameTime(ackBytes, reverse);
    return ideals;
}

QueuePairStatistics
FlowRunner::GetStatistics(uint32_t flow) const
{
    const FlowRecord& record = m_records[flow];
    if (!record.isStarted)
    {
        return {};
    }
    return m_fabric.GetInterfaces()[record.interfaces.source]->GetStatistics(record.sourceQp);
}

} // namespace ns3::rdma
