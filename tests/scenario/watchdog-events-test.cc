// SPDX-License-Identifier: GPL-2.0-only
#include "tests/scenario/run-fixture.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;
using testing::StartsWith;

} // namespace

// A deadlock of a ring of five, where shortest paths go all around, lets a watchdog of each action
// tell of it; the times are short, so that the run is.
class WatchdogEvents : public testing::TestWithParam<const char*>
{
  protected:
    RunInFolder Run() const
    {
        Scenario scenario =
            MakeRunScenario(GenerateTopology("ns3::rdma::RingTopology", {{"Switches", "5"}}));
        scenario.buffer.Set("Xoff", StringValue("50KB"));
        scenario.watchdog.Set("Action", StringValue(GetParam()));
        scenario.watchdog.Set("DetectionTime", StringValue("2ms"));
        scenario.watchdog.Set("RestorationTime", StringValue("2ms"));
        scenario.watchdog.Set("PollInterval", StringValue("1ms"));
        scenario.duration = SimTime::Milliseconds(20);
        for (uint32_t host = 0; host < 5; ++host)
        {
            scenario.flows.push_back(MakeFlow(host, (host + 2) % 5, 100'000'000));
        }
        return RunInFolder{scenario};
    }
};

TEST_P(WatchdogEvents, ARowTellsWhereAndWhatWasDone)
{
    const RunInFolder run = Run();
    ASSERT_GT(run.CountLines("events.csv"), 1U);
    std::string detected;
    for (const std::string& line : run.Lines("events.csv"))
    {
        detected = detected.empty() && line.find("watchdog_detected") != std::string::npos
                       ? line
                       : detected;
    }
    ASSERT_THAT(detected, HasSubstr(",watchdog_detected,s"));
    EXPECT_THAT(detected, HasSubstr(",3,blocked since "));
    const std::string action = GetParam();
    EXPECT_THAT(detected,
                HasSubstr(action == "drop"      ? "dropped"
                          : action == "forward" ? "pauses are ignored"
                                                : "nothing is done"));
    const auto dropped = run.Json("summary.json")["network"]["dropped"]["pfc_watchdog"]["frames"];
    EXPECT_EQ(dropped.get<uint64_t>() != 0, action == "drop");
}

INSTANTIATE_TEST_SUITE_P(Actions, WatchdogEvents, testing::Values("drop", "forward", "alert"));

} // namespace ns3::rdma
