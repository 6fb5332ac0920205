// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-table.h"

#include "tracefile/operation-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace ns3::rdma
{

namespace
{

/** @choice beyond this a replay tells little about the recorded system, in either direction */
constexpr double LARGE_ERROR = 0.25;

std::string
ToNs(SimTime time)
{
    constexpr uint64_t PS_PER_NS = 1000;
    std::array<char, 32> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "%llu.%03llu",
                  static_cast<unsigned long long>(time.ps / PS_PER_NS),
                  static_cast<unsigned long long>(time.ps % PS_PER_NS));
    return text.data();
}

std::string
ToFixed(double value, int decimals)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

/** When a process had ended in the recording, since the first operation of all; or nothing. */
std::optional<SimTime>
FindRecordedEnd(const ReplayEngine& engine, uint32_t process)
{
    const SurveyedProcess& surveyed = engine.GetSurvey().processes[process];
    if (engine.GetTrace().timing != TraceTiming::RECORDED || surveyed.operations == 0 ||
        surveyed.isSchedule)
    {
        return std::nullopt;
    }
    const int64_t ns = engine.Align(process, surveyed.lastNs);
    return ns < 0 ? std::nullopt : std::optional{SimTime::Nanoseconds(static_cast<uint64_t>(ns))};
}

/** How far the end of a process is from the recorded one. */
struct EndError
{
    double ns{0.0};
    double ratio{0.0}; ///< replayed to recorded
};

std::optional<EndError>
FindError(ReplayEngine& engine, uint32_t process)
{
    const auto recorded = FindRecordedEnd(engine, process);
    const auto& end = engine.GetFigures(process).end;
    if (!recorded || recorded->ps == 0 || !end)
    {
        return std::nullopt;
    }
    constexpr double PS_PER_NS = 1000.0;
    const auto replayed = static_cast<double>(end->ps);
    const auto before = static_cast<double>(recorded->ps);
    return EndError{(replayed - before) / PS_PER_NS, replayed / before};
}

std::vector<std::string>
MakeClockCells(const SurveyedProcess& process)
{
    constexpr double PPM = 1e6;
    const ClockCorrection& clock = process.clock;
    if (!clock.isAligned || process.isSchedule)
    {
        return {"", "", ""};
    }
    return {ToFixed(clock.offsetNs, 0),
            ToFixed(clock.drift * PPM, 3),
            clock.isOneSided ? "" : ToFixed(clock.errorNs, 0)};
}

/** The text if all are the same, else all of them with blanks between. */
std::string
JoinDifferent(const std::vector<std::string>& texts)
{
    std::string joined = texts.front();
    if (std::ranges::count(texts, joined) == std::ssize(texts))
    {
        return joined;
    }
    for (std::size_t i = 1; i < texts.size(); ++i)
    {
        joined += " " + texts[i];
    }
    return joined;
}

std::vector<std::string>
MakeProcessRow(const ReplayReport& report, uint32_t process)
{
    ReplayEngine& engine = report.engine;
    const ReplayFigures& figures = engine.GetFigures(process);
    const std::vector<ReplayPlace>& places = report.places[process];
    std::vector<std::string> hosts;
    std::vector<std::string> interfaces;
    for (const ReplayPlace& place : places)
    {
        hosts.push_back(report.topology.nodes[place.node].name);
        interfaces.push_back(std::to_string(place.interface));
    }
    const auto recorded = FindRecordedEnd(engine, process);
    const auto error = FindError(engine, process);
    std::vector<std::string> row{report.tag,
                                 engine.GetTrace().processes[process].name,
                                 JoinDifferent(hosts),
                                 JoinDifferent(interfaces),
                                 std::to_string(figures.operations),
                                 std::to_string(figures.bytes),
                                 figures.end ? ToNs(*figures.end) : "",
                                 recorded ? ToNs(*recorded) : "",
                                 error ? ToFixed(error->ns, 3) : "",
                                 error ? ToFixed(error->ratio, 6) : "",
                                 ToNs(figures.compute),
                                 ToNs(figures.waiting),
                                 std::to_string(figures.otherStatus),
                                 std::to_string(figures.otherOpcode),
                                 std::to_string(figures.otherLength),
                                 std::to_string(figures.late),
                                 std::to_string(figures.refused),
                                 std::to_string(figures.waitedForRoom),
                                 std::to_string(figures.leftOut)};
    const auto clock = MakeClockCells(engine.GetSurvey().processes[process]);
    row.insert(row.end(), clock.begin(), clock.end());
    return row;
}

std::string
DescribeCalibration(const ReplayReport& report)
{
    std::optional<EndError> worst;
    uint32_t process = 0;
    for (uint32_t i = 0; i < report.places.size(); ++i)
    {
        const auto error = FindError(report.engine, i);
        if (error && (!worst || std::abs(error->ratio - 1) > std::abs(worst->ratio - 1)))
        {
            worst = error;
            process = i;
        }
    }
    if (!worst)
    {
        return "calibration: the trace has no recorded times to compare with";
    }
    const bool isLarge = std::abs(worst->ratio - 1) > LARGE_ERROR;
    return "calibration: the end of " + report.engine.GetTrace().processes[process].name +
           " differs most from the recording, by " + ToFixed(worst->ns, 3) +
           " ns: " + ToFixed(worst->ratio, 4) + " of the recorded time" +
           (isLarge ? "; LARGE: settle why before other figures are believed" : "");
}

std::string
DescribeClocks(const ReplaySurvey& survey)
{
    double error = 0.0;
    uint32_t notAligned = 0;
    uint32_t oneSided = 0;
    std::vector<std::size_t> seen;
    for (const SurveyedProcess& process : survey.processes)
    {
        if (std::ranges::count(seen, process.clockNumber) != 0)
        {
            continue;
        }
        seen.push_back(process.clockNumber);
        error = std::max(error, process.clock.errorNs);
        notAligned += process.clock.isAligned ? 0 : 1;
        oneSided += process.clock.isOneSided ? 1 : 0;
    }
    std::string text = "clocks: " + std::to_string(seen.size()) + " aligned by " +
                       std::to_string(survey.alignedMessages) + " messages to " +
                       ToFixed(error, 0) + " ns";
    if (oneSided > 0)
    {
        text += "; " + std::to_string(oneSided) + " by messages of one direction only";
    }
    if (notAligned > 0)
    {
        text += "; " + std::to_string(notAligned) + " taken as they are, no message tells";
    }
    return text;
}

std::string
DescribeDifferences(const ReplayReport& report)
{
    ReplayFigures sum;
    for (uint32_t i = 0; i < report.places.size(); ++i)
    {
        const ReplayFigures& figures = report.engine.GetFigures(i);
        sum.operations += figures.operations;
        sum.bytes += figures.bytes;
        sum.otherStatus += figures.otherStatus;
        sum.otherOpcode += figures.otherOpcode;
        sum.otherLength += figures.otherLength;
        sum.late += figures.late;
    }
    std::string text = "replayed: " + std::to_string(sum.operations) + " operations, " +
                       std::to_string(sum.bytes) + " bytes";
    if (sum.GetMismatches() > 0)
    {
        text += "; completions unlike the recorded ones: " + std::to_string(sum.otherStatus) +
                " in status, " + std::to_string(sum.otherOpcode) + " in opcode, " +
                std::to_string(sum.otherLength) + " in length";
    }
    if (sum.late > 0)
    {
        text += "; " + std::to_string(sum.late) + " completions later than recorded";
    }
    return text;
}

} // namespace

ResultTable
MakeProcessTable(const ReplayReport* report)
{
    constexpr std::size_t MOST_SHOWN = 16;
    ResultTable table{"replay.csv",
                      {"tag",           "process",         "host",
                       "interface",     "operations",      "bytes",
                       "completion_ns", "recorded_ns",     "error_ns",
                       "ratio",         "compute_ns",      "waiting_ns",
                       "other_status",  "other_opcode",    "other_length",
                       "late",          "refused",         "waited_for_room",
                       "left_out",      "clock_offset_ns", "clock_drift_ppm",
                       "clock_error_ns"},
                      {}};
    for (uint32_t i = 0; report != nullptr && i < report->places.size(); ++i)
    {
        table.rows.push_back(MakeProcessRow(*report, i));
    }
    table.isShown = !table.rows.empty() && table.rows.size() <= MOST_SHOWN;
    return table;
}

ResultTable
MakeMessageTable(const ReplayReport* report)
{
    ResultTable table{"messages.csv",
                      {"tag",
                       "opcode",
                       "bytes_from",
                       "bytes_to",
                       "messages",
                       "bytes",
                       "p50_ns",
                       "p95_ns",
                       "p99_ns",
                       "p99_9_ns",
                       "max_ns"},
                      {}};
    if (report == nullptr)
    {
        return table;
    }
    for (const ReplayMessages* messages : report->engine.GetStatistics().GetMessages())
    {
        std::vector<std::string> row{report->tag,
                                     GetSendOpcodeName(messages->opcode),
                                     std::to_string(messages->leastBytes),
                                     std::to_string(messages->mostBytes),
                                     std::to_string(messages->times.GetCount()),
                                     std::to_string(messages->bytes)};
        for (const uint32_t rank : {500U, 950U, 990U, 999U})
        {
            row.push_back(ToNs({messages->times.GetPercentile(rank)}));
        }
        row.push_back(ToNs({messages->times.GetMaximum()}));
        table.rows.push_back(row);
    }
    return table;
}

std::vector<std::string>
MakeReplaySummary(const ReplayReport& report)
{
    std::vector<std::string> lines{DescribeCalibration(report)};
    const ReplaySurvey& survey = report.engine.GetSurvey();
    const bool hasPrograms = std::ranges::any_of(
        survey.processes,
        [](const auto& process) { return process.operations > 0 && !process.isSchedule; });
    if (hasPrograms)
    {
        lines.push_back(DescribeClocks(survey));
    }
    lines.push_back(DescribeDifferences(report));
    for (const std::string& note : report.engine.GetNotes())
    {
        lines.push_back("note: " + note);
    }
    return lines;
}

} // namespace ns3::rdma
