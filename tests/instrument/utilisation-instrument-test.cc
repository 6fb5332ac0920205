// SPDX-License-Identifier: GPL-2.0-only
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

// 1 MB are 977 packets of 1106 bytes on the wire: the sender's cable is busy for 86.4 us. In 7 us
// pass 100 Gb/s x 7 us = 87500 bytes, which end inside a packet.
TEST(UtilisationInstrument, ASaturatedLinkIsBusyAllTheTime)
{
    Scenario scenario = MakeIncast(1, 1'000'000);
    scenario.duration = SimTime::Microseconds(100);
    scenario.instruments = {MakeInstrument("Utilisation", {{"Interval", "7us"}, {"Nodes", "h1"}})};
    const RunInFolder run{scenario};
    const auto rows = ReadRows(run, "utilisation.csv");
    ASSERT_GE(rows.size(), 13U);
    for (std::size_t row = 0; row < 12; ++row) // until 84 us
    {
        EXPECT_EQ(rows[row].at("wire_bytes"), "87500");
        EXPECT_EQ(rows[row].at("utilisation"), "1.000000");
        EXPECT_EQ(rows[row].at("to"), "s");
    }
    EXPECT_LT(std::stod(rows[12].at("utilisation")), 0.4) << "2.4 us of 7";
}

// All bytes of links.csv, once the last interval is over.
TEST(UtilisationInstrument, IntervalsAddUpToTheBytesOfTheLink)
{
    Scenario scenario = MakeIncast(3, 100'000);
    scenario.duration = SimTime::Microseconds(200);
    scenario.instruments = {MakeInstrument("Utilisation", {{"Interval", "1us"}})};
    const RunInFolder run{scenario};
    std::map<std::string, uint64_t> bytes;
    for (const Row& row : ReadRows(run, "utilisation.csv"))
    {
        bytes[row.at("from") + ">" + row.at("to")] += std::stoull(row.at("wire_bytes"));
        EXPECT_LE(std::stod(row.at("utilisation")), 1.0);
    }
    for (const Row& link : ReadRows(run, "links.csv"))
    {
        EXPECT_EQ(bytes[link.at("from") + ">" + link.at("to")], std::stoull(link.at("wire_bytes")));
    }
}

} // namespace ns3::rdma
