// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/send-scheduler.h"

#include <bit>

namespace ns3::rdma
{
namespace
{

/** Whether its owner has sent since, or has nothing to send any more. */
bool
IsStale(const DeadlineHeap<QueuePair>::Entry& entry)
{
    return entry.owner->sendState != SendState::PACED || entry.owner->nextSend != entry.time;
}

/** The earliest time at which one of a heap may send; what is stale before it goes away. */
SimTime
NextTime(DeadlineHeap<QueuePair>& heap)
{
    while (!heap.IsEmpty() && IsStale(heap.Top()))
    {
        heap.Pop();
    }
    return heap.NextTime();
}

} // namespace

void
SendScheduler::Append(QueuePair& pair)
{
    QueuePair*& head = m_rings[pair.attributes.address.priority];
    if (head == nullptr)
    {
        head = &pair;
        pair.nextReady = &pair;
        pair.previousReady = &pair;
    }
    else
    {
        pair.nextReady = head;
        pair.previousReady = head->previousReady;
        head->previousReady->nextReady = &pair;
        head->previousReady = &pair;
    }
    m_ready |= PriorityBit(pair.attributes.address.priority);
    pair.sendState = SendState::READY;
}

void
SendScheduler::Remove(QueuePair& pair)
{
    const uint8_t priority = pair.attributes.address.priority;
    QueuePair*& head = m_rings[priority];
    if (pair.nextReady == &pair)
    {
        head = nullptr;
        m_ready &= static_cast<PriorityMask>(~PriorityBit(priority));
        return;
    }
    pair.previousReady->nextReady = pair.nextReady;
    pair.nextReady->previousReady = pair.previousReady;
    if (head == &pair)
    {
        head = pair.nextReady;
    }
}

void
SendScheduler::Forget(QueuePair& pair)
{
    if (pair.sendState == SendState::READY)
    {
        Remove(pair);
    }
    pair.sendState = SendState::IDLE;
    m_paced[pair.attributes.address.priority].Remove(&pair);
}

void
SendScheduler::Update(QueuePair& pair, SimTime now)
{
    const bool canSend = pair.CanSend();
    if (!canSend)
    {
        if (pair.sendState == SendState::READY)
        {
            Remove(pair);
        }
        pair.sendState = SendState::IDLE;
        return;
    }
    if (pair.sendState != SendState::IDLE)
    {
        return;
    }
    if (pair.nextSend <= now)
    {
        Append(pair);
        return;
    }
    Pace(pair);
}

void
SendScheduler::Pace(QueuePair& pair)
{
    m_paced[pair.attributes.address.priority].Push(pair.nextSend, pair);
    m_hasPaced |= PriorityBit(pair.attributes.address.priority);
    m_nextPaced = std::min(m_nextPaced, pair.nextSend);
    pair.sendState = SendState::PACED;
}

void
SendScheduler::AfterSend(QueuePair& pair)
{
    if (pair.CanSend())
    {
        if (!pair.isPaced) [[likely]]
        {
            // It stands at the head of its ring: the next one's turn makes it the last.
            m_rings[pair.attributes.address.priority] = pair.nextReady;
            return;
        }
        Remove(pair);
        Pace(pair);
        return;
    }
    Remove(pair);
    pair.sendState = SendState::IDLE;
}

void
SendScheduler::ReleasePaced(SimTime until, PriorityMask priorities)
{
    for (PriorityMask left = m_hasPaced & priorities; left != 0; left &= left - 1)
    {
        const auto priority = static_cast<uint8_t>(std::countr_zero(left));
        DeadlineHeap<QueuePair>& heap = m_paced[priority];
        while (NextTime(heap) <= until)
        {
            Append(*heap.Pop().owner);
        }
        if (heap.IsEmpty())
        {
            m_hasPaced &= static_cast<PriorityMask>(~PriorityBit(priority));
        }
    }
    m_nextPaced = SimTime::Never();
    for (PriorityMask left = m_hasPaced; left != 0; left &= left - 1)
    {
        m_nextPaced = std::min(m_nextPaced, m_paced[std::countr_zero(left)].NextTime());
    }
}

SimTime
SendScheduler::NextReady(SimTime from, PriorityMask open)
{
    if (m_nextPaced <= from)
    {
        ReleasePaced(from, open);
    }
    if ((m_ready & open) != 0)
    {
        return from;
    }
    SimTime earliest = SimTime::Never();
    for (PriorityMask left = m_hasPaced & open; left != 0; left &= left - 1)
    {
        earliest = std::min(earliest, NextTime(m_paced[std::countr_zero(left)]));
    }
    return earliest;
}

int
SendScheduler::ReadyPriority(SimTime at, PriorityMask open)
{
    return std::bit_width(static_cast<unsigned>(ReadyPriorities(at, open))) - 1;
}

} // namespace ns3::rdma
