// SPDX-License-Identifier: GPL-2.0-only
#include "engine/front-events.h"
#include "engine/random-stream.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <utility>
#include <vector>

namespace ns3::rdma
{
namespace
{

using Keys = std::vector<std::pair<uint64_t, uint64_t>>;

Keys
GetKeys(const FrontEvents& front)
{
    Keys keys;
    for (const EventEntry& entry : front)
    {
        keys.emplace_back(entry.time, entry.order);
    }
    return keys;
}

/** Different orders, so that no comparison looks into the events. */
class FrontEventsTest : public testing::Test
{
  protected:
    EventEntry Entry(uint64_t time, uint64_t order)
    {
        return {time, order, &m_event};
    }

    FrontEvents front;

  private:
    Event m_event;
};

TEST_F(FrontEventsTest, SortsEverySizeAndEveryDisorder)
{
    RandomStream random{1, "front"};
    for (const size_t size : {1U, 2U, 3U, 4U, 5U, 40U, 300U, 3000U})
    {
        for (const uint64_t swaps : {uint64_t{0}, uint64_t{2}, uint64_t{size}})
        {
            Keys keys;
            for (size_t i = 0; i < size; ++i)
            {
                keys.emplace_back(i / 3, i);
            }
            Keys mixed = keys;
            for (uint64_t i = 0; i < swaps; ++i)
            {
                std::swap(mixed[random.NextBelow(size)], mixed[random.NextBelow(size)]);
            }
            front.Clear();
            for (auto key = mixed.rbegin(); key != mixed.rend(); ++key)
            {
                front.Append(Entry(key->first, key->second));
            }
            EXPECT_EQ(front.Sort(), (size + 2) / 3) << "different times among " << size;
            EXPECT_EQ(GetKeys(front), keys);
        }
    }
}

TEST_F(FrontEventsTest, InsertsAndErasesAnywhere)
{
    RandomStream random{2, "front"};
    Keys expected;
    for (uint64_t i = 0; i < 5000; ++i)
    {
        if (expected.size() > 100 || (!expected.empty() && random.NextBelow(3) == 0))
        {
            const auto victim =
                expected.begin() + static_cast<ptrdiff_t>(random.NextBelow(expected.size()));
            front.Erase(Entry(victim->first, victim->second));
            expected.erase(victim);
        }
        else
        {
            const std::pair<uint64_t, uint64_t> key{random.NextBelow(20), i};
            const auto place = std::upper_bound(expected.begin(), expected.end(), key);
            const auto before = static_cast<size_t>(place - expected.begin());
            EXPECT_EQ(front.CountMoves(Entry(key.first, key.second)),
                      std::min(before, expected.size() - before));
            front.Insert(Entry(key.first, key.second));
            expected.insert(place, key);
        }
        if (!expected.empty() && random.NextBelow(5) == 0)
        {
            front.PopFront();
            expected.erase(expected.begin());
        }
        ASSERT_EQ(GetKeys(front), expected);
    }
}

TEST_F(FrontEventsTest, PushesInFrontWithoutLimit)
{
    for (uint64_t i = 1000; i > 0; --i)
    {
        front.PushFront(Entry(i, i));
    }
    EXPECT_EQ(front.GetSize(), 1000U);
    EXPECT_EQ(front.Front().time, 1U);
    const Keys keys = GetKeys(front);
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

} // namespace
} // namespace ns3::rdma
