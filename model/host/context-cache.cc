// SPDX-License-Identifier: GPL-2.0-only
#include "host/context-cache.h"

#include <algorithm>

namespace ns3::rdma
{

ContextCache::ContextCache(uint32_t entries) : m_capacity{entries}
{
    m_entries.reserve(entries);
}

bool
ContextCache::Touch(Qpn qpn)
{
    if (m_capacity == 0)
    {
        return true;
    }
    if (qpn.value >= m_slotOfQpn.size())
    {
        m_slotOfQpn.resize(std::max<std::size_t>(qpn.value + 1, 2 * m_slotOfQpn.size()), NONE);
    }
    uint32_t slot = m_slotOfQpn[qpn.value];
    const bool isHit = slot != NONE;
    if (isHit)
    {
        Unlink(slot);
    }
    else if (m_entries.size() < m_capacity)
    {
        slot = static_cast<uint32_t>(m_entries.size());
        m_entries.emplace_back();
    }
    else
    {
        slot = m_oldest;
        m_slotOfQpn[m_entries[slot].qpn] = NONE;
        Unlink(slot);
    }
    m_entries[slot].qpn = qpn.value;
    m_slotOfQpn[qpn.value] = slot;
    PutNewest(slot);
    return isHit;
}

void
ContextCache::Unlink(uint32_t slot)
{
    const Entry entry = m_entries[slot];
    (entry.older == NONE ? m_oldest : m_entries[entry.older].newer) = entry.newer;
    (entry.newer == NONE ? m_newest : m_entries[entry.newer].older) = entry.older;
}

void
ContextCache::PutNewest(uint32_t slot)
{
    m_entries[slot].older = m_newest;
    m_entries[slot].newer = NONE;
    (m_newest == NONE ? m_oldest : m_entries[m_newest].newer) = slot;
    m_newest = slot;
}

} // namespace ns3::rdma
