// SPDX-License-Identifier: GPL-2.0-only
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;

// Two hosts send three packets each at the same time to a third, all at 100 Gb/s (80 ps a byte)
// over 1 us: frames of 1102 (with RETH), 1086 and 1086 bytes, 8 bytes of preamble before each and
// 12 of gap behind. Pairs arrive at 1 us + 1110 x 80 ps = 1088.8 ns, + (12 + 8 + 1086) x 80 ps =
// 1177.28 and 1265.76. Of the first pair one frame goes to the idle wire and the other waits: 1102
// bytes.
//   1177.28: two more: 3274
//   1178.56: the wire is free after 1122 bytes, 89.76 ns: the frame of 1102 bytes leaves: 2172
//   1265.76: two more: 4344; 1268.32: 89.76 ns later one leaves: 3258; then one each 88.48 ns
TEST(QueuesInstrument, EveryChangeIsAStaircaseToThePicosecond)
{
    Scenario scenario = MakeIncast(2, 3072);
    scenario.instruments = {MakeInstrument("Queues", {{"Nodes", "s"}, {"Ports", "0"}})};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    std::vector<std::string> changes;
    for (const Row& row : ReadRows(run, "queues.csv"))
    {
        EXPECT_EQ(row.at("node"), "s");
        EXPECT_EQ(row.at("port"), "0");
        EXPECT_EQ(row.at("priority"), "3");
        changes.push_back(row.at("time_ns") + " " + row.at("queue_bytes"));
    }
    EXPECT_THAT(changes,
                ElementsAre("1088.800 1102",
                            "1177.280 3274",
                            "1178.560 2172",
                            "1265.760 4344",
                            "1268.320 3258",
                            "1356.800 2172",
                            "1445.280 1086",
                            "1533.760 0"));
}

// What is sampled is what the changes have left.
TEST(QueuesInstrument, SamplesLieOnTheChanges)
{
    Scenario scenario = MakeIncast(4, 100'000);
    scenario.instruments = {
        MakeInstrument("Queues", {{"Interval", "1us"}}),
        MakeInstrument("Queues", {{"File", "changes.csv"}}),
    };
    const RunInFolder run{scenario};
    const auto samples = ReadRows(run, "queues.csv");
    const auto changes = ReadRows(run, "changes.csv");
    ASSERT_GT(samples.size(), 20U);
    ASSERT_GT(changes.size(), samples.size());
    std::map<std::string, std::string> held;
    std::size_t next = 0;
    for (const Row& sample : samples)
    {
        while (next < changes.size() &&
               std::stod(changes[next].at("time_ns")) <= std::stod(sample.at("time_ns")))
        {
            held[changes[next].at("port")] = changes[next].at("queue_bytes");
            ++next;
        }
        EXPECT_EQ(held[sample.at("port")], sample.at("queue_bytes")) << sample.at("time_ns");
    }
}

// links.csv has the largest queue that an arrival has seen, with it.
TEST(QueuesInstrument, TheLargestChangeIsTheLargestQueueOfTheLink)
{
    Scenario scenario = MakeIncast(4, 100'000);
    scenario.instruments = {MakeInstrument("Queues", {{"Ports", "0"}})};
    const RunInFolder run{scenario};
    uint64_t largest = 0;
    for (const std::string& bytes : ReadColumn(run, "queues.csv", "queue_bytes"))
    {
        largest = std::max<uint64_t>(largest, std::stoull(bytes));
    }
    for (const Row& link : ReadRows(run, "links.csv"))
    {
        if (link.at("from") == "s" && link.at("to") == "h0")
        {
            EXPECT_EQ(std::to_string(largest), link.at("max_queue_bytes"));
        }
    }
}

} // namespace ns3::rdma
