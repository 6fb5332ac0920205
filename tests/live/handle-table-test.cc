// SPDX-License-Identifier: GPL-2.0-only
#include "live/handle-table.h"

#include <gmock/gmock.h>
#include <map>
#include <random>
#include <thread>

namespace ns3::rdma
{

TEST(HandleTable, DoesAsAMapDoes)
{
    HandleTable table;
    std::map<uint64_t, uint64_t> model;
    std::mt19937_64 random{1};
    for (uint64_t step = 1; step <= 200'000; ++step)
    {
        // Few keys, in a row as pointers are, so that all cases come often.
        const uint64_t key = 0x7f0000001000 + random() % 700 * 64;
        if (random() % 2 == 0)
        {
            table.Set(key, step);
            model[key] = step;
        }
        else
        {
            const auto found = model.find(key);
            EXPECT_EQ(table.Erase(key), found == model.end() ? 0 : found->second);
            model.erase(key);
        }
        const uint64_t other = 0x7f0000001000 + random() % 700 * 64;
        const auto found = model.find(other);
        ASSERT_EQ(table.Find(other), found == model.end() ? 0 : found->second) << step;
    }
    std::vector<uint64_t> values;
    table.Visit([&values](uint64_t value) { values.push_back(value); });
    std::vector<uint64_t> expected;
    for (const auto& [key, value] : model)
    {
        expected.push_back(value);
    }
    EXPECT_THAT(values, testing::UnorderedElementsAreArray(expected));
}

TEST(HandleTable, TheKeysWithAMeaningAreRefused)
{
    HandleTable table;
    for (const uint64_t key : {0, 1})
    {
        table.Set(key, 5);
        EXPECT_EQ(table.Find(2), 0U);
        EXPECT_EQ(table.Erase(key), 0U);
    }
}

TEST(HandleTable, OthersFindWhatStaysWhileOneChangesIt)
{
    HandleTable table;
    constexpr uint64_t STAYING = 0x1000;
    table.Set(STAYING, 42);
    std::atomic<bool> isDone{false};
    std::atomic<uint64_t> missed{0};
    std::thread reader{[&]()
                       {
                           while (!isDone)
                           {
                               missed += table.Find(STAYING) == 42 ? 0 : 1;
                           }
                       }};
    for (uint64_t round = 0; round < 50; ++round)
    {
        for (uint64_t key = 2; key < 2000; ++key)
        {
            table.Set(key << 20, key);
        }
        for (uint64_t key = 2; key < 2000; ++key)
        {
            table.Erase(key << 20);
        }
    }
    isDone = true;
    reader.join();
    EXPECT_EQ(missed, 0U);
}

} // namespace ns3::rdma
