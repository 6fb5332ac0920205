// SPDX-License-Identifier: GPL-2.0-only
#include "base/diagnostic.h"
#include "tests/support/port-bench.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <array>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t LARGEST = 1500;

Ptr<EgressScheduler>
MakeScheduler(const std::string& weights, const std::string& strict = "")
{
    ObjectFactory factory{"ns3::rdma::DwrrScheduler"};
    factory.Set("Weights", StringValue(weights));
    factory.Set("StrictPriorities", StringValue(strict));
    return factory.Create<EgressScheduler>();
}

/** A backlog of one priority. */
struct Backlog
{
    uint8_t priority{0};
    uint16_t frameBytes{0};
    uint32_t frames{0};
};

/** Bytes that each priority has sent while all of them had something to send. */
std::array<uint64_t, PRIORITY_COUNT>
ShareOf(Ptr<EgressScheduler> scheduler, const std::vector<Backlog>& backlogs)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    EXPECT_TRUE(scheduler->SetUp(LARGEST).empty());
    bench.a.SetScheduler(scheduler);
    std::array<uint32_t, PRIORITY_COUNT> left{};
    for (const Backlog& backlog : backlogs)
    {
        left[backlog.priority] = backlog.frames;
        for (uint32_t frame = 0; frame < backlog.frames; ++frame)
        {
            bench.Enqueue(backlog.priority, backlog.frameBytes);
        }
    }
    bench.RunToEnd();
    std::array<uint64_t, PRIORITY_COUNT> bytes{};
    // The very first frame found the wire free, before there was a choice.
    for (std::size_t n = 1; n < bench.ownerB.arrivals.size(); ++n)
    {
        const FrameNote& note = bench.ownerB.arrivals[n];
        bytes[note.priority] += note.bytes;
        if (--left[note.priority] == 1)
        {
            break;
        }
    }
    return bytes;
}

double
Ratio(const std::array<uint64_t, PRIORITY_COUNT>& bytes, uint8_t over, uint8_t under)
{
    return static_cast<double>(bytes[over]) / static_cast<double>(bytes[under]);
}

TEST(DwrrScheduler, WeightsOneToThree)
{
    const auto bytes = ShareOf(MakeScheduler("1 1 1 3 1 1 1 1"), {{1, 1500, 900}, {3, 1500, 2000}});
    EXPECT_NEAR(Ratio(bytes, 3, 1), 3.0, 0.02 * 3);
}

// Shares are bytes, not frames: 300 against 1500 bytes, both ways round.
TEST(DwrrScheduler, SharesAreBytesWhateverTheFrames)
{
    EXPECT_NEAR(
        Ratio(ShareOf(MakeScheduler("1 1 1 3 1 1 1 1"), {{1, 1500, 900}, {3, 300, 9000}}), 3, 1),
        3.0,
        0.02 * 3);
    EXPECT_NEAR(
        Ratio(ShareOf(MakeScheduler("1 1 1 3 1 1 1 1"), {{1, 300, 4500}, {3, 1500, 2000}}), 3, 1),
        3.0,
        0.02 * 3);
    EXPECT_NEAR(
        Ratio(ShareOf(MakeScheduler("1 1 1 1 1 1 1 1"), {{0, 64, 20'000}, {7, 1500, 900}}), 7, 0),
        1.0,
        0.02);
}

TEST(DwrrScheduler, EightPrioritiesByWeight)
{
    std::vector<Backlog> backlogs;
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        backlogs.push_back({priority, static_cast<uint16_t>(1500 - 150 * priority), 4000});
    }
    const auto bytes = ShareOf(MakeScheduler("1 2 3 4 5 6 7 8"), backlogs);
    for (uint8_t priority = 1; priority < PRIORITY_COUNT; ++priority)
    {
        EXPECT_NEAR(Ratio(bytes, priority, 0), priority + 1.0, 0.02 * (priority + 1.0));
    }
}

// The strict priorities go first, the higher of them before the lower; then the others share.
TEST(DwrrScheduler, StrictPrioritiesGoFirst)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    const auto scheduler = MakeScheduler("1 1 1 1 1 1 1 1", "2 6");
    ASSERT_TRUE(scheduler->SetUp(LARGEST).empty());
    bench.a.SetScheduler(scheduler);
    bench.Enqueue(0, 1500); // on the wire at once
    for (const uint8_t priority : {7, 2, 6, 2, 6, 7})
    {
        bench.Enqueue(priority, 1500);
    }
    bench.RunToEnd();
    std::vector<int> order;
    for (const FrameNote& note : bench.ownerB.arrivals)
    {
        order.push_back(note.priority);
    }
    EXPECT_THAT(order, ElementsAre(0, 6, 6, 2, 2, 7, 7));
}

// A priority that was empty for long has saved nothing: after 100 turns without frames it gets its
// third, no more.
TEST(DwrrScheduler, IdlePrioritySavesNoCredit)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    const auto scheduler = MakeScheduler("1 1 1 1 1 1 1 1");
    ASSERT_TRUE(scheduler->SetUp(LARGEST).empty());
    bench.a.SetScheduler(scheduler);
    for (int frame = 0; frame < 300; ++frame)
    {
        bench.Enqueue(0, 1500);
        bench.Enqueue(1, 1500);
    }
    // 200 frames of 1520 bytes at 80 ps later priority 2 comes.
    bench.RunTo({200 * 1520 * 80});
    for (int frame = 0; frame < 100; ++frame)
    {
        bench.Enqueue(2, 1500);
    }
    bench.RunToEnd();
    int late = 0;
    for (std::size_t n = 201; n < 201 + 30; ++n)
    {
        late += bench.ownerB.arrivals[n].priority == 2 ? 1 : 0;
    }
    EXPECT_NEAR(late, 10, 1);
}

TEST(DwrrScheduler, WrongWeightsAndPrioritiesAreNamedTogether)
{
    for (const char* weights :
         {"1 1 1", "1 1 1 1 1 1 1 0", "1 1 1 1 1 1 1 1 1", "a", "1 1 1 1 1 1 1 x"})
    {
        const Diagnostics errors = MakeScheduler(weights, "9")->SetUp(LARGEST);
        ASSERT_EQ(errors.size(), 2U) << weights;
        EXPECT_EQ(errors[0].key, "switch.scheduler.weights");
        EXPECT_EQ(errors[0].got, weights);
        EXPECT_EQ(errors[1].key, "switch.scheduler.strict_priorities");
    }
    EXPECT_FALSE(MakeScheduler("-1 1 1 1 1 1 1 1")->SetUp(LARGEST).empty());
}

} // namespace
} // namespace ns3::rdma
