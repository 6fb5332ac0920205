// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-machine.h"
#include "tests/support/sanitized.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::rdma
{
namespace
{

/** The flags of the heap's mappings, as the kernel names them (proc(5), VmFlags). */
std::string
ReadHeapFlags()
{
    std::ifstream maps{"/proc/self/smaps"};
    std::string flags;
    bool isHeap = false;
    for (std::string line; std::getline(maps, line);)
    {
        const bool isHeader = line.find('-') < line.find(' ') && line.find(':') > line.find(' ');
        isHeap = isHeader ? line.ends_with("[heap]") : isHeap;
        if (isHeap && line.starts_with("VmFlags:"))
        {
            flags += line.substr(line.find(':') + 1);
        }
    }
    return flags;
}

// "hg": the mapping is to be made of huge pages.
TEST(RunMachine, PrefersHugePagesForTheHeap)
{
    if (!std::ifstream{"/sys/kernel/mm/transparent_hugepage/enabled"})
    {
        GTEST_SKIP() << "the kernel has no transparent huge pages";
    }
    if (IsSanitized())
    {
        GTEST_SKIP() << "the sanitizer has a heap of its own";
    }
    PreferHugePages();
    const std::string flags = ReadHeapFlags();
    if (flags.empty())
    {
        GTEST_SKIP() << "the C library keeps no heap of its own here";
    }
    EXPECT_NE(flags.find(" hg"), std::string::npos) << flags;
}

// The clocks only go forward, and a run has memory.
TEST(RunMachine, ReadsClocksAndMemory)
{
    const double wall = GetWallSeconds();
    const double processor = GetProcessorSeconds();
    EXPECT_LE(wall, GetWallSeconds());
    EXPECT_LE(processor, GetProcessorSeconds());
    EXPECT_GT(GetPeakMemoryBytes(), 0U);
}

} // namespace
} // namespace ns3::rdma
