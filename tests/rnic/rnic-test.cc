// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

// A WRITE of 1 MiB at MTU 1024 over two cables of 100 Gb/s and 1 us. On the wire a packet has
// 20 bytes of preamble and gap besides its 1086 (first: 1102); a byte lasts 80 ps.
//   first packet at the switch:      (8 + 1102) x 80 ps + 1 us            =  1 088 800 ps
//   second cable, first packet:      1122 x 80 ps                         =     89 760 ps
//   1022 middle packets:             1022 x 1106 x 80 ps                  = 90 426 560 ps
//   last packet without its gap:     (8 + 1086) x 80 ps + 1 us            =  1 087 520 ps
TEST(Rnic, LoneWriteTakesItsIdealTime)
{
    Scenario scenario =
        MakeTestScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.flows = {MakeFlow(0, 1, 1 << 20)};
    TestRun run{scenario};
    run.RunToEnd();

    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U);
    const FlowIdeals ideals = run.GetRunner().GetIdeals(0);
    EXPECT_EQ(ideals.delivered, run.GetRecord(0).delivered);
    EXPECT_EQ(ideals.acked, run.GetRecord(0).acked);
}

} // namespace ns3::rdma
