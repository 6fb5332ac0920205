// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "engine/random-stream.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Where in a switch a frame is marked. */
enum class MarkingPoint : uint8_t
{
    DEQUEUE,
    ENQUEUE,
};

/**
 * Decides which frames get the Congestion Experienced mark.
 *
 * It looks at what waits in the frame's own egress queue: at dequeue without the frame, at enqueue
 * without it too. Only frames of an ECN-capable transport are asked about. A new marker is one
 * file: a child of this class, registered, found by its TypeId's name.
 */
class Marker : public Object
{
  public:
    static TypeId GetTypeId();

    MarkingPoint GetPoint() const
    {
        return m_point;
    }

    /**
     * Fixes the thresholds of each port.
     *
     * @param rates of the switch's ports
     * @return what was scaled to a speed without thresholds of its own, one line each
     * @error  a speed without thresholds, where none can be derived
     */
    virtual Expected<std::vector<std::string>> SetUp(const std::vector<BitRate>& rates) = 0;

    /** The smallest queue of a port, in bytes, with which a frame may be marked; or less. */
    virtual uint64_t GetFloor(uint16_t port) const = 0;

    /**
     * Whether the frame is marked.
     *
     * @param port       egress port
     * @param queueBytes what waits in the queue beside the frame
     * @param random     the port's own stream
     */
    virtual bool ShouldMark(uint16_t port, uint64_t queueBytes, RandomStream& random) const = 0;

  private:
    MarkingPoint m_point{MarkingPoint::DEQUEUE};
};

} // namespace ns3::rdma
