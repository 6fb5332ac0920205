// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Whether the beginning of a file is that of a manifest or of a thread file. */
bool IsTraceFile(std::span<const std::byte> head);

/** Whether a folder holds a manifest or thread files, or its folders do. */
bool IsTraceFolder(const std::string& path);

/**
 * Opens folders of the trace format as one trace.
 *
 * A path is the folder of a process, its manifest, one of its thread files (then only that thread),
 * or a folder of such folders. Processes come in the order of the paths, those of one folder in
 * that of their numbers and names; threads of a process in that of their numbers.
 *
 * What the files lack is in the notes: a manifest, its end, threads that it does not name.
 *
 * @error a path that cannot be read or is none of these; a manifest that cannot be read; processes
 *        whose times mean different things
 */
Expected<Trace> OpenTraceFolders(const std::vector<std::string>& paths);

} // namespace ns3::rdma
