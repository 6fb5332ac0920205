// SPDX-License-Identifier: GPL-2.0-only
#include "engine/pool.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <set>
#include <vector>

namespace ns3::rdma
{
namespace
{

struct alignas(64) Item
{
    Item* next{nullptr};
    int value{7};
};

TEST(PoolTest, GivesFreshObjectsThatAreAllDifferent)
{
    constexpr size_t COUNT = 1000;
    Pool<Item> pool;
    std::set<Item*> taken;
    for (size_t i = 0; i < COUNT; ++i)
    {
        Item* item = pool.Take();
        EXPECT_EQ(item->next, nullptr);
        EXPECT_EQ(item->value, 7);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(item) % alignof(Item), 0U);
        item->value = 0;
        taken.insert(item);
    }
    EXPECT_EQ(taken.size(), COUNT);
    EXPECT_EQ(pool.GetLiveCount(), COUNT);
    for (Item* item : taken)
    {
        pool.Give(item);
    }
    EXPECT_EQ(pool.GetLiveCount(), 0U);
    EXPECT_EQ(pool.Take()->value, 7) << "an object that was used is made anew";
}

TEST(PoolTest, TakesTheLatestReturnedFirst)
{
    Pool<Item> pool;
    Item* first = pool.Take();
    Item* second = pool.Take();
    pool.Give(first);
    pool.Give(second);
    EXPECT_EQ(pool.Take(), second);
    EXPECT_EQ(pool.Take(), first);
}

TEST(PoolTest, DoesNotGrowOnceItHasSeenItsPeak)
{
    constexpr size_t PEAK = 300;
    Pool<Item> pool;
    size_t capacity = 0;
    for (int round = 0; round < 5; ++round)
    {
        std::vector<Item*> taken;
        for (size_t i = 0; i < PEAK; ++i)
        {
            taken.push_back(pool.Take());
        }
        EXPECT_GE(pool.GetCapacity(), PEAK);
        EXPECT_TRUE(capacity == 0 || capacity == pool.GetCapacity());
        capacity = pool.GetCapacity();
        for (Item* item : taken)
        {
            pool.Give(item);
        }
    }
}

} // namespace
} // namespace ns3::rdma
