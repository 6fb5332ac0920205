// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/sweep-plan.h"
#include "trace/csv-table.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What became of one run of a sweep. */
enum class SweepStatus : uint8_t
{
    NOT_RUN,
    OK,
    FAILED,      ///< flows failed or are unfinished, an invariant is broken, files are not whole
    BAD_INPUT,   ///< this combination is not a good scenario
    CRASHED,     ///< ended by a signal, or in a way that no run ends
    INTERRUPTED, ///< by Ctrl-C; what there was is written
};

/** "ok", "failed", ...: the word in sweep.csv and exit.json. */
std::string ToString(SweepStatus status);

/** What an exit code of a run means. */
SweepStatus ToSweepStatus(int exitCode);

/** The files of a sweep, in its folder. */
class SweepFolder
{
  public:
    explicit SweepFolder(std::filesystem::path path) : m_path{std::move(path)} {}

    /**
     * Makes the folder ready for a plan: new, or continued.
     *
     * @param restarts whether runs that are there are removed
     * @error what is there is of another plan; the folder cannot be written
     */
    Diagnostics Open(const SweepPlan& plan, bool restarts) const;

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

    std::filesystem::path GetRunPath(const SweepRun& run) const;

    /** How a run ended that is there in full, be it well or not; else NOT_RUN. */
    SweepStatus FindStatus(const SweepRun& run) const;

    /** Removes what an earlier, unfinished try may have left of a run. */
    void Clear(const SweepRun& run) const;

    /** Makes the end of a run known to later calls. @return what keeps it from being written */
    std::string Mark(const SweepRun& run, SweepStatus status) const;

    /** Writes sweep.csv. @return what keeps it from being written */
    std::string WriteTable(const SweepPlan& plan, const std::vector<SweepStatus>& statuses) const;

  private:
    Diagnostics CheckOld(const SweepPlan& plan) const;
    std::string WritePlan(const SweepPlan& plan) const;
    void WriteRow(CsvTable& table, const SweepPlan& plan, size_t number, SweepStatus status) const;

    std::filesystem::path m_path;
};

} // namespace ns3::rdma
