// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/buffer-track.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

// 100 Gb/s: a frame of 980 bytes is 1000 bytes on the wire, 80 ns.
TEST(BufferTrack, WhoLeavesAtAnInstantMakesRoomForWhoComes)
{
    const BitRate rate = BitRate::Gbps(100);
    BufferTrack track;
    track.OnArrival(980, SimTime::Nanoseconds(10));
    track.OnArrival(980, SimTime::Nanoseconds(90)); // the first leaves then, but that is told late
    track.OnStart(0, rate, 980, SimTime::Nanoseconds(10));
    track.OnStart(0, rate, 980, SimTime::Nanoseconds(90));
    EXPECT_EQ(track.TakeWatermark(SimTime::Nanoseconds(100)), 980U);
    EXPECT_EQ(track.GetWaitingCount(), 1U) << "the second leaves at 170 ns";
    track.Begin(980);
    track.OnArrival(500, SimTime::Nanoseconds(169));
    EXPECT_EQ(track.TakeWatermark(SimTime::Nanoseconds(200)), 1480U);
}

} // namespace ns3::rdma
