// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-sampler.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Before the look at the clock, which may end the run. */
constexpr uint64_t SAMPLER_ORDER = 1;

/** Whole bits per second of bytes in a time. */
uint64_t
ToBitRate(uint64_t bytes, SimTime time)
{
    constexpr unsigned __int128 BIT_PS_PER_BYTE = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    return static_cast<uint64_t>(bytes * BIT_PS_PER_BYTE / time.ps);
}

} // namespace

RunSampler::RunSampler(Fabric& fabric,
                       const FlowRunner& runner,
                       RunObservers& observers,
                       ResultFile& queues)
    : m_fabric{fabric},
      m_runner{runner},
      m_observers{observers},
      m_queues{queues, "time_ns,node,port,priority,queue_bytes"}
{
    m_sample.Bind<&RunSampler::OnSample>(this, EventOrder::Of(EventPhase::SAMPLE, SAMPLER_ORDER));
    observers.Add(m_sample);
    for (const FabricLink& link : fabric.GetLinks())
    {
        if (link.fromSwitch != nullptr)
        {
            m_links.push_back(&link);
        }
    }
    m_hadFrames.resize(m_links.size());
}

void
RunSampler::SampleRatesInto(ResultFile& rates)
{
    m_rates.emplace(rates, "time_ns,flow,rate_bps,goodput_bps");
}

void
RunSampler::Start(SimTime interval)
{
    m_interval = interval;
    m_fabric.GetEvents().Schedule(m_sample, m_fabric.GetEvents().Now() + interval);
}

void
RunSampler::OnSample(SimTime now)
{
    SampleQueues(now);
    if (m_rates)
    {
        SampleRates(now);
    }
    m_observers.Continue(m_sample, now + m_interval);
}

void
RunSampler::SampleQueues(SimTime now)
{
    for (std::size_t i = 0; i < m_links.size(); ++i)
    {
        const FabricLink& link = *m_links[i];
        link.port->Advance(now);
        const EgressQueues& queues = link.port->GetQueues();
        const PriorityMask waiting = queues.Waiting();
        const PriorityMask told = waiting | m_hadFrames[i];
        m_hadFrames[i] = waiting;
        for (uint8_t priority = 0; told >> priority != 0; ++priority)
        {
            if ((told & PriorityBit(priority)) != 0)
            {
                m_queues.Time(now)
                    .Text(link.from)
                    .Integer(link.fromPort)
                    .Integer(priority)
                    .Integer(queues.Bytes(priority))
                    .EndRow();
            }
        }
    }
}

void
RunSampler::SampleRates(SimTime now)
{
    while (m_nextFlow < m_runner.GetRecords().size() && m_runner.GetRecords()[m_nextFlow].isStarted)
    {
        m_sending.push_back({m_nextFlow++, 0});
    }
    std::erase_if(m_sending, [this, now](SendingFlow& flow) { return !WriteRate(flow, now); });
}

/** @return whether the flow goes on */
bool
RunSampler::WriteRate(SendingFlow& flow, SimTime now)
{
    const FlowRecord& record = m_runner.GetRecords()[flow.number];
    const bool hasEnded = record.IsFinished() || record.HasFailed();
    const uint64_t acked = m_runner.GetStatistics(flow.number).bytesAcked;
    const uint64_t rate = hasEnded ? 0
                                   : m_fabric.GetInterfaces()[record.interfaces.source]
                                         ->GetSendRate(record.sourceQp, now)
                                         .bps;
    m_rates->Time(now)
        .Integer(flow.number)
        .Integer(rate)
        .Integer(ToBitRate(acked - flow.ackedBytes, m_interval))
        .EndRow();
    flow.ackedBytes = acked;
    return !hasEnded;
}

} // namespace ns3::rdma
