// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "workload/verbs-call-objects.h"

#include <fstream>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

class VerbsCallFields;

/** What is known of a file before its operations are yielded. */
struct VerbsCallPlan
{
    uint32_t firstThread{0};             ///< Trace::threads index of the process' first
    std::vector<uint64_t> threads;       ///< numbers of the threads, in order of appearance
    std::vector<bool> isPoller;          ///< of each thread: it takes completions
    std::vector<uint32_t> sharedQueues;  ///< requests in each shared receive queue at most
    std::vector<uint8_t> sharedElements; ///< elements of a request at most, likewise
};

/** The first line of a file. */
struct VerbsCallStart
{
    uint64_t process{0}; ///< its number
    std::string command;
    int64_t realtimeNs{0}; ///< since 1970

    bool operator==(const VerbsCallStart&) const = default;
};

/**
 * Decodes a file of verbs calls line by line, of all threads, into operations.
 *
 * A line is a JSON object. The first is {"ev":"start","pid","comm","realtime_ns","monotonic_ns"};
 * then a call each, with "t" (nanoseconds since 1970), "tid" and "ev": open_device, reg_mr,
 * reg_mr_iova2, dereg_mr, create_cq, create_qp, modify_qp, destroy_qp, post_send ("dt": duration),
 * post_recv, post_srq_recv, poll_cq ("empty_before": polls that found nothing), req_notify_cq,
 * get_cq_event; the last is {"ev":"end"}.
 *
 * @choice A region that is registered again with its own key, address and length is the same call
 *         seen twice (ibv_reg_mr calls ibv_reg_mr_iova2): one operation.
 * @choice Polls that found nothing began when the call before them had ended: when they began is
 *         not in the file.
 * @choice Channels and shared receive queues, whose creation is not in the file, are created when
 *         they are first named; the queue for as many requests as were in it at most.
 */
class VerbsCallDecoder
{
  public:
    VerbsCallDecoder(const std::string& path, VerbsCallPlan plan);

    /** Reads the first line. */
    Expected<VerbsCallStart> ReadStart();

    /** Decodes the next call. @return false at the end of the file, or at what cannot be read */
    bool Next();

    /** Of the call that was decoded last: its thread, counted from 0 by appearance. */
    uint32_t GetThread() const
    {
        return m_thread;
    }

    /** Of the call that was decoded last. The dependencies are those of the first. */
    std::span<const TraceOperation> GetOperations() const
    {
        return m_operations;
    }

    const std::optional<Diagnostic>& GetDamage() const
    {
        return m_damage;
    }

    /** @name What a whole file tells, after it was decoded. @{ */
    VerbsCallPlan GetPlan() const;
    bool HasEnd() const; ///< its last line is there: the program was not killed

    /** Events that are not known, and how often they are there. */
    const std::map<std::string, uint64_t>& GetUnknownEvents() const
    {
        return m_unknownEvents;
    }

    /** Empty polls after the last call of a file, whose thread is not known. */
    uint64_t GetTrailingPolls() const
    {
        return m_trailingPolls;
    }

    /** @} */

  private:
    using Handler = void (VerbsCallDecoder::*)(VerbsCallFields&, const nlohmann::json&);
    static const std::map<std::string, Handler>& GetHandlers();

    struct Region
    {
        ObjectId object{NO_OBJECT};
        uint64_t address{0};
        uint64_t bytes{0};
    };

    /** How full a shared receive queue is. */
    struct SharedQueue
    {
        uint32_t posted{0};
        uint32_t most{0};
        uint8_t elements{0};
    };

    bool ReadLine(nlohmann::json& object);
    void Decode(const nlohmann::json& object);
    void FindThread(uint64_t thread);
    void Finish();
    Diagnostic Locate(Diagnostic finding) const;

    void OnOpenDevice(VerbsCallFields& call, const nlohmann::json& object);
    void OnRegister(VerbsCallFields& call, const nlohmann::json& object);
    void OnDeregister(VerbsCallFields& call, const nlohmann::json& object);
    void OnCreateCompletionQueue(VerbsCallFields& call, const nlohmann::json& object);
    void OnCreateQueuePair(VerbsCallFields& call, const nlohmann::json& object);
    void OnModifyQueuePair(VerbsCallFields& call, const nlohmann::json& object);
    void OnDestroyQueuePair(VerbsCallFields& call, const nlohmann::json& object);
    void OnPostSend(VerbsCallFields& call, const nlohmann::json& object);
    void OnPostReceive(VerbsCallFields& call, const nlohmann::json& object);
    void OnPostSharedReceive(VerbsCallFields& call, const nlohmann::json& object);
    void OnPoll(VerbsCallFields& call, const nlohmann::json& object);
    void OnArm(VerbsCallFields& call, const nlohmann::json& object);
    void OnEvent(VerbsCallFields& call, const nlohmann::json& object);

    TraceOperation& Add(OperationKind kind);
    TraceOperation& AddControl(ControlVerb verb, ObjectKind kind);
    void AddRequests(VerbsCallFields& call, OperationKind kind, ObjectId object);
    void AddCompletions(VerbsCallFields& call, ObjectId queue);
    ObjectId Find(VerbsCallFields& call, const char* key, const VerbsHandles& handles);
    ObjectId FindSharedQueue(VerbsCallFields& call, const char* key);
    ObjectId FindChannel(VerbsCallFields& call);

    std::string m_path;
    VerbsCallPlan m_plan;
    std::ifstream m_file;
    uint32_t m_line{0};
    VerbsCallStart m_start;
    std::optional<Diagnostic> m_damage;
    uint64_t m_trailingPolls{0};
    bool m_hasEnd{false};
    std::map<std::string, uint64_t> m_unknownEvents;

    std::map<uint64_t, uint32_t> m_threadNumbers;
    std::vector<int64_t> m_lastEnds; ///< of each thread, when its last call ended
    std::set<uint32_t> m_pollers;
    VerbsThreadOrder m_order;

    VerbsHandles m_queuePairs;
    VerbsHandles m_completionQueues;
    VerbsHandles m_sharedQueues;
    VerbsHandles m_channels;
    std::map<uint64_t, Region> m_regions; ///< by L_Key
    ObjectId m_nextRegion{0};
    ObjectId m_nextDevice{0};
    std::map<ObjectId, ObjectId> m_sharedQueueOf; ///< of a queue pair
    std::vector<SharedQueue> m_sharedStates;

    uint32_t m_thread{0};
    int64_t m_timeNs{0};
    std::vector<TraceOperation> m_operations;
    std::vector<Dependency> m_dependencies;
};

} // namespace ns3::rdma
