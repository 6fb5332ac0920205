// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/** What was written. */
struct WrittenTrace
{
    uint64_t operations{0};
    uint64_t bytes{0};   ///< of all files
    Diagnostics damages; ///< where streams ended before their end; what came before is written
};

/**
 * Writes any trace in our own format: a folder for each process, "process-<number>".
 *
 * Everything is written beside the folder first and put in place when it is whole.
 *
 * @param trace all its streams are read to their ends, one after the other
 * @param folder must not be there yet, or be empty
 * @error the folder is there, something cannot be written (with the system's reason), or an
 *        operation has more dependencies than a block takes; nothing is left then
 */
Expected<WrittenTrace> WriteTrace(Trace& trace, const std::string& folder);

} // namespace ns3::rdma
