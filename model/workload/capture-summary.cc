// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-summary.h"

#include "workload/capture-conversation.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

/** @name ibv_access_flags. @{ */
constexpr uint32_t ACCESS_LOCAL_WRITE = 1;
constexpr uint32_t ACCESS_REMOTE_WRITE = 2;
constexpr uint32_t ACCESS_REMOTE_READ = 4;
constexpr uint32_t ACCESS_REMOTE_ATOMIC = 8;
/** @} */

constexpr std::size_t MAX_REGIONS = 65536; ///< of one end: a bound of memory

bool
IsRead(uint8_t completionOpcode)
{
    return completionOpcode == WC_RDMA_READ || completionOpcode == WC_COMP_SWAP ||
           completionOpcode == WC_FETCH_ADD;
}

} // namespace

void
CaptureSummary::Note(const TraceOperation& operation)
{
    ++operations;
    if (operation.kind == OperationKind::POST_SEND)
    {
        NotePost(operation);
    }
    else if (operation.kind == OperationKind::COMPLETION && (operation.opcode & WC_RECV) != 0)
    {
        ++receives;
        longestReceive = std::max(longestReceive, operation.bytes);
    }
    else if (operation.kind == OperationKind::COMPLETION)
    {
        ++completions;
        reads -= IsRead(operation.opcode) && reads > 0 ? 1 : 0;
    }
}

void
CaptureSummary::NotePost(const TraceOperation& post)
{
    ++posts;
    longestPost = std::max(longestPost, post.bytes);
    mostOutstanding = std::max(mostOutstanding, posts - completions);
    reads += IsRead(GetCompletionOpcode(post.opcode)) ? 1 : 0;
    mostReads = std::max(mostReads, reads);
    uint32_t access = 0;
    switch (post.opcode)
    {
    case WR_RDMA_WRITE:
    case WR_RDMA_WRITE_WITH_IMM:
        access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
        break;
    case WR_RDMA_READ:
        access = ACCESS_REMOTE_READ;
        break;
    case WR_ATOMIC_CMP_AND_SWP:
    case WR_ATOMIC_FETCH_AND_ADD:
        access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_ATOMIC;
        break;
    default:
        return;
    }
    if (post.bytes == 0)
    {
        return; // no memory is touched
    }
    if (regions.size() >= MAX_REGIONS && !regions.contains(post.rkey))
    {
        ++regionsLeftOut;
        return;
    }
    const uint64_t end = post.remoteAddress + std::min(post.bytes, ~post.remoteAddress);
    const auto [entry, isNew] =
        regions.try_emplace(post.rkey, CapturedRegion{post.remoteAddress, end, access});
    entry->second.begin = std::min(entry->second.begin, post.remoteAddress);
    entry->second.end = std::max(entry->second.end, end);
    entry->second.access |= access;
}

} // namespace ns3::rdma
