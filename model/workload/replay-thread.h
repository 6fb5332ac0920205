// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "tracefile/operation-stream.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/** A thread of a trace as it is replayed. */
class ReplayThread
{
  public:
    virtual ~ReplayThread() = default;

    /** Does what can be done now, until something has to be waited for. */
    virtual void Run(SimTime now) = 0;

    /** Whether what a dependency on an operation of this thread waits for has come about. */
    virtual bool HasReached(uint64_t operation, DependencyEvent event) const = 0;

    /**
     * Asks to be told when it has; only while it has not.
     *
     * @param waiter gets OnReached with the number of its operation
     */
    virtual void Await(const Dependency& what, ReplayThread& waiter, uint64_t operation) = 0;

    /** One thing that an operation waits for has come about. */
    virtual void OnReached(uint64_t operation) = 0;

    virtual bool HasEnded() const = 0;

    /** Whether it goes on by itself at a later time. */
    virtual bool HasPlans() const = 0;

    /** "thread 1539 of vm1/rping: operation 17 waits for a completion". */
    virtual std::string DescribeWait() const = 0;

    bool isQueued{false}; ///< of the engine: it is to be run
};

} // namespace ns3::rdma
