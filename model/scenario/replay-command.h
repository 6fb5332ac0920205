// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/command-table.h"

namespace ns3::rdma
{

/** "rdmasim replay": runs a trace on the fabric of a scenario, or on two to compare them. */
Command MakeReplayCommand();

} // namespace ns3::rdma
