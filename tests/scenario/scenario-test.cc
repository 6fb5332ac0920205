// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(Scenario, DiagnosticsOfAKeyGetItsOrigin)
{
    Scenario scenario;
    scenario.parameters = {{"switch.buffer.size", "1KiB", "a.yaml:7", "bytes", ""}};
    const auto located = LocateDiagnostics({{"", 0, "switch.buffer.size", "small", "", "", "", {}},
                                            {"x", 3, "switch.buffer.size", "bad", "", "", "", {}},
                                            {"", 0, "switch.other", "odd", "", "", "", {}}},
                                           scenario);
    EXPECT_EQ(ToString(located[0]), "a.yaml:7: switch.buffer.size: small");
    EXPECT_EQ(ToString(located[1]), "x:3: switch.buffer.size: bad");
    EXPECT_EQ(ToString(located[2]), "switch.other: odd");
}

} // namespace ns3::rdma
