// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event.h"
#include "engine/occupancy-bitmap.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** Has the cache filled for the next events of a timing wheel while the current one runs. */
class LookAhead
{
  public:
    /**
     * From this many waiting events on it is worth its while: an event, its owner and the owner's
     * frame are about 8 cache lines, so that fewer stay in a cache of 512 KiB by themselves
     * (@choice: the second level of common processors).
     */
    static constexpr size_t LEAST_EVENTS = 1024;

    /**
     * Three steps for three buckets, each of which needs what the one before has fetched: the
     * event, which says where its owner is; the owner and what it begins with; what the owner finds
     * out from that.
     *
     * @param occupied which slots hold events
     * @param slots    first event of each, a power of two of them
     * @param cursor   number of the current bucket
     */
    static void Fill(const OccupancyBitmap& occupied,
                     const std::vector<Event*>& slots,
                     uint64_t cursor)
    {
        const auto next = [&occupied, mask = slots.size() - 1](uint64_t slot)
        { return occupied.FindFrom(static_cast<uint32_t>((slot + 1) & mask)); };
        const uint32_t first = next(cursor);
        if (first == OccupancyBitmap::NONE)
        {
            return;
        }
        const uint32_t second = next(first);
        slots[next(second)]->PrefetchSelf();
        slots[second]->Prefetch();
        slots[first]->Prepare();
    }
};

} // namespace ns3::rdma
