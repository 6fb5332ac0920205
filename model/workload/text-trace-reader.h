// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/trace-reader.h"

#include <string_view>

namespace ns3::rdma
{

/**
 * A reader of one text file that holds the whole trace; a child writes DoProbeText and DoParse.
 *
 * What holds a zero byte is no text, and no folder is one.
 */
class TextTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbe(const std::string& path, std::span<const std::byte> head) const final;
    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const final;

    /** @param head whole lines from the start of the file */
    virtual Match DoProbeText(std::string_view head) const = 0;

    /** @param file its name, for messages */
    virtual Expected<Trace> DoParse(const std::string& text, const std::string& file) const = 0;
};

/** The path, if there is one only. @error several files, each of which would be a whole trace */
Expected<std::string> TakeOnlyPath(const std::vector<std::string>& paths);

/** A time in picoseconds, to the nearest nanosecond; counts in inexact if that is another. */
int64_t RoundToNs(uint64_t ps, uint64_t& inexact);

/** Tells how many times were rounded, if any. */
void NoteRounding(uint64_t inexact, std::vector<std::string>& notes);

} // namespace ns3::rdma
