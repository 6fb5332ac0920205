// SPDX-License-Identifier: GPL-2.0-only
#include "host/built-in-profiles.h"
#include "host/nic-profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** The ideal profile with a piece of its text replaced. */
std::string
IdealWith(const std::string& before, const std::string& after)
{
    for (const BuiltInProfile& profile : GetBuiltInProfiles())
    {
        if (profile.name == "ideal")
        {
            std::string text{profile.text};
            const auto position = text.find(before);
            EXPECT_NE(position, std::string::npos) << before;
            return text.replace(position, before.size(), after);
        }
    }
    ADD_FAILURE() << "no ideal profile";
    return "";
}

/** The only finding in a text; a finding without message if there are more or none. */
Diagnostic
TheError(const std::string& text)
{
    const auto profile = ReadNicProfile(text, "mine.yaml");
    if (profile || profile.Errors().size() != 1)
    {
        ADD_FAILURE() << (profile ? "no finding" : ToString(profile.Errors()));
        return {};
    }
    return profile.Errors().front();
}

TEST(ReadNicProfile, TakesValuesWithTheirUnits)
{
    const auto profile =
        ReadNicProfile(IdealWith("poll:\n    value: 0ns", "poll:\n    value: 1us"), "mine.yaml");
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->name, "mine.yaml");
    EXPECT_EQ(profile->hostPoll, SimTime::Microseconds(1));
}

TEST(ReadNicProfile, NamesAnUnknownKeyAndItsLine)
{
    const Diagnostic error =
        TheError(IdealWith("nic:\n", "nic:\n  pol: {value: 1ns, source: mine}\n"));
    EXPECT_EQ(error.message, "unknown key");
    EXPECT_EQ(error.key, "nic.pol");
    EXPECT_EQ(error.file, "mine.yaml");
    EXPECT_GT(error.line, 1U);
    EXPECT_THAT(error.knownNames, testing::Contains("host.poll"));
}

TEST(ReadNicProfile, WantsAUnit)
{
    const Diagnostic error = TheError(IdealWith("poll:\n    value: 0ns", "poll:\n    value: 50"));
    EXPECT_EQ(error.key, "host.poll");
    EXPECT_EQ(error.got, "50");
    EXPECT_NE(error.expected, "");
}

TEST(ReadNicProfile, WantsASource)
{
    const Diagnostic error = TheError(IdealWith("poll:\n    value: 0ns\n    source: >-\n"
                                                "      definition of an ideal NIC\n",
                                                "poll: 50ns\n"));
    EXPECT_EQ(error.key, "host.poll");
    EXPECT_EQ(error.message, "not a value with its source");
}

TEST(ReadNicProfile, WantsEveryKeyOnce)
{
    const std::string entry = "  poll:\n    value: 0ns\n    source: >-\n"
                              "      definition of an ideal NIC\n";
    EXPECT_EQ(TheError(IdealWith(entry, "")).message, "missing");
    EXPECT_EQ(TheError(IdealWith(entry, entry + entry)).message, "given twice");
}

TEST(ReadNicProfile, ChecksRanges)
{
    EXPECT_EQ(TheError(IdealWith("poll:\n    value: 0ns", "poll:\n    value: never")).expected,
              "0ps .. 1s");
    EXPECT_EQ(TheError(IdealWith("overhead:\n    value: 0", "overhead:\n    value: 1")).expected,
              "0 .. <1");
    EXPECT_EQ(TheError(IdealWith("units:\n    value: 1", "units:\n    value: 1.5")).message,
              "not a whole number");
}

TEST(ReadNicProfile, ALinkHasAGenerationAndPacketSizes)
{
    const auto profile =
        ReadNicProfile(IdealWith("lanes:\n    value: 0", "lanes:\n    value: 16"), "mine.yaml");
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.Errors().size(), 3U); // generation, max_payload, max_read_request
}

TEST(ReadNicProfile, SaysWhereYamlEnds)
{
    const Diagnostic error = TheError("pcie: {\n  lanes: ]\n");
    EXPECT_EQ(error.line, 2U);
    EXPECT_EQ(TheError("[1, 2]").message, "a profile has the groups pcie, host and nic");
}

} // namespace

} // namespace ns3::rdma
