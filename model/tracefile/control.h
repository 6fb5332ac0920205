// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

/**
 * @file
 * What control operations carry: objects of the verbs that are created, changed and destroyed.
 */
namespace ns3::rdma
{

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

} // namespace ns3::rdma
