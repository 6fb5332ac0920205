// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/qpn.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * The queue pairs whose context a NIC holds on its chip: the most recently used ones.
 *
 * A plain value. Not modelled: sets of the cache, other contents (memory translations).
 */
class ContextCache
{
  public:
    /** @param entries that it holds; 0: all that there are */
    explicit ContextCache(uint32_t entries);

    /** Uses a context. @return whether it was there; now it is, in the oldest one's place */
    bool Touch(Qpn qpn);

  private:
    static constexpr uint32_t NONE = UINT32_MAX;

    /** A context and its neighbours in the order of use. */
    struct Entry
    {
        uint32_t qpn{0};
        uint32_t older{NONE};
        uint32_t newer{NONE};
    };

    void Unlink(uint32_t slot);
    void PutNewest(uint32_t slot);

    uint32_t m_capacity;
    std::vector<Entry> m_entries;
    std::vector<uint32_t> m_slotOfQpn; ///< NONE: not in the cache
    uint32_t m_oldest{NONE};
    uint32_t m_newest{NONE};
};

} // namespace ns3::rdma
