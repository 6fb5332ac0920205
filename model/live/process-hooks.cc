// SPDX-License-Identifier: GPL-2.0-only
#include "live/real-function.h"
#include "live/recorder.h"

#include <sys/syscall.h>
#include <unistd.h>

/**
 * @file
 * The beginning and the end of the process.
 *
 * exit() ends in the library's destructor; _exit() skips it. A program that is killed loses what
 * the writer has not written yet.
 */
namespace
{

using namespace ns3::rdma;

__attribute__((constructor)) void
LoadRecorder()
{
    Recorder::Get().Load();
}

__attribute__((destructor)) void
UnloadRecorder()
{
    Recorder::Get().EndProcess();
}

[[noreturn]] void
Exit(int status)
{
    Recorder::Get().EndProcess();
    while (true)
    {
        syscall(SYS_exit_group, status);
    }
}

} // namespace

RDMASIM_HOOK [[noreturn]] void
_exit(int status)
{
    Exit(status);
}

RDMASIM_HOOK [[noreturn]] void
_Exit(int status)
{
    Exit(status);
}
