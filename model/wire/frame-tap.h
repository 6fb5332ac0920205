// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "wire/frame.h"

namespace ns3::rdma
{

/** Which way a frame passes a port. */
enum class FrameDirection : uint8_t
{
    IN,
    OUT,
};

/** Looks at the frames that pass a port, PFC frames too, and changes nothing. */
class FrameTap
{
  public:
    virtual ~FrameTap() = default;

    /**
     * A frame has passed.
     *
     * Each direction comes in the order of its times. A frame that goes out is told of when it
     * arrives at the far end, with the time at which its last bit left: until then its start may
     * be one that the port has not made up for. One that comes in is told of at once.
     *
     * @param when the last bit at this port
     */
    virtual void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) = 0;

    FrameTap* nextTap{nullptr}; ///< link of the list of the one port that it listens to
};

} // namespace ns3::rdma
