// SPDX-License-Identifier: GPL-2.0-only
#include "base/quantity.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

template <typename T>
std::string
ErrorOf(const Expected<T>& value)
{
    return value ? "no error" : ToString(value.Errors().at(0));
}

} // namespace

// The factors are the SI prefixes; KiB.. are IEC 80000-13 (powers of 1024).
TEST(Quantity, EveryTimeUnitIsExact)
{
    EXPECT_EQ(*ParseTime("1ps"), SimTime{1});
    EXPECT_EQ(*ParseTime("250ns"), SimTime{250'000});
    EXPECT_EQ(*ParseTime("55us"), SimTime{55'000'000});
    EXPECT_EQ(*ParseTime("0.001ms"), SimTime::Microseconds(1));
    EXPECT_EQ(*ParseTime("2s"), SimTime::Seconds(2));
    EXPECT_EQ(*ParseTime(" 1.5 us "), SimTime{1'500'000});
    EXPECT_EQ(*ParseTime("1e-6s"), SimTime::Microseconds(1));
    EXPECT_EQ(*ParseTime("2.5e3ns"), SimTime{2'500'000});
    EXPECT_EQ(*ParseTime("0s"), SimTime{});
    EXPECT_EQ(*ParseTime("0.000000000001s"), SimTime{1});
    EXPECT_EQ(*ParseTime("never"), SimTime::Never());
}

TEST(Quantity, EveryByteUnitIsExact)
{
    EXPECT_EQ(ParseBytes("1000B")->value, 1000U);
    EXPECT_EQ(ParseBytes("400KB")->value, 400'000U);
    EXPECT_EQ(ParseBytes("400kB")->value, 400'000U);
    EXPECT_EQ(ParseBytes("10MB")->value, 10'000'000U);
    EXPECT_EQ(ParseBytes("1GB")->value, 1'000'000'000U);
    EXPECT_EQ(ParseBytes("1TB")->value, 1'000'000'000'000U);
    EXPECT_EQ(ParseBytes("3KiB")->value, 3072U);
    EXPECT_EQ(ParseBytes("32MiB")->value, 33'554'432U);
    EXPECT_EQ(ParseBytes("0.5GiB")->value, 536'870'912U);
    EXPECT_EQ(ParseBytes("1TiB")->value, uint64_t{1} << 40);
}

TEST(Quantity, EveryRateUnitIsExact)
{
    EXPECT_EQ(*ParseRate("100Gbps"), BitRate::Gbps(100));
    EXPECT_EQ(*ParseRate("25Gb/s"), BitRate::Gbps(25));
    EXPECT_EQ(*ParseRate("1.6Tbps"), BitRate::Gbps(1600));
    EXPECT_EQ(*ParseRate("10Mbps"), BitRate::Mbps(10));
    EXPECT_EQ(*ParseRate("64kbps"), BitRate{64'000});
    EXPECT_EQ(*ParseRate("64Kb/s"), BitRate{64'000});
    EXPECT_EQ(*ParseRate("9b/s"), BitRate{9});
    // 0.1 has no finite binary expansion; through a double this would be one bit off somewhere.
    EXPECT_EQ(*ParseRate("0.1Gbps"), BitRate::Mbps(100));
    EXPECT_EQ(*ParseRate("18446744073709551614bps"), BitRate{UINT64_MAX - 1});
}

TEST(Quantity, FractionsAreKeptInLowestTerms)
{
    EXPECT_EQ(*ParseFraction("1/8"), (Fraction{1, 8}));
    EXPECT_EQ(*ParseFraction("2/16"), (Fraction{1, 8}));
    EXPECT_EQ(*ParseFraction("0.2"), (Fraction{1, 5}));
    EXPECT_EQ(*ParseFraction("5%"), (Fraction{1, 20}));
    EXPECT_EQ(*ParseFraction("0.5%"), (Fraction{1, 200}));
    EXPECT_EQ(*ParseFraction("1e-4"), (Fraction{1, 10'000}));
    EXPECT_EQ(*ParseFraction("3"), (Fraction{3, 1}));
    EXPECT_EQ(*ParseFraction("0"), (Fraction{0, 1}));
    EXPECT_DOUBLE_EQ(ParseFraction("1/256")->ToDouble(), 1.0 / 256);
    EXPECT_LT((Fraction{1, 3}), (Fraction{1, 2}));
}

TEST(Quantity, BareNumberNamesTheUnitAndAnExample)
{
    EXPECT_THAT(ErrorOf(ParseRate("100")), HasSubstr("the unit is missing"));
    EXPECT_THAT(ErrorOf(ParseRate("100")), HasSubstr("100Gbps"));
    EXPECT_THAT(ErrorOf(ParseTime("0")), HasSubstr("units: s, ms, us, ns, ps"));
    EXPECT_THAT(ErrorOf(ParseBytes("1000")), HasSubstr("32MiB"));
}

TEST(Quantity, FinerThanTheUnitResolvesIsAnError)
{
    EXPECT_THAT(ErrorOf(ParseTime("0.0001ns")), HasSubstr("finer than a picosecond"));
    EXPECT_THAT(ErrorOf(ParseTime("1.5ps")), HasSubstr("finer than a picosecond"));
    EXPECT_THAT(ErrorOf(ParseBytes("0.3B")), HasSubstr("finer than a byte"));
    EXPECT_THAT(ErrorOf(ParseBytes("0.0001KiB")), HasSubstr("finer than a byte"));
    EXPECT_THAT(ErrorOf(ParseRate("0.5bps")), HasSubstr("finer than a bit per second"));
}

TEST(Quantity, EveryMalformedTextIsAnError)
{
    EXPECT_THAT(ErrorOf(ParseTime("")), HasSubstr("not a number"));
    EXPECT_THAT(ErrorOf(ParseTime("us")), HasSubstr("not a number"));
    EXPECT_THAT(ErrorOf(ParseTime(".")), HasSubstr("not a number"));
    EXPECT_THAT(ErrorOf(ParseTime("-1us")), HasSubstr("negative"));
    EXPECT_THAT(ErrorOf(ParseTime("1uss")), HasSubstr("did you mean 'us'"));
    EXPECT_THAT(ErrorOf(ParseTime("1us 2")), HasSubstr("unknown unit"));
    EXPECT_THAT(ErrorOf(ParseTime("1e99s")), HasSubstr("too many digits"));
    EXPECT_THAT(ErrorOf(ParseTime("1e-99s")), HasSubstr("too many digits"));
    EXPECT_THAT(ErrorOf(ParseTime("99999999999999999999999999s")), HasSubstr("too many digits"));
    EXPECT_THAT(ErrorOf(ParseTime("99999999s")), HasSubstr("too large"));
    EXPECT_THAT(ErrorOf(ParseRate("18446744073709551615bps")), HasSubstr("too large"));
    EXPECT_THAT(ErrorOf(ParseRate("100Gpbs")), HasSubstr("did you mean 'Gbps'"));
    EXPECT_THAT(ErrorOf(ParseRate("100GB/s")), HasSubstr("unknown unit 'GB/s'"));
    EXPECT_THAT(ErrorOf(ParseBytes("1mb")), HasSubstr("unknown unit"));
    EXPECT_THAT(ErrorOf(ParseFraction("1/0")), HasSubstr("not 0"));
    EXPECT_THAT(ErrorOf(ParseFraction("0.5/2")), HasSubstr("whole numbers"));
    EXPECT_THAT(ErrorOf(ParseFraction("-0.5")), HasSubstr("negative"));
    EXPECT_THAT(ErrorOf(ParseFraction("0.5us")), HasSubstr("'us' after the number"));
    EXPECT_THAT(ErrorOf(ParseFraction("1e-25")), HasSubstr("too many digits"));
}

TEST(Quantity, TextIsShortAndReadsBackToTheSameValue)
{
    EXPECT_EQ(ToString(SimTime::Microseconds(1)), "1us");
    EXPECT_EQ(ToString(SimTime{1'500'000}), "1.5us");
    EXPECT_EQ(ToString(SimTime{67'108'864'000}), "67.108864ms"); // 4.096 us x 2^14
    EXPECT_EQ(ToString(SimTime{}), "0ps");
    EXPECT_EQ(ToString(SimTime::Never()), "never");
    EXPECT_EQ(ToString(ByteCount{33'554'432}), "32MiB");
    EXPECT_EQ(ToString(ByteCount{400'000}), "400KB");
    EXPECT_EQ(ToString(ByteCount{1500}), "1500B");
    EXPECT_EQ(ToString(ByteCount{6'400'000}), "6400KB"); // also 6250KiB
    EXPECT_EQ(ToString(ByteCount{1024}), "1KiB");
    EXPECT_EQ(ToString(BitRate::Gbps(1600)), "1.6Tbps");
    EXPECT_EQ(ToString(BitRate{}), "0bps");
    EXPECT_EQ(ToString(BitRate{1'000'000'001}), "1.000000001Gbps");
    EXPECT_EQ(ToString(Fraction{1, 256}), "1/256");
    EXPECT_EQ(ToString(Fraction{1, 5}), "0.2");
    EXPECT_EQ(ToString(Fraction{1, 3}), "1/3");
    EXPECT_EQ(ToString(Fraction{3, 1}), "3");

    for (const uint64_t value : {uint64_t{1},
                                 uint64_t{999},
                                 uint64_t{1001},
                                 uint64_t{123'456'789},
                                 uint64_t{1} << 40,
                                 UINT64_MAX - 1})
    {
        EXPECT_EQ(*ParseTime(ToString(SimTime{value})), SimTime{value});
        EXPECT_EQ(*ParseBytes(ToString(ByteCount{value})), ByteCount{value});
        EXPECT_EQ(*ParseRate(ToString(BitRate{value})), BitRate{value});
        EXPECT_EQ(*ParseFraction(ToString(Fraction{value, 1})), (Fraction{value, 1}));
    }
}

} // namespace ns3::rdma
