// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "engine/random-stream.h"
#include "switch/headroom.h"
#include "switch/shared-buffer.h"

#include "ns3/string.h"

#include <array>
#include <deque>
#include <gmock/gmock.h>
#include <string>

namespace ns3::rdma
{
namespace
{

/** Sizes that a test sets; what it leaves at zero keeps the buffer's default. */
struct Sizes
{
    uint64_t size{24'000'000};
    uint64_t headroom{96'928};
    uint64_t headroomPool{6'000'000};
    uint64_t reserve{0};
    uint64_t xoff{0};
    uint64_t xon{1248};
    uint64_t xonOffset{2496};
    Fraction alpha{1, 8};
    Fraction egressAlpha{1, 2};
};

Ptr<SharedBuffer>
MakeBuffer(const Sizes& sizes)
{
    const auto buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("Size", ByteCountValue(ByteCount{sizes.size}));
    buffer->SetAttribute("Headroom", ByteCountValue(ByteCount{sizes.headroom}));
    buffer->SetAttribute("HeadroomPool", ByteCountValue(ByteCount{sizes.headroomPool}));
    buffer->SetAttribute("Reserve", ByteCountValue(ByteCount{sizes.reserve}));
    buffer->SetAttribute("Xoff", ByteCountValue(ByteCount{sizes.xoff}));
    buffer->SetAttribute("Xon", ByteCountValue(ByteCount{sizes.xon}));
    buffer->SetAttribute("XonOffset", ByteCountValue(ByteCount{sizes.xonOffset}));
    buffer->SetAttribute("Alpha", FractionValue(sizes.alpha));
    buffer->SetAttribute("EgressAlpha", FractionValue(sizes.egressAlpha));
    return buffer;
}

/** Ports of 40 Gb/s at 1.5 us, priorities 3 and 4 lossless, frames of up to 1564 bytes. */
BufferSetup
MakeSetup(uint32_t ports)
{
    BufferSetup setup;
    for (uint32_t port = 0; port < ports; ++port)
    {
        setup.ports.push_back(
            {"p" + std::to_string(port), BitRate::Gbps(40), SimTime::Nanoseconds(1500)});
    }
    setup.pfc.lossless = PriorityBit(3) | PriorityBit(4);
    setup.maxFrameBytes = 1564;
    return setup;
}

/** A buffer with the attributes of a named set, as a scenario would have it. */
Ptr<SharedBuffer>
MakeNamedBuffer(std::string_view name)
{
    const auto buffer = CreateObject<SharedBuffer>();
    bool isKnown = false;
    for (const ParameterSet& set : buffer->GetParameterSets())
    {
        if (set.name != name)
        {
            continue;
        }
        isKnown = true;
        for (const ParameterSet::Entry& entry : set.entries)
        {
            buffer->SetAttribute(std::string{entry.attribute},
                                 StringValue(std::string{entry.value}));
        }
    }
    EXPECT_TRUE(isKnown) << name;
    return buffer;
}

/** A buffer as published for Azure's fabric: 24 MB, 18 MB of them a dynamic pool. */
Ptr<SharedBuffer>
MakeAzureBuffer(uint32_t ports, Sizes sizes = {})
{
    const auto buffer = MakeBuffer(sizes);
    EXPECT_TRUE(buffer->SetUp(MakeSetup(ports)));
    return buffer;
}

Admission
Offer(SharedBuffer& buffer, uint16_t port, uint32_t bytes, uint8_t priority = 3)
{
    return buffer.Admit({.ingress = port, .priority = priority, .bytes = bytes});
}

/** Offers frames of 1000 bytes until one pauses. @return how many went in, that one included */
uint64_t
FillToPause(SharedBuffer& buffer, uint16_t port, uint8_t priority = 3)
{
    for (uint64_t frames = 1;; ++frames)
    {
        const Admission admission = Offer(buffer, port, 1000, priority);
        EXPECT_TRUE(admission.isAccepted);
        if (admission.pauses || !admission.isAccepted)
        {
            return frames;
        }
    }
}

// ------------------------------------------- Bai et al., NSDI 2023, appendix B: alpha 1/8, 18 MB

// One queue: q >= (18 MB - q) / 8 from 9 q = 18 MB on, q = 2 000 000: the 2000th frame of 1000.
TEST(SharedBuffer, PausesAtAnEighthOfTheFreePool)
{
    const auto buffer = MakeAzureBuffer(4);
    EXPECT_EQ(buffer->GetSharedSize().value, 18'000'000U);
    EXPECT_EQ(FillToPause(*buffer, 0), 2000U);
    EXPECT_EQ(buffer->GetHeldBytes(), 2'000'000U);
}

// A byte less does not pause, the byte does.
TEST(SharedBuffer, PausesAtTheByte)
{
    const auto buffer = MakeAzureBuffer(4);
    for (int n = 0; n < 1999; ++n)
    {
        ASSERT_FALSE(Offer(*buffer, 0, 1000).pauses);
    }
    EXPECT_FALSE(Offer(*buffer, 0, 999).pauses);
    EXPECT_TRUE(Offer(*buffer, 0, 1).pauses);
}

// n queues that grow alike reach q = (18 MB - n q) / 8 at q = 18 MB / (8 + n): 1 MB for ten. The
// first frame that brings a queue there pauses it.
TEST(SharedBuffer, ThresholdFallsAsThePoolFills)
{
    constexpr uint16_t QUEUES = 10;
    const auto buffer = MakeAzureBuffer(QUEUES);
    uint64_t frames = 0;
    bool pauses = false;
    while (!pauses)
    {
        pauses = Offer(*buffer, static_cast<uint16_t>(frames % QUEUES), 1000).pauses;
        ++frames;
    }
    // With 9998 frames in, queue 8 gets its 1000th: 8 x 1 000 000 >= 18 MB - 9 999 000 does not
    // hold yet by 1000 bytes; queue 9 with 10 000 frames makes it equal.
    EXPECT_EQ(frames, 10'000U);
}

// Random frames and releases on eight queues against the rule itself, in a ledger of the test's
// own: PAUSE exactly when 8 q >= 18 MB - used.
TEST(SharedBuffer, PausesExactlyWhenTheRuleSays)
{
    constexpr uint64_t POOL = 18'000'000;
    const auto buffer = MakeAzureBuffer(8);
    RandomStream random{7, "shared-buffer"};
    std::array<uint64_t, 8> queue{};
    std::array<std::deque<uint32_t>, 8> frames;
    uint64_t used = 0;
    uint64_t pauses = 0;
    for (int step = 0; step < 200'000; ++step)
    {
        const auto port = static_cast<uint16_t>(random.NextBelow(8));
        const bool isPaused = 8 * queue[port] >= POOL - used;
        if (!isPaused && random.NextBelow(100) < 70)
        {
            const auto bytes = static_cast<uint32_t>(64 + random.NextBelow(1500));
            queue[port] += bytes;
            used += bytes;
            frames[port].push_back(bytes);
            const Admission admission = Offer(*buffer, port, bytes);
            ASSERT_TRUE(admission.isAccepted);
            ASSERT_EQ(admission.pauses, 8 * queue[port] >= POOL - used) << step;
            pauses += admission.pauses ? 1 : 0;
        }
        else if (!frames[port].empty())
        {
            const uint32_t bytes = frames[port].front();
            frames[port].pop_front();
            queue[port] -= bytes;
            used -= bytes;
            buffer->Release(port, 3, bytes);
        }
        ASSERT_EQ(buffer->GetHeldBytes(), used);
    }
    EXPECT_GT(pauses, 100U);
}

// Behind the pause 96 928 bytes fit: 96 frames of 1000 and one of 928. Then nothing.
TEST(SharedBuffer, HeadroomOfAQueueIsUsedToTheByte)
{
    const auto buffer = MakeAzureBuffer(4);
    FillToPause(*buffer, 0);
    for (int n = 0; n < 96; ++n)
    {
        const Admission admission = Offer(*buffer, 0, 1000);
        ASSERT_TRUE(admission.isAccepted);
        ASSERT_TRUE(admission.pauses);
    }
    EXPECT_FALSE(Offer(*buffer, 0, 929).isAccepted);
    EXPECT_TRUE(Offer(*buffer, 0, 928).isAccepted);
    const Admission refused = Offer(*buffer, 0, 64);
    EXPECT_FALSE(refused.isAccepted);
    EXPECT_EQ(refused.reason, DropReason::HEADROOM_FULL);
    EXPECT_EQ(buffer->GetHeldBytes(), 2'096'928U);
}

// 80 queues at a fixed threshold of 100 000; each may take 96 frames of 1000 in headroom, but the
// pool of 6 MB ends after 6000: 62 queues with 96 frames and one with 48.
TEST(SharedBuffer, HeadroomPoolIsSharedToTheByte)
{
    Sizes sizes;
    sizes.xoff = 100'000;
    const auto buffer = MakeAzureBuffer(40, sizes);
    for (uint16_t queue = 0; queue < 80; ++queue)
    {
        ASSERT_EQ(FillToPause(*buffer, queue / 2, queue % 2 == 0 ? 3 : 4), 100U);
    }
    const uint64_t before = buffer->GetHeldBytes();
    uint64_t accepted = 0;
    for (uint16_t queue = 0; queue < 80; ++queue)
    {
        for (int n = 0; n < 96; ++n)
        {
            accepted += Offer(*buffer, queue / 2, 1000, queue % 2 == 0 ? 3 : 4).isAccepted ? 1 : 0;
        }
        ASSERT_EQ(accepted, std::min<uint64_t>(96 * (queue + 1), 6000)) << queue;
    }
    EXPECT_EQ(buffer->GetHeldBytes(), before + 6'000'000);
}

// ----------------------------------------------------- named sets: the same by their names

// The set's pool is 18 MB to the byte, reserves of 1248 bytes included: one queue pauses at q with
// 8 q >= 18 MB - q, which is 2 000 000 and no byte before.
TEST(SharedBuffer, NamedAzureSetPausesAtTheByte)
{
    const auto buffer = MakeNamedBuffer("azure");
    ASSERT_TRUE(buffer->SetUp(MakeSetup(32)));
    EXPECT_EQ(buffer->GetSharedSize().value, 18'000'000U);
    for (int n = 0; n < 1999; ++n)
    {
        ASSERT_FALSE(Offer(*buffer, 0, 1000).pauses);
    }
    EXPECT_FALSE(Offer(*buffer, 0, 999).pauses);
    EXPECT_TRUE(Offer(*buffer, 0, 1).pauses);
    // 96 928 bytes of headroom, and not one more.
    for (int n = 0; n < 96; ++n)
    {
        ASSERT_TRUE(Offer(*buffer, 0, 1000).isAccepted);
    }
    EXPECT_FALSE(Offer(*buffer, 0, 929).isAccepted);
    EXPECT_TRUE(Offer(*buffer, 0, 928).isAccepted);
}

// With 11 queues at 1.6 MB, 400 000 bytes are free and the threshold is 50 000: a queue within its
// 1248 bytes goes in and pauses nobody even when the free pool is less than eight times that.
TEST(SharedBuffer, NamedAzureSetNeverPausesWithinTheReserve)
{
    const auto buffer = MakeNamedBuffer("azure");
    ASSERT_TRUE(buffer->SetUp(MakeSetup(32)));
    // Lossy frames of one queue of 6 MB, then more: the egress pool of 14 MB allows half of what is
    // free of it. Lossless queues fill the rest until the threshold is below 1248 bytes.
    for (uint16_t port = 0; port < 30; ++port)
    {
        for (uint8_t priority : {3, 4})
        {
            while (!Offer(*buffer, port, 100, priority).pauses)
            {
            }
        }
    }
    for (uint64_t queueBytes = 0; Offer(*buffer, 31, 1000, 0).isAccepted; queueBytes += 1000)
    {
    }
    const uint64_t free = 18'000'000 - buffer->GetHeldBytes();
    ASSERT_LT(free / 8, 1248U);
    const Admission within = Offer(*buffer, 31, std::min<uint32_t>(free, 1248), 3);
    EXPECT_TRUE(within.isAccepted);
    EXPECT_FALSE(within.pauses);
}

// All lossy frames together: 14 MB, however many queues they are in, and half of what is free of
// it for one: q <= (14 MB - held) / 2. A lossless egress queue may take 24 MB, which is all.
TEST(SharedBuffer, NamedAzureSetLimitsLossyFramesAtTheEgress)
{
    const auto buffer = MakeNamedBuffer("azure");
    ASSERT_TRUE(buffer->SetUp(MakeSetup(32)));
    const auto offer = [&](uint8_t priority, uint64_t queueBytes)
    {
        return buffer->Admit(
            {.ingress = 0, .priority = priority, .bytes = 1000, .egressQueueBytes = queueBytes});
    };
    EXPECT_TRUE(offer(0, 1000).isAccepted); // 1000 + 1000 are above the reserve
    EXPECT_FALSE(offer(0, 6'998'501).isAccepted);
    EXPECT_EQ(offer(0, 6'998'501).reason, DropReason::EGRESS_THRESHOLD);
    EXPECT_TRUE(offer(0, 6'998'500).isAccepted) << "(14 000 000 - 1000) / 2 - 1000";
    uint64_t accepted = 2;
    while (offer(0, 0).isAccepted)
    {
        ++accepted;
    }
    // The share of an empty queue ends when half of what is free is less than the frame.
    EXPECT_EQ(accepted, 13'999U);
    EXPECT_TRUE(offer(3, 23'999'000).isAccepted);
    const Admission beyond = offer(3, 23'999'001);
    EXPECT_FALSE(beyond.isAccepted);
    EXPECT_FALSE(beyond.pauses);
    EXPECT_EQ(beyond.reason, DropReason::EGRESS_THRESHOLD);
}

/** 32 ports whose 8 priorities all pause, as the paper counts them. */
BufferSetup
MakeTridentSetup()
{
    BufferSetup setup = MakeSetup(32);
    setup.pfc.lossless = 0xff;
    return setup;
}

// B - 8 n t_flight = 12 MB - 256 x 22.4 KB = 6 265 600; over 256 that is 24 475: the paper's
// 24.47 KB. Dynamically (beta 8): beta (6 265 600 - s) / 8, one queue pauses at half of it.
TEST(SharedBuffer, NamedTridentSetHasThePapersThresholds)
{
    const auto buffer = MakeNamedBuffer("trident2");
    ASSERT_TRUE(buffer->SetUp(MakeTridentSetup()));
    EXPECT_EQ(buffer->GetSharedSize().value, 6'265'600U);
    EXPECT_EQ(buffer->GetSharedSize().value / 256, 24'475U);
    const BufferShare paper{ByteCount{12'000'000}, 32, ByteCount{22'400}};
    EXPECT_EQ(MaxStaticPfcThreshold(paper).value, 24'475U);
    EXPECT_FALSE(Offer(*buffer, 0, 3'132'799).pauses);
    EXPECT_TRUE(Offer(*buffer, 0, 1).pauses);
    EXPECT_EQ(DynamicPfcThreshold(paper, 8, ByteCount{3'132'800}).value, 3'132'800U);
}

// ECN comes first if all 8 n egress queues stay below 8 x 6 265 600 / (8 x 32 x 9) = 21 755.6: then
// the 8 priorities of the one port that all frames came from hold 32 x 21 755 each, and none
// pauses; with 21 756 the last does.
TEST(SharedBuffer, NamedTridentSetMarksBeforeItPauses)
{
    for (const uint64_t egress : {21'755U, 21'756U})
    {
        const auto buffer = MakeNamedBuffer("trident2");
        ASSERT_TRUE(buffer->SetUp(MakeTridentSetup()));
        bool pauses = false;
        for (uint8_t priority = 0; priority < 8; ++priority)
        {
            pauses |= Offer(*buffer, 0, 32 * egress, priority).pauses;
        }
        EXPECT_EQ(pauses, egress == 21'756) << egress;
    }
}

// RESUME two MTU below: frames of 1500 and an empty switch otherwise. Paused at q = 3 132 800, it
// resumes when q + 3000 <= 6 265 600 - q: q <= 3 131 300.
TEST(SharedBuffer, NamedTridentSetResumesTwoMtuBelow)
{
    const auto buffer = MakeNamedBuffer("trident2");
    BufferSetup setup = MakeTridentSetup();
    setup.maxFrameBytes = 1500;
    ASSERT_TRUE(buffer->SetUp(setup));
    ASSERT_TRUE(Offer(*buffer, 0, 3'132'800).pauses);
    buffer->Release(0, 3, 1499);
    EXPECT_FALSE(buffer->MayResume(0, 3));
    buffer->Release(0, 3, 1);
    EXPECT_TRUE(buffer->MayResume(0, 3));
}

// --------------------------------------------------------------- headroom: who shares it

// A pool of 150 000 for each port: priority 3 takes its 96 928 of it, priority 4 what is left; the
// next port has its own.
TEST(SharedBuffer, PrioritiesOfAPortShareItsHeadroom)
{
    Sizes sizes{.headroomPool = 150'000, .xoff = 100'000};
    const auto buffer = MakeBuffer(sizes);
    buffer->SetAttribute("HeadroomSharedBy", StringValue("port"));
    const auto warnings = buffer->SetUp(MakeSetup(4));
    ASSERT_TRUE(warnings);
    EXPECT_THAT(*warnings, testing::Contains(testing::HasSubstr("headroom pool too small at p2")));
    EXPECT_EQ(buffer->GetSharedSize().value, 24'000'000U - 4 * 150'000);
    FillToPause(*buffer, 0, 3);
    FillToPause(*buffer, 0, 4);
    FillToPause(*buffer, 1, 4);
    EXPECT_TRUE(Offer(*buffer, 0, 96'928, 3).isAccepted);
    EXPECT_FALSE(Offer(*buffer, 0, 53'073, 4).isAccepted);
    EXPECT_TRUE(Offer(*buffer, 0, 53'072, 4).isAccepted);
    EXPECT_TRUE(Offer(*buffer, 1, 96'928, 4).isAccepted);
}

// Without sharing, all of it is there for each at once: 4 ports x 2 priorities.
TEST(SharedBuffer, UnsharedHeadroomIsThereForAllAtOnce)
{
    Sizes sizes{.headroomPool = 0, .xoff = 100'000};
    const auto buffer = MakeBuffer(sizes);
    buffer->SetAttribute("HeadroomSharedBy", StringValue("queue"));
    const auto warnings = buffer->SetUp(MakeSetup(4));
    ASSERT_TRUE(warnings);
    EXPECT_TRUE(warnings->empty());
    EXPECT_EQ(buffer->GetSharedSize().value, 24'000'000U - 8 * 96'928);
    for (uint16_t queue = 0; queue < 8; ++queue)
    {
        const uint8_t priority = queue % 2 == 0 ? 3 : 4;
        FillToPause(*buffer, queue / 2, priority);
        ASSERT_TRUE(Offer(*buffer, queue / 2, 96'928, priority).isAccepted) << queue;
    }
}

TEST(SharedBuffer, RefusesAPoolOfHeadroomThatNobodyShares)
{
    const auto buffer = MakeBuffer({});
    buffer->SetAttribute("HeadroomSharedBy", StringValue("queue"));
    const auto result = buffer->SetUp(MakeSetup(4));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.Errors().front().key, "switch.buffer.headroom_pool");
}

// --------------------------------------------------------- pools and limits of lossy frames

// 10 MB of the 18 are for lossy frames: they end there, though lossless ones use nothing, and
// lossless ones see a pool of 8 MB: 9 q >= 8 MB from q = 888 889 on, the 889th frame of 1000.
TEST(SharedBuffer, LossyFramesHaveAPoolOfTheirOwn)
{
    const auto buffer = MakeBuffer({});
    buffer->SetAttribute("IngressLossyPool", StringValue("10MB"));
    ASSERT_TRUE(buffer->SetUp(MakeSetup(4)));
    EXPECT_EQ(buffer->GetSharedSize().value, 8'000'000U);
    uint64_t accepted = 0;
    while (Offer(*buffer, 0, 1000, 0).isAccepted)
    {
        ++accepted;
    }
    // An empty egress queue: half of what is free must hold the frame, 2000 bytes at least.
    EXPECT_EQ(accepted, 9'999U);
    EXPECT_EQ(FillToPause(*buffer, 1), 889U);
    buffer->Release(0, 0, 1000);
    EXPECT_TRUE(Offer(*buffer, 0, 1000, 0).isAccepted);
}

TEST(SharedBuffer, FixedLimitOfALossyEgressQueue)
{
    const auto buffer = MakeBuffer({});
    buffer->SetAttribute("EgressLossyLimit", StringValue("50KB"));
    ASSERT_TRUE(buffer->SetUp(MakeSetup(4)));
    BufferArrival arrival{.priority = 0, .bytes = 1000, .egressQueueBytes = 49'001};
    EXPECT_EQ(buffer->Admit(arrival).reason, DropReason::EGRESS_THRESHOLD);
    EXPECT_FALSE(buffer->Admit(arrival).isAccepted);
    arrival.egressQueueBytes = 49'000;
    EXPECT_TRUE(buffer->Admit(arrival).isAccepted);
}

// ------------------------------------------------------------------------- cells

// 208-byte cells: frames of 64 take one, of 209 two. A fixed threshold of 100 cells is reached by
// the 100th small frame; the bytes that are held are those of the frames.
TEST(SharedBuffer, CountsInCells)
{
    const auto buffer = MakeBuffer({.xoff = 100 * 208});
    buffer->SetAttribute("Cell", StringValue("208B"));
    ASSERT_TRUE(buffer->SetUp(MakeSetup(4)));
    for (int n = 0; n < 99; ++n)
    {
        ASSERT_FALSE(Offer(*buffer, 0, 64).pauses);
    }
    EXPECT_TRUE(Offer(*buffer, 0, 64).pauses);
    EXPECT_EQ(buffer->GetHeldBytes(), 6400U);
    for (int n = 0; n < 49; ++n)
    {
        ASSERT_FALSE(Offer(*buffer, 1, 209).pauses);
    }
    EXPECT_TRUE(Offer(*buffer, 1, 209).pauses);
    // Headroom: 96 928 / 208 = 466 cells.
    for (int n = 0; n < 466; ++n)
    {
        ASSERT_TRUE(Offer(*buffer, 0, 64).isAccepted) << n;
    }
    EXPECT_EQ(Offer(*buffer, 0, 64).reason, DropReason::HEADROOM_FULL);
    for (int n = 0; n < 566; ++n)
    {
        buffer->Release(0, 3, 64);
    }
    EXPECT_EQ(buffer->GetHeldBytes(), 50U * 209);
    EXPECT_TRUE(buffer->MayResume(0, 3));
}

// ---------------------------------------------------------------------- resuming

// From q = 2 000 000 frames of 1000 leave. May resume when q <= (18 MB - q) / 8 - 2496:
// 1 998 000 > 2 000 250 - 2496 = 1 997 754, but 1 997 000 <= 2 000 375 - 2496 = 1 997 879.
TEST(SharedBuffer, ResumesAnOffsetBelowTheThreshold)
{
    const auto buffer = MakeAzureBuffer(4);
    FillToPause(*buffer, 0);
    EXPECT_FALSE(buffer->MayResume(0, 3));
    buffer->Release(0, 3, 1000);
    buffer->Release(0, 3, 1000);
    EXPECT_FALSE(buffer->MayResume(0, 3));
    buffer->Release(0, 3, 1000);
    EXPECT_TRUE(buffer->MayResume(0, 3));
}

// Without an offset given it is two largest frames, 2 x 1564 (Zhu et al., SIGCOMM 2015: two MTU):
// 1 997 000 > 2 000 375 - 3128 = 1 997 247 is false, so three releases do; 2 releases do not.
// With frames of 1500 it needs the third MTU below: checked against the rule for every fill.
TEST(SharedBuffer, DefaultOffsetIsTwoLargestFrames)
{
    Sizes sizes;
    sizes.xonOffset = 0;
    const auto buffer = MakeAzureBuffer(4, sizes);
    FillToPause(*buffer, 0);
    for (uint64_t held = 2'000'000; held > 1'990'000; held -= 100)
    {
        ASSERT_EQ(buffer->MayResume(0, 3), held + 2 * 1564 <= (18'000'000 - held) / 8) << held;
        buffer->Release(0, 3, 100);
    }
}

// Resuming needs an empty headroom, though the threshold has risen far above: queue 0 pauses at
// 1 MB while nine others hold 1 MB each, and 50 frames more come into its headroom. When the others
// have gone, the threshold is above 2 MB, but the headroom would not be whole for the next pause.
TEST(SharedBuffer, ResumeWaitsForTheHeadroom)
{
    const auto buffer = MakeAzureBuffer(10);
    for (int n = 0; n < 1000; ++n)
    {
        for (uint16_t queue = 0; queue < 10; ++queue)
        {
            Offer(*buffer, queue, 1000);
        }
    }
    for (int n = 0; n < 51; ++n)
    {
        ASSERT_TRUE(Offer(*buffer, 0, 1000).pauses);
    }
    for (int n = 0; n < 900; ++n)
    {
        for (uint16_t queue = 1; queue < 10; ++queue)
        {
            buffer->Release(queue, 3, 1000);
        }
    }
    for (int n = 0; n < 50; ++n)
    {
        EXPECT_FALSE(buffer->MayResume(0, 3)) << n;
        buffer->Release(0, 3, 1000);
    }
    EXPECT_TRUE(buffer->MayResume(0, 3));
}

// Queue 0 holds 1 MB and is not paused; then eleven others fill until the threshold is below that.
// The next frame of queue 0 pauses, in the pool; the whole headroom is there for what comes after.
TEST(SharedBuffer, FallenThresholdLeavesTheHeadroomWhole)
{
    const auto buffer = MakeAzureBuffer(12);
    for (int n = 0; n < 1000; ++n)
    {
        ASSERT_FALSE(Offer(*buffer, 0, 1000).pauses);
    }
    for (uint16_t queue = 1; queue < 12; ++queue)
    {
        for (int n = 0; n < 850; ++n)
        {
            ASSERT_FALSE(Offer(*buffer, queue, 1000).pauses);
        }
    }
    // 10.35 MB are used: the threshold is 956 250.
    EXPECT_TRUE(Offer(*buffer, 0, 1000).pauses);
    EXPECT_TRUE(Offer(*buffer, 0, 928).isAccepted);
    for (int n = 0; n < 96; ++n)
    {
        ASSERT_TRUE(Offer(*buffer, 0, 1000).isAccepted) << n;
    }
    EXPECT_FALSE(Offer(*buffer, 0, 64).isAccepted);
}

// A fixed threshold of 100 000: resume at 100 000 - 2496 = 97 504 or below, or at xon if that is
// more. The 500 bytes in headroom go first.
TEST(SharedBuffer, FixedThresholdPausesAndResumes)
{
    Sizes sizes;
    sizes.xoff = 100'000;
    const auto buffer = MakeAzureBuffer(4, sizes);
    EXPECT_EQ(FillToPause(*buffer, 0), 100U);
    EXPECT_TRUE(Offer(*buffer, 0, 500).isAccepted);
    EXPECT_EQ(FillToPause(*buffer, 1), 100U) << "another queue's fill does not matter";
    buffer->Release(0, 3, 2996);
    EXPECT_TRUE(buffer->MayResume(0, 3)) << "97 504 are left";
    EXPECT_TRUE(Offer(*buffer, 0, 1).isAccepted);
    EXPECT_FALSE(buffer->MayResume(0, 3)) << "97 505 are left";

    sizes.xon = 99'000;
    const auto early = MakeAzureBuffer(4, sizes);
    FillToPause(*early, 0);
    early->Release(0, 3, 999);
    EXPECT_FALSE(early->MayResume(0, 3));
    early->Release(0, 3, 1);
    EXPECT_TRUE(early->MayResume(0, 3)) << "xon is the higher of the two";
}

// ----------------------------------------------------------------------- reserve

// 2 ports x 8 priorities x 10 000 leave 17.84 MB of the pool. Frames in the reserve neither use the
// pool nor pause; the part beyond it does: q - 10 000 >= (17.84 MB - (q - 10 000)) / 8 from
// 9 s = 17.84 MB, s = 1 982 222.2: 1983 frames of 1000 beyond ten.
TEST(SharedBuffer, ReserveComesFirstAndPausesNobody)
{
    Sizes sizes;
    sizes.reserve = 10'000;
    const auto buffer = MakeAzureBuffer(2, sizes);
    EXPECT_EQ(buffer->GetSharedSize().value, 17'840'000U);
    EXPECT_EQ(FillToPause(*buffer, 0), 1993U);
    for (int n = 0; n < 10; ++n)
    {
        const Admission admission = Offer(*buffer, 1, 1000);
        EXPECT_TRUE(admission.isAccepted);
        EXPECT_FALSE(admission.pauses);
    }
}

// The guaranteed bytes of one are there even when others have filled the pool.
TEST(SharedBuffer, ReserveIsThereWhenThePoolIsFull)
{
    Sizes sizes{.size = 1'000'000, .headroom = 50'000, .headroomPool = 100'000, .reserve = 2000};
    sizes.egressAlpha = Fraction{128, 1};
    const auto buffer = MakeAzureBuffer(2, sizes);
    while (Offer(*buffer, 0, 1000, 0).isAccepted)
    {
    }
    const Admission full = Offer(*buffer, 0, 1000, 0);
    EXPECT_EQ(full.reason, DropReason::BUFFER_FULL);
    EXPECT_TRUE(Offer(*buffer, 1, 1000, 0).isAccepted);
    EXPECT_TRUE(Offer(*buffer, 1, 1000, 3).isAccepted);
    EXPECT_FALSE(Offer(*buffer, 1, 1001, 0).isAccepted);
}

// ------------------------------------------------------------------------- lossy

// A lossy frame is dropped when its egress queue with it is above half of the free pool; it never
// pauses. Free: 18 MB, so the queue may reach 9 000 000.
TEST(SharedBuffer, LossyQueueEndsAtItsShare)
{
    const auto buffer = MakeAzureBuffer(4);
    const auto offer = [&](uint64_t queueBytes)
    {
        return buffer->Admit(
            {.ingress = 0, .priority = 0, .bytes = 1000, .egressQueueBytes = queueBytes});
    };
    const Admission refused = offer(8'999'001);
    EXPECT_FALSE(refused.isAccepted);
    EXPECT_FALSE(refused.pauses);
    EXPECT_EQ(refused.reason, DropReason::EGRESS_THRESHOLD);
    const Admission accepted = offer(8'999'000);
    EXPECT_TRUE(accepted.isAccepted);
    EXPECT_FALSE(accepted.pauses);
    // Now 17 999 000 are free.
    EXPECT_FALSE(offer(8'998'501).isAccepted);
    EXPECT_TRUE(offer(8'998'500).isAccepted);
}

TEST(SharedBuffer, LossyFramesNeverPauseHoweverFullThePoolIs)
{
    Sizes sizes;
    sizes.egressAlpha = Fraction{128, 1};
    const auto buffer = MakeAzureBuffer(4, sizes);
    uint64_t accepted = 0;
    Admission admission;
    while ((admission = Offer(*buffer, 0, 1000, 0)).isAccepted)
    {
        ASSERT_FALSE(admission.pauses);
        ++accepted;
    }
    EXPECT_EQ(accepted, 18'000U) << "the whole pool, and none of the headroom";
    EXPECT_FALSE(admission.pauses);
    EXPECT_EQ(admission.reason, DropReason::BUFFER_FULL);
}

// Lossless frames find their threshold at zero then, but still have their headroom.
TEST(SharedBuffer, FullPoolLeavesTheHeadroomToLosslessFrames)
{
    Sizes sizes;
    sizes.egressAlpha = Fraction{128, 1};
    const auto buffer = MakeAzureBuffer(4, sizes);
    while (Offer(*buffer, 0, 1000, 0).isAccepted)
    {
    }
    for (int n = 0; n < 96; ++n)
    {
        const Admission admission = Offer(*buffer, 1, 1000, 3);
        ASSERT_TRUE(admission.isAccepted);
        ASSERT_TRUE(admission.pauses);
    }
    EXPECT_EQ(Offer(*buffer, 1, 1000, 3).reason, DropReason::HEADROOM_FULL);
}

// ----------------------------------------------------------------- release order

// What leaves frees the headroom first: after 30 000 bytes left, 30 frames fit there again while
// the queue is above its threshold still.
TEST(SharedBuffer, HeadroomIsFreedFirst)
{
    const auto buffer = MakeAzureBuffer(4);
    FillToPause(*buffer, 0);
    while (Offer(*buffer, 0, 1000).isAccepted)
    {
    }
    for (int n = 0; n < 30; ++n)
    {
        buffer->Release(0, 3, 1000);
    }
    int accepted = 0;
    while (Offer(*buffer, 0, 1000).isAccepted)
    {
        ++accepted;
    }
    EXPECT_EQ(accepted, 30);
    // A frame across the border takes the rest from the pool: 96 000 + 500 in headroom.
    EXPECT_TRUE(Offer(*buffer, 0, 500).isAccepted);
    for (int n = 0; n < 97; ++n)
    {
        buffer->Release(0, 3, 1000);
    }
    EXPECT_EQ(buffer->GetHeldBytes(), 2'000'000U + 96'500 - 97'000);
    // The share fell by 500: the next frame is below the threshold of before, and reaches it.
    const Admission next = Offer(*buffer, 0, 500);
    EXPECT_TRUE(next.isAccepted);
    EXPECT_TRUE(next.pauses);
    EXPECT_TRUE(Offer(*buffer, 0, 1000).isAccepted) << "in headroom, which is empty again";
}

// --------------------------------------------------------------------- TryAccept

/** A random sequence for a lazy buffer and one that is always up to date. */
class TryAcceptScript
{
  public:
    explicit TryAcceptScript(uint64_t seed) : m_random{seed, "try-accept"}
    {
        Sizes sizes{.size = 400'000, .headroom = 20'000, .headroomPool = 60'000, .reserve = 1000};
        sizes.xoff = seed % 3 == 0 ? 30'000 : 0;
        m_lazy = MakeBuffer(sizes);
        m_exact = MakeBuffer(sizes);
        for (const auto& buffer : {m_lazy, m_exact})
        {
            buffer->SetAttribute("Cell", StringValue(seed % 4 == 1 ? "208B" : "0B"));
            buffer->SetAttribute("IngressLossyPool", StringValue(seed % 5 == 2 ? "90KB" : "0B"));
            buffer->SetAttribute("EgressLossyPool", StringValue(seed % 5 == 3 ? "90KB" : "0B"));
            buffer->SetAttribute("ReserveFrom", StringValue(seed % 2 == 1 ? "pool" : "memory"));
            buffer->SetAttribute("EgressLosslessLimit", StringValue(seed % 7 == 4 ? "99KB" : "0B"));
        }
        EXPECT_TRUE(m_lazy->SetUp(MakeSetup(PORTS)));
        EXPECT_TRUE(m_exact->SetUp(MakeSetup(PORTS)));
    }

    void Step()
    {
        if (m_random.NextBelow(100) < 45 && !m_frames.empty())
        {
            Leave();
        }
        else
        {
            Arrive();
        }
        if (m_random.NextBelow(40) == 0)
        {
            Settle();
        }
        ASSERT_EQ(m_exact->GetHeldBytes(), m_in - m_out);
    }

    uint64_t CountSure() const
    {
        return m_sure;
    }

    uint64_t CountUnsure() const
    {
        return m_unsure;
    }

  private:
    static constexpr uint32_t PORTS = 4;

    void Arrive()
    {
        const auto bytes = static_cast<uint32_t>(64 + m_random.NextBelow(1500));
        const BufferArrival arrival{.ingress = static_cast<uint16_t>(m_random.NextBelow(PORTS)),
                                    .priority = static_cast<uint8_t>(m_random.NextBelow(8)),
                                    .bytes = bytes,
                                    .egressQueueBytes = m_random.NextBelow(150'000)};
        if (m_lazy->TryAccept(arrival))
        {
            ++m_sure;
            const Admission admission = m_exact->Admit(arrival);
            ASSERT_TRUE(admission.isAccepted);
            ASSERT_FALSE(admission.pauses);
        }
        else
        {
            ++m_unsure;
            Settle();
            const Admission a = m_lazy->Admit(arrival);
            const Admission b = m_exact->Admit(arrival);
            ASSERT_EQ(a.isAccepted, b.isAccepted);
            ASSERT_EQ(a.pauses, b.pauses);
            if (!a.isAccepted)
            {
                return;
            }
        }
        m_in += bytes;
        m_frames.push_back(arrival);
    }

    /** The exact buffer learns of a departure at once, the lazy one later. */
    void Leave()
    {
        const std::size_t which = m_random.NextBelow(m_frames.size());
        const BufferArrival frame = m_frames[which];
        m_frames[which] = m_frames.back();
        m_frames.pop_back();
        m_exact->Release(frame.ingress, frame.priority, frame.bytes);
        m_out += frame.bytes;
        m_departed.push_back(frame);
    }

    void Settle()
    {
        for (const BufferArrival& frame : m_departed)
        {
            m_lazy->Release(frame.ingress, frame.priority, frame.bytes);
        }
        m_departed.clear();
        ASSERT_EQ(m_lazy->GetHeldBytes(), m_exact->GetHeldBytes());
    }

    RandomStream m_random;
    Ptr<SharedBuffer> m_lazy;
    Ptr<SharedBuffer> m_exact;
    std::vector<BufferArrival> m_frames;
    std::vector<BufferArrival> m_departed;
    uint64_t m_in{0};
    uint64_t m_out{0};
    uint64_t m_sure{0};
    uint64_t m_unsure{0};
};

// What TryAccept takes on counters that may be too high, Admit takes plainly on the exact ones; and
// bytes in = bytes out + held at every step.
TEST(SharedBuffer, TryAcceptIsNeverWrong)
{
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        TryAcceptScript script{seed};
        for (int step = 0; step < 5000; ++step)
        {
            script.Step();
            if (testing::Test::HasFatalFailure())
            {
                return;
            }
        }
        EXPECT_GT(script.CountSure(), 500U);
        EXPECT_GT(script.CountUnsure(), 200U);
    }
}

// Calm means sure: up to a fifth of the threshold of an empty pool nothing needs a second look.
TEST(SharedBuffer, TryAcceptIsSureWhileThereIsPlenty)
{
    const auto buffer = MakeAzureBuffer(4);
    for (int n = 0; n < 400; ++n)
    {
        ASSERT_TRUE(buffer->TryAccept({.ingress = 0, .priority = 3, .bytes = 1000}));
        ASSERT_TRUE(buffer->TryAccept({.ingress = 1, .priority = 0, .bytes = 1000}));
    }
    EXPECT_EQ(buffer->GetHeldBytes(), 800'000U);
}

// ------------------------------------------------------------------------- setup

TEST(SharedBuffer, RefusesABufferThatHeadroomAndReserveFill)
{
    const auto buffer = MakeBuffer({.size = 300'000, .headroomPool = 299'000});
    const auto result = buffer->SetUp(MakeSetup(4));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.Errors().front().key, "switch.buffer.size");
    EXPECT_THAT(result.Errors().front().message, testing::HasSubstr("p0"));
}

// 40 Gb/s, 1.5 us, 118 quanta of 64 bytes, frames of 1564: 7552 + 15 000 + 3128 + 84 = 25 764.
TEST(SharedBuffer, ComputesHeadroomAndWarnsOfLess)
{
    const auto computed = MakeBuffer({.headroom = 0, .headroomPool = 0});
    const auto fine = computed->SetUp(MakeSetup(4));
    ASSERT_TRUE(fine);
    EXPECT_TRUE(fine->empty());
    EXPECT_EQ(computed->GetHeadroom(0).value, 25'764U);
    // 4 ports x 2 priorities.
    EXPECT_EQ(computed->GetSharedSize().value, 24'000'000U - 8 * 25'764);

    const auto small = MakeBuffer({.headroom = 25'763, .headroomPool = 0})->SetUp(MakeSetup(4));
    ASSERT_TRUE(small);
    EXPECT_THAT(*small, testing::Contains(testing::HasSubstr("headroom too small at p3")));
}

// 2 x 40 x 25 764 are 2 061 120; a memory of 3 MB gives half of it, 1.5 MB, and says so.
TEST(SharedBuffer, WarnsOfASmallHeadroomPool)
{
    const auto buffer = MakeBuffer({.size = 3'000'000, .headroom = 0, .headroomPool = 0});
    const auto warnings = buffer->SetUp(MakeSetup(40));
    ASSERT_TRUE(warnings);
    EXPECT_THAT(*warnings, testing::Contains(testing::HasSubstr("headroom pool too small")));
    EXPECT_EQ(buffer->GetSharedSize().value, 1'500'000U);
}

} // namespace
} // namespace ns3::rdma
