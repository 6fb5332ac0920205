// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "trace/result-file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** One thing that happened in a run and that is worth a row of its own. */
struct RunEvent
{
    SimTime time{};
    std::string event;                 ///< what: lower case with underscores, "link_down"
    std::string node;                  ///< name of the node; empty if none is meant
    std::optional<uint16_t> port{};    ///< number of the port at the node
    std::optional<uint8_t> priority{}; ///< 0 .. 7
    std::string detail{};              ///< the rest, for people
};

/**
 * What happened in a run besides the traffic: actions of its timeline, watchdogs, deadlocks.
 *
 * For things that are rare: rows are kept in memory until the end of the run.
 */
class RunEvents
{
  public:
    /** Adds an event; times do not go back. */
    void Add(RunEvent event)
    {
        m_events.push_back(std::move(event));
    }

    /** All events, in the order in which they happened. */
    const std::vector<RunEvent>& Get() const
    {
        return m_events;
    }

  private:
    std::vector<RunEvent> m_events;
};

/** Writes events.csv: a row for each event; without events the header alone. */
void WriteEvents(ResultFile& file, const RunEvents& events);

} // namespace ns3::rdma
