// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/instrument-set.h"
#include "scenario/instrument.h"
#include "scenario/scenario-loader.h"
#include "tests/instrument/instrument-fixture.h"
#include "tests/support/temporary-folder.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

namespace
{

/** What the loader and then a run say of a scenario with such instruments. */
std::string
Complaints(const std::string& instruments)
{
    TemporaryFolder folder;
    const std::string file = folder.Path() / "s.yaml";
    std::ofstream{file} << "topology: {family: star, hosts: 3}\n"
                           "workload: [{pattern: incast, senders: 2, bytes: 1KB}]\n"
                           "instruments:\n"
                        << instruments;
    LoadRequest request;
    request.file = file;
    const auto scenario = LoadScenario(request);
    if (!scenario)
    {
        return ToString(scenario.Errors());
    }
    return RunInFolder{*scenario}.Err();
}

} // namespace

TEST(Instrument, FiltersThatMeanNothingAreRefusedWhereTheyStand)
{
    const std::string text = Complaints("  - {instrument: queues, interval: 1us}\n"
                                        "  - {instrument: queues, file: b, flows: 1}\n");
    EXPECT_THAT(text, HasSubstr("s.yaml:5: instruments.1.flows: this filter means nothing"));
}

TEST(Instrument, AnIntervalIsNeededByThoseThatOnlySample)
{
    EXPECT_THAT(Complaints("  - {instrument: rates}\n"), HasSubstr("instruments.0.interval"));
}

TEST(Instrument, WhatIsNotThereIsNamedWithItsNeighbour)
{
    EXPECT_THAT(Complaints("  - {instrument: queues, nodes: \"swich\"}\n"),
                HasSubstr("s.yaml:4: instruments.0.nodes: there is no such node; got 'swich'; "
                          "expected names of nodes of the topology, separated by spaces; did you "
                          "mean 'switch'?"));
    EXPECT_THAT(Complaints("  - {instrument: rates, interval: 1us, flows: 0-2}\n"),
                HasSubstr("instruments.0.flows: there is none of that number; got '2'; expected "
                          "below 2"));
    EXPECT_THAT(Complaints("  - {instrument: queues, nodes: h0, ports: 1}\n"),
                HasSubstr("instruments.0.ports"));
    EXPECT_THAT(Complaints("  - {instrument: queues, priorities: 8}\n"),
                HasSubstr("instruments.0.priorities"));
}

TEST(Instrument, EachHasAFileOfItsOwn)
{
    EXPECT_THAT(Complaints("  - {instrument: queues}\n  - {instrument: queues}\n"),
                HasSubstr("instruments.1 and instruments.0 write one file"));
    EXPECT_THAT(Complaints("  - {instrument: queues, file: links.csv}\n"),
                HasSubstr("instruments.0.file: another result has this name"));
    EXPECT_THAT(Complaints("  - {instrument: queues, file: a/b.csv}\n"),
                HasSubstr("not a name without folder"));
}

TEST(Instrument, UnknownNamesAreAnsweredWithTheKnownOnes)
{
    EXPECT_THAT(Complaints("  - {instrument: queue}\n"), HasSubstr("did you mean 'queues'?"));
}

// Samples are at the multiples of the interval from `from` to `to`, both included.
TEST(Instrument, SamplesBetweenTwoTimesOnly)
{
    Scenario scenario = MakeIncast(4, 200'000);
    scenario.instruments = {
        MakeInstrument("Queues", {{"Interval", "2us"}, {"From", "5us"}, {"To", "10us"}})};
    const RunInFolder run{scenario};
    EXPECT_THAT(ReadColumn(run, "queues.csv", "time_ns"),
                ElementsAre("6000.000", "8000.000", "10000.000"));
}

// The sample before `from` is not written, but what is told of an interval begins with it: 100 Gb/s
// are 12500 bytes in 1 us.
TEST(Instrument, TheFirstIntervalAfterFromIsWhole)
{
    Scenario scenario = MakeIncast(1, 1'000'000);
    scenario.instruments = {
        MakeInstrument("Rates", {{"Interval", "10us"}, {"From", "30us"}, {"To", "35us"}})};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.CountLines("rates.csv"), 2U);
    const double goodput = std::stod(run.Cell("rates.csv", 1, "goodput_bps"));
    EXPECT_NEAR(goodput, 100e9 * 1024 / 1106, 1e9) << "payload of full frames; whole packets";
}

TEST(Instrument, AFullFileHasNoGapAndTellsSo)
{
    Scenario scenario = MakeIncast(4, 200'000);
    scenario.instruments = {
        MakeInstrument("Queues", {{"Interval", "1us"}}),
        MakeInstrument("Queues",
                       {{"Interval", "1us"}, {"File", "short.csv"}, {"MaxBytes", "1KB"}})};
    const RunInFolder run{scenario};
    const std::string whole = run.Read("queues.csv");
    const std::string cut = run.Read("short.csv");
    EXPECT_LE(cut.size(), 1000U);
    EXPECT_GT(cut.size(), 960U) << "a row has fewer than 40 bytes";
    EXPECT_TRUE(whole.starts_with(cut));
    const std::string warning = "short.csv: max_bytes (1KB) was reached; nothing from ";
    EXPECT_THAT(run.Err(), HasSubstr("warning: " + warning));
    EXPECT_THAT(run.Json("summary.json")["warnings"].dump(), HasSubstr(warning));
    // The first row that is missing is the one that the message names.
    const auto rows = ReadRows(run, "queues.csv");
    const double next = std::stod(rows.at(run.CountLines("short.csv") - 1).at("time_ns"));
    EXPECT_THAT(run.Err(), HasSubstr("nothing from " + std::to_string(int(next / 1000)) + "us on"));
}

// 8 ports and 1 ms at 1 us: 1000 x 8 rows of 34 bytes are 272 KB; 0.3 MB as it is rounded up.
TEST(Instrument, SizesAreToldBeforeTheRun)
{
    Scenario scenario = MakeIncast(7, 1'000);
    scenario.duration = SimTime::Milliseconds(1);
    scenario.instruments = {MakeInstrument("Queues", {{"Interval", "1us"}})};
    EXPECT_THAT(RunInFolder{scenario}.Err(), HasSubstr("note: queues.csv: up to about 0.3 MB in"));
    // 1 ns instead: 8 x 10^6 rows, 272 MB; for 10 ms 2.72 GB.
    scenario.duration = SimTime::Milliseconds(10);
    scenario.instruments = {MakeInstrument("Queues", {{"Interval", "1ns"}, {"To", "1us"}})};
    EXPECT_THAT(RunInFolder{scenario}.Err(), Not(HasSubstr("warning: queues.csv")))
        << "1000 samples";
    Scenario large = MakeIncast(7, 1'000);
    large.duration = SimTime::Milliseconds(10);
    large.instruments = {MakeInstrument("Queues", {{"Interval", "1ns"}})};
    TestRun run{large};
    const auto set = InstrumentSet::Make(large, run.GetRunner());
    ASSERT_TRUE(set);
    EXPECT_THAT(set->GetNotes(), IsEmpty());
    ASSERT_EQ(set->GetWarnings().size(), 1U);
    EXPECT_THAT(set->GetWarnings().front(), HasSubstr("queues.csv: up to about 2720.0 MB in 10ms"));
}

TEST(Instrument, FilesOfAnEarlierRunInTheFolderGo)
{
    TemporaryFolder folder;
    Scenario scenario = MakeIncast(2, 10'000);
    scenario.instruments = {MakeInstrument("Queues", {{"Interval", "1us"}})};
    EXPECT_NE((RunInFolder{scenario, folder.Path()}.Read("queues.csv")), "");
    scenario.instruments.clear();
    EXPECT_EQ((RunInFolder{scenario, folder.Path()}.Read("queues.csv")), "");
}

} // namespace ns3::rdma
