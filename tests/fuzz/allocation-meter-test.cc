// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/allocation-meter.h"

#include <atomic>
#include <cstdlib>
#include <gmock/gmock.h>
#include <malloc.h>
#include <memory>
#include <new>

namespace
{

std::atomic<int64_t> g_live{0};
std::atomic<int64_t> g_peak{0};

void*
TryAllocateMetered(std::size_t size) noexcept
{
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory != nullptr)
    {
        g_live += static_cast<int64_t>(malloc_usable_size(memory));
        g_peak = std::max(g_peak.load(), g_live.load());
    }
    return memory;
}

void*
AllocateMetered(std::size_t size)
{
    void* memory = TryAllocateMetered(size);
    if (memory == nullptr)
    {
        throw std::bad_alloc{};
    }
    return memory;
}

void
FreeMetered(void* memory)
{
    if (memory != nullptr)
    {
        g_live -= static_cast<int64_t>(malloc_usable_size(memory));
        std::free(memory);
    }
}

} // namespace

void*
operator new(std::size_t size)
{
    return AllocateMetered(size);
}

void*
operator new[](std::size_t size)
{
    return AllocateMetered(size);
}

void*
operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return TryAllocateMetered(size);
}

void*
operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return TryAllocateMetered(size);
}

void
operator delete(void* memory, const std::nothrow_t&) noexcept
{
    FreeMetered(memory);
}

void
operator delete[](void* memory, const std::nothrow_t&) noexcept
{
    FreeMetered(memory);
}

void
operator delete(void* memory) noexcept
{
    FreeMetered(memory);
}

void
operator delete[](void* memory) noexcept
{
    FreeMetered(memory);
}

void
operator delete(void* memory, std::size_t) noexcept
{
    FreeMetered(memory);
}

void
operator delete[](void* memory, std::size_t) noexcept
{
    FreeMetered(memory);
}

namespace ns3::rdma
{

int64_t
AllocationMeter::GetLiveBytes()
{
    return g_live;
}

int64_t
AllocationMeter::GetPeakBytes()
{
    return g_peak;
}

void
AllocationMeter::Reset()
{
    g_peak = g_live.load();
}

TEST(AllocationMeter, SeesWhatWasAllocatedAndFreedSince)
{
    constexpr int64_t SIZE = 5 << 20;
    AllocationMeter::Reset();
    const int64_t before = AllocationMeter::GetLiveBytes();
    {
        const std::string text(SIZE, 'x');
        EXPECT_GE(AllocationMeter::GetLiveBytes() - before, SIZE);
    }
    EXPECT_LT(AllocationMeter::GetLiveBytes() - before, SIZE);
    EXPECT_GE(AllocationMeter::GetPeakBytes() - before, SIZE);
    AllocationMeter::Reset();
    EXPECT_LT(AllocationMeter::GetPeakBytes() - before, SIZE);
}

} // namespace ns3::rdma
