// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/drop-reason.h"
#include "engine/pool.h"
#include "wire/frame.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** Frames and their bytes (destination address to FCS). */
struct FrameCount
{
    uint64_t frames{0};
    uint64_t bytes{0};

    void Add(const Frame& frame)
    {
        ++frames;
        bytes += frame.frameBytes;
    }

    bool operator==(const FrameCount&) const = default;
};

/** Frames that somebody holds. */
struct HeldFrames
{
    FrameCount all;
    uint64_t marked{0}; ///< with the Congestion Experienced mark
};

/**
 * Makes all frames of a fabric and accounts for the end of each.
 *
 * At any time created = consumed + sum of dropped + in flight, in frames and in bytes; the run
 * checks it at its end against what the devices really hold.
 */
class FrameLedger
{
  public:
    /** A new frame with default fields; its size must be set before the next call. */
    Frame* Create(FrameKind kind, uint16_t frameBytes)
    {
        Frame* frame = m_pool.Take();
        frame->kind = kind;
        frame->frameBytes = frameBytes;
        m_created.Add(*frame);
        return frame;
    }

    /** The frame has reached its destination and done its work. */
    void Consume(Frame* frame)
    {
        m_consumed.Add(*frame);
        m_pool.Give(frame);
    }

    /** The one way to throw a frame away. */
    void Drop(Frame* frame, DropReason reason)
    {
        m_dropped[static_cast<std::size_t>(reason)].Add(*frame);
        m_pool.Give(frame);
    }

    const FrameCount& GetCreated() const
    {
        return m_created;
    }

    const FrameCount& GetConsumed() const
    {
        return m_consumed;
    }

    const FrameCount& GetDropped(DropReason reason) const
    {
        return m_dropped[static_cast<std::size_t>(reason)];
    }

  private:
    Pool<Frame> m_pool;
    FrameCount m_created;
    FrameCount m_consumed;
    std::array<FrameCount, DROP_REASON_COUNT> m_dropped{};
};

} // namespace ns3::rdma
