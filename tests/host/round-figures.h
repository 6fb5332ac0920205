// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "host/nic-profile.h"

namespace ns3::rdma
{

/** Costs in round figures; the link moves a byte in 4 ns (2.5 GT/s, 8b/10b, one lane). */
inline NicProfile
RoundFigures()
{
    NicProfile profile;
    profile.pcieGeneration = 1;
    profile.pcieLanes = 1;
    profile.pcieMaxPayload = ByteCount{128};
    profile.pcieMaxRead = ByteCount{512};
    profile.pcieReadRoundTrip = SimTime::Nanoseconds(500);
    profile.pcieWriteLatency = SimTime::Nanoseconds(200);
    profile.hostPost = SimTime::Nanoseconds(70);
    profile.hostDoorbell = SimTime::Nanoseconds(100);
    profile.hostPoll = SimTime::Nanoseconds(50);
    profile.nicUnits = 1;
    profile.nicRequest = SimTime::Nanoseconds(5);
    profile.nicPacket = SimTime::Nanoseconds(3);
    profile.nicTransmitLatency = SimTime::Nanoseconds(120);
    profile.nicReceiveLatency = SimTime::Nanoseconds(110);
    profile.nicRequestBytes = ByteCount{64};
    profile.nicCompletionBytes = ByteCount{64};
    profile.nicDoorbellBytes = ByteCount{256};
    profile.nicAtomic = SimTime::Nanoseconds(600);
    return profile;
}

} // namespace ns3::rdma
