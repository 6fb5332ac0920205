// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-events.h"
#include "tests/scenario/run-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(RunEvents, AreRowsInTheirOrderWithEmptyCellsForWhatIsNotMeant)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "events.csv"};
    ASSERT_TRUE(file.Open());
    RunEvents events;
    events.Add({.time = {1'500}, .event = "link_down", .node = "leaf0", .port = 3});
    events.Add({.time = {2'000}, .event = "storm", .node = "h1", .port = 0, .priority = 7});
    events.Add({.time = {2'000}, .event = "deadlock", .node = "", .detail = "a 0, b 1"});
    WriteEvents(file, events);
    ASSERT_TRUE(file.Commit());
    EXPECT_EQ(folder.Read("events.csv"),
              "time_ns,event,node,port,priority,detail\n"
              "1.500,link_down,leaf0,3,,\n"
              "2.000,storm,h1,0,7,\n"
              "2.000,deadlock,,,,\"a 0, b 1\"\n");
}

TEST(RunEvents, ARunWithoutAnyWritesTheHeader)
{
    Scenario scenario = MakeRunScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.flows = {MakeFlow(0, 1, 1'000)};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Read("events.csv"), "time_ns,event,node,port,priority,detail\n");
    EXPECT_EQ(run.Json("summary.json")["events"], nlohmann::json::object());
}

} // namespace ns3::rdma
