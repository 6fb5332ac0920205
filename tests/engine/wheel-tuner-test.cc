// SPDX-License-Identifier: GPL-2.0-only
#include "engine/event-queue.h"
#include "engine/random-stream.h"
#include "engine/wheel-tuner.h"

#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <vector>

namespace ns3::rdma
{
namespace
{

/** What a wheel would report over one epoch. */
struct Epoch
{
    size_t moreTimesPerTenBuckets;
    uint64_t delay;
    bool late;
};

WheelGeometry
Decide(const Epoch& epoch, WheelGeometry current)
{
    WheelTuner tuner;
    for (int i = 0; !tuner.IsDue(); ++i)
    {
        tuner.OnBucket();
        tuner.OnMoreTimes(i % 10 == 0 ? epoch.moreTimesPerTenBuckets : 0);
        tuner.OnSample(epoch.delay);
        for (uint64_t n = 0; epoch.late && n < WheelTuner::SAMPLE_PERIOD; ++n)
        {
            tuner.OnLateInsertion();
        }
    }
    return tuner.Decide(current, 100);
}

// A delay of 2^20 ps has 21 bits: width and number of buckets share them.
constexpr uint64_t DELAY = uint64_t{1} << 20;

TEST(WheelTunerTest, KeepsAGeometryThatFits)
{
    const WheelGeometry fits{.widthBits = 11, .slotBits = 10};
    EXPECT_EQ(Decide({3, DELAY, false}, fits), fits);
}

TEST(WheelTunerTest, NarrowsCrowdedBucketsByAsMuchAsTheyAreCrowded)
{
    const WheelGeometry wide{.widthBits = 15, .slotBits = 6};
    // 80 more times in ten buckets are 8 in one: four bits.
    EXPECT_EQ(Decide({80, DELAY, false}, wide), (WheelGeometry{.widthBits = 11, .slotBits = 10}));
    EXPECT_EQ(Decide({6, DELAY, false}, wide), (WheelGeometry{.widthBits = 14, .slotBits = 7}));
}

TEST(WheelTunerTest, WidensSparseBucketsUnlessInsertionsFallIntoTheCurrentOne)
{
    const WheelGeometry narrow{.widthBits = 9, .slotBits = 12};
    EXPECT_EQ(Decide({0, DELAY, false}, narrow), (WheelGeometry{.widthBits = 10, .slotBits = 11}));
    EXPECT_EQ(Decide({0, DELAY, true}, narrow), narrow);
}

TEST(WheelTunerTest, FollowsTheDelaysAndStaysInItsBounds)
{
    const WheelGeometry current{.widthBits = 11, .slotBits = 10};
    EXPECT_EQ(Decide({3, DELAY * 8, false}, current).slotBits, 13U);
    const WheelGeometry longest = Decide({3, uint64_t{1} << 61, false}, current);
    EXPECT_LE(longest.slotBits, WheelGeometry::MAX_SLOT_BITS);
    EXPECT_LE(longest.widthBits, WheelGeometry::MAX_WIDTH_BITS);
    const WheelGeometry shortest = Decide({100, 0, false}, current);
    EXPECT_GE(shortest.slotBits, WheelGeometry::MIN_SLOT_BITS);
    EXPECT_EQ(shortest.widthBits, 0U);
}

/** A population of events that repeat themselves, on a real queue. */
WheelGeometry
Settle(uint32_t events, const std::function<uint64_t()>& delay)
{
    struct Repeater
    {
        void Fire(SimTime now)
        {
            queue->Schedule(event, now + SimTime{(*delay)()});
        }

        Event event;
        EventQueue* queue;
        const std::function<uint64_t()>* delay;
    };

    EventQueue queue;
    std::vector<Repeater> repeaters(events);
    for (uint32_t i = 0; i < events; ++i)
    {
        repeaters[i].queue = &queue;
        repeaters[i].delay = &delay;
        repeaters[i].event.Bind<&Repeater::Fire>(&repeaters[i],
                                                 EventOrder::Of(EventPhase::ARRIVAL, i));
        queue.Schedule(repeaters[i].event, SimTime{delay()});
    }
    for (uint32_t i = 0; i < 100'000 + 20 * events; ++i)
    {
        queue.RunNext();
    }
    return queue.GetGeometry();
}

TEST(WheelTunerTest, SettlesNearOneTimePerBucket)
{
    RandomStream random{1, "settle"};
    // 2^20 ps of uniform delays over n events: one event every 2^19 / n ps on average.
    const auto delay = [&random]() { return random.NextBelow(DELAY); };
    const WheelGeometry few = Settle(64, delay);
    EXPECT_NEAR(few.widthBits, 13, 2);
    const WheelGeometry many = Settle(4096, delay);
    EXPECT_NEAR(many.widthBits, 7, 2);
    EXPECT_EQ(many.widthBits + many.slotBits, 20U) << "the delays have 20 bits";
}

TEST(WheelTunerTest, DoesNotNarrowForTies)
{
    const auto delay = []() { return DELAY; };
    EXPECT_GE(Settle(2000, delay).widthBits, 13U) << "no width can part events of one time";
}

} // namespace
} // namespace ns3::rdma
