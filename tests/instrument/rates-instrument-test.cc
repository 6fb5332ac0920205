// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

// One packet: from its first bit to the last bit of its acknowledgement is the whole flow.
TEST(RatesInstrument, TheRoundTripOfALonePacketIsItsFlow)
{
    Scenario scenario = MakeIncast(1, 1000);
    scenario.duration = SimTime::Microseconds(20);
    scenario.instruments = {MakeInstrument("Rates", {{"Interval", "3us"}})};
    const RunInFolder run{scenario};
    const auto rows = ReadRows(run, "rates.csv");
    ASSERT_EQ(rows.size(), 2U) << "at 3 us it is on the way, at 6 us it has ended";
    EXPECT_EQ(rows[0].at("rtt_ns"), "");
    EXPECT_EQ(rows[0].at("in_flight_bytes"), "1000");
    EXPECT_EQ(rows[1].at("rtt_ns"), run.Cell("flows.csv", 1, "fct_acked_ns"));
    EXPECT_EQ(rows[1].at("in_flight_bytes"), "0");
    EXPECT_EQ(rows[1].at("rate_bps"), "0");
    EXPECT_EQ(rows[1].at("goodput_bps"), "2666666666") << "8000 bits in 3 us";
}

// What does not exist is empty; what does is what the flow and the scenario say.
TEST(RatesInstrument, CellsWithoutAValueAreEmpty)
{
    Scenario scenario = MakeIncast(2, 500'000);
    scenario.instruments = {MakeInstrument("Rates", {{"Interval", "5us"}})};
    const RunInFolder plain{scenario};
    EXPECT_THAT(ReadColumn(plain, "rates.csv", "alpha"), testing::Each(""));
    EXPECT_THAT(ReadColumn(plain, "rates.csv", "window_bytes"), testing::Each(""));
    EXPECT_THAT(ReadColumn(plain, "rates.csv", "cnps"), testing::Each("0"));

    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::StepMarker");
    scenario.marker.Set("Threshold", ByteCountValue(ByteCount{20'000}));
    scenario.transport.Set("Window", ByteCountValue(ByteCount{100'000}));
    const RunInFolder run{scenario};
    EXPECT_THAT(ReadColumn(run, "rates.csv", "window_bytes"), testing::Each("100000"));
    std::map<std::string, Row> last;
    for (const Row& row : ReadRows(run, "rates.csv"))
    {
        EXPECT_GE(std::stod(row.at("alpha")), 0.0);
        EXPECT_LE(std::stod(row.at("alpha")), 1.0);
        EXPECT_LE(std::stoull(row.at("in_flight_bytes")), 100'000U);
        last[row.at("flow")] = row;
    }
    // A flow's last row is after its end, or one interval before the run's.
    for (const Row& flow : ReadRows(run, "flows.csv"))
    {
        EXPECT_LE(std::stoull(last[flow.at("flow")].at("cnps")),
                  std::stoull(flow.at("cnps_received")));
    }
    EXPECT_GT(std::stoull(last["0"].at("cnps")), 0U);
}

} // namespace ns3::rdma
