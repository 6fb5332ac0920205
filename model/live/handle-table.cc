// SPDX-License-Identifier: GPL-2.0-only
#include "live/handle-table.h"

namespace ns3::rdma
{

HandleTable::~HandleTable()
{
    delete m_array.load(std::memory_order_relaxed);
}

std::unique_ptr<HandleTable::Array>
HandleTable::Make(std::size_t size)
{
    constexpr unsigned KEY_BITS = 64;
    return std::unique_ptr<Array>{
        new Array{.shift = KEY_BITS - static_cast<unsigned>(std::countr_zero(size)),
                  .mask = size - 1,
                  .entries = std::make_unique<Entry[]>(size),
                  .older = nullptr}};
}

bool
HandleTable::Put(Array& array, uint64_t key, uint64_t value)
{
    std::size_t at = Hash(key, array.shift);
    while (array.entries[at & array.mask].key.load(std::memory_order_relaxed) > ERASED)
    {
        ++at;
    }
    Entry& entry = array.entries[at & array.mask];
    const bool wasFree = entry.key.load(std::memory_order_relaxed) == FREE;
    entry.value.store(value, std::memory_order_relaxed);
    entry.key.store(key, std::memory_order_release);
    return wasFree;
}

void
HandleTable::MakeRoom()
{
    constexpr std::size_t FIRST_SIZE = 256;
    Array* old = m_array.load(std::memory_order_relaxed);
    if (old != nullptr && (m_used + 1) * 2 <= old->mask + 1)
    {
        return;
    }
    std::size_t size = old == nullptr ? FIRST_SIZE : old->mask + 1;
    if ((m_live + 1) * 4 > size)
    {
        size *= 2;
    }
    std::unique_ptr<Array> array = Make(size);
    for (std::size_t at = 0; old != nullptr && at <= old->mask; ++at)
    {
        const uint64_t key = old->entries[at].key.load(std::memory_order_relaxed);
        if (key > ERASED)
        {
            Put(*array, key, old->entries[at].value.load(std::memory_order_relaxed));
        }
    }
    m_used = m_live;
    array->older.reset(old);
    m_array.store(array.release(), std::memory_order_release);
}

void
HandleTable::Set(uint64_t key, uint64_t value)
{
    if (key <= ERASED)
    {
        return;
    }
    const std::lock_guard lock{m_mutex};
    MakeRoom();
    Array& array = *m_array.load(std::memory_order_relaxed);
    if (Entry* entry = Search(array, key))
    {
        entry->value.store(value, std::memory_order_relaxed);
        return;
    }
    ++m_live;
    m_used += Put(array, key, value) ? 1 : 0;
}

uint64_t
HandleTable::Erase(uint64_t key)
{
    const std::lock_guard lock{m_mutex};
    Array* array = m_array.load(std::memory_order_relaxed);
    Entry* entry = array == nullptr || key <= ERASED ? nullptr : Search(*array, key);
    if (entry == nullptr)
    {
        return 0;
    }
    const uint64_t value = entry->value.load(std::memory_order_relaxed);
    entry->key.store(ERASED, std::memory_order_release);
    --m_live;
    // Before a free entry nothing needs to be stepped over.
    std::size_t at = static_cast<std::size_t>(entry - array->entries.get());
    if (array->entries[(at + 1) & array->mask].key.load(std::memory_order_relaxed) == FREE)
    {
        while (array->entries[at].key.load(std::memory_order_relaxed) == ERASED)
        {
            array->entries[at].key.store(FREE, std::memory_order_release);
            at = (at - 1) & array->mask;
            --m_used;
        }
    }
    return value;
}

} // namespace ns3::rdma
