// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>

/**
 * The canonical operation: what a program did, one call of the verbs or one step of a schedule
 * each.
 *
 * Every reader of traces yields these, the trace format stores these, and the replay knows nothing
 * else. No ns-3 is in it, because the recorder shares it; values of enumerations are rdma-core's.
 *
 * A trace is a set of threads, each a sequence of operations in the order in which it did them
 * (operation-stream.h). What an operation waited for is explicit:
 *
 *     program      post   poll poll poll+1   post
 *     operations   POST_SEND   COMPLETION    POST_SEND
 *     depends on               (the wire)    the COMPLETION before it
 *
 * A COMPLETION is never a cause by itself: the replay waits until the simulated device has it, and
 * what depends on it moves with it. Empty polls before it tell the replay when waiting began.
 * Schedules (GOAL, htsim's triggers, flow lists) have no completions in their files; there
 * MESSAGE and COMPUTE depend on each other directly, also across threads.
 */
namespace ns3::rdma
{

enum class OperationKind : uint8_t
{
    NONE = 0,
    POST_SEND = 1,           ///< one work request; object: queue pair
    POST_RECEIVE = 2,        ///< one work request; object: queue pair
    POST_SHARED_RECEIVE = 3, ///< one work request; object: shared receive queue
    COMPLETION = 4,          ///< one entry taken from a completion queue; object: queue pair
    EMPTY_POLLS = 5,         ///< count polls in a row that found nothing; object: completion queue
    ARM = 6,                 ///< ibv_req_notify_cq; object: completion queue
    CQ_EVENT = 7,            ///< ibv_get_cq_event returned; object: completion queue
    ACK_CQ_EVENTS = 8,       ///< count events; object: completion queue
    CONTROL = 9,             ///< whatever creates, changes or destroys; see TraceOperation::control
    /** A whole transfer of a schedule, with no work request in the file; object: see Message. */
    MESSAGE = 10,
    /** The receiver of a MESSAGE takes part: ends when that message has arrived whole. */
    MESSAGE_RECEIVE = 11,
    COMPUTE = 12, ///< nothing but time: lasts durationNs
};

/** What a dependency waits for. */
enum class DependencyEvent : uint8_t
{
    END,   ///< the other has ended: completed, acknowledged, received, computed (GOAL "requires")
    START, ///< the other has begun (GOAL "irequires")
};

/** That an operation begins only after another. */
struct Dependency
{
    uint32_t thread{0}; ///< index into Trace::threads
    DependencyEvent event{DependencyEvent::END};
    uint64_t operation{0}; ///< its number in that thread, from 0

    bool operator==(const Dependency&) const = default;
};

/** A trace's own number for a verbs object; unique among objects of its kind in its process. */
using ObjectId = uint32_t;

constexpr ObjectId NO_OBJECT = std::numeric_limits<ObjectId>::max();

/** What kind of object a control operation is about. */
enum class ObjectKind : uint8_t
{
    DEVICE = 1, ///< ibv_open_device, ibv_close_device
    PROTECTION_DOMAIN = 2,
    MEMORY_REGION = 3,
    MEMORY_WINDOW = 4,
    COMPLETION_CHANNEL = 5,
    COMPLETION_QUEUE = 6,
    SHARED_RECEIVE_QUEUE = 7,
    QUEUE_PAIR = 8,
    ADDRESS_HANDLE = 9,
    XRC_DOMAIN = 10,
    CM_ID = 11, ///< rdma_cm identifier
};

enum class ControlVerb : uint8_t
{
    CREATE = 1,
    MODIFY = 2, ///< also resize, rereg, rate limits
    DESTROY = 3,
    CM = 4, ///< an rdma_cm call or event; ConnectionStep says which
};

/** 16 bytes as in ibv_gid; IPv4 is ::ffff:a.b.c.d. The type of wire/ipv6.h. */
using Gid = std::array<std::byte, 16>;

struct DeviceDetail
{
    std::string name; ///< "mlx5_0"
    Gid gid{};        ///< of the GID that connections use; zero if unknown
};

struct MemoryRegionDetail
{
    ObjectId protectionDomain{NO_OBJECT};
    uint64_t address{0}; ///< where the program sees it
    uint64_t iova{0};
    uint64_t bytes{0};
    uint32_t access{0}; ///< ibv_access_flags
    uint32_t lkey{0};
    uint32_t rkey{0};
};

struct CompletionQueueDetail
{
    uint32_t entries{0};
    ObjectId channel{NO_OBJECT};
};

struct SharedReceiveQueueDetail
{
    ObjectId protectionDomain{NO_OBJECT};
    uint32_t maxRequests{0};
    uint32_t maxElements{0};
    uint32_t limit{0};
};

/** ibv_qp_init_attr(_ex). */
struct QueuePairDetail
{
    uint8_t type{2}; ///< ibv_qp_type: RC 2, UC 3, UD 4, RAW_PACKET 8, XRC_SEND 9, XRC_RECV 10
    bool signalsAll{false};
    uint32_t number{0}; ///< qp_num
    ObjectId protectionDomain{NO_OBJECT};
    ObjectId sendQueue{NO_OBJECT};    ///< its completion queue
    ObjectId receiveQueue{NO_OBJECT}; ///< its completion queue
    ObjectId sharedReceiveQueue{NO_OBJECT};
    uint32_t maxSendRequests{0};
    uint32_t maxReceiveRequests{0};
    uint32_t maxSendElements{0};
    uint32_t maxReceiveElements{0};
    uint32_t maxInlineBytes{0};
};

/** ibv_qp_attr; the fields that the mask names hold. */
struct QueuePairChange
{
    uint32_t mask{0}; ///< ibv_qp_attr_mask
    uint8_t state{0}; ///< ibv_qp_state
    uint8_t currentState{0};
    uint8_t pathMtu{0}; ///< ibv_mtu: 1 is 256, 5 is 4096
    uint8_t port{0};
    uint8_t timeout{0};
    uint8_t retryCount{0};
    uint8_t rnrRetry{0};
    uint8_t minRnrTimer{0};
    uint8_t maxReadAtomic{0};
    uint8_t maxDestReadAtomic{0};
    uint8_t hopLimit{0};
    uint8_t trafficClass{0};
    uint8_t serviceLevel{0};
    uint8_t sgidIndex{0};
    uint16_t pkeyIndex{0};
    uint16_t dlid{0};
    uint32_t accessFlags{0};
    uint32_t qkey{0};
    uint32_t flowLabel{0};
    uint32_t receivePsn{0};
    uint32_t sendPsn{0};
    uint32_t destinationQp{0};
    uint32_t rateLimit{0}; ///< kb/s
    Gid destination{};     ///< dgid
    int32_t result{0};     ///< what ibv_modify_qp returned
};

struct AddressHandleDetail
{
    ObjectId protectionDomain{NO_OBJECT};
    Gid destination{};
    uint16_t dlid{0};
    uint8_t trafficClass{0};
    uint8_t serviceLevel{0};
};

/** A step of rdma_cm; values of event are rdma_cm_event_type's. */
struct ConnectionStep
{
    enum class Call : uint8_t
    {
        RESOLVE_ADDR = 1,
        RESOLVE_ROUTE = 2,
        BIND = 3,
        LISTEN = 4,
        CONNECT = 5,
        ACCEPT = 6,
        REJECT = 7,
        DISCONNECT = 8,
        EVENT = 9, ///< rdma_get_cm_event returned
    };

    Call call{Call::EVENT};
    uint8_t event{0};
    int32_t status{0};
    ObjectId queuePair{NO_OBJECT};
    Gid source{};
    Gid destination{};
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
};

/**
 * That two ends of a schedule are connected: what message lists say instead of verbs calls.
 *
 * A MESSAGE of the thread names the connection by its object.
 */
struct ConnectionDetail
{
    uint32_t peerProcess{0}; ///< index into Trace::processes
    uint8_t priority{0xff};  ///< 0 .. 7; 0xff: not said
    uint16_t destinationPort{0};
};

/** What only control operations carry. */
struct Control
{
    ControlVerb verb{ControlVerb::CREATE};
    ObjectKind kind{ObjectKind::DEVICE};
    std::variant<std::monostate,
                 DeviceDetail,
                 MemoryRegionDetail,
                 CompletionQueueDetail,
                 SharedReceiveQueueDetail,
                 QueuePairDetail,
                 QueuePairChange,
                 AddressHandleDetail,
                 ConnectionStep,
                 ConnectionDetail>
        detail;
};

/**
 * One operation. Fields that its kind does not have are zero.
 *
 * Streams fill the same object again and again: nothing is allocated for what the data path does.
 */
struct TraceOperation
{
    OperationKind kind{OperationKind::NONE};
    uint8_t opcode{
        0}; ///< POST_SEND: ibv_wr_opcode; COMPLETION: ibv_wc_opcode; MESSAGE: as POST_SEND
    uint8_t flags{
        0}; ///< POST_SEND: ibv_send_flags; COMPLETION: ibv_wc_flags; ARM: 1 solicited only
    uint8_t status{0};   ///< COMPLETION: ibv_wc_status
    uint8_t elements{0}; ///< scatter/gather elements; 255: that many or more
    int16_t result{0};   ///< what the call returned; 0: success
    ObjectId object{NO_OBJECT};
    int64_t timeNs{0}; ///< when the call began, by the clock of its process; since Trace::originNs
    int64_t durationNs{0}; ///< of the call itself, where it is known; COMPUTE: how long
    uint64_t wrId{0};
    uint64_t bytes{0};         ///< sum of the elements; COMPLETION: byte_len; MESSAGE: any length
    uint64_t localAddress{0};  ///< of the first element
    uint64_t remoteAddress{0}; ///< WRITE, READ, atomics
    uint64_t compareAdd{0};    ///< atomics
    uint64_t swap{0};          ///< compare and swap
    uint32_t localKey{0};      ///< of the first element
    uint32_t rkey{0};          ///< WRITE, READ, atomics; SEND_WITH_INV, LOCAL_INV: the key
    uint32_t immediate{0};     ///< host order
    uint32_t remoteQp{0};      ///< UD: where it goes to; COMPLETION: src_qp
    uint32_t count{0};         ///< EMPTY_POLLS, ACK_CQ_EVENTS; MESSAGE, MESSAGE_RECEIVE: tag
    /**
     * UD: address handle; COMPLETION: completion queue; BIND_MW: window.
     *
     * MESSAGE, MESSAGE_RECEIVE, COMPUTE: a processor of the process, NO_OBJECT: none. COMPUTE
     * holds it for durationNs; a MESSAGE begins, and a MESSAGE_RECEIVE ends, only while none holds
     * it. Who became ready first goes first; at one instant in the order of these three kinds, then
     * of their numbers.
     */
    ObjectId other{NO_OBJECT};
    Control control{}; ///< of CONTROL only; else whatever was there before
    /** What it waits for besides its turn in the thread; valid until the next Next. */
    std::span<const Dependency> dependencies{};
    /** How many of the dependencies must have come about before it begins; 0: all of them. */
    uint32_t dependenciesNeeded{0};
};

} // namespace ns3::rdma
