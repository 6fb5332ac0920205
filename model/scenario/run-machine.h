// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/*
 * The one place where a run looks at the machine that it runs on. What is read here goes to the
 * progress line, the printed summary and run.json; it must decide nothing else.
 */

/**
 * Has the heap made of huge pages, where the system offers them; first thing in the program.
 *
 * A large fabric's state is touched at random: with pages of 4 KiB most touches of a thousand hosts
 * also miss in the processor's table of pages, which costs a third of the run. Nothing else
 * changes, and nothing happens where the C library or the system do not know how.
 */
void PreferHugePages();

/** Seconds of a clock that only goes forward, from an arbitrary start. */
double GetWallSeconds();

/** Processor time that this process has used, in seconds. */
double GetProcessorSeconds();

/** The most memory that this process has had at once, in bytes. */
uint64_t GetPeakMemoryBytes();

/** Date and time in UTC: "2024-02-29T12:00:00Z". */
std::string GetDate();

/** "Release" or "Debug": whether assertions of the model are compiled in. */
std::string GetBuildType();

} // namespace ns3::rdma
