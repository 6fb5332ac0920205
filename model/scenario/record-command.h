// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/command-table.h"

namespace ns3::rdma
{

/**
 * "record": runs a program with the recorder (model/live) loaded into it.
 *
 * The command's exit code is the program's; 128 and the signal's number if one ended it; 127 if it
 * could not be started.
 */
Command MakeRecordCommand();

} // namespace ns3::rdma
