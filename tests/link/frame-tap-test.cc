// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/port-bench.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint16_t FRAME = 1086; // a full RoCEv2 packet of MTU 1024
constexpr uint8_t LOSSLESS = 3;

/** 100 Gb/s: 80 ps a byte. A cable of 1 us. */
PortConfig
Config()
{
    PortConfig config{.rate = BitRate::Gbps(100), .delay = SimTime::Microseconds(1)};
    return config;
}

/** Writes down what it is told: "out 7 at 87520". */
class NotingTap : public FrameTap
{
  public:
    void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) override
    {
        const std::string what = frame.kind == FrameKind::PFC ? "PFC" : std::to_string(frame.flow);
        notes.push_back((direction == FrameDirection::IN ? "in " : "out ") + what + " at " +
                        std::to_string(when.ps));
    }

    std::vector<std::string> notes;
};

// The last bit leaves after 8 + 1086 bytes, 87520 ps; the next frame starts 1106 bytes, 88480 ps,
// after the first. A cable takes 1 us.
TEST(FrameTap, TellsOfBothDirectionsWithTheTimeOfTheLastBit)
{
    PortBench bench{Config()};
    NotingTap tapA;
    NotingTap tapB;
    bench.a.AddTap(tapA);
    bench.b.AddTap(tapB);
    bench.Enqueue(LOSSLESS, FRAME, 7);
    bench.Enqueue(LOSSLESS, FRAME, 8);
    bench.RunToEnd();
    EXPECT_THAT(tapA.notes, ElementsAre("out 7 at 87520", "out 8 at 176000"));
    EXPECT_THAT(tapB.notes, ElementsAre("in 7 at 1087520", "in 8 at 1176000"));
}

// A PFC frame is 64 bytes: with the preamble 72 bytes, 5760 ps.
TEST(FrameTap, TellsOfPfcFrames)
{
    PortBench bench{Config()};
    NotingTap tap;
    bench.a.AddTap(tap);
    bench.a.SendPfc(PriorityBit(LOSSLESS), 1, SimTime{});
    bench.b.SendPfc(PriorityBit(LOSSLESS), 1, SimTime{});
    bench.RunToEnd();
    EXPECT_THAT(tap.notes, testing::UnorderedElementsAre("out PFC at 5760", "in PFC at 1005760"));
}

TEST(FrameTap, ChangesNothing)
{
    PortBench plain{Config()};
    PortBench tapped{Config()};
    NotingTap tap;
    tapped.b.AddTap(tap);
    for (PortBench* bench : {&plain, &tapped})
    {
        for (uint32_t mark = 0; mark < 10; ++mark)
        {
            bench->Enqueue(static_cast<uint8_t>(mark % 8), FRAME, mark);
        }
        bench->b.SendPfc(PriorityBit(LOSSLESS), 100, SimTime{});
        bench->RunToEnd();
    }
    EXPECT_EQ(plain.ownerB.arrivals, tapped.ownerB.arrivals);
    EXPECT_EQ(plain.ownerA.departures, tapped.ownerA.departures);
    EXPECT_EQ(plain.ownerA.pauses, tapped.ownerA.pauses);
    EXPECT_EQ(tap.notes.size(), 11U);
}

TEST(FrameTap, LostFramesGoOutAndDoNotComeIn)
{
    PortConfig config = Config();
    config.lossRate = 1;
    PortBench bench{config};
    NotingTap tapA;
    NotingTap tapB;
    bench.a.AddTap(tapA);
    bench.b.AddTap(tapB);
    bench.Enqueue(LOSSLESS, FRAME, 7);
    bench.RunToEnd();
    EXPECT_EQ(tapA.notes.size(), 1U);
    EXPECT_TRUE(tapB.notes.empty());
}

TEST(FrameTap, SeveralAreToldInTheOrderInWhichTheyWereAdded)
{
    PortBench bench{Config()};
    NotingTap first;
    NotingTap second;
    bench.a.AddTap(first);
    bench.a.AddTap(second);
    bench.Enqueue(LOSSLESS, FRAME, 7);
    bench.RunToEnd();
    EXPECT_THAT(first.notes, ElementsAre("out 7 at 87520"));
    EXPECT_EQ(second.notes, first.notes);
    EXPECT_EQ(first.nextTap, &second);
}

} // namespace
} // namespace ns3::rdma
