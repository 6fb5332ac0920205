// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-machine.h"

#include <array>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

double
ReadClock(clockid_t clock)
{
    constexpr double SECONDS_PER_NS = 1e-9;
    timespec reading{};
    clock_gettime(clock, &reading);
    return static_cast<double>(reading.tv_sec) +
           static_cast<double>(reading.tv_nsec) * SECONDS_PER_NS;
}

} // namespace

void
PreferHugePages()
{
#ifdef __GLIBC__
    // The heap grows at its end, by far more than is asked for; what is not touched costs nothing.
    // Large blocks come from it, too, instead of getting pages of their own.
    constexpr int HEAP_STEP = 256 << 20;
    constexpr uintptr_t HUGE_PAGE = 2 << 20;
    mallopt(M_TOP_PAD, HEAP_STEP);
    mallopt(M_TRIM_THRESHOLD, HEAP_STEP);
    mallopt(M_MMAP_THRESHOLD, HEAP_STEP);
    const std::unique_ptr<char[]> growth{new char[HUGE_PAGE]};
    const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
    const auto first = reinterpret_cast<uintptr_t>(growth.get());
    const uintptr_t begin = (first + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (begin < end && end - begin <= 2 * static_cast<uintptr_t>(HEAP_STEP))
    {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
#endif
}

double
GetWallSeconds()
{
    return ReadClock(CLOCK_MONOTONIC);
}

double
GetProcessorSeconds()
{
    return ReadClock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t
GetPeakMemoryBytes()
{
    constexpr uint64_t BYTES_PER_KIB = 1024; // Linux counts both in KiB
    // What getrusage tells includes the process that started this one, before it became this one.
    std::ifstream status{"/proc/self/status"};
    for (std::string word; status >> word;)
    {
        uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes)
        {
            return kibibytes * BYTES_PER_KIB;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * BYTES_PER_KIB;
}

std::string
GetDate()
{
    timespec reading{};
    clock_gettime(CLOCK_REALTIME, &reading);
    tm parts{};
    gmtime_r(&reading.tv_sec, &parts);
    std::array<char, sizeof("2024-02-29T12:00:00Z")> text{};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string
GetBuildType()
{
#ifdef NS3_ASSERT_ENABLE
    return "Debug";
#else
    return "Release";
#endif
}

} // namespace ns3::rdma
