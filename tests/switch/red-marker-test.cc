// SPDX-License-Identifier: GPL-2.0-only
#include "switch/red-marker.h"

#include "ns3/string.h"

#include <gmock/gmock.h>
#include <tuple>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Ptr<RedMarker>
MakeMarker(const std::vector<std::pair<std::string, std::string>>& attributes)
{
    const auto marker = CreateObject<RedMarker>();
    for (const auto& [name, value] : attributes)
    {
        marker->SetAttribute(name, StringValue(value));
    }
    return marker;
}

/** Kmin 500 KB, Kmax 2000 KB, Pmax 5 %, whatever the rate. */
Ptr<RedMarker>
MakeTestPlanMarker()
{
    return MakeMarker(
        {{"Kmin", "500KB"}, {"Kmax", "2000KB"}, {"Pmax", "5%"}, {"ReferenceRate", "0bps"}});
}

/** The highest queue that is never marked and the lowest that always is, by bisection. */
std::pair<uint64_t, uint64_t>
FindThresholds(const RedMarker& marker, uint16_t port)
{
    const auto share = [&](uint64_t queueBytes)
    {
        RandomStream random{1, "probe"};
        int marked = 0;
        for (int i = 0; i < 64; ++i)
        {
            marked += marker.ShouldMark(port, queueBytes, random) ? 1 : 0;
        }
        return marked;
    };
    uint64_t low = 0;
    uint64_t high = uint64_t{1} << 32;
    while (high - low > 1)
    {
        const uint64_t middle = (low + high) / 2;
        (share(middle) == 64 ? high : low) = middle;
    }
    return {low, high};
}

// sonic-mgmt's ECN test plan: 2010 packets of 1 KB leave a queue, each seeing what stays behind,
// 2009 .. 0 KB. The first ten (2009 .. 2000) are all marked, the last 500 (499 .. 0) and the one at
// Kmin never. Expected: 10 + 0.05 / 1500 x (1 + ... + 1499) = 10 + 37.475; standard deviation
// sqrt(sum of p (1 - p)) = 6.02, so that of a mean of 200 runs is 0.4257.
TEST(RedMarker, MarksAsOftenAsTheTestPlanExpects)
{
    constexpr int RUNS = 200;
    const auto marker = MakeTestPlanMarker();
    ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100)}));
    uint64_t marked = 0;
    for (int run = 0; run < RUNS; ++run)
    {
        RandomStream random{static_cast<uint64_t>(run), "s/port0/mark"};
        for (uint64_t packet = 0; packet < 2010; ++packet)
        {
            const bool isMarked = marker->ShouldMark(0, (2009 - packet) * 1000, random);
            ASSERT_TRUE(isMarked || packet >= 10) << packet;
            ASSERT_FALSE(isMarked && packet >= 1509) << packet;
            marked += isMarked ? 1 : 0;
        }
    }
    EXPECT_NEAR(static_cast<double>(marked) / RUNS, 47.475, 4 * 0.4257);
}

// Half way between the thresholds the probability is half of Pmax: 0.025 of 40 000 are 1000, with
// standard deviation sqrt(40 000 x 0.025 x 0.975) = 31.2. Just below Kmax it is Pmax: 2000 +- 43.6.
TEST(RedMarker, ProbabilityGrowsLinearly)
{
    const auto marker = MakeTestPlanMarker();
    ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100)}));
    const auto count = [&](uint64_t queueBytes)
    {
        RandomStream random{3, "linear"};
        int marked = 0;
        for (int i = 0; i < 40'000; ++i)
        {
            marked += marker->ShouldMark(0, queueBytes, random) ? 1 : 0;
        }
        return marked;
    };
    EXPECT_NEAR(count(1'250'000), 1000, 4 * 31.2);
    EXPECT_NEAR(count(1'999'999), 2000, 4 * 43.6);
    EXPECT_EQ(count(500'000), 0);
    EXPECT_EQ(count(2'000'000), 40'000);
}

// A switch asks only from the floor on: no queue below it may ever be marked, and it is the
// smallest that may.
TEST(RedMarker, NothingBelowTheFloorIsMarked)
{
    for (const auto& [kmin, kmax, floor] :
         {std::tuple{"500KB", "2000KB", 500'001U}, {"100KB", "100KB", 100'000U}, {"0B", "0B", 0U}})
    {
        const auto marker = MakeMarker({{"Kmin", kmin}, {"Kmax", kmax}, {"ReferenceRate", "0bps"}});
        ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100)}));
        EXPECT_EQ(marker->GetFloor(0), floor);
    }
}

TEST(RedMarker, EqualThresholdsAreAStep)
{
    const auto marker =
        MakeMarker({{"Kmin", "100KB"}, {"Kmax", "100KB"}, {"ReferenceRate", "0bps"}});
    ASSERT_TRUE(marker->SetUp({BitRate::Gbps(100)}));
    RandomStream random{1, "step"};
    EXPECT_FALSE(marker->ShouldMark(0, 99'999, random));
    EXPECT_TRUE(marker->ShouldMark(0, 100'000, random));
}

// Li et al., SIGCOMM 2019, section 5.1: 100 and 400 KB per 25 Gb/s; so Kmax is 1.6 MB at 100 Gb/s,
// 160 KB at 10, 25.6 MB at 1.6 Tb/s.
TEST(RedMarker, DefaultThresholdsGrowWithTheRate)
{
    const auto marker = MakeMarker({});
    const auto notes = marker->SetUp({BitRate::Gbps(25),
                                      BitRate::Gbps(100),
                                      BitRate::Gbps(10),
                                      BitRate::Gbps(1600),
                                      BitRate::Mbps(10)});
    ASSERT_TRUE(notes);
    EXPECT_THAT(*notes, IsEmpty());
    EXPECT_EQ(FindThresholds(*marker, 0).second, 400'000U);
    EXPECT_EQ(FindThresholds(*marker, 1).second, 1'600'000U);
    EXPECT_EQ(FindThresholds(*marker, 2).second, 160'000U);
    EXPECT_EQ(FindThresholds(*marker, 3).second, 25'600'000U);
    EXPECT_EQ(FindThresholds(*marker, 4).second, 160U);
}

// Listed rates are taken as they are; 50 Gb/s is nearest to 25 (25 away, 100 is 50 away): doubled,
// and said.
TEST(RedMarker, ListByRateScalesTheNearestAndSaysSo)
{
    const auto marker =
        MakeMarker({{"Thresholds", "25Gbps 100KB 400KB 0.2, 100Gbps 500KB 900KB 0.5"}});
    const auto notes = marker->SetUp({BitRate::Gbps(25), BitRate::Gbps(100), BitRate::Gbps(50)});
    ASSERT_TRUE(notes);
    EXPECT_THAT(*notes,
                ElementsAre(testing::AllOf(HasSubstr("50Gbps"),
                                           HasSubstr("25Gbps"),
                                           HasSubstr("Kmin 200KB"),
                                           HasSubstr("Kmax 800KB"))));
    EXPECT_EQ(FindThresholds(*marker, 0).second, 400'000U);
    EXPECT_EQ(FindThresholds(*marker, 1).second, 900'000U);
    EXPECT_EQ(FindThresholds(*marker, 2).second, 800'000U);
}

TEST(RedMarker, WrongListIsNamed)
{
    for (const char* list : {"25Gbps 100KB 400KB",
                             "25 100KB 400KB 0.2",
                             "25Gbps 100 400KB 0.2",
                             "25Gbps 100KB 400KB x",
                             "25Gbps 100KB 400KB 0.2 7",
                             "25Gbps 100KB 400KB 0.2,"})
    {
        const auto result = MakeMarker({{"Thresholds", list}})->SetUp({BitRate::Gbps(25)});
        if (std::string{list}.ends_with(','))
        {
            EXPECT_TRUE(result) << "a comma at the end says nothing";
            continue;
        }
        ASSERT_FALSE(result) << list;
        EXPECT_EQ(result.Errors().front().key, "switch.marking.thresholds");
        EXPECT_EQ(result.Errors().front().got, list);
    }
}

TEST(RedMarker, KminAboveKmaxIsAnError)
{
    const auto result =
        MakeMarker({{"Kmin", "500KB"}, {"Kmax", "400KB"}})->SetUp({BitRate::Gbps(25)});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.Errors().front().key, "switch.marking.kmin");

    const auto listed = MakeMarker({{"Thresholds", "25Gbps 500KB 400KB 0.2"}});
    const auto refused = listed->SetUp({BitRate::Gbps(25)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.Errors().front().key, "switch.marking.thresholds");
}

TEST(RedMarker, ProbabilityAboveOneIsAnError)
{
    EXPECT_FALSE(CreateObject<RedMarker>()->SetAttributeFailSafe("Pmax", StringValue("1.5")));
    const auto listed = MakeMarker({{"Thresholds", "25Gbps 100KB 400KB 1.5"}});
    EXPECT_FALSE(listed->SetUp({BitRate::Gbps(25)}));
}

} // namespace
} // namespace ns3::rdma
