// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"
#include "workload/capture-router.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/** What the stream of one end needs besides the capture. */
struct CaptureStreamPlan
{
    ConversationPlan conversation;
    unsigned end{0};    ///< which of the two
    uint32_t thread{0}; ///< index in Trace::threads; its objects have this number
    uint64_t startNs{0};
    uint32_t localKey{0};                 ///< of its buffer
    uint64_t bufferBytes{0};              ///< longest message that it sends or receives
    uint64_t receives{0};                 ///< messages that take a receive
    uint64_t receiveBytes{0};             ///< the longest of these
    std::vector<TraceOperation> prologue; ///< what creates and connects its objects
};

/**
 * The operations of one end of a capture, read from the file once more.
 *
 * - First what creates its objects, and receives: as many as messages will come, up to
 *   MAX_POSTED_RECEIVES; each that is used up is followed by another one.
 * - Before a completion that was not there yet it has polled in vain since the operation before.
 * - What it posts after a message has come depends on that.
 *
 * @choice When receives were posted is not in a capture: early enough for all messages.
 */
class CaptureStream : public OperationStream
{
  public:
    static constexpr uint64_t MAX_POSTED_RECEIVES = 1024;

    /** Where the buffer of each end is; a capture does not say it. */
    static constexpr uint64_t BUFFER_ADDRESS = 0x100000;

    CaptureStream(const CaptureFile& file, PacketDissector dissector, CaptureStreamPlan plan);

    bool Next(TraceOperation& operation) override;

  private:
    void ReadOn();
    void Queue(const TraceOperation& operation);
    void QueuePosted(TraceOperation operation);
    void QueueReceive(int64_t timeNs);

    CaptureFile m_file;
    PacketDissector m_dissector;
    CaptureStreamPlan m_plan;
    CaptureRouter m_router;
    CaptureCounters m_counters; ///< were told when the trace was opened
    std::unique_ptr<CaptureConversation> m_conversation;
    bool m_hasEnded{false};

    std::deque<TraceOperation> m_queue;
    std::size_t m_nextOfPrologue{0};
    uint64_t m_receivesLeft;
    bool m_hasBegun{false};    ///< the first receives are posted
    uint64_t m_nextPost{0};    ///< wrId
    uint64_t m_nextReceive{0}; ///< wrId
    uint64_t m_completedPosts{0};
    uint64_t m_completedReceives{0};
    uint64_t m_queued{0}; ///< operations so far: the number of the next
    int64_t m_lastTimeNs{0};
    std::optional<uint64_t> m_lastReceive; ///< number of a receive's completion, not yet named
    std::deque<std::pair<uint64_t, Dependency>> m_dependencies; ///< by number of who waits
    uint64_t m_yielded{0};
    Dependency m_dependency;
};

} // namespace ns3::rdma
