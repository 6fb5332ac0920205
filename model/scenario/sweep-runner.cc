// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-runner.h"

#include "scenario/results-settings.h"
#include "scenario/run-machine.h"
#include "scenario/sweep-output.h"
#include "scenario/text-table.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iomanip>
#include <map>
#include <sched.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

constexpr const char* MESSAGES = "messages.txt";

/** Processors that this process may use. */
uint32_t
CountProcessors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof(set), &set) == 0
               ? static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)))
               : 1;
}

/** While it lives, Ctrl-C and the ends of processes wait to be asked for. */
class HeldSignals
{
  public:
    HeldSignals()
    {
        sigemptyset(&m_set);
        for (const int signal : {SIGINT, SIGTERM, SIGCHLD})
        {
            sigaddset(&m_set, signal);
        }
        sigprocmask(SIG_BLOCK, &m_set, &m_previous);
    }

    ~HeldSignals()
    {
        Release();
    }

    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /** Everything as before; in a new process. */
    void Release() const
    {
        sigprocmask(SIG_SETMASK, &m_previous, nullptr);
    }

    /** Waits for one. @return whether it asks to end */
    bool WaitForInterrupt() const
    {
        const timespec limit{1, 0};
        const int signal = sigtimedwait(&m_set, nullptr, &limit);
        return signal == SIGINT || signal == SIGTERM;
    }

  private:
    sigset_t m_set{};
    sigset_t m_previous{};
};

/** One sweep from its folder to its exit code; an object because its steps share what runs. */
class Sweep
{
  public:
    Sweep(const SweepPlan& plan, const ScenarioRunner& runner, const RunRequest& request)
        : m_plan{plan},
          m_runner{runner},
          m_request{request},
          m_folder{request.outFolder.empty()
                       ? std::filesystem::path{plan.first.results.Create<ResultsSettings>()
                                                   ->GetFolder()} /
                             plan.first.name
                       : std::filesystem::path{request.outFolder}},
          m_statuses(plan.runs.size(), SweepStatus::NOT_RUN)
    {
    }

    int Execute(const SweepStreams& streams)
    {
        std::ostream& out = streams.out;
        m_err = &streams.err;
        if (const Diagnostics errors = m_folder.Open(m_plan, m_request.restarts); !errors.empty())
        {
            *m_err << ToString(errors);
            return static_cast<int>(ExitCode::BAD_INPUT);
        }
        FindMissing();
        if (!m_request.isQuiet)
        {
            out << DescribeSweep(m_plan);
        }
        out.flush();
        RunMissing();
        if (const std::string error = m_folder.WriteTable(m_plan, m_statuses); !error.empty())
        {
            m_writeErrors.push_back(error);
        }
        return Conclude(out);
    }

  private:
    void FindMissing()
    {
        for (size_t i = 0; i < m_plan.runs.size(); ++i)
        {
            m_statuses[i] = m_folder.FindStatus(m_plan.runs[i]);
            if (m_statuses[i] == SweepStatus::NOT_RUN)
            {
                m_missing.push_back(i);
            }
        }
        m_found = m_plan.runs.size() - m_missing.size();
        if (m_found != 0 && !m_request.isQuiet)
        {
            *m_err << m_found << " of " << m_plan.runs.size() << " runs are there already\n";
        }
    }

    void RunMissing()
    {
        const HeldSignals signals;
        const uint32_t jobs = m_request.jobs == 0 ? CountProcessors() : m_request.jobs;
        m_started = GetWallSeconds();
        size_t next = 0;
        while (next < m_missing.size() || !m_running.empty())
        {
            while (!m_isInterrupted && next < m_missing.size() && m_running.size() < jobs)
            {
                Start(m_missing[next++], signals);
            }
            if (m_isInterrupted && m_running.empty())
            {
                return;
            }
            if (signals.WaitForInterrupt())
            {
                // Each run is in a group of its own: a terminal's Ctrl-C comes to this process
                // only.
                std::for_each(m_running.begin(),
                              m_running.end(),
                              [this](const auto& entry)
                              { kill(entry.first, m_isInterrupted ? SIGKILL : SIGINT); });
                m_isInterrupted = true;
            }
            Collect();
        }
    }

    void Start(size_t number, const HeldSignals& signals)
    {
        m_folder.Clear(m_plan.runs[number]);
        m_err->flush();
        const pid_t parent = getpid();
        const pid_t process = fork();
        if (process == 0)
        {
            BecomeRun(parent, m_folder.GetRunPath(m_plan.runs[number]) / MESSAGES);
            signals.Release();
            const int code = RunHere(number);
            std::fflush(nullptr);
            _exit(code);
        }
        if (process < 0)
        {
            m_writeErrors.push_back("no process for run " + std::to_string(number) + ": " +
                                    std::strerror(errno));
            return;
        }
        m_running[process] = number;
    }

    /** Cuts a new process off: group, end with its parent, output. */
    static void BecomeRun(pid_t parent, const std::filesystem::path& messages)
    {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        constexpr mode_t MODE = 0644;
        const int file = open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, MODE);
        if (file < 0 || getppid() != parent)
        {
            _exit(static_cast<int>(ExitCode::RUN_FAILED));
        }
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        close(file);
    }

    int RunHere(size_t number) const
    {
        const SweepRun& run = m_plan.runs[number];
        const auto scenario = LoadScenario(GetRequest(m_plan, run));
        if (!scenario)
        {
            *m_err << ToString(scenario.Errors());
            m_err->flush();
            return static_cast<int>(ExitCode::BAD_INPUT);
        }
        return m_runner(*scenario,
                        {.outFolder = m_folder.GetRunPath(run).string(), .isQuiet = true});
    }

    /** Takes in all runs that have ended. */
    void Collect()
    {
        for (auto entry = m_running.begin(); entry != m_running.end();)
        {
            int state = 0;
            if (waitpid(entry->first, &state, WNOHANG) != entry->first)
            {
                ++entry;
                continue;
            }
            const size_t number = entry->second;
            const SweepStatus status =
                WIFEXITED(state) ? ToSweepStatus(WEXITSTATUS(state)) : SweepStatus::CRASHED;
            m_statuses[number] = m_isInterrupted && status == SweepStatus::CRASHED
                                     ? SweepStatus::INTERRUPTED
                                     : status;
            const std::string error = m_folder.Mark(m_plan.runs[number], m_statuses[number]);
            if (!error.empty())
            {
                m_writeErrors.push_back(error);
            }
            entry = m_running.erase(entry);
            ++m_ended;
            TellProgress(number);
        }
    }

    void TellProgress(size_t number)
    {
        if (m_request.isQuiet)
        {
            return;
        }
        constexpr int SECONDS_PER_MINUTE = 60;
        const double passed = GetWallSeconds() - m_started;
        const size_t left = m_missing.size() - m_ended;
        const auto seconds =
            static_cast<int>(passed / static_cast<double>(m_ended) * static_cast<double>(left));
        *m_err << "[" << m_found + m_ended << "/" << m_plan.runs.size() << "] "
               << m_plan.runs[number].name << ": " << ToString(m_statuses[number]);
        if (left != 0 && !m_isInterrupted)
        {
            *m_err << "; about " << seconds / SECONDS_PER_MINUTE << ":" << std::setw(2)
                   << std::setfill('0') << seconds % SECONDS_PER_MINUTE << std::setfill(' ')
                   << " left";
        }
        *m_err << std::endl;
    }

    int Conclude(std::ostream& out)
    {
        const auto good = std::count(m_statuses.begin(), m_statuses.end(), SweepStatus::OK);
        if (!m_request.isQuiet)
        {
            out << good << " of " << m_statuses.size() << " runs ended well; results in "
                << m_folder.GetPath().string() << ", a row for each in sweep.csv\n";
        }
        for (const std::string& error : m_writeErrors)
        {
            *m_err << "error: " << error << "\n";
        }
        for (size_t i = 0; i < m_statuses.size(); ++i)
        {
            if (m_statuses[i] != SweepStatus::OK && m_statuses[i] != SweepStatus::NOT_RUN)
            {
                *m_err << "error: run " << m_plan.runs[i].name << ": " << ToString(m_statuses[i])
                       << ", see " << (m_folder.GetRunPath(m_plan.runs[i]) / MESSAGES).string()
                       << "\n";
            }
        }
        if (m_isInterrupted)
        {
            *m_err << "interrupted: the same command makes the runs that are missing\n";
            return static_cast<int>(ExitCode::INTERRUPTED);
        }
        const bool isGood =
            m_writeErrors.empty() && good == static_cast<std::ptrdiff_t>(m_statuses.size());
        return static_cast<int>(isGood ? ExitCode::OK : ExitCode::RUN_FAILED);
    }

    const SweepPlan& m_plan;
    const ScenarioRunner& m_runner;
    const RunRequest& m_request;
    SweepFolder m_folder;
    std::vector<SweepStatus> m_statuses;
    std::vector<size_t> m_missing;     ///< runs to be made
    std::map<pid_t, size_t> m_running; ///< their processes
    std::vector<std::string> m_writeErrors;
    std::ostream* m_err{nullptr};
    size_t m_found{0}; ///< runs that were there already
    size_t m_ended{0};
    double m_started{0.0}; ///< wall clock
    bool m_isInterrupted{false};
};

} // namespace

int
RunSweep(const SweepPlan& plan,
         const ScenarioRunner& runner,
         const RunRequest& request,
         const SweepStreams& streams)
{
    return Sweep{plan, runner, request}.Execute(streams);
}

} // namespace ns3::rdma
