// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/traffic-class.h"
#include "link/egress-queues.h"

#include "ns3/object.h"

namespace ns3::rdma
{

/**
 * Decides which of several waiting priorities a port sends next.
 *
 * One object serves one port and may keep state. A new scheduler is one file: a child of this
 * class, registered, found by its TypeId's name.
 */
class EgressScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Chooses among priorities that wait and are not paused.
     *
     * @param eligible at least two bits; with one candidate there is nothing to decide, and the
     *        port does not ask
     * @param queues   what waits
     * @return one of the eligible priorities; the port sends the head of its queue
     */
    uint8_t Select(PriorityMask eligible, const EgressQueues& queues);

    /**
     * Makes the scheduler ready, once, before the run.
     *
     * @param maxFrameBytes largest frame of the port
     * @return what is wrong with the attributes; empty if all is well
     */
    virtual Diagnostics SetUp(uint32_t maxFrameBytes);

  private:
    virtual uint8_t DoSelect(PriorityMask eligible, const EgressQueues& queues) = 0;
};

} // namespace ns3::rdma
