// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/packet-lives.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/** The packet of a flow that has this PSN. */
Frame
MakePacket(uint32_t flow, uint32_t psn)
{
    Frame frame;
    frame.flow = flow;
    frame.psn = Psn{psn};
    return frame;
}

} // namespace

// An interface frees a frame and the pool gives its address to another packet.
TEST(PacketLives, AnAddressThatIsUsedAgainIsAnotherPacket)
{
    std::vector<std::string> told;
    PacketLives lives{[&told](const PacketLife& life)
                      {
                          told.push_back(std::to_string(life.psn.Get()) + " " +
                                         std::to_string(life.attempt) + " " +
                                         std::to_string(life.hops.size()));
                      }};
    Frame frame = MakePacket(1, 5);
    lives.OnBirth(frame, {.place = 0, .start = SimTime{}});
    lives.OnArrival(frame, {.place = 3, .arrival = SimTime{100}}, SimTime{90});
    lives.OnEnd(frame);
    frame = MakePacket(1, 6);
    EXPECT_EQ(lives.FindHop(frame), nullptr);
    EXPECT_FALSE(lives.Knows(frame));
    lives.OnBirth(frame, {.place = 0, .start = SimTime{200}});
    lives.OnDrop(frame, {.place = 3, .dropReason = DropReason::LINK_ERROR}, SimTime{290});
    frame = MakePacket(1, 5);
    lives.OnBirth(frame, {.place = 0, .start = SimTime{400}});
    lives.Finish();
    EXPECT_THAT(told, testing::ElementsAre("5 1 2", "6 1 2", "5 2 1"));
}

TEST(PacketLives, WhatAnInterfaceDiscardsItHasReceivedBefore)
{
    std::optional<DropReason> reason;
    PacketLives lives{[&reason](const PacketLife& life)
                      {
                          EXPECT_EQ(life.hops.size(), 2U);
                          reason = life.hops.back().dropReason;
                      }};
    const Frame frame = MakePacket(1, 5);
    lives.OnBirth(frame, {.place = 0, .start = SimTime{}});
    lives.OnArrival(frame, {.place = 3, .arrival = SimTime{100}}, SimTime{90});
    lives.OnEnd(frame);
    lives.OnDrop(frame, {.place = 3, .dropReason = DropReason::OUT_OF_SEQUENCE}, SimTime{110});
    lives.Finish();
    EXPECT_EQ(reason, DropReason::OUT_OF_SEQUENCE);
}

} // namespace ns3::rdma
