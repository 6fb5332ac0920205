// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace ns3::rdma
{

/**
 * From a key (a pointer, a queue pair's number) to a value, found without a lock.
 *
 * Open addressing, at most half full. Who changes it holds the lock; who reads it while it grows
 * reads the old array, which therefore stays as long as the table.
 *
 * Keys 0 and 1 mean "free" and "was taken" and are refused. A key is not looked for while it is
 * erased: who uses an object while it is destroyed has a mistake of his own.
 */
class HandleTable
{
  public:
    HandleTable() = default;
    ~HandleTable();
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    /** The value, 0 if there is none. */
    uint64_t Find(uint64_t key) const
    {
        const Array* array = m_array.load(std::memory_order_acquire);
        if (array == nullptr)
        {
            return 0;
        }
        const Entry* entry = Search(*array, key);
        return entry == nullptr ? 0 : entry->value.load(std::memory_order_relaxed);
    }

    /** Adds or replaces. */
    void Set(uint64_t key, uint64_t value);

    /** Removes the key and returns its value, 0 if there is none. */
    uint64_t Erase(uint64_t key);

    /** Calls visitor(value) for each; in no order that means anything. */
    template <typename Visitor>
    void Visit(Visitor visitor)
    {
        const std::lock_guard lock{m_mutex};
        const Array* array = m_array.load(std::memory_order_relaxed);
        for (std::size_t at = 0; array != nullptr && at <= array->mask; ++at)
        {
            if (array->entries[at].key.load(std::memory_order_relaxed) > ERASED)
            {
                visitor(array->entries[at].value.load(std::memory_order_relaxed));
            }
        }
    }

    /** For fork: nobody changes the table between the two. */
    std::mutex& GetMutex()
    {
        return m_mutex;
    }

  private:
    static constexpr uint64_t FREE = 0;
    static constexpr uint64_t ERASED = 1;

    struct Entry
    {
        std::atomic<uint64_t> key{FREE};
        std::atomic<uint64_t> value{0};
    };

    struct Array
    {
        unsigned shift;   ///< 64 minus the logarithm of the size
        std::size_t mask; ///< the size minus 1
        std::unique_ptr<Entry[]> entries;
        std::unique_ptr<Array> older; ///< the one that it has replaced
    };

    /** @choice Fibonacci hashing: pointers differ in their middle bits */
    static std::size_t Hash(uint64_t key, unsigned shift)
    {
        constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>((key * GOLDEN) >> shift);
    }

    static Entry* Search(const Array& array, uint64_t key)
    {
        for (std::size_t at = Hash(key, array.shift);; ++at)
        {
            Entry& entry = array.entries[at & array.mask];
            const uint64_t found = entry.key.load(std::memory_order_acquire);
            if (found == key || found == FREE)
            {
                return found == key ? &entry : nullptr;
            }
        }
    }

    static std::unique_ptr<Array> Make(std::size_t size);

    /** Adds a key that is not there; whether it took a free entry. */
    static bool Put(Array& array, uint64_t key, uint64_t value);
    void MakeRoom();

    std::atomic<Array*> m_array{nullptr};
    std::size_t m_used{0}; ///< entries that are not free
    std::size_t m_live{0};
    std::mutex m_mutex;
};

} // namespace ns3::rdma
