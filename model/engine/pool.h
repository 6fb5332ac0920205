// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace ns3::rdma
{

/**
 * Objects that are taken and given back all the time, without the allocator.
 *
 * The most recently returned object is taken first: it is the one in the cache. Memory grows by
 * slabs and returns to the system only with the pool, so that nothing is allocated once a run has
 * seen its peak. The pool must outlive what was taken from it.
 *
 * Not modelled: threads; a pool belongs to one.
 *
 * @tparam T has a member `T* next`, which links free objects, and needs no destructor
 */
template <typename T>
class Pool
{
    static_assert(std::is_trivially_destructible_v<T>, "objects are never destroyed one by one");

  public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /** A new object, made by its default constructor; the holder owns it until Give. */
    T* Take()
    {
        if (m_free == nullptr) [[unlikely]]
        {
            AddSlab();
        }
        T* object = m_free;
        m_free = object->next;
        ++m_live;
        return new (object) T{};
    }

    /** Takes an object back. @param object from this pool, and nobody's from now on */
    void Give(T* object)
    {
        object->next = m_free;
        m_free = object;
        --m_live;
    }

    /** Objects taken and not given back: what is in flight, or lost. */
    size_t GetLiveCount() const
    {
        return m_live;
    }

    /** Objects that exist, taken or free. */
    size_t GetCapacity() const
    {
        return m_slabs.size() * SLAB_OBJECTS;
    }

  private:
    static constexpr size_t SLAB_OBJECTS = 256; ///< 16 KiB of frames

    void AddSlab()
    {
        m_slabs.push_back(std::make_unique<T[]>(SLAB_OBJECTS));
        T* slab = m_slabs.back().get();
        for (size_t i = SLAB_OBJECTS; i > 0; --i)
        {
            slab[i - 1].next = m_free;
            m_free = &slab[i - 1];
        }
    }

    std::vector<std::unique_ptr<T[]>> m_slabs;
    T* m_free{nullptr};
    size_t m_live{0};
};

} // namespace ns3::rdma
