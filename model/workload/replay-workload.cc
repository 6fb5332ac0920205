// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "topology/text-reader.h"
#include "workload/application.h"
#include "workload/path-list.h"
#include "workload/replay-engine.h"
#include "workload/replay-table.h"
#include "workload/trace-reader.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <memory>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** What is known of a trace and where it runs, before anything runs. */
struct ReplayPlan
{
    ReplaySurvey survey;
    ReplayPlaces places;
    ReplaySettings settings;
};

/**
 * A trace of what programs did, or a schedule of messages, on the verbs of the fabric.
 *
 * Not modelled: what a trace uses besides reliable connections is refused when the scenario is
 * checked, with how often it is used.
 */
class ReplayWorkload : public Application
{
  public:
    static TypeId GetTypeId();

    std::vector<std::string> GetSummary() const override;
    bool HasPlans() const override;
    std::string DescribeWait() const override;
    void LearnFrom(const Application& other) override;

  private:
    Diagnostics DoCheck(const Topology& topology) const override;
    Diagnostics DoStart(const Topology& topology,
                        ApplicationEnvironment& environment,
                        SimTime now) override;
    ResultTable DoGetResults() const override;
    std::vector<ResultTable> DoGetMoreResults() const override;

    std::string DoDefaultTag() const override
    {
        return "replay";
    }

    static TypeId AddTrace(TypeId tid);

    Expected<Trace> Open() const;
    Expected<std::shared_ptr<const ReplayPlan>> MakePlan(const Topology& topology) const;
    Expected<ReplaySettings> ReadSettings() const;
    Expected<ReplayPlaces> FindPlaces(const std::vector<MappedProcess>& processes,
                                      const Topology& topology) const;
    std::optional<ReplayReport> MakeReport() const;

    std::string m_files;
    std::string m_format;
    std::string m_options;
    std::string m_mapFile;
    std::string m_priority;
    Fraction m_computeScale;
    ReplayMode m_mode{};
    bool m_hostsShared{false};
    mutable std::shared_ptr<const ReplayPlan> m_plan; ///< from the check
    const Topology* m_topology{nullptr};
    std::unique_ptr<ReplayEngine> m_engine;
};

NS_OBJECT_ENSURE_REGISTERED(ReplayWorkload);

const ComponentHelp HELP{"ns3::rdma::ReplayWorkload",
                         "A trace of verbs programs, or a schedule of messages, run again"};

/** @choice beyond any use; products of it with times stay within 128 bits */
constexpr uint64_t MOST_SCALE = 1'000'000'000;

/** The priority is that of the trace. */
constexpr const char* OF_TRACE = "trace";

TypeId
ReplayWorkload::GetTypeId()
{
    static TypeId tid =
        AddTrace(TypeId{"ns3::rdma::ReplayWorkload"}
                     .SetParent<Application>()
                     .SetGroupName("Rdma")
                     .AddConstructor<ReplayWorkload>())
            .AddAttribute(
                "Mode",
                "recorded: operations begin at their recorded times; dependent: waits are those of "
                "the simulated network, what is between operations is kept; fast: nothing is "
                "between operations",
                ChoiceValue<ReplayMode>{ReplayMode::DEPENDENT},
                MakeChoiceAccessor<ReplayMode>(&ReplayWorkload::m_mode),
                MakeChoiceChecker<ReplayMode>({{ReplayMode::RECORDED, "recorded"},
                                               {ReplayMode::DEPENDENT, "dependent"},
                                               {ReplayMode::FAST, "fast"}}))
            .AddAttribute("ComputeScale",
                          "Factor of what is between operations, and of computing (dependent)",
                          FractionValue{Fraction{1, 1}},
                          MakeFractionAccessor(&ReplayWorkload::m_computeScale),
                          MakeFractionChecker(Fraction{0, 1}, Fraction{MOST_SCALE, 1}))
            .AddAttribute("MapFile",
                          "Table that says on which host a process runs, \"process,host\", "
                          "\"process,host,interface\" or, for the queue pairs of one of its "
                          "devices, \"process,host,interface,device\" in a line; empty: hosts and "
                          "their interfaces in turn",
                          StringValue{""},
                          MakeStringAccessor(&ReplayWorkload::m_mapFile),
                          MakeStringChecker())
            .AddAttribute("HostsShared",
                          "Whether hosts of the trace share hosts of the fabric if it has too few",
                          BooleanValue{false},
                          MakeBooleanAccessor(&ReplayWorkload::m_hostsShared),
                          MakeBooleanChecker())
            .AddAttribute("Priority",
                          "Priority of all packets, 0 to 7; \"trace\": as the trace has it, 3 if "
                          "it says nothing",
                          StringValue{OF_TRACE},
                          MakeStringAccessor(&ReplayWorkload::m_priority),
                          MakeStringChecker());
    return tid;
}

TypeId
ReplayWorkload::AddTrace(TypeId tid)
{
    return tid
        .AddAttribute("Files",
                      "Paths of the trace: one file, or one for each process",
                      StringValue{""},
                      MakeStringAccessor(&ReplayWorkload::m_files),
                      MakeStringChecker())
        .AddAttribute("Format",
                      "Name of the reader; empty: found by content",
                      StringValue{""},
                      MakeStringAccessor(&ReplayWorkload::m_format),
                      MakeStringChecker())
        .AddAttribute("Options",
                      "Options of the reader, \"name=value\" each",
                      StringValue{""},
                      MakeStringAccessor(&ReplayWorkload::m_options),
                      MakeStringChecker());
}

Expected<Trace>
ReplayWorkload::Open() const
{
    TraceRequest request{.paths = SplitPaths(m_files), .format = m_format, .options = {}};
    for (const std::string& word : SplitPaths(m_options))
    {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            Diagnostic error;
            error.key = "options";
            error.message = "not a name and a value";
            error.got = word;
            error.expected = "name=value";
            return error;
        }
        request.options.push_back({word.substr(0, equals), word.substr(equals + 1)});
    }
    return OpenTrace(request);
}

Expected<ReplaySettings>
ReplayWorkload::ReadSettings() const
{
    ReplaySettings settings{m_mode, m_computeScale, std::nullopt};
    if (m_priority == OF_TRACE)
    {
        return settings;
    }
    constexpr uint64_t HIGHEST = 7;
    const auto number = ParseWhole(m_priority);
    if (!number || *number > HIGHEST)
    {
        Diagnostic error;
        error.key = "priority";
        error.message = "no priority";
        error.got = m_priority;
        error.expected = "0 to 7, or trace";
        return error;
    }
    settings.priority = static_cast<uint8_t>(*number);
    return settings;
}

Expected<ReplayPlaces>
ReplayWorkload::FindPlaces(const std::vector<MappedProcess>& processes,
                           const Topology& topology) const
{
    if (m_mapFile.empty())
    {
        return MapInOrder(processes, topology, m_hostsShared);
    }
    const auto text = ReadTextFile(m_mapFile);
    if (!text)
    {
        return text.Errors();
    }
    return MapByTable(*text, m_mapFile, processes, topology);
}

Expected<std::shared_ptr<const ReplayPlan>>
ReplayWorkload::MakePlan(const Topology& topology) const
{
    const auto settings = ReadSettings();
    if (!settings)
    {
        return settings.Errors();
    }
    auto trace = Open();
    if (!trace)
    {
        return trace.Errors();
    }
    std::vector<MappedProcess> processes;
    for (const TraceProcess& process : trace->processes)
    {
        processes.push_back({.name = process.name, .host = process.host});
    }
    auto survey = SurveyTrace(std::move(*trace));
    if (!survey)
    {
        return survey.Errors();
    }
    for (std::size_t i = 0; i < processes.size(); ++i)
    {
        const auto& devices = survey->processes[i].devices;
        processes[i].devices = devices.empty() ? processes[i].devices : devices;
    }
    const auto places = FindPlaces(processes, topology);
    if (!places)
    {
        return places.Errors();
    }
    return std::make_shared<const ReplayPlan>(ReplayPlan{std::move(*survey), *places, *settings});
}

Diagnostics
ReplayWorkload::DoCheck(const Topology& topology) const
{
    const auto plan = MakePlan(topology);
    if (!plan)
    {
        return plan.Errors();
    }
    m_plan = *plan;
    return {};
}

void
ReplayWorkload::LearnFrom(const Application& other)
{
    const auto* same = dynamic_cast<const ReplayWorkload*>(&other);
    if (same != nullptr)
    {
        m_plan = same->m_plan;
    }
}

Diagnostics
ReplayWorkload::DoStart(const Topology& topology, ApplicationEnvironment& environment, SimTime now)
{
    m_topology = &topology;
    if (!m_plan)
    {
        if (Diagnostics errors = DoCheck(topology); !errors.empty())
        {
            return errors;
        }
    }
    auto trace = Open();
    if (!trace)
    {
        return trace.Errors();
    }
    m_engine = std::make_unique<ReplayEngine>(
        ReplayEngine::Setup{.settings = m_plan->settings,
                            .survey = &m_plan->survey,
                            .places = m_plan->places,
                            .onDone = [this](SimTime end, const std::string& failure)
                            { End(end, failure); }},
        std::move(*trace),
        environment);
    const std::string refusal = m_engine->Start(now);
    if (!refusal.empty())
    {
        Diagnostic error;
        error.message = refusal;
        return {error};
    }
    return {};
}

std::optional<ReplayReport>
ReplayWorkload::MakeReport() const
{
    if (!m_engine)
    {
        return std::nullopt;
    }
    return ReplayReport{GetTag(), *m_engine, m_plan->places, *m_topology};
}

ResultTable
ReplayWorkload::DoGetResults() const
{
    const auto report = MakeReport();
    return MakeProcessTable(report ? &*report : nullptr);
}

std::vector<ResultTable>
ReplayWorkload::DoGetMoreResults() const
{
    const auto report = MakeReport();
    return {MakeMessageTable(report ? &*report : nullptr)};
}

std::vector<std::string>
ReplayWorkload::GetSummary() const
{
    const auto report = MakeReport();
    return report ? MakeReplaySummary(*report) : std::vector<std::string>{};
}

bool
ReplayWorkload::HasPlans() const
{
    return m_engine && !HasEnded() && m_engine->HasPlans();
}

std::string
ReplayWorkload::DescribeWait() const
{
    return m_engine ? m_engine->DescribeWait() : Application::DescribeWait();
}

} // namespace

} // namespace ns3::rdma
