// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/workload/fake-fabric.h"
#include "workload/application.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

TEST(Application, CommonAttributesHold)
{
    const auto application =
        Make<Application>("PerftestWorkload", {{"Start", "5us"}, {"Tag", "mine"}});
    EXPECT_EQ(application->GetStart(), SimTime::Microseconds(5));
    EXPECT_EQ(application->GetTag(), "mine");
    EXPECT_EQ(Make<Application>("PerftestWorkload", {})->GetTag(), "perftest");
}

TEST(Application, AStartThatFailsIsItsEnd)
{
    const auto topology = *Make<TopologyGenerator>("StarTopology", {{"Hosts", "2"}})->Generate();
    FakeFabric fabric{SimTime::Microseconds(1)};
    fabric.GetClient().Break();
    const auto application = Make<Application>("PerftestWorkload", {});
    EXPECT_FALSE(application->Start(topology, fabric, SimTime{}).empty());
    EXPECT_TRUE(application->HasEnded());
    EXPECT_EQ(fabric.GetEndedCount(), 1U);
    EXPECT_NE(application->GetFailure(), "");
}

} // namespace

} // namespace ns3::rdma
