// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/** Eight hosts write to one in a lossy class over cables that lose frames. */
Scenario
MakeLossy(double lossRate, uint32_t retries)
{
    Scenario scenario = MakeIncast(8, 300'000);
    for (Flow& flow : scenario.flows)
    {
        flow.priority = 1;
    }
    for (TopologyLink& link : scenario.topology.links)
    {
        link.lossRate = lossRate;
    }
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{1'000'000}));
    scenario.transport.Set("Timeout", UintegerValue(6)); // 4.096 us x 2^6 = 262 us
    scenario.transport.Set("RetryCount", UintegerValue(retries));
    scenario.instruments = {MakeInstrument("Drops"), MakeInstrument("Transport")};
    return scenario;
}

/**
 * Data packets that were dropped and neither sent again later, nor of a flow that ended in error;
 * at a receiver those count that were of use to nobody.
 */
std::size_t
CountForgotten(const RunInFolder& run)
{
    std::map<std::string, double> lastSent; // by flow and PSN
    std::map<std::string, bool> hasFailed;  // by flow
    for (const Row& row : ReadRows(run, "transport.csv"))
    {
        if (row.at("event") == "retransmission")
        {
            double& time = lastSent[row.at("flow") + "/" + row.at("psn")];
            time = std::max(time, std::stod(row.at("time_ns")));
        }
        hasFailed[row.at("flow")] |= row.at("event") == "error_completion";
    }
    std::size_t forgotten = 0;
    for (const Row& row : ReadRows(run, "drops.csv"))
    {
        const bool isRequest = row.at("opcode").starts_with("RC RDMA WRITE");
        const bool isNeeded = isRequest && row.at("reason") != "duplicate";
        const double again = lastSent[row.at("flow") + "/" + row.at("psn")];
        // A packet sent again before the first one was dropped is in flight behind it.
        const bool isSentAgain = again != 0;
        forgotten += isNeeded && !isSentAgain && !hasFailed[row.at("flow")] ? 1 : 0;
    }
    return forgotten;
}

std::size_t
CountEvents(const RunInFolder& run, const std::string& event)
{
    const auto events = ReadColumn(run, "transport.csv", "event");
    return static_cast<std::size_t>(std::ranges::count(events, event));
}

} // namespace

TEST(TransportInstrument, EveryDroppedPacketIsSentAgain)
{
    const RunInFolder run{MakeLossy(0.01, 7)};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    ASSERT_GT(run.CountLines("drops.csv"), 100U);
    EXPECT_EQ(CountForgotten(run), 0U);
    EXPECT_EQ(CountEvents(run, "error_completion"), 0U);
}

TEST(TransportInstrument, AFlowWhoseRetriesAreSpentCompletesInError)
{
    const RunInFolder run{MakeLossy(0.6, 1)};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_EQ(CountForgotten(run), 0U);
    const auto failed = run.Json("summary.json")["flows"]["failed"];
    EXPECT_GT(failed, 0);
    EXPECT_EQ(CountEvents(run, "error_completion"), failed) << "a flow is one request";
    for (const Row& row : ReadRows(run, "transport.csv"))
    {
        if (row.at("event") == "error_completion")
        {
            EXPECT_EQ(row.at("detail"), "RETRY_EXC_ERR");
        }
    }
}

TEST(TransportInstrument, EventsAreThoseThatTheSummaryCounts)
{
    const RunInFolder run{MakeLossy(0.01, 7)};
    const auto network = run.Json("summary.json")["network"];
    EXPECT_EQ(CountEvents(run, "retransmission"), network["packets_retransmitted"]);
    EXPECT_EQ(CountEvents(run, "nak_received"), network["naks_received"]);
    EXPECT_EQ(CountEvents(run, "timeout"), network["timeouts"]);
    EXPECT_GT(network["timeouts"], 0);
    EXPECT_GE(CountEvents(run, "nak_sent"), CountEvents(run, "nak_received"));
    for (const Row& row : ReadRows(run, "transport.csv"))
    {
        if (row.at("event") == "nak_sent")
        {
            EXPECT_EQ(row.at("detail"), "psn_sequence_error");
        }
    }
}

TEST(TransportInstrument, RowsAreInTheOrderOfTimeThoughPacketsAreToldOfLate)
{
    const RunInFolder run{MakeLossy(0.01, 7)};
    double last = 0;
    for (const Row& row : ReadRows(run, "transport.csv"))
    {
        EXPECT_LE(last, std::stod(row.at("time_ns")));
        last = std::stod(row.at("time_ns"));
    }
}

} // namespace ns3::rdma
