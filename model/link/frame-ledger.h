// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/drop-reason.h"
#include "engine/pool.h"
#include "wire/frame.h"

#include "ns3/traced-callback.h"

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
    static constexpr uint64_t NO_PORT = UINT64_MAX; ///< of a drop that is at no port

    using DropCallback = Callback<void, const Frame&, DropReason, uint64_t>;

    /** A new frame with default fields; its size must be set before the next call. */
    Frame* Create(FrameKind kind, uint16_t frameBytes)
    {
        Frame* frame = m_pool.Take();
        frame->kind = kind;
        frame->frameBytes = frameBytes;
        m_created.Add(*frame);
        return frame;
    }

    /** Gives a frame an empty extension; its extended headers go there from now on. */
    FrameExtension& Extend(Frame& frame)
    {
        frame.extension = m_extensions.Take();
        frame.isExtended = true;
        return *frame.extension;
    }

    /** Room for the payload bytes of an extended frame. */
    PayloadBlock& AddPayload(Frame& frame)
    {
        frame.extension->payload = m_payloads.Take();
        return *frame.extension->payload;
    }

    /** A copy, as a faulty network makes one. */
    Frame* Clone(const Frame& frame);

    /** The frame has reached its destination and done its work. */
    void Consume(Frame* frame)
    {
        m_consumed.Add(*frame);
        Free(frame);
    }

    /**
     * The one way to throw a frame away.
     *
     * @param port where: PortConfig::id of the port at which it arrived, or was to leave
     */
    void Drop(Frame* frame, DropReason reason, uint64_t port = NO_PORT);

    /** Calls back before each frame is thrown away: the frame, why, where. */
    void TraceDrops(const DropCallback& callback)
    {
        m_dropTrace.ConnectWithoutContext(callback);
    }

    /** A mark that no switch made: set by a fault, or copied with its frame. */
    void CountFaultMark()
    {
        ++m_faultMarks;
    }

    uint64_t GetFaultMarks() const
    {
        return m_faultMarks;
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
    void Free(Frame* frame)
    {
        if (frame->isExtended) [[unlikely]]
        {
            FreeExtension(*frame);
        }
        m_pool.Give(frame);
    }

    void FreeExtension(Frame& frame);

    Pool<Frame> m_pool;
    Pool<FrameExtension> m_extensions;
    Pool<PayloadBlock> m_payloads;
    FrameCount m_created;
    FrameCount m_consumed;
    std::array<FrameCount, DROP_REASON_COUNT> m_dropped{};
    TracedCallback<const Frame&, DropReason, uint64_t> m_dropTrace;
    uint64_t m_faultMarks{0};
};

} // namespace ns3::rdma
