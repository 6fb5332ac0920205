// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <csignal>

namespace ns3::rdma
{

/**
 * While it lives, the first Ctrl-C (SIGINT) only leaves a note; the second ends the process as
 * ever, for a user who will not wait for the results to be written.
 */
class RunInterrupt
{
  public:
    RunInterrupt();
    ~RunInterrupt();

    RunInterrupt(const RunInterrupt&) = delete;
    RunInterrupt& operator=(const RunInterrupt&) = delete;

    /** Whether Ctrl-C was pressed since the object was made. */
    static bool IsRequested();

  private:
    struct sigaction m_previous
    {
    };
};

} // namespace ns3::rdma
