// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"

namespace ns3::rdma
{

/**
 * Adds to the fabric's events what its watchdogs detect and restore; call it once, before the run.
 *
 * Events are "watchdog_detected" and "watchdog_restored", at the port whose peer pauses it.
 */
void RecordWatchdogs(Fabric& fabric);

} // namespace ns3::rdma
