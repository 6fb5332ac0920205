// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/handle-table.h"
#include "live/raw-operation.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

namespace ns3::rdma
{

struct DeviceHooks;
struct ExtendedQueuePair;
struct ExtendedQueue;
class ThreadLog;

/** A detail of a control operation as the ring has it. */
struct DetailBytes
{
    RawDetail kind{RawDetail::NONE};
    uint8_t size{0};
    alignas(8) std::array<std::byte, 128> bytes{};

    DetailBytes() = default;

    template <typename Detail>
    DetailBytes(RawDetail detailKind, const Detail& detail) : kind{detailKind},
                                                              size{sizeof(detail)}
    {
        static_assert(sizeof(detail) <= sizeof(bytes) && std::is_trivially_copyable_v<Detail>);
        std::memcpy(bytes.data(), &detail, sizeof(detail));
    }
};

/** @name The kind of each detail. @{ */
inline DetailBytes
ToBytes(const MemoryRegionDetail& detail)
{
    return {RawDetail::MEMORY_REGION, detail};
}

inline DetailBytes
ToBytes(const CompletionQueueDetail& detail)
{
    return {RawDetail::COMPLETION_QUEUE, detail};
}

inline DetailBytes
ToBytes(const SharedReceiveQueueDetail& detail)
{
    return {RawDetail::SHARED_RECEIVE_QUEUE, detail};
}

inline DetailBytes
ToBytes(const QueuePairDetail& detail)
{
    return {RawDetail::QUEUE_PAIR, detail};
}

inline DetailBytes
ToBytes(const QueuePairChange& detail)
{
    return {RawDetail::QUEUE_PAIR_CHANGE, detail};
}

inline DetailBytes
ToBytes(const AddressHandleDetail& detail)
{
    return {RawDetail::ADDRESS_HANDLE, detail};
}

inline DetailBytes
ToBytes(const ConnectionStep& detail)
{
    return {RawDetail::CONNECTION_STEP, detail};
}

inline DetailBytes
ToBytes(const RawDevice& detail)
{
    return {RawDetail::DEVICE, detail};
}

/** @} */

/** An object of the verbs that the program has: its number in the trace, and what hooks need. */
struct LiveObject
{
    ObjectKind kind{ObjectKind::DEVICE};
    ObjectId id{NO_OBJECT};
    DeviceHooks* device{nullptr};     ///< to which it belongs; what the calls were before
    uint32_t number{0};               ///< qp_num
    DetailBytes created;              ///< what its CREATE carried
    std::vector<DetailBytes> changes; ///< of a queue pair: its last transitions
    std::unique_ptr<ExtendedQueuePair> requests; ///< of a queue pair with ibv_wr_* calls
    std::unique_ptr<ExtendedQueue> polls;        ///< of a completion queue with ibv_start_poll

    LiveObject();
    ~LiveObject();
};

/** All objects that the program has, by the pointer that it knows them by. */
class LiveObjects
{
  public:
    static LiveObjects& Get();

    /** The object; nullptr if it is not known. Takes no lock. */
    LiveObject* Find(const void* handle) const
    {
        return reinterpret_cast<LiveObject*>(m_objects.Find(reinterpret_cast<uintptr_t>(handle)));
    }

    /** Its number; NO_OBJECT if it is not known. */
    ObjectId FindId(const void* handle) const
    {
        const LiveObject* object = handle == nullptr ? nullptr : Find(handle);
        return object == nullptr ? NO_OBJECT : object->id;
    }

    /** Makes an object with the next number of its kind. */
    LiveObject* Add(const void* handle, ObjectKind kind, DeviceHooks* device);

    /** Takes an object away before it is destroyed; nullptr if it is not known. */
    std::unique_ptr<LiveObject> Remove(const void* handle);

    /** Puts it back: it was not destroyed after all. */
    void Restore(const void* handle, std::unique_ptr<LiveObject> object);

    /** Remembers which queue pair of a device has a number. */
    void SetNumber(uint32_t device, uint32_t number, ObjectId queuePair)
    {
        m_numbers.Set(NumberKey(device, number), uint64_t{queuePair} + 1);
    }

    /** The queue pair that has, or last had, a number; NO_OBJECT if none had. Takes no lock. */
    ObjectId FindNumber(uint32_t device, uint32_t number) const
    {
        return static_cast<ObjectId>(m_numbers.Find(NumberKey(device, number)) - 1);
    }

    /** All of them, so that none comes before those that it was made with. */
    std::vector<const LiveObject*> List();

    /** For fork: no table changes in between. */
    void Lock();
    void Unlock();

  private:
    static constexpr std::size_t KINDS = 16;

    /** Never 0 or 1. */
    static uint64_t NumberKey(uint32_t device, uint32_t number)
    {
        return (uint64_t{device} + 1) << 32 | number;
    }

    HandleTable m_objects;
    HandleTable m_numbers;
    std::array<std::atomic<ObjectId>, KINDS> m_next{};
};

} // namespace ns3::rdma
