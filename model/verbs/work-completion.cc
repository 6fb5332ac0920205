// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/work-completion.h"

namespace ns3::rdma
{

std::string_view
ToString(CompletionStatus status)
{
    switch (status)
    {
    case CompletionStatus::SUCCESS:
        return "SUCCESS";
    case CompletionStatus::WR_FLUSH_ERR:
        return "WR_FLUSH_ERR";
    case CompletionStatus::RETRY_EXC_ERR:
        return "RETRY_EXC_ERR";
    }
    return "UNKNOWN";
}

} // namespace ns3::rdma
