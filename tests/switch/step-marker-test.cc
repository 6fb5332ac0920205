// SPDX-License-Identifier: GPL-2.0-only
#include "switch/marker.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// Alizadeh et al., SIGCOMM 2010: the threshold itself marks, a byte less does not; no chance in it.
TEST(StepMarker, MarksFromItsThresholdOn)
{
    ObjectFactory factory{"ns3::rdma::StepMarker"};
    factory.Set("Threshold", StringValue("65KB"));
    const auto marker = factory.Create<Marker>();
    ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100), BitRate::Gbps(10)}));
    RandomStream random{1, "step"};
    for (const uint16_t port : {0, 1})
    {
        EXPECT_EQ(marker->GetFloor(port), 65'000U);
        EXPECT_FALSE(marker->ShouldMark(port, 0, random));
        EXPECT_FALSE(marker->ShouldMark(port, 64'999, random));
        EXPECT_TRUE(marker->ShouldMark(port, 65'000, random));
        EXPECT_TRUE(marker->ShouldMark(port, 1'000'000, random));
    }
    EXPECT_EQ(marker->GetPoint(), MarkingPoint::DEQUEUE);
}

TEST(StepMarker, MarksAtEnqueueWhenToldSo)
{
    ObjectFactory factory{"ns3::rdma::StepMarker"};
    factory.Set("At", StringValue("enqueue"));
    EXPECT_EQ(factory.Create<Marker>()->GetPoint(), MarkingPoint::ENQUEUE);
}

TEST(NoMarker, NeverMarks)
{
    const auto marker = ObjectFactory{"ns3::rdma::NoMarker"}.Create<Marker>();
    ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100)}));
    RandomStream random{1, "none"};
    EXPECT_FALSE(marker->ShouldMark(0, ~uint64_t{0}, random));
}

} // namespace
} // namespace ns3::rdma
