// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/flow-runner.h"

#include "base/hash.h"
#include "wire/framing.h"

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

} // namespace

FlowRunner::FlowRunner(Fabric& fabric, const FlowList& flows, uint64_t seed)
    : m_fabric{fabric},
      m_flows{flows},
      m_seed{seed},
      m_records(flows.size())
{
    m_start.Bind<&FlowRunner::OnStart>(this, EventOrder::Of(EventPhase::TIMER, FLOW_TIMER_ID));
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        device->SetListener(this);
    }
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
        StartFlow(m_nextFlow++, now);
    }
    if (m_nextFlow < m_flows.size())
    {
        m_fabric.GetEvents().Schedule(m_start, m_flows[m_nextFlow].start);
    }
}

void
FlowRunner::StartFlow(uint32_t number, SimTime now)
{
    const Flow& flow = m_flows[number];
    FlowRecord& record = m_records[number];
    Rnic& source = *m_fabric.GetInterfaces()[record.interfaces.source];
    Rnic& destination = *m_fabric.GetInterfaces()[record.interfaces.destination];
    record.isStarted = true;
    record.sourceQp = source.CreateQueuePair();
    record.destinationQp = destination.CreateQueuePair();
    record.udpSourcePort =
        ChooseSourcePort(record.interfaces, record.sourceQp, record.destinationQp);

    const InterfacePair back{record.interfaces.destination, record.interfaces.source};
    const Psn forwardPsn{Mix64(m_seed ^ (2 * uint64_t{number}))};
    const Psn backwardPsn{Mix64(m_seed ^ (2 * uint64_t{number} + 1))};
    ConnectionAttributes attributes{.flow = number,
                                   .destination = record.interfaces.destination,
                                   .destinationQp = record.destinationQp,
                                   .sendPsn = forwardPsn,
                                   .receivePsn = backwardPsn,
                                   .udpSourcePort = record.udpSourcePort,
                                   .flowHash =
                                       Fabric::FlowHash(record.interfaces, record.udpSourcePort),
                                   .priority = flow.priority,
                                   .rateLimit = flow.rate.value_or(BitRate{})};
    source.Connect(record.sourceQp, attributes, now);
    attributes.destination = back.destination;
    attributes.destinationQp = record.sourceQp;
    std::swap(attributes.sendPsn, attributes.receivePsn);
    attributes.flowHash = Fabric::FlowHash(back, record.udpSourcePort);
    destination.Connect(record.destinationQp, attributes, now);

    uint64_t offset = 0;
    do
    {
        const uint64_t bytes = std::min(flow.bytes - offset, MAX_MESSAGE_BYTES);
        source.Post(
            record.sourceQp, {.wrId = offset, .bytes = bytes, .remoteAddress = offset}, now);
        offset += bytes;
    } while (offset < flow.bytes);
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
FlowRunner::OnCompletion(uint32_t flow, const WorkCompletion& completion, SimTime now)
{
    FlowRecord& record = m_records[flow];
    if (completion.status != CompletionStatus::SUCCESS)
    {
        if (!record.HasFailed())
        {
            record.status = completion.status;
            End(now);
        }
        return;
    }
    record.ackedBytes += completion.byteLength;
    if (record.ackedBytes == m_flows[flow].bytes)
    {
        record.acked = now;
        End(now);
    }
}

void
FlowRunner::End(SimTime now)
{
    ++m_ended;
    if (m_ended == m_flows.size() && m_onDone)
    {
        m_onDone(now);
    }
}

FlowIdeals
FlowRunner::GetIdeals(uint32_t flow) const
{
    const FlowRecord& record = m_records[flow];
    const InterfacePair back{record.interfaces.destination, record.interfaces.source};
    const auto forward = m_fabric.TracePath(
        record.interfaces, Fabric::FlowHash(record.interfaces, record.udpSourcePort));
    const auto reverse = m_fabric.TracePath(back, Fabric::FlowHash(back, record.udpSourcePort));
    FlowIdeals ideals;
    ideals.delivered = IdealDeliveredTime({.bytes = m_flows[flow].bytes,
                                           .pathMtu = m_fabric.GetConnectionConfig().pathMtu,
                                           .maxMessageBytes = MAX_MESSAGE_BYTES},
                                          forward);
    ideals.acked = ideals.delivered + FrameTime(RoceFrameBytes(AETH_BYTES, 0), reverse);
    return ideals;
}

QueuePairCounters
FlowRunner::GetCounters(uint32_t flow) const
{
    const FlowRecord& record = m_records[flow];
    if (!record.isStarted)
    {
        return {};
    }
    return m_fabric.GetInterfaces()[record.interfaces.source]->GetCounters(record.sourceQp);
}

} // namespace ns3::rdma
