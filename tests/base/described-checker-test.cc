// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/described-checker.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

enum class Place
{
    FRONT,
    BACK,
};

const DescribedChecker&
Described(const Ptr<const AttributeChecker>& checker)
{
    return dynamic_cast<const DescribedChecker&>(*checker);
}

const auto DELAY = MakeSimTimeChecker(SimTime{}, SimTime::Milliseconds(100));
const auto PLACE = MakeChoiceChecker<Place>({{Place::FRONT, "front"}, {Place::BACK, "back"}});

} // namespace

TEST(DescribedChecker, SaysWhatIsWrong)
{
    EXPECT_TRUE(Described(DELAY).CheckText("100ms").empty());
    EXPECT_EQ(Described(DELAY).CheckText("101ms").at(0).expected, "0ps .. 100ms");
    EXPECT_EQ(Described(DELAY).CheckText("5").at(0).message, "the unit is missing");
    EXPECT_EQ(Described(PLACE).CheckText("bak").at(0).nearest, "back");
    EXPECT_TRUE(Described(PLACE).CheckText("back").empty());
}

TEST(DescribedChecker, DescribesItself)
{
    EXPECT_EQ(Described(DELAY).GetForm(), DescribedChecker::Form::TIME);
    EXPECT_EQ(Described(DELAY).GetUnderlyingTypeInformation(), "0ps .. 100ms");
    EXPECT_EQ(Described(MakeByteCountChecker()).GetRange(), "");
    EXPECT_EQ(Described(MakeByteCountChecker()).GetValueTypeName(), "ns3::rdma::ByteCountValue");
    EXPECT_EQ(Described(MakeBitRateChecker(BitRate::Mbps(10))).GetRange(), "at least 10Mbps");
    EXPECT_EQ(Described(MakeFractionChecker()).GetRange(), "0 .. 1");
    EXPECT_EQ(Described(PLACE).GetUnderlyingTypeInformation(), "front|back");
}

TEST(DescribedChecker, NeverIsATimeOnlyWhereItIsTheMaximum)
{
    EXPECT_EQ(Described(MakeSimTimeChecker()).CheckText("never").at(0).message, "out of range");
    EXPECT_TRUE(
        Described(MakeSimTimeChecker(SimTime{}, SimTime::Never())).CheckText("never").empty());
}

} // namespace ns3::rdma
