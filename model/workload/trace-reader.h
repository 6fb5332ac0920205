// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tracefile/operation-stream.h"

#include "ns3/object.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Reads one format of traces; a child is one file, found by what files contain.
 *
 * A child writes DoProbe and DoOpen. Options that a format needs are its attributes ("UdpPort"),
 * set by name before Open.
 */
class TraceReader : public Object
{
  public:
    /** How much of a file a probe sees, in bytes. */
    static constexpr std::size_t PROBE_BYTES = 4096;

    /** How sure a reader is that a file is its own. */
    enum class Match : uint8_t
    {
        NO,
        MAYBE, ///< the form fits: columns of numbers
        YES,   ///< a magic number, or words that only this format has
    };

    static TypeId GetTypeId();

    /** @param head the first PROBE_BYTES of the file, or all of it; empty for a folder */
    Match Probe(const std::string& path, std::span<const std::byte> head) const;

    /**
     * Opens files that belong together: one for each process, or one for all.
     *
     * @error a file that cannot be read or is not of this format, with line or offset. Damage
     *        behind a good beginning is no error here: the stream ends there and says so
     */
    Expected<Trace> Open(const std::vector<std::string>& paths) const;

  private:
    virtual Match DoProbe(const std::string& path, std::span<const std::byte> head) const = 0;
    virtual Expected<Trace> DoOpen(const std::vector<std::string>& paths) const = 0;
};

/** An option of a reader: an attribute's name in snake case, and its value. */
struct TraceOption
{
    std::string name;
    std::string value;
};

/** What is to be opened. */
struct TraceRequest
{
    std::vector<std::string> paths; ///< files, or folders of our own format
    std::string format;             ///< a reader's name; empty: found by content
    std::vector<TraceOption> options;
};

/**
 * Opens a trace by the reader that knows its files.
 *
 * @error files of two formats; no reader or two that fit, with all that are known and what the
 *        content looks like; an option that the reader does not have; whatever Open finds
 */
Expected<Trace> OpenTrace(const TraceRequest& request);

/** Names of all readers, ascending. */
std::vector<std::string> GetTraceFormats();

} // namespace ns3::rdma
