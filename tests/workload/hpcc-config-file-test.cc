// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-config-file.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(HpccConfigFile, CutsValuesByTheirNumber)
{
    DiagnosticList errors{"c"};
    std::vector<std::string> warnings;
    const auto entries = ParseHpccEntries("CC_MODE 1 LINK_DOWN 0 1\n2 KMAX_MAP 2\n1 400 2 800\n"
                                          "CC_MODE 3\n",
                                          errors,
                                          warnings);
    EXPECT_TRUE(errors.IsEmpty());
    EXPECT_THAT(entries, SizeIs(3));
    EXPECT_EQ(entries.at("CC_MODE").values[0].text, "3");
    EXPECT_EQ(entries.at("CC_MODE").key.line, 4U);
    EXPECT_THAT(entries.at("LINK_DOWN").values, SizeIs(3));
    EXPECT_THAT(entries.at("KMAX_MAP").values, SizeIs(4));
    EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("CC_MODE is given twice")));
}

TEST(HpccConfigFile, ConvertsWithUnits)
{
    using C = HpccConversion;
    EXPECT_EQ(ConvertHpccValue(C::RATE, "50Mb/s"), "50Mbps");
    EXPECT_EQ(ConvertHpccValue(C::MICROSECONDS, "1.5"), "1.5us");
    EXPECT_EQ(ConvertHpccValue(C::SECONDS, "4.00"), "4s");
    EXPECT_EQ(ConvertHpccValue(C::MEBIBYTES, "32"), "32MiB");
    EXPECT_EQ(ConvertHpccValue(C::WHOLE, "5"), "5");
    EXPECT_EQ(ConvertHpccValue(C::FRACTION, "0.00390625"), "0.00390625");
    EXPECT_EQ(ConvertHpccValue(C::BOOLEAN, "0"), "false");
    EXPECT_EQ(ConvertHpccValue(C::BOOLEAN, "1"), "true");
    for (const auto& [conversion, text] : {std::pair{C::RATE,
                                                     "50"
                                                     "x"},
                                           std::pair{C::MICROSECONDS, "1us"},
                                           std::pair{C::MEBIBYTES, "1.5"},
                                           std::pair{C::WHOLE, "-1"},
                                           std::pair{C::FRACTION, "x"},
                                           std::pair{C::BOOLEAN, "2"}})
    {
        EXPECT_THAT(ConvertHpccValue(conversion, text), IsEmpty()) << text;
    }
}
