// SPDX-License-Identifier: GPL-2.0-only
#include "live/recorder.h"

#include "live/control-call.h"
#include "live/live-object.h"
#include "tracefile/thread-file-header.h"
#include "tracefile/trace-manifest.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3::rdma
{

__thread ThreadLog* g_threadLog __attribute__((tls_model("initial-exec"))) = nullptr;

namespace
{

constexpr int64_t NS_PER_MS = 1'000'000;
/** How long the writer sleeps: the first while there is much to do, the second when nothing is. */
constexpr int64_t SHORTEST_SLEEP_NS = NS_PER_MS;
constexpr int64_t LONGEST_SLEEP_NS = 20 * NS_PER_MS;
/** What a killed program loses at most. */
constexpr int64_t MOST_AGE_NS = 50 * NS_PER_MS;
/** Much to do: slots in one round. */
constexpr uint64_t MUCH = ThreadLog::SLOTS / 16;

/**
 * All signals of the calling thread wait; one that writing itself raises is lost.
 *
 * That is SIGXFSZ, which would end the program when the file becomes larger than its limit.
 */
class SignalsBlocked
{
  public:
    SignalsBlocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }

    ~SignalsBlocked()
    {
        sigset_t raised;
        sigset_t pending;
        sigemptyset(&raised);
        sigaddset(&raised, SIGXFSZ);
        sigpending(&pending);
        if (sigismember(&pending, SIGXFSZ) == 1 && sigismember(&m_before, SIGXFSZ) == 0)
        {
            const timespec now{};
            sigtimedwait(&raised, nullptr, &now);
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

  private:
    sigset_t m_before{};
};

} // namespace

std::atomic<bool> Recorder::g_hasFailed{false};

Recorder&
Recorder::Get()
{
    static Recorder* recorder = new Recorder;
    return *recorder;
}

Recorder::Recorder() = default;

void
Recorder::Load()
{
    ChooseTickSource();
    const char* out = std::getenv("RDMASIM_RECORD_OUT");
    m_folder.SetParent(out == nullptr || *out == '\0' ? "rdmasim-trace" : out);
    m_process = getpid();
    sched_getaffinity(0, sizeof(m_processors), &m_processors);
    pthread_key_create(&m_threadKey, &Recorder::EndThread);
    pthread_atfork([]() { Get().BeforeFork(); },
                   []() { Get().AfterForkInParent(); },
                   []() { Get().AfterForkInChild(); });
    at_quick_exit([]() { Get().EndProcess(); });
}

void
Recorder::Say(const char* text, const char* subject, int error)
{
    std::array<char, 512> line{};
    const int length = snprintf(line.data(),
                                line.size(),
                                "rdmasim record: %s: %s%s%s\n",
                                subject,
                                text,
                                error == 0 ? "" : ": ",
                                error == 0 ? "" : strerror(error));
    const auto size = std::min(static_cast<std::size_t>(std::max(length, 0)), line.size() - 1);
    static_cast<void>(!write(STDERR_FILENO, line.data(), size));
}

void
Recorder::AddToManifest(const std::string& lines)
{
    const SignalsBlocked blocked;
    const std::lock_guard lock{m_mutex};
    const int error = m_hasBegun && !HasFailed() ? m_folder.AppendManifest(lines) : 0;
    if (error != 0)
    {
        Fail(error);
    }
}

void
Recorder::Fail(int error)
{
    if (!g_hasFailed)
    {
        g_hasFailed = true;
        Say("nothing more is recorded, the program goes on", m_folder.GetPath().c_str(), error);
    }
}

bool
Recorder::Begin()
{
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_clock.emplace();
        if (const int error = m_folder.Make(m_clock->GetRealOriginNs()); error != 0)
        {
            Fail(error);
        }
    }
    return !g_hasFailed;
}

ThreadLog*
Recorder::OpenLog()
{
    const int error = errno;
    const SignalsBlocked blocked;
    std::unique_lock lock{m_mutex};
    RawOperation* slots = nullptr;
    if (Begin())
    {
        slots = m_spare != nullptr ? m_spare : ThreadLog::MakeSlots();
        m_spare = nullptr;
    }
    ThreadLog* log = slots == nullptr ? nullptr : AddThread(slots);
    g_threadLog = log;
    if (log != nullptr)
    {
        pthread_setspecific(m_threadKey, log);
        StartWriter();
        const bool tells = m_isChild;
        m_isChild = false;
        lock.unlock();
        if (tells)
        {
            RecordInherited(*log);
        }
    }
    errno = error;
    return log;
}

ThreadLog*
Recorder::AddThread(RawOperation* slots)
{
    auto thread = std::make_unique<Thread>();
    thread->log = std::make_unique<ThreadLog>(slots);
    ManifestThread entry;
    entry.number = static_cast<uint32_t>(m_threads.size());
    entry.name = std::to_string(syscall(SYS_gettid));
    entry.file = std::to_string(entry.number) + ThreadFileHeader::SUFFIX;
    int error = thread->file.Make(m_folder.GetPath() + "/" + entry.file, entry.number, entry.name);
    error = error != 0 ? error : m_folder.AppendManifest(MakeManifestLine(entry));
    if (error != 0)
    {
        Fail(error);
    }
    m_threads.push_back(std::move(thread));
    return m_threads.back()->log.get();
}

void
Recorder::EndThread(void* log)
{
    g_threadLog = nullptr;
    static_cast<ThreadLog*>(log)->End();
}

void
Recorder::StartWriter()
{
    if (m_isWriting)
    {
        return;
    }
    m_isWriting = true;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The program may have bound this thread to a processor, which then is its own.
    pthread_attr_setaffinity_np(&attributes, sizeof(m_processors), &m_processors);
    pthread_t writer;
    if (const int error = pthread_create(&writer, &attributes, &Recorder::RunWriter, this))
    {
        // Full rings are written by the threads that fill them.
        Say("no thread for writing", "the recorder", error);
    }
    pthread_attr_destroy(&attributes);
}

void*
Recorder::RunWriter(void* recorder)
{
    // Its signals are blocked: OpenLog, which started it, has them so.
    auto& self = *static_cast<Recorder*>(recorder);
    pthread_setname_np(pthread_self(), "rdmasim-record");
    int64_t sleepNs = SHORTEST_SLEEP_NS;
    while (true)
    {
        const timespec duration{.tv_sec = 0, .tv_nsec = sleepNs};
        nanosleep(&duration, nullptr);
        const std::lock_guard lock{self.m_mutex};
        const uint64_t done = self.WriteAll(Flush::NO);
        sleepNs = done > MUCH ? SHORTEST_SLEEP_NS : std::min(sleepNs * 2, LONGEST_SLEEP_NS);
        if (self.m_spare == nullptr)
        {
            self.m_spare = ThreadLog::MakeSlots();
        }
    }
    return nullptr;
}

void
Recorder::WriteNow(Flush flush)
{
    const int error = errno;
    {
        const SignalsBlocked blocked;
        const std::lock_guard lock{m_mutex};
        WriteAll(flush);
    }
    errno = error;
}

uint64_t
Recorder::WriteAll(Flush flush)
{
    if (!m_clock)
    {
        return 0;
    }
    const uint64_t now = m_clock->Advance();
    // Counters of two processors may differ by a little: at the end nothing stays for that.
    const uint64_t until = flush == Flush::YES ? UINT64_MAX : now;
    const int64_t nowNs = ReadSystemClock(CLOCK_MONOTONIC);
    uint64_t done = 0;
    for (const auto& thread : m_threads)
    {
        if (thread->log == nullptr)
        {
            continue;
        }
        const bool hasEnded = thread->log->HasEnded();
        done += WriteThread(*thread, until);
        const bool isOld =
            !thread->file.IsEmpty() && nowNs - thread->file.GetOldestNs() > MOST_AGE_NS;
        int error = 0;
        if (!g_hasFailed && (flush == Flush::YES || hasEnded || isOld))
        {
            error = thread->file.Flush();
        }
        if (error != 0)
        {
            Fail(error);
        }
        if (hasEnded && thread->log->IsEmpty())
        {
            thread->log.reset();
        }
    }
    return done;
}

uint64_t
Recorder::WriteThread(Thread& thread, uint64_t until)
{
    const auto write = [this, &thread](const RawOperation* raw)
    {
        if (g_hasFailed)
        {
            return;
        }
        TraceOperation& operation = m_decoder.Decode(raw);
        operation.timeNs = m_clock->ToNs(static_cast<uint64_t>(operation.timeNs));
        if (operation.durationNs != 0)
        {
            operation.durationNs = m_clock->DurationNs(static_cast<uint64_t>(operation.durationNs));
        }
        if (const int error = thread.file.Append(operation); error != 0)
        {
            Fail(error);
        }
    };
    const uint64_t done = thread.log->Take(until, write);
    if (const uint64_t lost = thread.log->GetLost(); lost != thread.toldLost)
    {
        thread.toldLost = lost;
        m_folder.AppendManifest(MakeManifestLine(
            "note", std::to_string(lost) + " operations lost: a list longer than the ring"));
    }
    return done;
}

void
Recorder::EndProcess()
{
    // A child of vfork has its parent's memory, and ends before its parent goes on.
    if (getpid() != m_process)
    {
        return;
    }
    if (ThreadLog* log = g_threadLog; log != nullptr)
    {
        log->Open();
        log->Close();
    }
    const SignalsBlocked blocked;
    const std::lock_guard lock{m_mutex};
    if (!m_hasBegun || ThreadLog::g_writesAtOnce)
    {
        return;
    }
    WriteAll(Flush::YES);
    ThreadLog::g_writesAtOnce = true;
    const double rate = m_clock->GetRate();
    std::array<char, 128> note{};
    snprintf(note.data(),
             note.size(),
             "times read from %s at %.0f Hz",
             g_usesCycleCounter ? "the time stamp counter" : "the monotonic clock",
             rate);
    if (!g_hasFailed)
    {
        m_folder.AppendManifest(MakeManifestLine("note", note.data()) +
                                MakeManifestLine("closed", "yes"));
    }
}

void
Recorder::BeforeFork()
{
    m_mutex.lock();
    LiveObjects::Get().Lock();
}

void
Recorder::AfterForkInParent()
{
    LiveObjects::Get().Unlock();
    m_mutex.unlock();
}

void
Recorder::AfterForkInChild()
{
    m_process = getpid();
    m_isChild = m_hasBegun;
    m_hasBegun = false;
    g_hasFailed = false;
    m_isWriting = false;
    ThreadLog::g_writesAtOnce = false;
    g_threadLog = nullptr;
    pthread_setspecific(m_threadKey, nullptr);
    m_folder.Leave();
    m_clock.reset();
    m_threads.clear();
    LiveObjects::Get().Unlock();
    m_mutex.unlock();
}

} // namespace ns3::rdma
