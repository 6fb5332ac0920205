// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/command-table.h"

namespace ns3::rdma
{

/** "rdmasim trace": looks at recorded traces and schedules. */
Command MakeTraceCommand();

} // namespace ns3::rdma
