// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/memory-table.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

namespace
{

constexpr uint8_t NEEDS_LOCAL_WRITE = ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC;
constexpr uint8_t ANY_REMOTE = ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;

bool
IsSound(const MemoryRegionSpec& spec)
{
    const bool isKnown = (spec.access & ~ACCESS_ALL) == 0;
    const bool isConsistent =
        (spec.access & NEEDS_LOCAL_WRITE) == 0 || (spec.access & ACCESS_LOCAL_WRITE) != 0;
    // The last byte may be the address space's last: there the sum is 2^64, which reads as 0.
    const bool fits = spec.length == 0 || spec.address + (spec.length - 1) >= spec.address;
    return isKnown && isConsistent && fits;
}

/**
 * Calls visit(element, offset in the element, bytes, bytes done before) for each stretch of
 * [offset, offset + length) of a list.
 */
template <typename Visit>
uint64_t
ForEachStretch(ScatterGatherList list, uint64_t offset, uint64_t length, Visit visit)
{
    uint64_t done = 0;
    for (const ScatterGatherElement& element : list)
    {
        if (done == length)
        {
            break;
        }
        if (offset >= element.length)
        {
            offset -= element.length;
            continue;
        }
        const uint64_t bytes = std::min(element.length - offset, length - done);
        visit(element, offset, bytes, done);
        done += bytes;
        offset = 0;
    }
    return done;
}

} // namespace

VerbsError
MemoryTable::Register(const MemoryRegionSpec& spec, MemoryRegion& region)
{
    if (!IsSound(spec))
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    if (m_count == MAX_REGIONS)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    uint32_t index = static_cast<uint32_t>(m_slots.size());
    if (m_freeSlots.empty())
    {
        m_slots.push_back({.key = index << VARIANT_BITS});
    }
    else
    {
        index = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    Slot& slot = m_slots[index];
    slot.address = spec.address;
    slot.length = spec.length;
    slot.storage = spec.storage;
    slot.protectionDomain = spec.protectionDomain;
    slot.access = spec.access;
    slot.isInvalidatable = spec.isInvalidatable;
    slot.isRegistered = true;
    slot.isValid = true;
    ++m_count;
    region.lkey = slot.key;
    region.rkey = (spec.access & ANY_REMOTE) != 0 ? slot.key : 0;
    return VerbsError::NONE;
}

VerbsError
MemoryTable::Deregister(uint32_t lkey)
{
    const uint32_t index = lkey >> VARIANT_BITS;
    if (index >= m_slots.size() || m_slots[index].key != lkey || !m_slots[index].isRegistered)
    {
        return VerbsError::NOT_FOUND;
    }
    Slot& slot = m_slots[index];
    slot.isRegistered = false;
    slot.isValid = false;
    const uint32_t variant = (lkey + 1) & ((1U << VARIANT_BITS) - 1);
    slot.key = (index << VARIANT_BITS) | variant;
    m_words.erase(m_words.lower_bound({index, 0}), m_words.lower_bound({index + 1, 0}));
    m_freeSlots.push_back(index);
    --m_count;
    return VerbsError::NONE;
}

AccessCheck
MemoryTable::CheckList(ScatterGatherList list, uint32_t protectionDomain, uint8_t rights) const
{
    for (const ScatterGatherElement& element : list)
    {
        const AccessCheck check = Check({.key = element.lkey,
                                         .protectionDomain = protectionDomain,
                                         .address = element.address,
                                         .length = element.length,
                                         .rights = rights});
        if (check != AccessCheck::OK)
        {
            return check;
        }
    }
    return AccessCheck::OK;
}

void
MemoryTable::Gather(ScatterGatherList list, uint64_t offset, std::span<std::byte> to) const
{
    const uint64_t copied = ForEachStretch(
        list,
        offset,
        to.size(),
        [&](const ScatterGatherElement& element, uint64_t from, uint64_t bytes, uint64_t done)
        { Read(element.lkey, element.address + from, to.subspan(done, bytes)); });
    std::ranges::fill(to.subspan(copied), std::byte{0});
}

void
MemoryTable::Scatter(ScatterGatherList list, uint64_t offset, std::span<const std::byte> from)
{
    ForEachStretch(
        list,
        offset,
        from.size(),
        [&](const ScatterGatherElement& element, uint64_t to, uint64_t bytes, uint64_t done)
        { Write(element.lkey, element.address + to, from.subspan(done, bytes)); });
}

void
MemoryTable::Write(uint32_t rkey, uint64_t address, std::span<const std::byte> from)
{
    const Slot* slot = Find(rkey);
    if (from.empty() || !slot || !slot->Contains(address, from.size()))
    {
        return;
    }
    if (slot->storage)
    {
        std::memcpy(slot->storage + (address - slot->address), from.data(), from.size());
    }
    else if (!m_words.empty())
    {
        WriteWords(rkey, address, from);
    }
}

void
MemoryTable::Read(uint32_t rkey, uint64_t address, std::span<std::byte> to) const
{
    if (to.empty())
    {
        return;
    }
    const Slot* slot = Find(rkey);
    if (!slot || !slot->Contains(address, to.size()))
    {
        std::ranges::fill(to, std::byte{0});
    }
    else if (slot->storage)
    {
        std::memcpy(to.data(), slot->storage + (address - slot->address), to.size());
    }
    else
    {
        ReadWords(rkey, address, to);
    }
}

uint64_t
MemoryTable::LoadWord(uint32_t key, uint64_t address) const
{
    Word bytes;
    Read(key, address, bytes);
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

void
MemoryTable::StoreWord(uint32_t key, uint64_t address, uint64_t value)
{
    Word bytes;
    std::memcpy(bytes.data(), &value, sizeof(value));
    const Slot* slot = Find(key);
    if (slot && !slot->storage && slot->Contains(address, WORD_BYTES))
    {
        // A word that is not aligned lies in two of those that are kept.
        const uint32_t index = key >> VARIANT_BITS;
        m_words.try_emplace({index, address & ~(WORD_BYTES - 1)});
        m_words.try_emplace({index, (address + WORD_BYTES - 1) & ~(WORD_BYTES - 1)});
    }
    Write(key, address, bytes);
}

bool
MemoryTable::CanInvalidate(uint32_t rkey, uint32_t protectionDomain) const
{
    const Slot* slot = Find(rkey);
    return slot && slot->isInvalidatable && slot->protectionDomain == protectionDomain;
}

void
MemoryTable::Invalidate(uint32_t rkey)
{
    if (Find(rkey))
    {
        m_slots[rkey >> VARIANT_BITS].isValid = false;
    }
}

uint32_t
MemoryTable::GetCount() const
{
    return m_count;
}

uint32_t
MemoryTable::GetCount(uint32_t protectionDomain) const
{
    return static_cast<uint32_t>(std::ranges::count_if(
        m_slots,
        [&](const Slot& slot)
        { return slot.isRegistered && slot.protectionDomain == protectionDomain; }));
}

void
MemoryTable::ReadWords(uint32_t key, uint64_t address, std::span<std::byte> to) const
{
    std::ranges::fill(to, std::byte{0});
    const uint32_t index = key >> VARIANT_BITS;
    const uint64_t last = address + (to.size() - 1);
    for (auto it = m_words.lower_bound({index, address & ~(WORD_BYTES - 1)});
         it != m_words.end() && it->first.first == index && it->first.second <= last;
         ++it)
    {
        const uint64_t begin = std::max(it->first.second, address);
        const uint64_t end = std::min(it->first.second + (WORD_BYTES - 1), last);
        std::memcpy(&to[begin - address], &it->second[begin - it->first.second], end - begin + 1);
    }
}

void
MemoryTable::WriteWords(uint32_t key, uint64_t address, std::span<const std::byte> from)
{
    const uint32_t index = key >> VARIANT_BITS;
    const uint64_t last = address + (from.size() - 1);
    for (auto it = m_words.lower_bound({index, address & ~(WORD_BYTES - 1)});
         it != m_words.end() && it->first.first == index && it->first.second <= last;
         ++it)
    {
        const uint64_t begin = std::max(it->first.second, address);
        const uint64_t end = std::min(it->first.second + (WORD_BYTES - 1), last);
        std::memcpy(&it->second[begin - it->first.second], &from[begin - address], end - begin + 1);
    }
}

} // namespace ns3::rdma
