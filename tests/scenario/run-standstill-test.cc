// SPDX-License-Identifier: GPL-2.0-only
#include "tests/scenario/run-fixture.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;

// Five switches in a ring, a host at each, and each host sends two switches on, always the same way
// round: every cable of the ring carries two flows, every buffer waits for the next one, and the
// last for the first. The pauses are renewed for ever; without an end of its own the run would be
// too. Timeouts do not end it: a paused connection spends no retries.
TEST(RunStandstill, EndsADeadlockOfPausesAndNamesTheFlows)
{
    constexpr uint32_t RING = 5;
    Topology topology{.family = "ring"};
    for (uint32_t host = 0; host < RING; ++host)
    {
        topology.nodes.push_back({NodeKind::HOST, "h" + std::to_string(host)});
    }
    for (uint32_t ring = 0; ring < RING; ++ring)
    {
        topology.nodes.push_back({NodeKind::SWITCH, "s" + std::to_string(ring)});
        topology.links.push_back({.a = ring,
                                  .b = RING + ring,
                                  .rate = BitRate::Gbps(100),
                                  .delay = SimTime::Microseconds(1)});
        topology.links.push_back({.a = RING + ring,
                                  .b = RING + (ring + 1) % RING,
                                  .rate = BitRate::Gbps(100),
                                  .delay = SimTime::Microseconds(1)});
    }
    Scenario scenario = MakeRunScenario(topology);
    scenario.buffer.Set("Xoff", StringValue("50KB"));
    for (uint32_t host = 0; host < RING; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, (host + 2) % RING, 100'000'000));
    }
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(), HasSubstr("h0"));
    EXPECT_EQ(run.Json("summary.json")["flows"]["finished"], 0);
}

// Slow but moving: a single acknowledgement after 5 MB at 10 Mb/s, which take 4.3 s, and no ACK
// timeout. Frames arrive all the time, so the run goes on.
TEST(RunStandstill, LeavesASlowRunAlone)
{
    Scenario scenario = MakeRunScenario(MakeStar(2, BitRate::Mbps(10), SimTime{}));
    scenario.transport.Set("Ack", StringValue("last"));
    scenario.transport.Set("Timeout", StringValue("0"));
    scenario.flows = {MakeFlow(0, 1, 5'000'000)};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0);
}

} // namespace
} // namespace ns3::rdma
