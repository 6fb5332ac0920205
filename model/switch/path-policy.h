// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/frame.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * Chooses among the ports that lead to a destination at equal cost.
 *
 * A new policy is one file: a child of this class, registered, found by its TypeId's name.
 */
class PathPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * @param flowHash   hash of the frame's addresses, protocol and ports
     * @param candidates how many ports there are, at least 2; parallel links count singly
     * @param switchSeed a number of the switch's own
     * @return 0 .. candidates - 1
     */
    virtual uint32_t Choose(uint32_t flowHash, uint32_t candidates, uint64_t switchSeed) const = 0;
};

} // namespace ns3::rdma
