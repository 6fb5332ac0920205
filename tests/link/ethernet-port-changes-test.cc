// SPDX-License-Identifier: GPL-2.0-only
#include "link/ethernet-port.h"
#include "tests/support/port-bench.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

// A frame of 1086 bytes is 1106 on the wire with preamble and gap: 88.48 ns at 100 Gb/s and 884.8
// ns at 10 Gb/s. Its last bit is 8 + 1086 bytes behind its start: 87.52 ns, 875.2 ns.
constexpr uint16_t FRAME = 1086;
constexpr SimTime ON_WIRE{88'480};
constexpr SimTime LAST_BIT{87'520};
constexpr SimTime CABLE = SimTime::Microseconds(1);

PortConfig
MakeConfig(bool isEager)
{
    PortConfig config{.rate = BitRate::Gbps(100), .delay = CABLE, .isEager = isEager};
    config.pfc.lossless = PriorityBit(3);
    config.pfc.responseTime = SimTime{};
    return config;
}

std::vector<SimTime>
TimesOf(const std::vector<FrameNote>& notes)
{
    std::vector<SimTime> times;
    for (const FrameNote& note : notes)
    {
        times.push_back(note.time);
    }
    return times;
}

/** Everything holds for lazy and for eager ports. */
class EthernetPortChanges : public testing::TestWithParam<bool>
{
  protected:
    EthernetPortChanges() : bench{MakeConfig(GetParam())} {}

    ~EthernetPortChanges() override
    {
        const FrameCount held = bench.a.CountHeld().all;
        const FrameLedger& ledger = bench.ledger;
        EXPECT_EQ(ledger.GetCreated().bytes,
                  ledger.GetConsumed().bytes + ledger.GetDropped(DropReason::LINK_DOWN).bytes +
                      held.bytes + bench.b.CountHeld().all.bytes);
    }

    PortBench bench;
};

// 20 frames from 0 on, and the cable fails at 1.5 us. Frame k starts at k x 88.48 ns, so that 17 of
// them have started (the 18th would at 1504.16 ns); it is there at 1087.52 ns + k x 88.48 ns, so
// that 5 have arrived (the 6th would at 1529.92 ns). 12 are on the cable, and 3 wait.
TEST_P(EthernetPortChanges, ACutLosesWhatIsOnTheCableAndWhatWaits)
{
    for (uint32_t mark = 0; mark < 20; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    const SimTime cut{1'500'000};
    bench.RunTo(cut);
    bench.a.SetLinkUp(false, cut);
    EXPECT_FALSE(bench.a.IsLinkUp());
    EXPECT_EQ(bench.ownerB.arrivals.size(), 5U);
    EXPECT_EQ(bench.ledger.GetDropped(DropReason::LINK_DOWN), (FrameCount{15, 15 * FRAME}));
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 15U);
    EXPECT_EQ(bench.a.GetQueues().Waiting(), 0);
    EXPECT_THAT(TimesOf(bench.ownerA.flushed), ElementsAre(cut, cut, cut));
    bench.RunToEnd();
    // What had begun leaves the device when it would have.
    ASSERT_EQ(bench.ownerA.departures.size(), 17U);
    EXPECT_EQ(bench.ownerA.departures.back().time, 17 * ON_WIRE);
    EXPECT_EQ(bench.ownerB.arrivals.size(), 5U);
    EXPECT_EQ(bench.a.GetLastArrival(), cut);
}

// A change comes before all else of its instant: the frame that would be there is lost.
TEST_P(EthernetPortChanges, AFrameWhoseLastBitComesWithTheCutIsLost)
{
    bench.Enqueue(3, FRAME);
    bench.RunTo(LAST_BIT + CABLE);
    bench.a.SetLinkUp(false, LAST_BIT + CABLE);
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerB.arrivals, IsEmpty());
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 1U);
}

TEST_P(EthernetPortChanges, AFrameBeforeTheCutArrives)
{
    bench.Enqueue(3, FRAME);
    bench.RunTo(LAST_BIT + CABLE + SimTime{1});
    bench.a.SetLinkUp(false, LAST_BIT + CABLE + SimTime{1});
    bench.RunToEnd();
    EXPECT_EQ(bench.ownerB.arrivals.size(), 1U);
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 0U);
}

// Down from 0: two frames take their time on a dead cable. It comes back at 1.1 us, when the first
// would have arrived 12.48 ns ago and the second is still on its way; the third gets through.
TEST_P(EthernetPortChanges, OnlyWhatStartsAfterTheReturnGetsThrough)
{
    bench.a.SetLinkUp(false, {});
    bench.Enqueue(3, FRAME, 1);
    bench.Enqueue(3, FRAME, 2);
    const SimTime back{1'100'000};
    bench.RunTo(back);
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 1U);
    bench.a.SetLinkUp(true, back);
    EXPECT_TRUE(bench.a.IsLinkUp());
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 2U);
    bench.Enqueue(3, FRAME, 3);
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerB.arrivals,
                ElementsAre(FrameNote{back + LAST_BIT + CABLE, 3, 3, FRAME}));
    EXPECT_THAT(TimesOf(bench.ownerA.departures),
                ElementsAre(ON_WIRE, 2 * ON_WIRE, back + ON_WIRE));
}

// A pause of 335 us, of which 9 us have passed when the link flaps: nobody remembers it.
TEST_P(EthernetPortChanges, ACutEndsPauses)
{
    bench.b.SendPfc(PriorityBit(3), PFC_MAX_QUANTA, {});
    const SimTime received = SimTime{72 * 80} + CABLE;
    const SimTime flap = received + SimTime::Microseconds(9);
    bench.RunTo(flap);
    EXPECT_TRUE(bench.a.GetPauses().Get(3).Holds(flap));
    bench.a.SetLinkUp(false, flap);
    bench.a.SetLinkUp(true, flap);
    EXPECT_FALSE(bench.a.GetPauses().Get(3).Holds(flap));
    EXPECT_EQ(bench.a.GetPausedTime(3, flap + SimTime::Microseconds(50)), SimTime::Microseconds(9));
    bench.Enqueue(3, FRAME, 1);
    bench.RunToEnd();
    EXPECT_THAT(TimesOf(bench.ownerB.arrivals), ElementsAre(flap + LAST_BIT + CABLE));
}

// A PAUSE that waits behind a frame is lost with the cable, as is one that is sent afterwards.
TEST_P(EthernetPortChanges, PausesAreLostToo)
{
    bench.Enqueue(3, FRAME);
    bench.a.SendPfc(PriorityBit(3), PFC_MAX_QUANTA, {});
    bench.a.SetLinkUp(false, SimTime{1});
    bench.events.AdvanceTo(SimTime{1});
    bench.a.SendPfc(PriorityBit(3), PFC_MAX_QUANTA, SimTime{1});
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerB.pauses, IsEmpty());
    EXPECT_EQ(bench.a.GetCounters().cutFrames, 3U);
}

// Five frames; 100 ns after the first the cable falls to 10 Gb/s. The second, which began at 88.48
// ns, ends at the old rate; the third starts at 176.96 ns and takes 884.8 ns.
TEST_P(EthernetPortChanges, FramesThatStartLaterTakeTheNewRate)
{
    for (uint32_t mark = 0; mark < 4; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    const SimTime change{100'000};
    bench.RunTo(change);
    bench.a.SetRate(BitRate::Gbps(10), change);
    bench.RunToEnd();
    EXPECT_THAT(TimesOf(bench.ownerB.arrivals),
                ElementsAre(LAST_BIT + CABLE,
                            ON_WIRE + LAST_BIT + CABLE,
                            2 * ON_WIRE + SimTime{875'200} + CABLE,
                            2 * ON_WIRE + SimTime{884'800 + 875'200} + CABLE));
    EXPECT_EQ(bench.a.GetBusyTime(), 2 * ON_WIRE + SimTime{2 * 884'800});
    EXPECT_EQ(bench.a.GetSlowestRate(), BitRate::Gbps(10));
    EXPECT_EQ(bench.a.GetConfig().rate, BitRate::Gbps(10));
}

// The frame that starts with the change is of the new rate, whether or not the port has an event
// then.
TEST_P(EthernetPortChanges, AFrameThatStartsWithTheChangeTakesTheNewRate)
{
    bench.Enqueue(3, FRAME, 0);
    bench.Enqueue(3, FRAME, 1);
    bench.RunTo(ON_WIRE);
    bench.a.SetRate(BitRate::Gbps(10), ON_WIRE);
    bench.RunToEnd();
    EXPECT_THAT(TimesOf(bench.ownerB.arrivals),
                ElementsAre(LAST_BIT + CABLE, ON_WIRE + SimTime{875'200} + CABLE));
}

INSTANTIATE_TEST_SUITE_P(Ports,
                         EthernetPortChanges,
                         testing::Bool(),
                         [](const auto& info) { return info.param ? "Eager" : "Lazy"; });

} // namespace
} // namespace ns3::rdma
