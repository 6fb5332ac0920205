// SPDX-License-Identifier: GPL-2.0-only
#include "link/ethernet-port.h"
#include "tests/support/port-bench.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint16_t FRAME = 1086;              // a full RoCEv2 packet of MTU 1024
constexpr uint64_t PREAMBLE_AND_FRAME = 1094; // 8 + 1086
constexpr uint64_t WIRE = 1106;               // 8 + 1086 + 12

std::vector<uint32_t>
Marks(const std::vector<FrameNote>& notes)
{
    std::vector<uint32_t> marks;
    for (const FrameNote& note : notes)
    {
        marks.push_back(note.mark);
    }
    return marks;
}

// ----------------------------------------------------------------- serialisation

struct RateRow
{
    BitRate rate;
    uint64_t psPerByte; // 8e12 / rate
};

class EthernetPortRates : public testing::TestWithParam<RateRow>
{
};

// Three frames that are there at once: the n-th last bit is n wire lengths, 8 and the frame later.
TEST_P(EthernetPortRates, FramesFollowEachOtherAtLineRate)
{
    const auto& [rate, psPerByte] = GetParam();
    PortBench bench{{.rate = rate, .delay = SimTime::Microseconds(1)}};
    for (uint32_t mark = 0; mark < 3; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    bench.RunToEnd();
    ASSERT_EQ(bench.ownerB.arrivals.size(), 3U);
    for (uint64_t n = 0; n < 3; ++n)
    {
        const uint64_t expected = (n * WIRE + PREAMBLE_AND_FRAME) * psPerByte + 1'000'000;
        EXPECT_EQ(bench.ownerB.arrivals[n].time.ps, expected) << n;
        EXPECT_EQ(bench.ownerA.departures[n].time.ps, (n + 1) * WIRE * psPerByte) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Standard,
                         EthernetPortRates,
                         testing::Values(RateRow{BitRate::Mbps(10), 800'000},
                                         RateRow{BitRate::Mbps(100), 80'000},
                                         RateRow{BitRate::Gbps(1), 8'000},
                                         RateRow{BitRate::Mbps(2500), 3'200},
                                         RateRow{BitRate::Gbps(5), 1'600},
                                         RateRow{BitRate::Gbps(10), 800},
                                         RateRow{BitRate::Gbps(25), 320},
                                         RateRow{BitRate::Gbps(40), 200},
                                         RateRow{BitRate::Gbps(50), 160},
                                         RateRow{BitRate::Gbps(100), 80},
                                         RateRow{BitRate::Gbps(200), 40},
                                         RateRow{BitRate::Gbps(400), 20},
                                         RateRow{BitRate::Gbps(800), 10},
                                         RateRow{BitRate::Gbps(1600), 5}),
                         [](const auto& info)
                         { return std::to_string(info.param.rate.bps / 1'000'000) + "Mbps"; });

class EthernetPortOddRates : public testing::TestWithParam<uint64_t>
{
};

// 8e12 / rate is no whole number: the remainder of each frame is carried to the next, so that n
// frames take floor(n x 1106 x 8e12 / rate) and the n-th last bit is floor((n x 1106 - 12) x ...).
TEST_P(EthernetPortOddRates, BusyLinkDoesNotDrift)
{
    constexpr unsigned __int128 BYTE = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    constexpr uint64_t COUNT = 1000;
    const uint64_t bps = GetParam();
    PortBench bench{{.rate = {bps}}};
    for (uint64_t n = 0; n < COUNT; ++n)
    {
        bench.Enqueue(3, FRAME);
    }
    bench.RunToEnd();
    ASSERT_EQ(bench.ownerB.arrivals.size(), COUNT);
    for (uint64_t n = 1; n <= COUNT; ++n)
    {
        ASSERT_EQ(bench.ownerA.departures[n - 1].time.ps,
                  static_cast<uint64_t>(n * WIRE * BYTE / bps))
            << n;
        ASSERT_EQ(bench.ownerB.arrivals[n - 1].time.ps,
                  static_cast<uint64_t>((n * WIRE - 12) * BYTE / bps))
            << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Odd,
                         EthernetPortOddRates,
                         testing::Values(7'000'000'000,   // 8000/7 ps per byte
                                         33'333'333,      // lowest terms: 8e12 / 33 333 333
                                         103'125'000'000, // the line code rate of 100GBASE-R
                                         999'999'999'989),
                         [](const auto& info) { return std::to_string(info.param) + "bps"; });

// 7 Gb/s: 1106 bytes last 1 264 000 ps; 65 bytes of another frame would leave a remainder. After
// an idle time the remainder of the busy period before is gone: a frame of 100 bytes alone takes
// floor(108 x 8000 / 7) = 123 428 ps to its last bit, whenever it starts.
TEST(EthernetPort, IdleTimeForgetsTheRemainder)
{
    PortBench bench{{.rate = BitRate::Gbps(7)}};
    bench.Enqueue(3, 100);
    for (uint64_t start : {1'000'000, 2'000'001, 3'000'002})
    {
        bench.RunTo({start});
        bench.Enqueue(3, 100);
    }
    bench.RunToEnd();
    ASSERT_EQ(bench.ownerB.arrivals.size(), 4U);
    EXPECT_EQ(bench.ownerB.arrivals[1].time.ps, 1'123'428U);
    EXPECT_EQ(bench.ownerB.arrivals[2].time.ps, 2'123'429U);
    EXPECT_EQ(bench.ownerB.arrivals[3].time.ps, 3'123'430U);
}

// --------------------------------------------------------------------- the cable

// (8 + 1086) x 80 ps = 87 520 ps.
TEST(EthernetPort, CableWithoutLength)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    bench.Enqueue(3, FRAME);
    bench.RunToEnd();
    EXPECT_EQ(bench.ownerB.arrivals.at(0).time.ps, 87'520U);
}

// 100 ms of 100 Gb/s hold 1.25 GB. The last bit of frame n comes at
// n x 1106 x 80 ps + 87 520 ps + 100 ms. All 2000 frames are on the cable at once, and each costs
// one event.
TEST(EthernetPort, CableOf100MillisecondsHoldsManyFrames)
{
    constexpr uint64_t COUNT = 2000;
    PortBench bench{{.rate = BitRate::Gbps(100), .delay = SimTime::Milliseconds(100)}};
    for (uint32_t mark = 0; mark < COUNT; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    bench.RunTo(SimTime::Milliseconds(99));
    bench.a.Advance(SimTime::Milliseconds(99));
    EXPECT_EQ(bench.a.CountHeld().all, (FrameCount{COUNT, COUNT * FRAME}));
    bench.RunToEnd();
    ASSERT_EQ(bench.ownerB.arrivals.size(), COUNT);
    for (uint64_t n = 0; n < COUNT; ++n)
    {
        ASSERT_EQ(bench.ownerB.arrivals[n].time.ps, n * WIRE * 80 + 87'520 + 100'000'000'000);
        ASSERT_EQ(bench.ownerB.arrivals[n].mark, n);
    }
    EXPECT_EQ(bench.events.GetEventCount(), COUNT);
    EXPECT_EQ(bench.a.CountHeld().all, FrameCount{});
}

// Loss 0.1 of 10 000 frames: 1000 on average, standard deviation sqrt(10 000 x 0.1 x 0.9) = 30.
TEST(EthernetPort, LosesTheShareOfFramesThatItIsTold)
{
    constexpr uint64_t COUNT = 10'000;
    PortBench bench{{.rate = BitRate::Gbps(100), .lossRate = 0.1}};
    for (uint32_t mark = 0; mark < COUNT; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    bench.RunToEnd();
    const uint64_t lost = bench.b.GetCounters().lostFrames;
    EXPECT_NEAR(static_cast<double>(lost), 1000.0, 4 * 30.0);
    EXPECT_EQ(bench.ownerB.arrivals.size(), COUNT - lost);
    EXPECT_EQ(bench.ledger.GetDropped(DropReason::LINK_ERROR), (FrameCount{lost, lost * FRAME}));
    EXPECT_EQ(bench.a.GetCounters().frames, COUNT);
}

TEST(EthernetPort, LosesAllOrNothing)
{
    for (const double rate : {0.0, 1.0})
    {
        PortBench bench{{.rate = BitRate::Gbps(100), .lossRate = rate}};
        for (int n = 0; n < 100; ++n)
        {
            bench.Enqueue(3, FRAME);
        }
        bench.RunToEnd();
        EXPECT_EQ(bench.ownerB.arrivals.size(), rate == 0.0 ? 100U : 0U);
    }
}

// ------------------------------------------------------------------- priorities

// The first frame finds the wire free. Of the others the highest priority goes first, and within
// a priority the oldest.
TEST(EthernetPort, StrictPriorityAndFifoWithinAPriority)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    bench.Enqueue(0, FRAME, 1);
    bench.Enqueue(0, 100, 2);
    bench.Enqueue(5, FRAME, 3);
    bench.Enqueue(2, 500, 4);
    bench.Enqueue(5, 64, 5);
    bench.Enqueue(0, 300, 6);
    bench.Enqueue(2, 64, 7);
    bench.RunToEnd();
    EXPECT_THAT(Marks(bench.ownerB.arrivals), ElementsAre(1, 3, 5, 4, 7, 2, 6));
}

// The late decision must be the one of the time of the start: a frame of a higher priority that
// comes after a start was due does not overtake, though nothing touched the port in between.
TEST(EthernetPort, LateDecisionIsTheOneOfItsTime)
{
    PortBench bench{{.rate = BitRate::Gbps(100), .delay = SimTime::Milliseconds(1)}};
    bench.Enqueue(0, FRAME, 1); // until 88 480 ps
    bench.Enqueue(0, FRAME, 2); // until 176 960 ps
    bench.Enqueue(0, FRAME, 3);
    bench.RunTo({100'000});
    bench.Enqueue(7, 64, 4);
    bench.RunToEnd();
    EXPECT_THAT(Marks(bench.ownerB.arrivals), ElementsAre(1, 2, 4, 3));
}

/** Takes the lowest, so that it cannot be mistaken for the default. */
class LowestFirst : public EgressScheduler
{
  private:
    uint8_t DoSelect(PriorityMask eligible, const EgressQueues&) override
    {
        return static_cast<uint8_t>(std::countr_zero(eligible));
    }
};

TEST(EthernetPort, SchedulerDecidesAmongSeveralPriorities)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    bench.a.SetScheduler(Create<LowestFirst>());
    bench.Enqueue(7, FRAME, 1);
    bench.Enqueue(6, FRAME, 2);
    bench.Enqueue(1, FRAME, 3);
    bench.Enqueue(3, FRAME, 4);
    bench.RunToEnd();
    EXPECT_THAT(Marks(bench.ownerB.arrivals), ElementsAre(1, 3, 4, 2));
}

TEST(EthernetPort, QueuedFramesGoBeforeSourcedOnesOfTheirPriority)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    SaturatingSource source{bench.ledger, PriorityBit(3), 500};
    bench.Attach(source); // frame 0 of the source is on the wire
    bench.Enqueue(3, 64, 100);
    bench.Enqueue(2, 64, 102);
    bench.Enqueue(4, 64, 101);
    bench.RunTo(SimTime::Microseconds(1));
    EXPECT_THAT(Marks({bench.ownerB.arrivals.begin(), bench.ownerB.arrivals.begin() + 4}),
                ElementsAre(0, 101, 100, 1));
    EXPECT_EQ(bench.a.GetQueues().Waiting(), PriorityBit(2)) << "starves behind the source";
}

// --------------------------------------------------------------------- counting

// Frames that leave 2, 1 and 0 others of 1086 bytes behind: a floor of 1086 tells of the first two.
TEST(EthernetPort, TellsOfStartsFromTheFloorOn)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    bench.a.SetStartFloor(FRAME);
    for (uint32_t mark = 0; mark < 4; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerA.queueBytesAtStart, ElementsAre(2 * FRAME, FRAME));
}

// At each start the frames that still wait are told: 3, 2, 1 and 0 of 1086 bytes, less the one that
// found the wire free.
TEST(EthernetPort, TellsWhatWaitsAndCounts)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    for (uint32_t mark = 0; mark < 4; ++mark)
    {
        bench.Enqueue(3, FRAME, mark);
    }
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerA.queueBytesAtStart, ElementsAre(0, 2 * FRAME, FRAME, 0));
    const PortCounters& counters = bench.a.GetCounters();
    EXPECT_EQ(counters.frames, 4U);
    EXPECT_EQ(counters.wireBytes, 4 * WIRE);
    EXPECT_EQ(counters.maxQueueBytes, 3U * FRAME);
    EXPECT_EQ(bench.ledger.GetCreated(), (FrameCount{4, 4 * FRAME}));
    EXPECT_EQ(bench.ledger.GetConsumed(), (FrameCount{4, 4 * FRAME}));
}

TEST(EthernetPort, EagerPortDoesTheSameWithMoreEvents)
{
    std::vector<FrameNote> arrivals[2];
    uint64_t departureEvents[2];
    for (int isEager = 0; isEager < 2; ++isEager)
    {
        PortBench bench{{.rate = BitRate::Gbps(100),
                         .delay = SimTime::Microseconds(1),
                         .isEager = isEager == 1}};
        for (uint32_t mark = 0; mark < 50; ++mark)
        {
            bench.Enqueue(static_cast<uint8_t>(mark % 8), FRAME, mark);
            bench.RunTo({mark * 60'000});
        }
        bench.RunToEnd();
        arrivals[isEager] = bench.ownerB.arrivals;
        departureEvents[isEager] = bench.a.GetCounters().departureEvents;
    }
    EXPECT_EQ(arrivals[0], arrivals[1]);
    EXPECT_EQ(arrivals[0].size(), 50U);
    EXPECT_EQ(departureEvents[0], 0U) << "the arrivals of frames in flight come in time";
    EXPECT_GE(departureEvents[1], 49U);
}

// The cable is longer than the frame, so its arrival would tell of the departure too late. A
// watcher is told in time; without one the departure is made up for at the next touch, with its own
// time.
TEST(EthernetPort, WatcherIsToldOfADepartureInTime)
{
    for (const bool isWatched : {false, true})
    {
        PortBench bench{{.rate = BitRate::Gbps(100), .delay = SimTime::Milliseconds(1)}};
        bench.a.WatchDepartures(isWatched, {});
        bench.Enqueue(3, FRAME);
        bench.Enqueue(3, FRAME);
        bench.RunTo({88'481});
        EXPECT_EQ(bench.ownerA.departures.size(), isWatched ? 1U : 0U);
        bench.a.Advance({88'481});
        ASSERT_EQ(bench.ownerA.departures.size(), 1U);
        EXPECT_EQ(bench.ownerA.departures[0].time.ps, 88'480U);
    }
}

} // namespace
} // namespace ns3::rdma
