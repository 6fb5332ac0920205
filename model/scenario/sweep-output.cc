// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-output.h"

#include "scenario/run-request.h"
#include "scenario/version.h"
#include "trace/result-file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* PLAN = "sweep.json";
constexpr const char* TABLE = "sweep.csv";
constexpr const char* RUNS = "runs";
constexpr const char* EXIT = "exit.json";
constexpr const char* SUMMARY = "summary.json";
constexpr const char* SEED = "seed";
constexpr int INDENT = 2;

constexpr std::array<std::pair<SweepStatus, std::string_view>, 6> STATUSES{{
    {SweepStatus::NOT_RUN, "not-run"},
    {SweepStatus::OK, "ok"},
    {SweepStatus::FAILED, "failed"},
    {SweepStatus::BAD_INPUT, "bad-input"},
    {SweepStatus::CRASHED, "crashed"},
    {SweepStatus::INTERRUPTED, "interrupted"},
}};

constexpr std::string_view METRICS =
    "flows,finished,failed,censored,slowdown_delivered_p50,slowdown_delivered_p95,"
    "slowdown_delivered_p99,slowdown_delivered_p999,fct_delivered_p50_ns,fct_delivered_p99_ns,"
    "goodput_bps,dropped_frames,ecn_marked_frames,pause_frames,paused_ns,max_queue_bytes";

/** A file of JSON; null if there is none, or if it is not whole. */
Json
ReadJson(const fs::path& path)
{
    std::ifstream stream{path, std::ios::binary};
    Json json = Json::parse(stream, nullptr, false);
    return json.is_discarded() ? Json{} : json;
}

std::string
Write(const fs::path& path, const std::string& text)
{
    ResultFile file{path};
    file.Open();
    file.Write(text);
    return file.Commit() ? "" : file.GetError();
}

/** The number at a place of a summary, for a cell; nothing if it is not there. */
void
WriteNumber(CsvTable& table, const Json& summary, const std::string& pointer)
{
    const Json::json_pointer place{pointer};
    const Json value = summary.contains(place) ? summary[place] : Json{};
    if (value.is_number_unsigned())
    {
        table.Integer(value.get<uint64_t>());
    }
    else if (value.is_number())
    {
        table.Ratio(value.get<double>());
    }
    else
    {
        table.Empty();
    }
}

uint64_t
CountDropped(const Json& summary)
{
    uint64_t frames = 0;
    for (const auto& reason : summary["network"]["dropped"])
    {
        frames += reason["frames"].get<uint64_t>();
    }
    return frames;
}

/** Payload that was acknowledged, over the whole run. */
uint64_t
ComputeGoodput(const Json& summary)
{
    constexpr double BITS_PER_BYTE_NS = 8e9;
    const double ns = summary["simulated_ns"].get<double>();
    const double bytes = summary["flows"]["acked_bytes"].get<double>();
    return ns > 0 ? static_cast<uint64_t>(bytes * BITS_PER_BYTE_NS / ns) : 0;
}

/** @param summary null for a run that has none */
void
WriteMetrics(CsvTable& table, const Json& summary)
{
    if (!summary.is_object())
    {
        for (auto i = std::count(METRICS.begin(), METRICS.end(), ','); i >= 0; --i)
        {
            table.Empty();
        }
        return;
    }
    for (const char* count : {"total", "finished", "failed"})
    {
        WriteNumber(table, summary, "/flows/" + std::string{count});
    }
    WriteNumber(table, summary, "/window/censored");
    for (const char* percentile : {"p50", "p95", "p99", "p999"})
    {
        WriteNumber(
            table, summary, "/completion_times/slowdown_delivered/" + std::string{percentile});
    }
    WriteNumber(table, summary, "/completion_times/fct_delivered_ns/p50");
    WriteNumber(table, summary, "/completion_times/fct_delivered_ns/p99");
    table.Integer(ComputeGoodput(summary)).Integer(CountDropped(summary));
    WriteNumber(table, summary, "/network/ecn_marked_frames");
    WriteNumber(table, summary, "/network/pause_frames_sent");
    WriteNumber(table, summary, "/network/paused_ns");
    WriteNumber(table, summary, "/network/max_queue_bytes");
}

/** "run,<swept keys>,seed,folder,status,<metrics>"; a seed that is swept stands once. */
std::string
MakeHeader(const SweepPlan& plan)
{
    std::string header = "run";
    for (const std::string& key : plan.keys)
    {
        header += key == SEED ? "" : "," + key;
    }
    return header + ",seed,folder,status," + std::string{METRICS};
}

Diagnostic
Foreign(const fs::path& path, const std::string& got, const std::string& expected)
{
    return {path.string(),
            0,
            "",
            "the folder holds another sweep",
            got,
            expected + "; another folder (--out), or --restart to remove what is there",
            "",
            {}};
}

} // namespace

std::string
ToString(SweepStatus status)
{
    for (const auto& [known, word] : STATUSES)
    {
        if (known == status)
        {
            return std::string{word};
        }
    }
    return "unknown";
}

SweepStatus
ToSweepStatus(int exitCode)
{
    switch (static_cast<ExitCode>(exitCode))
    {
    case ExitCode::OK:
        return SweepStatus::OK;
    case ExitCode::RUN_FAILED:
        return SweepStatus::FAILED;
    case ExitCode::BAD_INPUT:
        return SweepStatus::BAD_INPUT;
    case ExitCode::INTERRUPTED:
        return SweepStatus::INTERRUPTED;
    }
    return SweepStatus::CRASHED;
}

Diagnostics
SweepFolder::CheckOld(const SweepPlan& plan) const
{
    const Json old = ReadJson(m_path / PLAN);
    const std::string digest = old.is_object() ? old.value("digest", "") : "";
    std::error_code ignored;
    if (digest == plan.digest || (digest.empty() && !fs::exists(m_path / RUNS, ignored)))
    {
        return {};
    }
    if (digest.empty())
    {
        return {Foreign(m_path / RUNS, "runs without a plan", "runs of plan " + plan.digest)};
    }
    const std::string version = old.value("version", "");
    return {Foreign(m_path / PLAN,
                    "plan " + digest + " of version " + version,
                    "plan " + plan.digest + " of version " + GetVersion())};
}

Diagnostics
SweepFolder::Open(const SweepPlan& plan, bool restarts) const
{
    std::error_code error;
    if (restarts)
    {
        fs::remove_all(m_path / RUNS, error);
        fs::remove(m_path / PLAN, error);
    }
    if (const Diagnostics foreign = CheckOld(plan); !foreign.empty())
    {
        return foreign;
    }
    fs::create_directories(m_path / RUNS, error);
    const std::string failure = error ? error.message() : WritePlan(plan);
    fs::remove(m_path / TABLE, error);
    if (failure.empty())
    {
        return {};
    }
    return {{m_path.string(),
             0,
             "",
             "the result folder cannot be written",
             failure,
             "a folder in which files can be created",
             "",
             {}}};
}

std::string
SweepFolder::WritePlan(const SweepPlan& plan) const
{
    Json json{{"name", plan.first.name},
              {"description", plan.first.description},
              {"version", GetVersion()},
              {"ns3_version", GetNs3Version()},
              {"scenario_files", plan.first.files},
              {"digest", plan.digest},
              {"keys", plan.keys},
              {"runs", Json::array()}};
    for (size_t number = 0; number < plan.runs.size(); ++number)
    {
        const SweepRun& run = plan.runs[number];
        Json values = Json::object();
        for (size_t i = 0; i < run.values.size(); ++i)
        {
            values[plan.keys[i]] = run.values[i];
        }
        json["runs"].push_back(
            {{"run", number}, {"folder", std::string{RUNS} + "/" + run.name}, {"values", values}});
    }
    return Write(m_path / PLAN,
                 json.dump(INDENT, ' ', true, Json::error_handler_t::replace) + "\n");
}

std::filesystem::path
SweepFolder::GetRunPath(const SweepRun& run) const
{
    return m_path / RUNS / run.name;
}

SweepStatus
SweepFolder::FindStatus(const SweepRun& run) const
{
    const Json json = ReadJson(GetRunPath(run) / EXIT);
    const std::string word = json.is_object() ? json.value("status", "") : "";
    for (const SweepStatus status : {SweepStatus::OK, SweepStatus::FAILED})
    {
        if (word == ToString(status) && ReadJson(GetRunPath(run) / SUMMARY).is_object())
        {
            return status;
        }
    }
    return SweepStatus::NOT_RUN;
}

void
SweepFolder::Clear(const SweepRun& run) const
{
    std::error_code ignored;
    fs::remove_all(GetRunPath(run), ignored);
    fs::create_directories(GetRunPath(run), ignored);
}

std::string
SweepFolder::Mark(const SweepRun& run, SweepStatus status) const
{
    return Write(GetRunPath(run) / EXIT, Json{{"status", ToString(status)}}.dump() + "\n");
}

void
SweepFolder::WriteRow(CsvTable& table,
                      const SweepPlan& plan,
                      size_t number,
                      SweepStatus status) const
{
    const SweepRun& run = plan.runs[number];
    std::string seed = std::to_string(plan.first.seed);
    table.Integer(number);
    for (size_t i = 0; i < plan.keys.size(); ++i)
    {
        if (plan.keys[i] == SEED)
        {
            seed = run.values[i];
            continue;
        }
        table.Text(run.values[i]);
    }
    table.Text(seed).Text(std::string{RUNS} + "/" + run.name).Text(ToString(status));
    WriteMetrics(table,
                 status == SweepStatus::NOT_RUN ? Json{} : ReadJson(GetRunPath(run) / SUMMARY));
    table.EndRow();
}

std::string
SweepFolder::WriteTable(const SweepPlan& plan, const std::vector<SweepStatus>& statuses) const
{
    ResultFile file{m_path / TABLE};
    file.Open();
    CsvTable table{file, MakeHeader(plan)};
    for (size_t number = 0; number < plan.runs.size(); ++number)
    {
        WriteRow(table, plan, number, statuses[number]);
    }
    return file.Commit() ? "" : file.GetError();
}

} // namespace ns3::rdma
