// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/completion-queue.h"

#include <algorithm>

namespace ns3::rdma
{

CompletionQueue::CompletionQueue(uint32_t number,
                                 uint32_t capacity,
                                 CompletionChannel* channel,
                                 uint32_t maxCapacity)
    : m_channel{channel},
      m_number{number},
      m_capacity{capacity},
      m_maxCapacity{maxCapacity}
{
}

uint32_t
CompletionQueue::GetNumber() const
{
    return m_number;
}

bool
CompletionQueue::Push(const WorkCompletion& completion, bool isSolicited, SimTime now)
{
    m_hasOverflowed = m_hasOverflowed || m_entries.GetCount() >= m_capacity;
    if (m_hasOverflowed)
    {
        return false;
    }
    m_entries.PushBack() = completion;
    const bool isUrgent = isSolicited || completion.status != CompletionStatus::SUCCESS;
    if (m_armed == Notify::NEXT || (m_armed == Notify::SOLICITED && isUrgent))
    {
        CountForEvent(now);
    }
    return true;
}

std::size_t
CompletionQueue::Poll(std::span<WorkCompletion> out)
{
    const std::size_t count = std::min(out.size(), m_entries.GetCount());
    for (WorkCompletion& completion : out.first(count))
    {
        completion = m_entries.Front();
        m_entries.PopFront();
    }
    return count;
}

void
CompletionQueue::RequestNotify(Notify what)
{
    if (m_channel)
    {
        m_armed = std::max(m_armed, what);
    }
}

VerbsError
CompletionQueue::Resize(uint32_t capacity)
{
    if (capacity == 0 || capacity < m_entries.GetCount())
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    if (capacity > m_maxCapacity)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    m_capacity = capacity;
    return VerbsError::NONE;
}

void
CompletionQueue::SetModeration(const CompletionModeration& moderation)
{
    m_moderation = moderation;
}

SimTime
CompletionQueue::GetDeadline() const
{
    return m_deadline;
}

void
CompletionQueue::OnTimeout(SimTime now)
{
    if (now >= m_deadline)
    {
        RaiseEvent(now);
    }
}

uint32_t
CompletionQueue::GetCount() const
{
    return static_cast<uint32_t>(m_entries.GetCount());
}

uint32_t
CompletionQueue::GetCapacity() const
{
    return m_capacity;
}

bool
CompletionQueue::HasOverflowed() const
{
    return m_hasOverflowed;
}

void
CompletionQueue::CountForEvent(SimTime now)
{
    ++m_untold;
    if (m_untold >= m_moderation.count)
    {
        RaiseEvent(now);
    }
    else if (m_deadline.IsNever() && m_moderation.period > SimTime{})
    {
        m_deadline = now + m_moderation.period;
    }
}

void
CompletionQueue::RaiseEvent(SimTime now)
{
    // Before the event: its handler may arm the queue again.
    m_armed = Notify::NONE;
    m_untold = 0;
    m_deadline = SimTime::Never();
    m_channel->OnCompletionEvent(*this, now);
}

} // namespace ns3::rdma
