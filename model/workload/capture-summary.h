// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rdma
{

/** Memory that requests named by one key. */
struct CapturedRegion
{
    uint64_t begin{0};
    uint64_t end{0};
    uint32_t access{0}; ///< ibv_access_flags that the requests need
};

/** What all operations of one end come to, before they are yielded. */
struct CaptureSummary
{
    uint64_t operations{0};
    uint64_t receives{0};       ///< messages that took a receive
    uint64_t longestReceive{0}; ///< bytes
    uint64_t longestPost{0};    ///< bytes
    uint64_t posts{0};
    uint64_t completions{0};     ///< of posts
    uint64_t mostOutstanding{0}; ///< posts without completion at once
    uint64_t reads{0};           ///< READs and atomics without completion
    uint64_t mostReads{0};
    uint64_t regionsLeftOut{0};
    std::map<uint32_t, CapturedRegion> regions; ///< of the other end, by R_Key

    void Note(const TraceOperation& operation);

  private:
    void NotePost(const TraceOperation& post);
};

} // namespace ns3::rdma
