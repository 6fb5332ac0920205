// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/verbs-objects.h"

#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/** Objects with a domain, a completion queue and what a queue pair needs. */
class VerbsObjectsTest : public testing::Test
{
  protected:
    VerbsObjectsTest()
    {
        EXPECT_EQ(objects.AllocateProtectionDomain(init.protectionDomain), VerbsError::NONE);
        EXPECT_EQ(objects.CreateCompletionQueue(16, nullptr, init.sendQueue), VerbsError::NONE);
        EXPECT_EQ(objects.CreateCompletionQueue(16, nullptr, init.receiveQueue), VerbsError::NONE);
    }

    MemoryRegionSpec Region() const
    {
        return {.protectionDomain = init.protectionDomain.value, .address = 0x1000, .length = 64};
    }

    static constexpr DeviceLimits LIMITS{.maxQueuePairs = 2,
                                         .maxQueueRequests = 100,
                                         .maxElements = 4,
                                         .maxCompletionQueues = 3,
                                         .maxCompletionEntries = 50,
                                         .maxMemoryRegions = 2,
                                         .maxMemoryRegionBytes = 4096,
                                         .maxProtectionDomains = 2,
                                         .maxInlineBytes = 64};
    VerbsObjects objects{LIMITS};
    QueuePairInit init{.capabilities = {.maxSendRequests = 100,
                                        .maxReceiveRequests = 100,
                                        .maxSendElements = 4,
                                        .maxReceiveElements = 4,
                                        .maxInlineBytes = 64}};
};

TEST_F(VerbsObjectsTest, HandlesCountFromOneAndAreNotUsedAgain)
{
    EXPECT_EQ(objects.GetLimits(), LIMITS);
    EXPECT_EQ(init.protectionDomain.value, 1U);
    EXPECT_EQ(init.receiveQueue.value, 2U);
    EXPECT_EQ(objects.GetCompletionQueue(init.receiveQueue).GetNumber(), 2U);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.receiveQueue), VerbsError::NONE);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.receiveQueue), VerbsError::NOT_FOUND);
    CompletionQueueId queue;
    EXPECT_EQ(objects.CreateCompletionQueue(1, nullptr, queue), VerbsError::NONE);
    EXPECT_EQ(queue.value, 3U);
    EXPECT_EQ(objects.DeallocateProtectionDomain(init.protectionDomain), VerbsError::NONE);
    EXPECT_EQ(objects.DeallocateProtectionDomain(init.protectionDomain), VerbsError::NOT_FOUND);
    ProtectionDomainId domain;
    EXPECT_EQ(objects.AllocateProtectionDomain(domain), VerbsError::NONE);
    EXPECT_EQ(domain.value, 2U);
}

TEST_F(VerbsObjectsTest, UnknownHandlesAreNotFound)
{
    for (uint32_t handle : {0U, 9U, UINT32_MAX})
    {
        EXPECT_EQ(objects.DeallocateProtectionDomain({handle}), VerbsError::NOT_FOUND);
        EXPECT_EQ(objects.DestroyCompletionQueue({handle}), VerbsError::NOT_FOUND);
        EXPECT_EQ(objects.DeregisterMemory({.lkey = handle}), VerbsError::NOT_FOUND);
        MemoryRegionSpec spec = Region();
        spec.protectionDomain = handle;
        MemoryRegion region;
        EXPECT_EQ(objects.RegisterMemory(spec, region), VerbsError::NOT_FOUND);
        QueuePairInit wrong = init;
        wrong.protectionDomain = {handle};
        EXPECT_EQ(objects.AddQueuePair(wrong), VerbsError::NOT_FOUND);
        wrong = init;
        wrong.sendQueue = {handle};
        EXPECT_EQ(objects.AddQueuePair(wrong), VerbsError::NOT_FOUND);
        wrong = init;
        wrong.receiveQueue = {handle};
        EXPECT_EQ(objects.AddQueuePair(wrong), VerbsError::NOT_FOUND);
    }
    EXPECT_EQ(objects.GetCounts(),
              (VerbsObjectCounts{.protectionDomains = 1, .completionQueues = 2}));
}

/** ibv_query_device(3): max_pd, max_cq, max_cqe, max_mr, max_mr_size, max_qp. */
TEST_F(VerbsObjectsTest, NoMoreOfAKindThanTheDeviceHas)
{
    ProtectionDomainId domain;
    EXPECT_EQ(objects.AllocateProtectionDomain(domain), VerbsError::NONE);
    EXPECT_EQ(objects.AllocateProtectionDomain(domain), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(domain.value, 2U);

    CompletionQueueId queue;
    EXPECT_EQ(objects.CreateCompletionQueue(0, nullptr, queue), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(objects.CreateCompletionQueue(51, nullptr, queue), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(objects.CreateCompletionQueue(50, nullptr, queue), VerbsError::NONE);
    EXPECT_EQ(objects.CreateCompletionQueue(1, nullptr, queue), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(objects.GetCompletionQueue(queue).GetCapacity(), 50U);
    EXPECT_EQ(objects.GetCompletionQueue(queue).Resize(51), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(objects.GetCompletionQueue(queue).Resize(49), VerbsError::NONE);

    MemoryRegion region;
    MemoryRegionSpec spec = Region();
    spec.length = 4097;
    EXPECT_EQ(objects.RegisterMemory(spec, region), VerbsError::LIMIT_EXCEEDED);
    spec.length = 4096;
    EXPECT_EQ(objects.RegisterMemory(spec, region), VerbsError::NONE);
    spec.access = ACCESS_REMOTE_WRITE; // without local write
    EXPECT_EQ(objects.RegisterMemory(spec, region), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(objects.RegisterMemory(Region(), region), VerbsError::NONE);
    EXPECT_EQ(objects.RegisterMemory(Region(), region), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(objects.DeregisterMemory(region), VerbsError::NONE);
    EXPECT_EQ(objects.RegisterMemory(Region(), region), VerbsError::NONE);

    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::LIMIT_EXCEEDED);
    EXPECT_EQ(
        objects.GetCounts(),
        (VerbsObjectCounts{
            .protectionDomains = 2, .memoryRegions = 2, .completionQueues = 3, .queuePairs = 2}));
    objects.RemoveQueuePair(init);
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
}

/** Each capability of ibv_create_qp(3) at its limit and one above. */
TEST_F(VerbsObjectsTest, CapabilitiesKeepTheLimits)
{
    EXPECT_EQ(objects.CheckInit(init), VerbsError::NONE) << "all at their limits";
    constexpr std::array CAPABILITIES{&QueuePairCapabilities::maxSendRequests,
                                      &QueuePairCapabilities::maxReceiveRequests,
                                      &QueuePairCapabilities::maxSendElements,
                                      &QueuePairCapabilities::maxReceiveElements,
                                      &QueuePairCapabilities::maxInlineBytes};
    for (auto capability : CAPABILITIES)
    {
        QueuePairInit more = init;
        ++(more.capabilities.*capability);
        EXPECT_EQ(objects.AddQueuePair(more), VerbsError::LIMIT_EXCEEDED);
    }
    EXPECT_EQ(objects.GetCounts().queuePairs, 0U);
}

TEST_F(VerbsObjectsTest, OnlyTheTypesOfTheDeviceAreMade)
{
    init.type = QueuePairType::UD;
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NOT_SUPPORTED);
    init.type = QueuePairType::UC;
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NOT_SUPPORTED);
    init.type = QueuePairType::RC;
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
}

/** ibv_dealloc_pd(3), ibv_destroy_cq(3): they fail while something is still associated. */
TEST_F(VerbsObjectsTest, WhatIsInUseIsNotDestroyed)
{
    MemoryRegion region;
    ASSERT_EQ(objects.RegisterMemory(Region(), region), VerbsError::NONE);
    EXPECT_EQ(objects.DeallocateProtectionDomain(init.protectionDomain), VerbsError::BUSY);
    ASSERT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    ASSERT_EQ(objects.DeregisterMemory(region), VerbsError::NONE);
    EXPECT_EQ(objects.DeallocateProtectionDomain(init.protectionDomain), VerbsError::BUSY);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.sendQueue), VerbsError::BUSY);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.receiveQueue), VerbsError::BUSY);
    objects.RemoveQueuePair(init);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.sendQueue), VerbsError::NONE);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.receiveQueue), VerbsError::NONE);
    EXPECT_EQ(objects.DeallocateProtectionDomain(init.protectionDomain), VerbsError::NONE);
    EXPECT_EQ(objects.GetCounts(), VerbsObjectCounts{});
}

/** One completion queue may serve both queues of a queue pair, and several queue pairs. */
TEST_F(VerbsObjectsTest, ASharedCompletionQueueIsFreeWhenItsLastUserIsGone)
{
    init.receiveQueue = init.sendQueue;
    ASSERT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    ASSERT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    objects.RemoveQueuePair(init);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.sendQueue), VerbsError::BUSY);
    objects.RemoveQueuePair(init);
    EXPECT_EQ(objects.DestroyCompletionQueue(init.sendQueue), VerbsError::NONE);
}

/** What an application asks for by default can be had of a default device. */
TEST(DeviceLimits, TheDefaultsFitTogether)
{
    VerbsObjects objects;
    QueuePairInit init;
    ASSERT_EQ(objects.AllocateProtectionDomain(init.protectionDomain), VerbsError::NONE);
    ASSERT_EQ(objects.CreateCompletionQueue(
                  objects.GetLimits().maxCompletionEntries, nullptr, init.sendQueue),
              VerbsError::NONE);
    init.receiveQueue = init.sendQueue;
    EXPECT_EQ(objects.AddQueuePair(init), VerbsError::NONE);
    EXPECT_EQ(objects.GetLimits().maxMemoryRegions, MemoryTable::MAX_REGIONS);
    EXPECT_LE(objects.GetLimits().maxQueuePairs, 1U << 24) << "queue pair numbers have 24 bits";
}

} // namespace
} // namespace ns3::rdma
