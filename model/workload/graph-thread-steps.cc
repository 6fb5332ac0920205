// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the operations of a schedule do.
 */
#include "workload/graph-thread.h"
#include "workload/message-fabric.h"
#include "workload/replay-engine.h"
#include "workload/replay-processor.h"

#include <algorithm>

namespace ns3::rdma
{

SimTime
GraphThread::GetEarliest(const TraceOperation& operation) const
{
    if (m_engine.GetSettings().mode == ReplayMode::FAST)
    {
        return m_engine.GetStart();
    }
    const auto ns = static_cast<uint64_t>(std::max<int64_t>(operation.timeNs, 0));
    return m_engine.GetStart() + SimTime::Nanoseconds(ns);
}

void
GraphThread::Plan(const Due& due)
{
    m_due.push(due);
}

void
GraphThread::DoDue(SimTime now)
{
    while (!m_due.empty() && std::get<0>(m_due.top()) <= now)
    {
        const auto [time, number, ends] = m_due.top();
        m_due.pop();
        (ends ? m_ending : m_ready).push_back(number);
    }
}

void
GraphThread::Start(uint64_t number, SimTime now)
{
    const Node& node = At(number);
    if (node.earliest > now)
    {
        Plan({node.earliest, number, false});
        return;
    }
    // A receive is told of its message whatever the processor does.
    const bool asksFirst =
        node.kind == OperationKind::MESSAGE || node.kind == OperationKind::COMPUTE;
    if (asksFirst && node.processor != NO_OBJECT)
    {
        GetProcessor(node.processor).Ask(*this, number, node.kind, now);
        return;
    }
    Begin(number, now);
}

void
GraphThread::Begin(uint64_t number, SimTime now)
{
    Node& node = At(number);
    node.hasBegun = true;
    node.begun = now;
    TellAll(node.onStart);
    ++m_figures.operations;
    switch (node.kind)
    {
    case OperationKind::MESSAGE:
        m_figures.bytes += node.bytes;
        if (MessageEnd* end = m_engine.GetMessages().FindEnd(m_process, node.object, now))
        {
            end->Send({this, number}, {node.bytes, node.tag, node.opcode}, now);
        }
        return;
    case OperationKind::MESSAGE_RECEIVE:
        if (m_engine.GetMessages().Receive(m_process, node.object, node.tag, {this, number}))
        {
            OnReceived(number);
        }
        return;
    case OperationKind::COMPUTE:
        if (node.processor == NO_OBJECT)
        {
            Plan({now + OnProcessor(number, now), number, true});
        }
        return;
    default:
        m_ending.push_back(number);
    }
}

SimTime
GraphThread::OnProcessor(uint64_t operation, SimTime now)
{
    Node& node = At(operation);
    if (!node.hasBegun)
    {
        Begin(operation, now);
    }
    else if (node.kind == OperationKind::MESSAGE_RECEIVE)
    {
        m_ending.push_back(operation);
        m_engine.Wake(*this);
    }
    if (node.kind != OperationKind::COMPUTE)
    {
        return {};
    }
    const bool isFast = m_engine.GetSettings().mode == ReplayMode::FAST;
    const SimTime lasts = isFast ? SimTime{} : m_engine.Scale(At(operation).durationNs);
    m_figures.compute += lasts;
    return lasts;
}

void
GraphThread::OnComputed(uint64_t operation)
{
    m_ending.push_back(operation);
    m_engine.Wake(*this);
}

void
GraphThread::OnAcknowledged(uint64_t operation)
{
    m_ending.push_back(operation);
    m_engine.Wake(*this);
}

void
GraphThread::OnReceived(uint64_t operation)
{
    const Node& node = At(operation);
    if (node.processor != NO_OBJECT)
    {
        const SimTime now = m_engine.GetEvents().Now();
        GetProcessor(node.processor).Ask(*this, operation, node.kind, now);
        return;
    }
    m_ending.push_back(operation);
    m_engine.Wake(*this);
}

void
GraphThread::End(uint64_t number, SimTime now)
{
    Node& node = At(number);
    node.hasEnded = true;
    ++m_endedAhead;
    if (node.kind == OperationKind::MESSAGE_RECEIVE)
    {
        m_figures.waiting += now - node.begun;
    }
    TellAll(node.onEnd);
}

ReplayProcessor&
GraphThread::GetProcessor(ObjectId number)
{
    return m_engine.GetProcessor(m_process, number);
}

} // namespace ns3::rdma
