// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/measurement-window.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr SimTime
Ms(uint64_t ms)
{
    return SimTime::Milliseconds(ms);
}

FlowList
FlowsAt(std::initializer_list<uint64_t> starts)
{
    FlowList flows;
    for (const uint64_t start : starts)
    {
        flows.emplace_back().start = Ms(start);
    }
    return flows;
}

} // namespace

TEST(MeasurementWindow, TheFirstInstantCountsAndTheLastDoesNot)
{
    const MeasurementWindow window{Ms(1), Ms(9)};
    EXPECT_FALSE(window.Holds(Ms(1) - SimTime{1}));
    EXPECT_TRUE(window.Holds(Ms(1)));
    EXPECT_TRUE(window.Holds(Ms(9) - SimTime{1}));
    EXPECT_FALSE(window.Holds(Ms(9)));
    EXPECT_FALSE(window.IsWhole());
}

TEST(MeasurementWindow, WithoutOneEverythingCounts)
{
    EXPECT_TRUE(MeasurementWindow{}.IsWhole());
    EXPECT_TRUE(MeasurementWindow{}.Holds({}));
    EXPECT_TRUE(MeasurementWindow{}.Holds(SimTime::Seconds(1000)));
    EXPECT_EQ(Describe(MeasurementWindow{}), "all flows");
}

TEST(MeasurementWindow, FlowsAreFoundByTheirStart)
{
    const FlowList flows = FlowsAt({0, 1, 1, 2, 5, 9});
    const auto find = [&flows](SimTime from, SimTime to)
    {
        const FlowRange range = FindFlows({from, to}, flows);
        return std::pair{range.first, range.behind};
    };
    EXPECT_EQ(find(Ms(1), Ms(5)), std::pair(1U, 4U));
    EXPECT_EQ(find({}, SimTime::Never()), std::pair(0U, 6U));
    EXPECT_EQ(find(Ms(3), Ms(4)), std::pair(4U, 4U));
    EXPECT_EQ(find(Ms(20), SimTime::Never()), std::pair(6U, 6U));
}

TEST(MeasurementWindow, ItIsDescribedForPeople)
{
    EXPECT_EQ(Describe({Ms(1), Ms(9)}), "flows that start from 1ms to 9ms");
    EXPECT_EQ(Describe({Ms(1), SimTime::Never()}), "flows that start from 1ms on");
}

} // namespace ns3::rdma
