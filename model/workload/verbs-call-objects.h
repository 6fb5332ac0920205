// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** Handles of one kind of object in one process: a handle may come back, its number does not. */
class VerbsHandles
{
  public:
    /** A number for an object that comes into being; one of the same handle is forgotten. */
    ObjectId Create(uint64_t handle)
    {
        m_numbers[handle] = m_next;
        return m_next++;
    }

    /** The number of the object that has this handle now. */
    std::optional<ObjectId> Find(uint64_t handle) const
    {
        const auto found = m_numbers.find(handle);
        return found == m_numbers.end() ? std::nullopt : std::optional{found->second};
    }

    void Remove(uint64_t handle)
    {
        m_numbers.erase(handle);
    }

  private:
    std::map<uint64_t, ObjectId> m_numbers;
    ObjectId m_next{0};
};

/**
 * What threads of one process wait for in each other, from the order in which they did things.
 *
 *     thread 1      post_recv  <- waits for modify    post_send  <- waits for the completion
 *     thread 2      modify_qp ..                      completion ..
 *
 * - An operation waits for what another thread did last to its object: created, changed, armed it.
 * - A control operation waits for what any other thread did last.
 * - A post of a thread that itself never takes completions waits for the last completion before it.
 *
 * What was waited for once is not named again.
 */
class VerbsThreadOrder
{
  public:
    /** @param isPoller of each thread, whether it takes completions at all */
    VerbsThreadOrder(uint32_t firstThread, std::vector<bool> isPoller);

    /**
     * Counts an operation.
     *
     * @param thread counted from 0 in the process
     * @param dependencies those that it has are added; threads as Trace::threads has them
     */
    void Note(uint32_t thread,
              const TraceOperation& operation,
              std::vector<Dependency>& dependencies);

  private:
    /** An operation: of which thread, and its number there plus 1; 0: none. */
    struct Place
    {
        uint32_t thread{0};
        uint64_t count{0};
    };

    using ObjectKey = std::pair<ObjectKind, ObjectId>;

    static ObjectKey GetObject(const TraceOperation& operation);
    void Wait(uint32_t thread, Place place, std::vector<Dependency>& dependencies);
    void GrowTo(uint32_t thread);

    uint32_t m_firstThread;
    std::vector<bool> m_isPoller;
    std::vector<uint64_t> m_counts;             ///< operations of each thread so far
    std::vector<std::vector<uint64_t>> m_known; ///< of each thread, what it waited for in others
    std::map<ObjectKey, Place> m_changes;
    Place m_last;
    Place m_beforeLast; ///< the last of another thread than m_last
    Place m_completion;
};

} // namespace ns3::rdma
