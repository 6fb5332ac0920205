// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * What a hook leaves of one operation: plain words, taken apart later and elsewhere.
 *
 * One cache line; atomics, immediates, datagrams, durations and details of control operations take
 * further ones behind it. Fields mean what those of TraceOperation mean, but for those of
 * COMPLETION (localKey: src_qp, rkey: immediate or key), EMPTY_POLLS and ACK_CQ_EVENTS (bytes:
 * count), and CONTROL (opcode: ControlVerb, flags: ObjectKind, status: RawDetail, bytes: duration
 * in ticks).
 */
struct alignas(64) RawOperation
{
    uint64_t ticks{0};
    OperationKind kind{OperationKind::NONE}; ///< NONE: nothing, or not finished
    uint8_t opcode{0};
    uint8_t flags{0};
    uint8_t status{0};
    uint8_t elements{0};
    uint8_t slots{1}; ///< how many this operation takes, with this one
    int16_t result{0};
    ObjectId object{NO_OBJECT};
    ObjectId other{NO_OBJECT};
    uint64_t wrId{0};
    uint64_t bytes{0};
    uint64_t localAddress{0};
    uint64_t remoteAddress{0};
    uint32_t localKey{0};
    uint32_t rkey{0};
};

/** The second slot of a work request that has what few have. */
struct alignas(64) RawExtension
{
    uint64_t compareAdd{0};
    uint64_t swap{0};
    uint64_t durationTicks{0};
    uint32_t immediate{0};
    uint32_t remoteQp{0};
};

static_assert(sizeof(RawOperation) == 64 && sizeof(RawExtension) == 64);

/** Which detail follows a control operation. */
enum class RawDetail : uint8_t
{
    NONE,
    DEVICE,
    MEMORY_REGION,
    COMPLETION_QUEUE,
    SHARED_RECEIVE_QUEUE,
    QUEUE_PAIR,
    QUEUE_PAIR_CHANGE,
    ADDRESS_HANDLE,
    CONNECTION_STEP,
};

/** DeviceDetail without memory of its own. */
struct RawDevice
{
    char name[64]; ///< ends with 0
    Gid gid;
};

/** Turns what a hook left into an operation; a value without state but the operation itself. */
class RawDecoder
{
  public:
    /**
     * @param raw the first slot; the others lie behind it
     * @return the operation, valid until the next call; its time and duration are still ticks
     */
    TraceOperation& Decode(const RawOperation* raw);

  private:
    void DecodeRequest(const RawOperation* raw);
    void DecodeDetail(const RawOperation* raw);

    TraceOperation m_operation;
};

} // namespace ns3::rdma
