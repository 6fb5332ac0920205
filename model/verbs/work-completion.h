// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/qpn.h"

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** How a work request ended; the values are those of rdma-core's ibv_wc_status. */
enum class CompletionStatus : uint8_t
{
    SUCCESS = 0,
    WR_FLUSH_ERR = 5,
    RETRY_EXC_ERR = 12,
};

/** The status as ibv_wc_status_str names it, in upper case with underscores. */
std::string_view ToString(CompletionStatus status);

/** One entry of a completion queue. With an error status only wrId, status and qpn are valid. */
struct WorkCompletion
{
    uint64_t wrId{0};
    CompletionStatus status{CompletionStatus::SUCCESS};
    Qpn qpn{};
    uint64_t bytes{0};

    bool operator==(const WorkCompletion&) const = default;
};

} // namespace ns3::rdma
