// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"

namespace ns3::rdma
{

/** @choice the rate of most published simulations of RDMA fabrics */
constexpr BitRate DEFAULT_LINK_RATE = BitRate::Gbps(100);
/** @choice about 200 m of fibre; the delay of the HPCC simulator's files */
constexpr SimTime DEFAULT_LINK_DELAY = SimTime::Microseconds(1);

constexpr BitRate MIN_LINK_RATE = BitRate::Mbps(10);           ///< 10BASE-T, the slowest still sold
constexpr BitRate MAX_LINK_RATE = BitRate::Gbps(1600);         ///< IEEE P802.3dj
constexpr SimTime MAX_LINK_DELAY = SimTime::Milliseconds(100); ///< 20 000 km of fibre

/** 10 Mb/s .. 1.6 Tb/s. */
inline Ptr<const AttributeChecker>
MakeLinkRateChecker()
{
    return MakeBitRateChecker(MIN_LINK_RATE, MAX_LINK_RATE);
}

/** 0 (then another attribute's rate holds) .. 1.6 Tb/s. */
inline Ptr<const AttributeChecker>
MakeOptionalLinkRateChecker()
{
    return MakeBitRateChecker(BitRate{0}, MAX_LINK_RATE);
}

/** 0 .. 100 ms. */
inline Ptr<const AttributeChecker>
MakeLinkDelayChecker()
{
    return MakeSimTimeChecker(SimTime{0}, MAX_LINK_DELAY);
}

} // namespace ns3::rdma
