// SPDX-License-Identifier: GPL-2.0-only
#include "host/nic-profile.h"
#include "tests/support/temporary-folder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::Contains;
using testing::ElementsAre;

TEST(NicProfile, IsIdealByDefault)
{
    EXPECT_TRUE(NicProfile{}.IsIdeal());
}

TEST(NicProfile, IsNotIdealWithAnyCost)
{
    NicProfile profile;
    profile.hostPoll = SimTime::Nanoseconds(1);
    EXPECT_FALSE(profile.IsIdeal());
    profile = {};
    profile.pcieGeneration = 3;
    profile.pcieLanes = 16;
    EXPECT_FALSE(profile.IsIdeal());
}

TEST(NicProfile, LinkRateIsThatOfThePublishedModel)
{
    // Neugebauer et al., SIGCOMM 2018, section 3: of a link Gen3 x8 57.88 Gb/s are left to
    // transaction packets; their model takes 8 B each 203 symbols for acknowledgements and for
    // credits, and 4 in 1538 for clock compensation.
    NicProfile profile;
    profile.pcieGeneration = 3;
    profile.pcieLanes = 8;
    profile.pcieLinkOverhead = Fraction{16 * 1538 + 4 * 203, 203 * 1538};
    EXPECT_NEAR(static_cast<double>(profile.GetLinkRate().bps), 57.88e9, 0.005e9);
}

TEST(NicProfile, OldGenerationsLoseAFifthToEncoding)
{
    NicProfile profile;
    profile.pcieGeneration = 1;
    profile.pcieLanes = 1;
    EXPECT_EQ(profile.GetLinkRate(), BitRate::Gbps(2)); // 2.5 GT/s x 8/10
}

TEST(FindNicProfile, KnowsItsOwn)
{
    EXPECT_THAT(GetNicProfileNames(), ElementsAre("generic-100g", "ideal"));
    const auto ideal = FindNicProfile("ideal");
    ASSERT_TRUE(ideal);
    EXPECT_TRUE(ideal->IsIdeal());
    const auto generic = FindNicProfile("generic-100g");
    ASSERT_TRUE(generic) << ToString(generic.Errors());
    EXPECT_EQ(generic->name, "generic-100g");
    EXPECT_FALSE(generic->IsIdeal());
    // A port of 100 Gb/s must not wait for the link: 256 B of payload travel with 20 B of headers.
    EXPECT_GT(generic->GetLinkRate().bps * 256 / 276, BitRate::Gbps(100).bps);
}

TEST(FindNicProfile, NamesTheKnownOnes)
{
    const auto profile = FindNicProfile("generic-10g");
    ASSERT_FALSE(profile);
    const Diagnostic& error = profile.Errors().front();
    EXPECT_EQ(error.message, "unknown NIC profile");
    EXPECT_EQ(error.got, "generic-10g");
    EXPECT_EQ(error.nearest, "generic-100g");
    EXPECT_THAT(error.knownNames, ElementsAre("generic-100g", "ideal"));
}

TEST(FindNicProfile, SaysThatAFileIsNotThere)
{
    const auto profile = FindNicProfile("./nowhere.yaml");
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.Errors().front().message, "cannot read the NIC profile");
}

TEST(FindNicProfile, ReadsTheUsersFile)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "mine.yaml").string();
    std::ofstream{path} << "nic: {processing_units: {value: 0, source: mine}}\n";
    const auto profile = FindNicProfile(path);
    ASSERT_FALSE(profile);
    EXPECT_THAT(profile.Errors(),
                Contains(testing::AllOf(testing::Field(&Diagnostic::key, "nic.processing_units"),
                                        testing::Field(&Diagnostic::file, path),
                                        testing::Field(&Diagnostic::expected, "1 .. 1024"))));
}

} // namespace

} // namespace ns3::rdma
