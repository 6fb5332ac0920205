// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** What this program has allocated by new, as allocation-meter-test.cc counts it. */
struct AllocationMeter
{
    static int64_t GetLiveBytes();

    /** The most since the last Reset. */
    static int64_t GetPeakBytes();

    static void Reset();
};

} // namespace ns3::rdma
