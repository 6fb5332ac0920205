// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

// Two hosts send 3 packets each (1102, 1086, 1086 bytes) to a third at the same time, at 80 ps a
// byte; they arrive at 1088.8, 1177.28 and 1265.76 ns. A frame is held until its port is free:
//   1088.8: 2204; 1177.28: 4376; 1178.56: 3274; 1265.76: 5446; from then on less.
TEST(BuffersInstrument, TheWatermarkIsTheMostOfAllInstants)
{
    Scenario scenario = MakeIncast(2, 3072);
    scenario.instruments = {MakeInstrument("Buffers", {{"Interval", "1us"}}),
                            MakeInstrument("Buffers", {{"Interval", "100ns"}, {"File", "fine"}})};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("buffers.csv", 1, "time_ns"), "2000.000");
    EXPECT_EQ(run.Cell("buffers.csv", 1, "node"), "s");
    EXPECT_EQ(run.Cell("buffers.csv", 1, "used_bytes"), "0");
    EXPECT_EQ(run.Cell("buffers.csv", 1, "watermark_bytes"), "5446");
    std::vector<std::string> samples;
    for (const Row& row : ReadRows(run, "fine"))
    {
        samples.push_back(row.at("time_ns") + " " + row.at("used_bytes") + " " +
                          row.at("watermark_bytes"));
    }
    // 1268.32: 4344; then a frame of 1086 bytes leaves each 88.48 ns, the first at 1356.8.
    ASSERT_GE(samples.size(), 7U);
    samples.resize(7);
    EXPECT_THAT(samples,
                testing::ElementsAre("1100.000 2204 2204",
                                     "1200.000 3274 4376",
                                     "1300.000 4344 5446",
                                     "1400.000 3258 4344",
                                     "1500.000 2172 3258",
                                     "1600.000 1086 2172",
                                     "1700.000 0 1086"));
}

// What the buffer's own books say at each sample is what frames that come and go add up to.
TEST(BuffersInstrument, SharedAndHeadroomArePartsOfWhatIsHeld)
{
    Scenario scenario = MakeIncast(8, 300'000);
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.instruments = {MakeInstrument("Buffers", {{"Interval", "500ns"}})};
    const RunInFolder run{scenario};
    uint64_t mostHeadroom = 0;
    for (const Row& row : ReadRows(run, "buffers.csv"))
    {
        const uint64_t used = std::stoull(row.at("used_bytes"));
        const uint64_t headroom = std::stoull(row.at("headroom_bytes"));
        EXPECT_EQ(std::stoull(row.at("shared_bytes")) + headroom, used) << "there is no reserve";
        EXPECT_LE(used, std::stoull(row.at("watermark_bytes")));
        mostHeadroom = std::max(mostHeadroom, headroom);
    }
    EXPECT_GT(mostHeadroom, 0U) << "8 times 100 Gb/s into one port: all are paused";
}

} // namespace ns3::rdma
