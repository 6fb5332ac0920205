// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * How long a requester waits after an RNR NAK, by the code in its syndrome.
 *
 * @param code 0 .. 31; code 0 is the longest: 655.36 ms
 * @spec IBTA Vol 1 Rel 1.7 table 46 (RNR NAK timer field)
 */
SimTime RnrTimerTime(uint8_t code);

} // namespace ns3::rdma
