// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/live-object.h"
#include "live/thread-log.h"

namespace ns3::rdma
{

/**
 * One call that creates, changes or destroys, from its beginning to its end.
 *
 * What it records stands before what is recorded within it. errno is left as the real call set it.
 */
class ControlCall
{
  public:
    enum class Scope : uint8_t
    {
        VERBS,      ///< verbs calls within it are the library's own and are not recorded
        CONNECTION, ///< rdma_cm: verbs calls within it are
        UNSEEN,     ///< no call: an object that a library made unseen; recorded in any case
    };

    explicit ControlCall(Scope scope = Scope::VERBS);
    ~ControlCall();
    ControlCall(const ControlCall&) = delete;
    ControlCall& operator=(const ControlCall&) = delete;

    /** Makes a new object known, if there is a handle; it is recorded if the call is. */
    LiveObject* Create(const void* handle,
                       ObjectKind kind,
                       DeviceHooks* device,
                       const DetailBytes& detail);

    /** Records a change or a step of an object. */
    void Change(ControlVerb verb, const LiveObject& object, const DetailBytes& detail, int result);

    /** Takes the object away; before the real call. */
    void BeginDestroy(const void* handle);

    /** Records its end; with a result other than 0 it lives on. Returns the result. */
    int EndDestroy(int result);

    /** Records ibv_ack_cq_events. */
    void Acknowledge(ObjectId queue, uint32_t count);

    /** Records an operation that blocks, with its duration. */
    void Wait(OperationKind kind, ObjectId object, int result);

  private:
    void Fill(ControlVerb verb, const LiveObject& object, const DetailBytes& detail, int result);

    ThreadLog* m_log;
    RawOperation* m_slot{nullptr};
    uint64_t m_begin{0};
    bool m_isOutermost{false};
    bool m_isInner{false}; ///< within another verbs call, which is recorded instead
    const void* m_handle{nullptr};
    std::unique_ptr<LiveObject> m_destroyed;
};

/** Records all objects that a forked process has from its parent, as if it had made them. */
void RecordInherited(ThreadLog& log);

/** A result as operations have it. */
int16_t ToResult(int result);

} // namespace ns3::rdma
