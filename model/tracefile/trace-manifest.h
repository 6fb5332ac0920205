// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tracefile/operation-stream.h"
#include "tracefile/trace-clock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** A line of a manifest about a thread. */
struct ManifestThread
{
    uint32_t number{0};
    ThreadOrder order{ThreadOrder::PROGRAM};
    std::string file; ///< in the manifest's folder
    std::string name;

    bool operator==(const ManifestThread&) const = default;
};

/**
 * What a folder of the trace format says about its process: lines "key: value" of a text file.
 *
 * A recorder writes what it knows at the start and appends a line for each thread that begins, and
 * at the end what it has learned; of a key that may stand once the last line holds. So the file of
 * a killed program is good as far as it goes. README.md lists the keys.
 */
struct TraceManifest
{
    static constexpr const char* FILE_NAME = "manifest";
    static constexpr uint32_t VERSION = 1;

    std::string name; ///< of the process; empty: made of host, executable and pid
    std::string host;
    std::string executable;
    std::optional<uint64_t> pid;
    TraceTiming timing{TraceTiming::RECORDED};
    std::optional<TraceClock> clock; ///< absent: the thread files' own
    int64_t originNs{0};             ///< since 1970, when the clock showed its origin
    std::vector<Gid> gids;
    std::string set;                 ///< folders of one trace have the same; empty: recorded alone
    std::optional<uint32_t> process; ///< its number in the set
    std::vector<ManifestThread> threads;
    std::vector<std::string> notes;
    bool isClosed{false}; ///< the program ended in order

    bool operator==(const TraceManifest&) const = default;
};

/** Whether bytes are the beginning of a manifest, of whatever version. */
bool IsTraceManifest(std::string_view text);

/** The first line of a manifest, with its line end. */
std::string GetManifestHead();

/** A line of a manifest, with its line end. */
std::string MakeManifestLine(std::string_view key, std::string_view value);

/** The line that a thread begins with. */
std::string MakeManifestLine(const ManifestThread& thread);

/** A GID as the keys "gid" have it: eight groups of four hexadecimal digits. */
std::string ToString(const Gid& gid);

/** The whole manifest. */
std::string ToString(const TraceManifest& manifest);

/**
 * Reads a manifest.
 *
 * A last line without its end was not written whole, and is left out with a note.
 *
 * @param file for diagnostics
 * @error another format or version, unknown keys, values that cannot be; all at once, with lines
 */
Expected<TraceManifest> ParseTraceManifest(const std::string& file, std::string_view text);

} // namespace ns3::rdma
