// SPDX-License-Identifier: GPL-2.0-only
#include "engine/quad-heap.h"
#include "engine/random-stream.h"

#include <gmock/gmock.h>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rdma
{
namespace
{

/** Where each entry stands, as the heap says. */
using Places = std::vector<uint32_t>;

struct Numbered
{
    uint64_t key;
    uint32_t id;
    Places* places;

    bool IsBefore(const Numbered& other) const
    {
        return std::pair{key, id} < std::pair{other.key, other.id};
    }

    void SetHeapIndex(uint32_t index) const
    {
        (*places)[id] = index;
    }
};

TEST(QuadHeapTest, SortsAndRemovesFromTheMiddleAsASetDoes)
{
    constexpr uint32_t IDS = 2000;
    constexpr int STEPS = 100'000;
    Places places(IDS);
    std::vector<uint64_t> keys(IDS);
    std::set<std::pair<uint64_t, uint32_t>> expected;
    QuadHeap<Numbered> heap;
    RandomStream random{1, "heap"};
    for (int step = 0; step < STEPS; ++step)
    {
        const auto id = static_cast<uint32_t>(random.NextBelow(IDS));
        if (expected.erase({keys[id], id}) == 1)
        {
            heap.Remove(places[id]);
        }
        else
        {
            keys[id] = random.NextBelow(IDS / 4); // many equal keys
            heap.Push({keys[id], id, &places});
            expected.insert({keys[id], id});
        }
        if (random.NextBelow(4) == 0 && !heap.IsEmpty())
        {
            const Numbered first = heap.Pop();
            ASSERT_EQ(std::pair(first.key, first.id), *expected.begin());
            expected.erase(expected.begin());
        }
        ASSERT_EQ(heap.GetSize(), expected.size());
        ASSERT_TRUE(expected.empty() || heap.Top().id == expected.begin()->second);
    }
    heap.Clear();
    EXPECT_TRUE(heap.IsEmpty());
}

} // namespace
} // namespace ns3::rdma
