// SPDX-License-Identifier: GPL-2.0-only
#include "engine/occupancy-bitmap.h"
#include "engine/random-stream.h"

#include <gmock/gmock.h>
#include <set>

namespace ns3::rdma
{
namespace
{

class OccupancyBitmapTest : public testing::TestWithParam<uint32_t>
{
};

TEST_P(OccupancyBitmapTest, FindsTheNextSlotAroundTheRing)
{
    const uint32_t slots = GetParam();
    OccupancyBitmap bitmap;
    bitmap.Reset(slots);
    EXPECT_TRUE(bitmap.IsEmpty());
    EXPECT_EQ(bitmap.FindFrom(0), OccupancyBitmap::NONE);
    EXPECT_EQ(bitmap.FindFrom(slots - 1), OccupancyBitmap::NONE);

    std::set<uint32_t> occupied;
    RandomStream random{slots, "bitmap"};
    for (int step = 0; step < 20'000; ++step)
    {
        const auto slot = static_cast<uint32_t>(random.NextBelow(slots));
        // A few slots at a time: long ways around the ring are what may go wrong.
        if (occupied.size() > 6 || occupied.count(slot) == 1)
        {
            const uint32_t victim = *occupied.begin();
            occupied.erase(victim);
            bitmap.Clear(victim);
        }
        else
        {
            occupied.insert(slot);
            bitmap.Set(slot);
        }
        ASSERT_EQ(bitmap.IsEmpty(), occupied.empty());
        const auto from = static_cast<uint32_t>(random.NextBelow(slots));
        const auto next = occupied.lower_bound(from);
        const uint32_t wrapped = occupied.empty() ? OccupancyBitmap::NONE : *occupied.begin();
        ASSERT_EQ(bitmap.FindFrom(from), next != occupied.end() ? *next : wrapped);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, OccupancyBitmapTest, testing::Values(64, 128, 4096, 8192, 131072));

} // namespace
} // namespace ns3::rdma
