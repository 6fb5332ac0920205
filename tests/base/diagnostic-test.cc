// SPDX-License-Identifier: GPL-2.0-only
#include "base/diagnostic.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(Diagnostic, OneLineHoldsAllFields)
{
    const Diagnostic diagnostic{"a.yaml",
                                12,
                                "switch.bufer",
                                "unknown key",
                                "bufer",
                                "a key",
                                "buffer",
                                {"buffer", "marking"}};
    EXPECT_EQ(ToString(diagnostic),
              "a.yaml:12: switch.bufer: unknown key; got 'bufer'; expected a key; did you mean "
              "'buffer'? (known: buffer, marking)");
}

TEST(Diagnostic, EmptyFieldsLeaveNoTrace)
{
    EXPECT_EQ(ToString(Diagnostic{"a.yaml", 0, "", "no such file", "", "", "", {}}),
              "a.yaml: no such file");
    EXPECT_EQ(ToString(Diagnostic{"", 0, "seed", "negative", "", "", "", {}}), "seed: negative");
}

TEST(Diagnostic, ManyAreOrderedByPlace)
{
    const Diagnostics diagnostics{{"b", 1, "", "x", "", "", "", {}},
                                  {"a", 10, "", "x", "", "", "", {}},
                                  {"a", 9, "", "x", "", "", "", {}}};
    EXPECT_EQ(ToString(diagnostics), "a:9: x\na:10: x\nb:1: x\n");
}

TEST(Diagnostic, NearestNameFindsSlipsAndNothingElse)
{
    const std::vector<std::string> known{"buffer", "marking", "scheduler", "path"};
    EXPECT_EQ(NearestName("bufer", known), "buffer");    // one letter missing
    EXPECT_EQ(NearestName("bufffer", known), "buffer");  // one too many
    EXPECT_EQ(NearestName("makring", known), "marking"); // two swapped
    EXPECT_EQ(NearestName("scheduling", known), "scheduler");
    EXPECT_EQ(NearestName("colour", known), "");
    EXPECT_EQ(NearestName("", known), "");
    EXPECT_EQ(NearestName("buffer", {}), "");
}

} // namespace ns3::rdma
