// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-prologue.h"

#include "workload/capture-stream.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** @name ibv_qp_attr_mask as ibv_rc_pingpong and librdmacm pass it, ibv_qp_state, ibv_qp_type @{ */
constexpr uint32_t MASK_STATE = 1 << 0;
constexpr uint32_t MASK_ACCESS = 1 << 3;
constexpr uint32_t MASK_PKEY = 1 << 4;
constexpr uint32_t MASK_PORT = 1 << 5;
constexpr uint32_t MASK_QKEY = 1 << 6;
constexpr uint32_t MASK_ADDRESS = 1 << 7;
constexpr uint32_t MASK_PATH_MTU = 1 << 8;
constexpr uint32_t MASK_TIMEOUT = 1 << 9;
constexpr uint32_t MASK_RETRIES = 1 << 10;
constexpr uint32_t MASK_RNR_RETRIES = 1 << 11;
constexpr uint32_t MASK_RECEIVE_PSN = 1 << 12;
constexpr uint32_t MASK_READS = 1 << 13;
constexpr uint32_t MASK_RNR_TIMER = 1 << 15;
constexpr uint32_t MASK_SEND_PSN = 1 << 16;
constexpr uint32_t MASK_DESTINATION_READS = 1 << 17;
constexpr uint32_t MASK_DESTINATION = 1 << 20;
constexpr uint8_t STATE_INIT = 1;
constexpr uint8_t STATE_RTR = 2;
constexpr uint8_t STATE_RTS = 3;
constexpr uint8_t TYPE_RC = 2;
constexpr uint8_t TYPE_UC = 3;
constexpr uint8_t TYPE_UD = 4;
/** @} */

constexpr uint32_t ACCESS_ALL = 15;
constexpr uint32_t ACCESS_LOCAL_WRITE = 1;
constexpr ObjectId FIRST_REGION = 0x80000000; ///< buffers have the numbers of their threads
constexpr uint8_t DEFAULT_TIMEOUT = 14;
constexpr uint8_t DEFAULT_RETRIES = 7;
constexpr uint8_t DEFAULT_RNR_TIMER = 12;
constexpr uint8_t DEFAULT_PATH_MTU = 3; ///< ibv_mtu: 1024 bytes
constexpr uint8_t MAX_PATH_MTU = 5;
constexpr uint8_t DEFAULT_HOP_LIMIT = 64;
constexpr uint64_t MAX_READS = 128;

/** The ibv_mtu that packets of so many bytes need. */
uint8_t
FindPathMtu(uint32_t bytes)
{
    uint8_t code = bytes == 0 ? DEFAULT_PATH_MTU : 1;
    while (code < MAX_PATH_MTU && bytes > 128U << code)
    {
        ++code;
    }
    return code;
}

class PrologueMaker
{
  public:
    explicit PrologueMaker(const CapturePrologueInput& input)
        : m_input{input},
          m_plan{*input.plan},
          m_summary{*input.summary}
    {
    }

    std::vector<TraceOperation> Make()
    {
        if (m_input.isFirstOfProcess)
        {
            AddProcess();
        }
        AddOwnObjects();
        AddChanges();
        return std::move(m_operations);
    }

  private:
    template <typename Detail>
    void Add(ControlVerb verb, ObjectKind kind, ObjectId object, const Detail& detail)
    {
        TraceOperation& operation = m_operations.emplace_back();
        operation.kind = OperationKind::CONTROL;
        operation.object = object;
        operation.control.verb = verb;
        operation.control.kind = kind;
        operation.control.detail = detail;
    }

    void AddProcess()
    {
        const Gid& gid = m_plan.ends[m_input.end].address.gid;
        Add(ControlVerb::CREATE, ObjectKind::DEVICE, 0, DeviceDetail{.name = "", .gid = gid});
        Add(ControlVerb::CREATE, ObjectKind::PROTECTION_DOMAIN, 0, std::monostate{});
        ObjectId number = FIRST_REGION;
        for (const auto& [key, region] : m_input.regions)
        {
            Add(ControlVerb::CREATE,
                ObjectKind::MEMORY_REGION,
                number++,
                MemoryRegionDetail{.protectionDomain = 0,
                                   .address = region.begin,
                                   .iova = region.begin,
                                   .bytes = region.end - region.begin,
                                   .access = region.access,
                                   .lkey = key,
                                   .rkey = key});
        }
    }

    void AddOwnObjects()
    {
        const ObjectId own = m_input.thread;
        const auto posts = static_cast<uint32_t>(std::max<uint64_t>(1, m_summary.mostOutstanding));
        const auto receives =
            static_cast<uint32_t>(std::min(m_summary.receives, CaptureStream::MAX_POSTED_RECEIVES));
        Add(ControlVerb::CREATE,
            ObjectKind::COMPLETION_QUEUE,
            own,
            CompletionQueueDetail{.entries = posts + receives});
        Add(ControlVerb::CREATE,
            ObjectKind::MEMORY_REGION,
            own,
            MemoryRegionDetail{.protectionDomain = 0,
                               .address = CaptureStream::BUFFER_ADDRESS,
                               .iova = CaptureStream::BUFFER_ADDRESS,
                               .bytes = GetBufferBytes(m_summary),
                               .access = ACCESS_LOCAL_WRITE,
                               .lkey = m_input.localKey,
                               .rkey = 0});
        QueuePairDetail pair;
        pair.type = m_plan.transport == CaptureTransport::UC   ? TYPE_UC
                    : m_plan.transport == CaptureTransport::UD ? TYPE_UD
                                                               : TYPE_RC;
        pair.number = m_input.ownNumber;
        pair.protectionDomain = 0;
        pair.sendQueue = pair.receiveQueue = own;
        pair.maxSendRequests = posts;
        pair.maxReceiveRequests = receives;
        pair.maxSendElements = pair.maxReceiveElements = 1;
        Add(ControlVerb::CREATE, ObjectKind::QUEUE_PAIR, own, pair);
    }

    void AddChange(const QueuePairChange& change)
    {
        Add(ControlVerb::MODIFY, ObjectKind::QUEUE_PAIR, m_input.thread, change);
    }

    void AddChanges()
    {
        const bool isDatagram = m_plan.transport == CaptureTransport::UD;
        const bool isUnreliable = m_plan.transport == CaptureTransport::UC;
        QueuePairChange change;
        change.state = STATE_INIT;
        change.port = 1;
        change.accessFlags = isDatagram ? 0 : ACCESS_ALL;
        change.mask = MASK_STATE | MASK_PKEY | MASK_PORT | (isDatagram ? MASK_QKEY : MASK_ACCESS);
        AddChange(change);
        if (isDatagram)
        {
            AddChange({.mask = MASK_STATE, .state = STATE_RTR});
            AddChange({.mask = MASK_STATE | MASK_SEND_PSN, .state = STATE_RTS});
            return;
        }
        const unsigned peer = 1 - m_input.end;
        const auto reads =
            static_cast<uint8_t>(std::clamp<uint64_t>(m_summary.mostReads, 1, MAX_READS));
        change = {};
        change.state = STATE_RTR;
        change.pathMtu = FindPathMtu(m_plan.pathMtu);
        change.destination = m_plan.ends[peer].address.gid;
        change.dlid = m_plan.ends[peer].address.isLid
                          ? LoadBigEndian<uint16_t>(change.destination, 14)
                          : uint16_t{0};
        change.destinationQp = m_input.peerNumber;
        change.receivePsn = m_plan.firstPsn[peer];
        change.trafficClass = m_plan.trafficClass;
        change.serviceLevel = m_plan.serviceLevel;
        change.hopLimit = DEFAULT_HOP_LIMIT;
        change.mask =
            MASK_STATE | MASK_ADDRESS | MASK_PATH_MTU | MASK_DESTINATION | MASK_RECEIVE_PSN;
        if (!isUnreliable)
        {
            change.mask |= MASK_RNR_TIMER | MASK_DESTINATION_READS;
            change.minRnrTimer = DEFAULT_RNR_TIMER;
            change.maxDestReadAtomic = MAX_READS;
        }
        AddChange(change);
        change = {};
        change.state = STATE_RTS;
        change.sendPsn = m_plan.firstPsn[m_input.end];
        change.mask = MASK_STATE | MASK_SEND_PSN;
        if (!isUnreliable)
        {
            change.mask |= MASK_TIMEOUT | MASK_RETRIES | MASK_RNR_RETRIES | MASK_READS;
            change.timeout = DEFAULT_TIMEOUT;
            change.retryCount = change.rnrRetry = DEFAULT_RETRIES;
            change.maxReadAtomic = reads;
        }
        AddChange(change);
    }

    const CapturePrologueInput& m_input;
    const ConversationPlan& m_plan;
    const CaptureSummary& m_summary;
    std::vector<TraceOperation> m_operations;
};

} // namespace

uint64_t
GetBufferBytes(const CaptureSummary& summary)
{
    return std::max<uint64_t>({1, summary.longestPost, summary.longestReceive});
}

std::vector<TraceOperation>
MakeCapturePrologue(const CapturePrologueInput& input)
{
    return PrologueMaker{input}.Make();
}

} // namespace ns3::rdma
