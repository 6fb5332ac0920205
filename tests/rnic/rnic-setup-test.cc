// SPDX-License-Identifier: GPL-2.0-only
#include "host/built-in-profiles.h"
#include "tests/support/temporary-folder.h"
#include "tests/support/verbs-bench.h"

#include "ns3/string.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** One cable of 100 Gb/s and 1 us between two hosts with a profile. */
Scenario
MakeCostly(const std::string& profile)
{
    Scenario scenario =
        MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.nic.Set("Profile", StringValue{profile});
    return scenario;
}

/** When the first completion of a request of a came. */
SimTime
CompletionTime(const std::string& profile, SendRequest request, uint32_t bytes)
{
    VerbsBench bench{MakeCostly(profile)};
    const Qpn qp = bench.Connect(VerbsBench::MakeAttributes(), {.maxInlineBytes = 64}).a;
    request.rkey = bench.b.GetKey();
    EXPECT_TRUE(bench.a.Post(qp, request, bytes).IsOk());
    bench.Run();
    if (bench.a.completions.size() != 1)
    {
        ADD_FAILURE() << bench.a.completions.size() << " completions";
        return {};
    }
    EXPECT_EQ(bench.a.completions[0].completion.status, CompletionStatus::SUCCESS);
    return bench.a.completions[0].time;
}

// Of generic-100g (model/host/profiles), in ps; the link moves a byte in 8e12 / 113.7 Gb/s.
constexpr uint64_t POST = 75'000;
constexpr uint64_t DOORBELL = 100'000;
constexpr uint64_t POLL = 50'000;
constexpr uint64_t REQUEST = 2'330;
constexpr uint64_t PACKET = 2'320;
constexpr uint64_t PASS = 120'000; ///< each way
constexpr uint64_t VISIBLE = 226'600;
constexpr uint64_t READ_TRIP = 546'700; ///< also the cost of a context miss, and of an atomic

/** Time of so many bytes on the link; rounded down. */
uint64_t
Link(uint64_t bytes)
{
    return ByteTime{FindNicProfile("generic-100g")->GetLinkRate()}.Of(bytes).ps;
}

/** What an ideal interface takes for the same. */
uint64_t
Ideal(const SendRequest& request, uint32_t bytes)
{
    return CompletionTime("ideal", request, bytes).ps;
}

TEST(RnicCosts, AnInlineWriteCostsTheSumOfItsSteps)
{
    const SendRequest write{.flags = SEND_SIGNALED | SEND_INLINE};
    // Both contexts are fetched; then request and acknowledgement pass, and the completion.
    const uint64_t there = POST + DOORBELL + REQUEST + READ_TRIP + PASS;
    const uint64_t receiver = PACKET + READ_TRIP + PASS;
    const uint64_t back = PACKET + PASS + Link(64 + 24) + VISIBLE + POLL;
    EXPECT_EQ(CompletionTime("generic-100g", write, 8).ps,
              Ideal(write, 8) + there + receiver + back);
}

TEST(RnicCosts, WithoutInlineThePayloadIsReadToo)
{
    const SendRequest inlined{.flags = SEND_SIGNALED | SEND_INLINE};
    const SendRequest fetched{.flags = SEND_SIGNALED};
    EXPECT_EQ(CompletionTime("generic-100g", fetched, 8).ps,
              CompletionTime("generic-100g", inlined, 8).ps + READ_TRIP + Link(8 + 20));
}

TEST(RnicCosts, AReadCostsTheSumOfItsSteps)
{
    const SendRequest read{.opcode = SendOpcode::RDMA_READ};
    const uint64_t there = POST + DOORBELL + REQUEST + READ_TRIP + PASS;
    const uint64_t memory = READ_TRIP + Link(8 + 20) + PASS;
    const uint64_t receiver = PACKET + READ_TRIP + PASS + memory;
    const uint64_t back = PACKET + PASS + Link(8 + 24) + Link(64 + 24) + VISIBLE + POLL;
    EXPECT_EQ(CompletionTime("generic-100g", read, 8).ps, Ideal(read, 8) + there + receiver + back);
}

TEST(RnicCosts, AnAtomicCostsTheSumOfItsSteps)
{
    const SendRequest add{.opcode = SendOpcode::ATOMIC_FETCH_AND_ADD};
    const uint64_t there = POST + DOORBELL + REQUEST + READ_TRIP + PASS;
    const uint64_t receiver = PACKET + READ_TRIP + PASS + READ_TRIP + PASS;
    const uint64_t back = PACKET + PASS + Link(64 + 24) + VISIBLE + POLL;
    EXPECT_EQ(CompletionTime("generic-100g", add, 8).ps, Ideal(add, 8) + there + receiver + back);
}

TEST(RnicCosts, AMessageOfSeveralPacketsIsSeenOnce)
{
    VerbsBench bench{MakeCostly("generic-100g")};
    const Qpn qp = bench.Connect().a;
    EXPECT_TRUE(bench.a.Post(qp, {.rkey = bench.b.GetKey()}, 3000).IsOk());
    bench.Run();
    EXPECT_THAT(bench.b.delivered, testing::ElementsAre(3000));
}

TEST(RnicCosts, AQueuePairThatGoesAwayLeavesNothing)
{
    VerbsBench bench{MakeCostly("generic-100g")};
    const Qpn qp = bench.Connect().a;
    EXPECT_TRUE(bench.a.Post(qp, {.rkey = bench.b.GetKey()}, 3000).IsOk());
    EXPECT_EQ(bench.a.GetDevice().DestroyQueuePair(qp, {}), VerbsError::NONE);
    bench.Run();
    EXPECT_TRUE(bench.a.completions.empty());
    EXPECT_TRUE(bench.b.delivered.empty());
}

TEST(RnicCosts, AUsersProfileLimitsInlineData)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "mine.yaml").string();
    std::string text;
    for (const BuiltInProfile& profile : GetBuiltInProfiles())
    {
        text = profile.name == "generic-100g" ? profile.text : text;
    }
    const std::string limit = "inline_limit:\n    value: 1024B";
    ASSERT_NE(text.find(limit), std::string::npos);
    std::ofstream{path} << text.replace(
        text.find(limit), limit.size(), "inline_limit:\n    value: 100B");
    VerbsBench bench{MakeCostly(path)};
    EXPECT_EQ(bench.a.GetDevice().GetLimits().maxInlineBytes, 100U);
}

TEST(RnicCosts, AnUnknownProfileIsNamedWithItsKey)
{
    const auto device = CreateObject<Rnic>();
    device->SetAttribute("Profile", StringValue{"fast"});
    const Diagnostics errors = device->CheckSettings();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "profile");
    EXPECT_THAT(errors[0].knownNames, testing::Contains("ideal"));
}

} // namespace

} // namespace ns3::rdma
