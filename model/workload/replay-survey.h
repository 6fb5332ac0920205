// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tracefile/operation-stream.h"
#include "workload/clock-alignment.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Opens the trace; again for each pass over it. */
using TraceSource = std::function<Expected<Trace>()>;

constexpr uint32_t NO_INDEX = std::numeric_limits<uint32_t>::max();

/** A queue pair of a trace, from all that is said of it. */
struct SurveyedQueuePair
{
    uint32_t process{0};
    ObjectId object{NO_OBJECT};
    QueuePairDetail detail;
    uint32_t device{0};         ///< index into SurveyedProcess::devices
    QueuePairChange attributes; ///< of all changes together
    bool isConnected{false};    ///< goes to RTR
    bool sends{false};          ///< goes to RTS
    uint32_t connections{0};    ///< how often it goes to RTR
    uint64_t requests{0};       ///< that reach the peer
    uint64_t posts{0};          ///< work requests of both queues
    uint64_t flushedSends{0};   ///< completed so
    uint32_t peer{NO_INDEX};    ///< index among all queue pairs
};

struct SurveyedSharedQueue
{
    uint32_t process{0};
    ObjectId object{NO_OBJECT};
    ObjectId device{NO_OBJECT};
    SharedReceiveQueueDetail detail;
};

/** A process of a trace. */
struct SurveyedProcess
{
    bool hasRegions{false};     ///< else all memory is registered
    bool isSchedule{false};     ///< of GRAPH threads
    uint64_t receives{0};       ///< of messages of a schedule
    uint64_t operations{0};     ///< EMPTY_POLLS not counted
    int64_t firstNs{0};         ///< by its own clock
    int64_t lastNs{0};          ///< end of the last operation
    std::vector<uint32_t> keys; ///< all that it registers, ascending
    std::vector<Gid> gids;      ///< of its hosts, as far as known
    /** Names of the devices that have queue pairs, in the order of these; empty if unknown. */
    std::vector<std::string> devices;
    std::map<ObjectId, uint32_t> deviceOf; ///< index into them; a device may be opened again
    ClockCorrection clock;                 ///< of its host
    std::size_t clockNumber{0};            ///< processes of a host have one

    /** The index of an opened device; nothing: no queue pair is on it. */
    std::optional<uint32_t> FindDevice(ObjectId object) const
    {
        const auto found = deviceOf.find(object);
        return found == deviceOf.end() ? std::nullopt : std::optional{found->second};
    }
};

struct SurveyedThread
{
    uint64_t posts{0};
    uint64_t completions{0};
    bool isSorted{true}; ///< GRAPH: earliest starts do not decrease
    /** GRAPH: how far an operation is behind its last cause in the thread, or the beginning. */
    uint64_t reach{0};
};

/** What a first pass over a trace tells: nothing has to be guessed while it is replayed. */
struct ReplaySurvey
{
    std::vector<SurveyedProcess> processes;
    std::vector<SurveyedThread> threads;
    std::vector<SurveyedQueuePair> queuePairs;
    std::vector<SurveyedSharedQueue> sharedQueues;
    uint64_t alignedMessages{0};
    int64_t originNs{0}; ///< aligned time of the first operation of all
    std::vector<std::string> notes;
};

/**
 * Reads a trace from its beginning to its end.
 *
 * @error what the model lacks (other services than RC, memory windows, raw packets), with how often
 *        it is used; queue pairs whose peer is not in the trace; damage before the first operation
 */
Expected<ReplaySurvey> SurveyTrace(Trace trace);

} // namespace ns3::rdma
