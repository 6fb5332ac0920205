// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/process-folder.h"
#include "live/thread-file.h"
#include "live/thread-log.h"
#include "live/tick-clock.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <sched.h>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The recording of this process: its folder, the logs of its threads, and the thread that writes.
 *
 * Nothing exists until the program first does something with verbs: the recorder is loaded into
 * shells and compilers, too. It ends with the process and is never destroyed, because destructors
 * of other libraries may still use verbs.
 *
 * After a fork the child begins a recording of its own: its folder, its clock, and first of all the
 * objects that it has from its parent.
 */
class Recorder
{
  public:
    enum class Flush : uint8_t
    {
        NO,  ///< encode what there is; blocks are written when they are full or old
        YES, ///< and write all of it
    };

    static Recorder& Get();

    /** Once, when the library is loaded. */
    void Load();

    /** Makes the calling thread's log; nullptr if nothing can be recorded. */
    ThreadLog* OpenLog();

    /** Does at once what the writer does now and then; the caller's signals wait meanwhile. */
    void WriteNow(Flush flush);

    /** The process is about to end: all is written, and whatever comes later at once. */
    void EndProcess();

    /** Adds lines to the manifest, if there is one. */
    void AddToManifest(const std::string& lines);

    /** Whether nothing more is recorded. */
    static bool HasFailed()
    {
        return g_hasFailed.load(std::memory_order_relaxed);
    }

    /** Where a message goes to the user: one line on stderr. */
    static void Say(const char* text, const char* subject, int error);

  private:
    struct Thread
    {
        std::unique_ptr<ThreadLog> log;
        ThreadFile file;
        uint64_t toldLost{0};
    };

    Recorder();

    void BeforeFork();
    void AfterForkInParent();
    void AfterForkInChild();
    bool Begin();
    void StartWriter();
    static void* RunWriter(void* recorder);
    static void EndThread(void* log);
    uint64_t WriteAll(Flush flush);
    uint64_t WriteThread(Thread& thread, uint64_t until);
    void Fail(int error);
    ThreadLog* AddThread(RawOperation* slots);

    static std::atomic<bool> g_hasFailed;

    std::mutex m_mutex; ///< of all that follows
    ProcessFolder m_folder;
    std::optional<TickClock> m_clock;
    RawDecoder m_decoder;
    std::vector<std::unique_ptr<Thread>> m_threads;
    RawOperation* m_spare{nullptr}; ///< a ring that is ready for the next thread
    bool m_hasBegun{false};
    bool m_isWriting{false}; ///< the writer has been started
    bool m_isChild{false};   ///< forked, and what it has from its parent is not told yet
    pthread_key_t m_threadKey{};
    cpu_set_t m_processors{}; ///< on which the program was started
    pid_t m_process{0};
};

extern __thread ThreadLog* g_threadLog __attribute__((tls_model("initial-exec")));

/** The calling thread's log; nullptr if nothing can be recorded. */
inline ThreadLog*
GetThreadLog()
{
    ThreadLog* log = g_threadLog;
    return log != nullptr || Recorder::HasFailed() ? log : Recorder::Get().OpenLog();
}

} // namespace ns3::rdma
