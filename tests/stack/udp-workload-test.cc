// SPDX-License-Identifier: GPL-2.0-only
#include "tests/stack/stack-bench.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

TEST(UdpWorkload, DatagramsComeAtTheirRate)
{
    StackBench bench{MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}))};
    bench.Add("UdpWorkload",
              {{"Bytes", "1472000B"}, {"Rate", "10Gbps"}, {"Start", "3us"}, {"Priority", "2"}});
    bench.RunToEnd();
    const auto row = bench.GetRows().at(0);
    EXPECT_EQ(row.at("sent_datagrams"), "1000");
    EXPECT_EQ(row.at("received_datagrams"), "1000");
    EXPECT_EQ(row.at("wrong_bytes"), "0");
    EXPECT_EQ(row.at("status"), "finished");
    // 999 intervals of 1472 bytes at 800 ps; then 1500 + 18 bytes and 8 before at 80 ps, and 1 us.
    EXPECT_EQ(row.at("end_ns"), "1180544.480");
    EXPECT_EQ(999 * 1472 * 800 + 1526 * 80 + 1'000'000 + 3'000'000, 1'180'544'480);
}

TEST(UdpWorkload, LastDatagramIsAsLongAsWhatIsLeft)
{
    StackBench bench{MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}))};
    bench.Add("UdpWorkload", {{"Bytes", "3000B"}, {"DatagramBytes", "1400"}});
    bench.RunToEnd();
    EXPECT_EQ(bench.GetRows().at(0).at("sent_datagrams"), "3");
    EXPECT_EQ(bench.GetRows().at(0).at("received_bytes"), "3000");
}

TEST(UdpWorkload, LargeDatagramsAreFragmentedAndPutTogether)
{
    StackBench bench{MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}))};
    bench.Add("UdpWorkload", {{"Bytes", "640000B"}, {"DatagramBytes", "64000"}});
    bench.RunToEnd();
    EXPECT_EQ(bench.GetRows().at(0).at("received_datagrams"), "10");
    EXPECT_EQ(bench.GetRows().at(0).at("wrong_bytes"), "0");
    // 64008 bytes with UDP's header, 1480 to a fragment: 44.
    EXPECT_EQ(bench.GetRun().GetFabric().GetInterfaces()[0]->GetCounters().foreignFramesSent, 440U);
}

TEST(UdpWorkload, WhatAPortCannotCarryIsLost)
{
    StackBench bench{MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1)))};
    bench.GetScenario().buffer.Set("Size", StringValue{"300KB"});
    bench.Add(
        "UdpWorkload",
        {{"Sources", "h1 h2"}, {"Destinations", "h0"}, {"Rate", "80Gbps"}, {"Bytes", "10MB"}});
    bench.RunToEnd();
    // In 1 ms (10 MB at 80 Gb/s) the port carries 1 ms x 100 Gb/s, each datagram 1538 bytes there;
    // what the buffer holds at the end comes on top.
    const double carried = 1e-3 * 100e9 / 8 / 1538;
    EXPECT_NEAR(bench.Sum("received_datagrams"), carried, 300e3 / 1518);
    EXPECT_EQ(bench.Sum("received_datagrams") + double(bench.GetRun().CountDropped()),
              bench.Sum("sent_datagrams"));
    EXPECT_EQ(bench.Sum("wrong_bytes"), 0);
    EXPECT_EQ(bench.GetApplications().GetOutcomes().at(0).failure, "");
}

TEST(UdpWorkload, WhatTheHostCannotSendIsLostThere)
{
    StackBench bench{MakeTestScenario(MakePath({{BitRate::Gbps(10), SimTime::Microseconds(1)}}))};
    bench.Add("UdpWorkload", {{"Rate", "20Gbps"}, {"Bytes", "20MB"}, {"Linger", "2ms"}});
    bench.RunToEnd();
    // The queues of stack and interface fill, 1000 packets and 125 KB, of which at least half is
    // there when the last one is sent; they empty in 1.4 ms. Until then the cable decides: 8 ms.
    const auto row = bench.GetRows().at(0);
    const double sent = std::stod(row.at("sent_datagrams"));
    const double received = std::stod(row.at("received_datagrams"));
    const double carried = 8e-3 * 10e9 / 8 / 1538;
    EXPECT_GE(received, carried + 1000 + 125e3 / 2 / 1518 - 3);
    EXPECT_LE(received, carried + 1000 + 125e3 / 1518 + 3);
    EXPECT_LT(received, sent);
}

} // namespace
} // namespace ns3::rdma
