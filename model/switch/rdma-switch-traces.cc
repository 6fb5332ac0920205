// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a switch tells of its queues to those who look at them.
 */
#include "switch/rdma-switch.h"

#include "ns3/trace-source-accessor.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RdmaSwitch);

TypeId
RdmaSwitch::GetTypeId()
{
    static TypeId tid =
        AddTrustAttributes(TypeId("ns3::rdma::RdmaSwitch")
                               .SetParent<Object>()
                               .SetGroupName("Rdma")
                               .AddConstructor<RdmaSwitch>())
            .AddTraceSource("Pfc",
                            "A port has received a PFC frame: switch, port, priority, quanta, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_pfcTrace),
                            "ns3::rdma::RdmaSwitch::PfcTracedCallback")
            .AddTraceSource("Drop",
                            "The switch has dropped a frame: switch, reason, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_dropTrace),
                            "ns3::rdma::RdmaSwitch::DropTracedCallback")
            .AddTraceSource("Watchdog",
                            "A storm of pauses was detected, or is over: switch, report, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_watchdogTrace),
                            "ns3::rdma::RdmaSwitch::WatchdogTracedCallback")
            .AddTraceSource("Queue",
                            "After WatchQueues, a frame goes to an egress queue: port, frame, "
                            "bytes that wait there before it, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_queueTrace),
                            "ns3::rdma::RdmaSwitch::FrameTracedCallback")
            .AddTraceSource("Start",
                            "After WatchQueues, a frame leaves its queue for the wire: port, "
                            "frame, bytes that still wait there, time, possibly in the past",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_startTrace),
                            "ns3::rdma::RdmaSwitch::FrameTracedCallback")
            .AddTraceSource("Flush",
                            "After WatchQueues, a waiting frame is lost with its cable: port, "
                            "frame, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_flushTrace),
                            "ns3::rdma::RdmaSwitch::FlushTracedCallback")
            .AddTraceSource("Mark",
                            "A frame is marked: port that it leaves by, frame, bytes that wait "
                            "in its queue, time, possibly in the past",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_markTrace),
                            "ns3::rdma::RdmaSwitch::FrameTracedCallback")
            .AddTraceSource("Pause",
                            "The switch begins to pause a priority of a port: what, time",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_pauseTrace),
                            "ns3::rdma::RdmaSwitch::PauseTracedCallback");
    return tid;
}

void
RdmaSwitch::WatchQueues()
{
    m_looksAtQueues = true;
    m_tellsOfQueues = true;
    for (const auto& port : m_ports)
    {
        port->SetStartFloor(0);
    }
}

void
RdmaSwitch::OnQueue(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime now)
{
    if (m_marksAtEnqueue)
    {
        Mark(port, frame, queueBytes, now);
    }
    if (m_tellsOfQueues)
    {
        m_queueTrace(port, frame, queueBytes, now);
    }
}

void
RdmaSwitch::OnStart(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime start)
{
    // Watched, all starts are told of; those below the marker's floor are not its business.
    const bool isForMarker =
        !m_tellsOfQueues || (!m_marksAtEnqueue && queueBytes >= m_marker->GetFloor(port));
    if (isForMarker)
    {
        Mark(port, frame, queueBytes, start);
    }
    if (m_tellsOfQueues)
    {
        m_startTrace(port, frame, queueBytes, start);
    }
}

void
RdmaSwitch::OnFlushed(uint16_t port, const Departure& flushed, SimTime now)
{
    OnDeparted(port, flushed, now);
    if (m_tellsOfQueues)
    {
        m_flushTrace(port, flushed, now);
    }
}

} // namespace ns3::rdma
