// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "wire/frame.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** The frames that wait at a port, a FIFO per priority, linked through the frames themselves. */
class EgressQueues
{
  public:
    void Push(Frame* frame)
    {
        Queue& queue = m_queues[frame->priority];
        frame->next = nullptr;
        *queue.tail = frame;
        queue.tail = &frame->next;
        queue.bytes += frame->frameBytes;
        m_waiting |= PriorityBit(frame->priority);
    }

    /** Takes the oldest frame of a priority that has one. */
    Frame* Pop(uint8_t priority)
    {
        Queue& queue = m_queues[priority];
        Frame* frame = queue.head;
        queue.head = frame->next;
        queue.bytes -= frame->frameBytes;
        if (queue.head == nullptr)
        {
            queue.tail = &queue.head;
            m_waiting &= static_cast<PriorityMask>(~PriorityBit(priority));
        }
        return frame;
    }

    /** The oldest frame of a priority; null if none waits. */
    const Frame* Head(uint8_t priority) const
    {
        return m_queues[priority].head;
    }

    /** Waiting bytes of a priority, destination address to FCS. */
    uint64_t Bytes(uint8_t priority) const
    {
        return m_queues[priority].bytes;
    }

    /** Has a priority's queue fetched into the cache. */
    void Prefetch(uint8_t priority) const
    {
        __builtin_prefetch(&m_waiting);
        __builtin_prefetch(&m_queues[priority]);
    }

    /** Priorities with a waiting frame. */
    PriorityMask Waiting() const
    {
        return m_waiting;
    }

    EgressQueues() = default;
    EgressQueues(const EgressQueues&) = delete;
    EgressQueues& operator=(const EgressQueues&) = delete;

  private:
    struct Queue
    {
        Frame* head{nullptr};
        Frame** tail{&head};
        uint64_t bytes{0};
    };

    PriorityMask m_waiting{0};
    std::array<Queue, PRIORITY_COUNT> m_queues{};
};

} // namespace ns3::rdma
