// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-table.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** The cell of a row under a column's name. */
std::string
Cell(const ResultTable& table, std::size_t row, const std::string& column)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
    {
        if (table.columns[i] == column)
        {
            return table.rows.at(row).at(i);
        }
    }
    ADD_FAILURE() << "no column " << column;
    return "";
}

const PerftestLabels LABELS{.tag = "test", .source = "a", .destination = "b"};

TEST(PerftestTable, BandwidthNamesBothUnits)
{
    // 65536 B x 1000 in 1 ms.
    const BandwidthSamples samples{.messageBytes = 65536,
                                   .posted = std::vector<SimTime>(1000),
                                   .completed =
                                       std::vector<SimTime>(1000, SimTime::Milliseconds(1))};
    const PerftestResult result{
        .bytes = 65536, .messages = 1000, .latency = {}, .bandwidth = SummarizeBandwidth(samples)};
    const PerftestPlan plan{.kind = PerftestKind::BANDWIDTH, .sizes = {65536}};
    const ResultTable table = MakePerftestTable(plan, LABELS, {result});
    EXPECT_EQ(table.file, "perftest.csv");
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].size(), table.columns.size());
    EXPECT_EQ(Cell(table, 0, "bw_average_MiBps"), "62500.000000");
    EXPECT_EQ(Cell(table, 0, "bw_average_Gbps"), "524.288000");
    EXPECT_EQ(Cell(table, 0, "message_rate_Mpps"), "1.000000");
    EXPECT_EQ(Cell(table, 0, "window_us"), "1000.000000");
    EXPECT_EQ(Cell(table, 0, "t_min_us"), "");
    EXPECT_EQ(Cell(table, 0, "test"), "bw");
}

TEST(PerftestTable, LatencyKeepsEveryPicosecond)
{
    const std::vector<SimTime> posts{SimTime{0}, SimTime{2'468'002}};
    const PerftestResult result{
        .bytes = 2, .messages = 2, .latency = SummarizeLatency(posts, 2), .bandwidth = {}};
    const PerftestPlan plan{.verb = PerftestVerb::SEND, .sizes = {2}};
    const ResultTable table = MakePerftestTable(plan, LABELS, {result});
    EXPECT_EQ(Cell(table, 0, "t_typical_us"), "1.234001");
    EXPECT_EQ(Cell(table, 0, "p999_us"), "1.234001");
    EXPECT_EQ(Cell(table, 0, "t_stdev_us"), "0.000000");
    EXPECT_EQ(Cell(table, 0, "bw_peak_MiBps"), "");
    EXPECT_EQ(Cell(table, 0, "verb"), "send");
    EXPECT_EQ(Cell(table, 0, "source"), "a");
}

TEST(PerftestTable, WhatWasNotMeasuredIsEmpty)
{
    const PerftestResult result{.bytes = 8, .messages = 1, .latency = {}, .bandwidth = {}};
    const PerftestPlan plan{.kind = PerftestKind::BANDWIDTH, .sizes = {8}};
    const ResultTable table = MakePerftestTable(plan, LABELS, {result});
    EXPECT_EQ(Cell(table, 0, "message_rate_Mpps"), "");
    EXPECT_EQ(Cell(table, 0, "bytes"), "8");
    EXPECT_EQ(table.rows[0].size(), table.columns.size());
}

} // namespace

} // namespace ns3::rdma
