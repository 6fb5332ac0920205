// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"
#include "workload/program-queue-pair.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

class ReplayEngine;

/**
 * A recorded process: its verbs objects, found by the numbers that the trace gives them.
 *
 * Keys of the trace stand for regions of the same place and length on the simulated device. A
 * region that the trace deregisters stays until many more have gone, because requests of peers may
 * still be on their way: in the recording something outside of the verbs said that they were not.
 */
class ReplayProcess
{
  public:
    ReplayProcess(ReplayEngine& engine, uint32_t number);

    /** Makes what the trace creates. @return a refusal, or empty */
    std::string Create();

    /** Connects queue pairs with their peers. All processes have been created. */
    std::string Connect(SimTime now);

    /** nullptr: there is none. */
    ProgramQueuePair* FindQueuePair(ObjectId object);

    /** A shared receive queue, and the index of its device. */
    struct SharedQueue
    {
        uint32_t device{0};
        SharedReceiveQueueId id; ///< 0: there is none
    };

    SharedQueue FindSharedQueue(ObjectId object) const;

    /** An operation of a program that creates, changes or destroys. */
    void DoControl(const TraceOperation& operation);

    /** The memory of a request as the device knows it. @param device index of it */
    ScatterGatherElement TranslateLocal(const TraceOperation& operation, uint32_t device) const;

    /**
     * The device's key for one that peers name.
     *
     * @param device index of it
     * @return nothing: it will be registered, and has not been yet. A key that never is stays wrong
     */
    std::optional<uint32_t> TranslateRemote(uint32_t rkey, uint32_t device) const;

    /** Wakes a thread when a key is registered. */
    void AddKeyWaiter(ReplayThread& thread)
    {
        m_keyWaiters.push_back(&thread);
    }

    /** Whether completions are still to come that the trace has taken already. */
    bool OwesCompletions() const;

    /** None of its threads will do anything more. */
    void OnEnded();

  private:
    /** @choice more than any program registers while its requests are on their way */
    static constexpr std::size_t MOST_KEPT_REGIONS = 1U << 16;

    struct Region
    {
        uint32_t device{0}; ///< index of it
        uint32_t lkey{0};   ///< the trace's
        uint32_t rkey{0};
        MemoryRegion keys; ///< the device's
    };

    /** The region that a key led to last. */
    struct LastKey
    {
        uint32_t key{0};
        uint32_t deviceKey{0}; ///< 0: none is known
    };

    /** Keys of one device, from the trace's to its own. */
    struct Keys
    {
        std::unordered_map<uint32_t, MemoryRegion> local;  ///< by the trace's L_Key
        std::unordered_map<uint32_t, MemoryRegion> remote; ///< by the trace's R_Key
        mutable LastKey lastLocal;
        mutable LastKey lastRemote;
    };

    ReplayInterface& GetInterface(uint32_t device) const;
    void Register(ObjectId object, uint32_t device, const MemoryRegionDetail& detail);
    void Deregister(ObjectId object);
    void ForgetOldest();
    void Change(ProgramQueuePair& pair, const QueuePairChange& change);

    ReplayEngine& m_engine;
    uint32_t m_number;
    std::vector<std::unique_ptr<ProgramQueuePair>> m_pairs;
    std::unordered_map<ObjectId, ProgramQueuePair*> m_pairOf;
    std::pair<ObjectId, ProgramQueuePair*> m_lastPair{NO_OBJECT, nullptr}; ///< found last
    std::unordered_map<ObjectId, SharedQueue> m_sharedOf;
    std::unordered_map<ObjectId, Region> m_regionOf;
    std::vector<Keys> m_keys;  ///< by device
    std::deque<Region> m_gone; ///< deregistered by the trace only
    std::vector<ReplayThread*> m_keyWaiters;
};

} // namespace ns3::rdma
