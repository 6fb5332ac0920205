// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run.h"

#include "base/quantity.h"
#include "engine/simulator-choice.h"
#include "scenario/application-output.h"
#include "scenario/application-runner.h"
#include "scenario/hpcc-output.h"
#include "scenario/instrument-set.h"
#include "scenario/pcap-output.h"
#include "scenario/pfc-output.h"
#include "scenario/results-settings.h"
#include "scenario/run-deadlock.h"
#include "scenario/run-events.h"
#include "scenario/run-interrupt.h"
#include "scenario/run-machine.h"
#include "scenario/run-progress.h"
#include "scenario/run-standstill.h"
#include "scenario/run-summary.h"
#include "scenario/summary-output.h"
#include "scenario/table-output.h"
#include "scenario/timeline.h"
#include "trace/result-folder.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace ns3::rdma
{

namespace
{

constexpr const char* FLOWS = "flows.csv";
constexpr const char* LINKS = "links.csv";
constexpr const char* PFC = "pfc.csv";
constexpr const char* EVENTS = "events.csv";
constexpr const char* SUMMARY = "summary.json";
constexpr const char* RUN = "run.json";

/** Files that every run writes. */
const std::vector<std::string> OWN{FLOWS, LINKS, PFC, EVENTS, SUMMARY, RUN};

Diagnostic
MakeDiagnostic(const std::string& key, const std::string& message, const std::string& got)
{
    Diagnostic diagnostic;
    diagnostic.key = key;
    diagnostic.message = message;
    diagnostic.got = got;
    return diagnostic;
}

/** One run from its check to its exit code; an object because its steps share all it has made. */
class Run
{
  public:
    Run(const Scenario& scenario, const RunOptions& options)
        : m_scenario{scenario},
          m_options{options},
          m_settings{scenario.results.Create<ResultsSettings>()}
    {
    }

    ~Run()
    {
        m_progress.reset();
        m_standstill.reset();
        m_deadlock.reset();
        m_instruments.reset();
        m_pfc.reset();
        m_applications.reset();
        m_timeline.reset();
        m_runner.reset();
        m_fabric.reset();
        Simulator::Destroy();
    }

    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    RunExit Execute()
    {
        Diagnostics errors = Build();
        if (errors.empty())
        {
            errors = OpenFolder();
        }
        if (!errors.empty())
        {
            *m_options.err << ToString(errors);
            return RunExit::BAD_INPUT;
        }
        PrintMessages();
        ConnectOutputs();
        Simulate();
        const RunReport report = WriteResults();
        return Conclude(report);
    }

  private:
    /** Everything that can be wrong with the scenario shows here. */
    Diagnostics Build()
    {
        if (m_scenario.flows.empty() && m_scenario.applications.empty())
        {
            return {MakeDiagnostic("workload", "there is no flow and no application to run", "")};
        }
        m_hpccFiles = NameHpccFiles(*m_settings, m_scenario);
        Diagnostics errors = CheckHpccFiles(m_hpccFiles, OWN);
        if (const auto wrong = SelectEngine(m_scenario.engine.simulator))
        {
            errors.push_back(*wrong);
            return errors;
        }
        auto fabric = Fabric::Build(m_scenario);
        if (!fabric)
        {
            const Diagnostics located = LocateDiagnostics(fabric.Errors(), m_scenario);
            errors.insert(errors.end(), located.begin(), located.end());
            return errors;
        }
        m_fabric = std::move(*fabric);
        auto runner = FlowRunner::Make(*m_fabric, m_scenario.flows, m_scenario.seed);
        if (!runner)
        {
            errors.insert(errors.end(), runner.Errors().begin(), runner.Errors().end());
            return errors;
        }
        m_runner = std::move(*runner);
        m_runner->Await(FindFlows(m_scenario.window, m_scenario.flows));
        m_applications =
            std::make_unique<ApplicationRunner>(*m_fabric, m_scenario, m_runner->GetObserver());
        Take(Timeline::Make({m_scenario, *m_fabric, *m_runner}), m_timeline, errors);
        Take(PcapOutput::Make(*m_settings, *m_fabric, m_scenario), m_pcap, errors);
        Take(InstrumentSet::Make(m_scenario, *m_runner), m_instruments, errors);
        return errors;
    }

    /** Keeps what was made, or adds what kept it from being made. */
    template <typename T, typename Slot>
    void Take(Expected<T> made, Slot& slot, Diagnostics& errors) const
    {
        if (made)
        {
            slot = std::move(*made);
            return;
        }
        const Diagnostics located = LocateDiagnostics(made.Errors(), m_scenario);
        errors.insert(errors.end(), located.begin(), located.end());
    }

    Diagnostics OpenFolder()
    {
        const std::filesystem::path path =
            m_options.outFolder.empty()
                ? std::filesystem::path{m_settings->GetFolder()} / m_scenario.name
                : std::filesystem::path{m_options.outFolder};
        std::vector<std::string> names = OWN;
        for (const std::string& name : {m_hpccFiles.fctFile, m_hpccFiles.pfcFile})
        {
            if (!name.empty())
            {
                names.push_back(name);
            }
        }
        for (const ResultTable& table : m_applications->GetTables())
        {
            names.push_back(table.file);
        }
        const std::vector<std::string> captures = m_pcap->GetFiles();
        names.insert(names.end(), captures.begin(), captures.end());
        const Diagnostics errors = m_instruments->AddFiles(names);
        if (!errors.empty())
        {
            return LocateDiagnostics(errors, m_scenario);
        }
        std::vector<std::string> stale = InstrumentSet::GetUsualFiles();
        std::erase_if(stale,
                      [&](const auto& file) { return std::ranges::count(names, file) != 0; });
        auto folder = ResultFolder::Open(path, names, stale);
        if (!folder)
        {
            return folder.Errors();
        }
        m_folder = std::move(*folder);
        return {};
    }

    void PrintMessages() const
    {
        std::vector<std::string> notes = m_scenario.notes;
        notes.insert(notes.end(), m_fabric->GetNotes().begin(), m_fabric->GetNotes().end());
        std::vector<std::string> warnings = m_scenario.warnings;
        for (const auto& more : {m_fabric->GetWarnings(), m_instruments->GetWarnings()})
        {
            warnings.insert(warnings.end(), more.begin(), more.end());
        }
        if (!m_options.isQuiet)
        {
            Print("note: ", AggregateLines(notes));
            Print("note: ", m_instruments->GetNotes());
        }
        Print("warning: ", AggregateLines(warnings));
    }

    void Print(const std::string& prefix, const std::vector<std::string>& lines) const
    {
        for (const std::string& line : lines)
        {
            *m_options.err << prefix << line << "\n";
        }
    }

    void ConnectOutputs()
    {
        m_observers = std::make_unique<RunObservers>(m_fabric->GetEvents());
        m_pfc = std::make_unique<PfcOutput>(*m_fabric, m_scenario, m_folder->Get(PFC));
        if (!m_hpccFiles.pfcFile.empty())
        {
            m_pfc->WriteHpccInto(m_folder->Get(m_hpccFiles.pfcFile));
        }
        m_pcap->Start(*m_fabric, *m_folder);
        m_instruments->Start({m_scenario, *m_fabric, *m_runner, *m_observers}, *m_folder);
        const ProgressStyle style{m_options.isQuiet ? nullptr : m_options.err,
                                  m_options.isErrTerminal};
        m_deadlock = std::make_unique<RunDeadlock>(*m_fabric, *m_observers);
        m_standstill =
            std::make_unique<RunStandstill>(*m_fabric, *m_runner, *m_applications, *m_observers);
        m_progress = std::make_unique<RunProgress>(*m_fabric, m_scenario, *m_observers, style);
    }

    void Simulate()
    {
        m_runner->SetDoneCallback([this](SimTime now) { OnDone(now); });
        m_applications->SetDoneCallback([this](SimTime now) { OnDone(now); });
        if (m_scenario.duration)
        {
            Simulator::Stop(PicoSeconds(static_cast<int64_t>(m_scenario.duration->ps)));
        }
        else
        {
            m_standstill->WaitFor(*m_timeline);
            m_standstill->Start();
        }
        const RunInterrupt interrupt;
        const double wall = GetWallSeconds();
        const double processor = GetProcessorSeconds();
        m_progress->Start();
        Simulator::Run();
        m_performance = {.wallSeconds = GetWallSeconds() - wall,
                         .processorSeconds = GetProcessorSeconds() - processor,
                         .events = m_fabric->GetEvents().GetEventCount(),
                         .engineEvents = Simulator::GetEventCount(),
                         .peakMemoryBytes = GetPeakMemoryBytes(),
                         .engine = m_scenario.engine.simulator,
                         .hasEagerPorts = m_scenario.engine.eagerPorts};
        m_progress->Finish();
        m_end = FindEnd();
        m_fabric->Settle(m_fabric->GetEvents().Now());
    }

    /** All flows that count have ended, or all applications have. */
    void OnDone(SimTime now)
    {
        if (!m_runner->HasEndedAwaited() || !m_applications->HasEndedAll())
        {
            return;
        }
        m_done = now;
        if (!m_scenario.duration)
        {
            Simulator::Stop();
        }
    }

    /**
     * The simulated time of the run.
     *
     * If everything came to a standstill, that is when the last frame arrived: the engine's own
     * time then is that of an observer, and depends on the wall clock.
     */
    SimTime FindEnd() const
    {
        if (m_progress->HasInterrupted())
        {
            return m_fabric->GetEvents().Now();
        }
        if (m_scenario.duration)
        {
            return *m_scenario.duration;
        }
        if (m_done)
        {
            return *m_done;
        }
        SimTime last{};
        for (const FabricLink& link : m_fabric->GetLinks())
        {
            last = std::max(last, link.port->GetLastArrival());
        }
        return last;
    }

    RunReport WriteResults()
    {
        RunReport report = MakeReport(m_scenario, *m_fabric, *m_runner, m_end);
        m_deadlock->Finish(m_fabric->GetEvents().Now(), report);
        report.applications = m_applications->GetOutcomes();
        const std::vector<std::string> missing = m_pcap->Finish();
        report.notes.insert(report.notes.end(), missing.begin(), missing.end());
        const std::vector<std::string> lacking = m_instruments->Finish(m_end);
        report.warnings.insert(report.warnings.end(), lacking.begin(), lacking.end());
        WriteFlows(m_folder->Get(FLOWS), m_scenario, *m_runner, report);
        WriteLinks(m_folder->Get(LINKS), *m_fabric, m_end);
        WriteEvents(m_folder->Get(EVENTS), m_fabric->GetRunEvents());
        for (const ResultTable& table : m_applications->GetTables())
        {
            WriteResultTable(m_folder->Get(table.file), table);
        }
        m_folder->Get(RUN).Write(MakeRunJson(report, m_performance));
        if (!m_hpccFiles.fctFile.empty())
        {
            WriteHpccFct(m_folder->Get(m_hpccFiles.fctFile),
                         m_scenario,
                         m_fabric->GetConnectionDefaults().attributes.pathMtu,
                         report);
        }
        m_writeErrors = m_folder->CommitAllBut(SUMMARY);
        if (m_progress->HasInterrupted())
        {
            report.partialReason = "interrupted at " + ToString(m_end);
        }
        else if (!m_writeErrors.empty())
        {
            report.partialReason = m_writeErrors.front();
        }
        ResultFile& summary = m_folder->Get(SUMMARY);
        summary.Write(MakeSummaryJson(m_scenario, report));
        if (!summary.Commit())
        {
            m_writeErrors.push_back(summary.GetError());
        }
        return report;
    }

    RunExit Conclude(const RunReport& report) const
    {
        if (!m_options.isQuiet)
        {
            PrintSummary(*m_options.out, m_scenario, report, m_performance);
            PrintApplicationResults();
            *m_options.out << "  results in " << m_folder->GetPath().string() << "\n";
            const std::size_t known = m_scenario.warnings.size() + m_fabric->GetWarnings().size();
            Print("warning: ",
                  {report.warnings.begin() + static_cast<long>(known), report.warnings.end()});
        }
        Print("error: result not written: ", m_writeErrors);
        Print("error: broken invariant: ", AggregateLines(report.broken));
        Print("error: deadlock: ",
              report.deadlock.empty() ? std::vector<std::string>{} : std::vector{report.deadlock});
        const bool haveFlowsFailed = PrintFlows(report);
        const bool hasFailed = PrintApplications(report) || haveFlowsFailed;
        if (m_progress->HasInterrupted())
        {
            *m_options.err << "interrupted: the results are those until " << ToString(m_end)
                           << "\n";
            return RunExit::INTERRUPTED;
        }
        const bool isWhole = m_writeErrors.empty() && report.broken.empty();
        return !hasFailed && isWhole && report.deadlock.empty() ? RunExit::OK : RunExit::FAILED;
    }

    void PrintApplicationResults() const
    {
        for (const std::string& line : m_applications->GetSummary())
        {
            *m_options.out << "  " << line << "\n";
        }
        for (const ResultTable& table : m_applications->GetTables())
        {
            if (table.isShown)
            {
                *m_options.out << "  " << table.file << ":\n" << FormatResultTable(table, "    ");
            }
        }
    }

    /** Names the first flows that should have finished and did not. @return whether there are */
    bool PrintFlows(const RunReport& report) const
    {
        constexpr uint32_t NAMED = 10;
        const bool mayRun = m_scenario.duration || m_progress->HasInterrupted();
        uint64_t found = 0;
        for (uint32_t number = 0; number < report.outcomes.size(); ++number)
        {
            const FlowStatus status = report.outcomes[number].status;
            const bool isWell = status == FlowStatus::FINISHED || status == FlowStatus::STOPPED ||
                                !m_runner->IsAwaited(number);
            if (status != FlowStatus::FAILED && (mayRun || isWell))
            {
                continue;
            }
            if (++found <= NAMED)
            {
                *m_options.err << "error: " << NameFlow(number) << ": "
                               << (status == FlowStatus::FAILED
                                       ? ToString(report.outcomes[number])
                                       : DescribeWait(*m_fabric, *m_runner, number, m_end))
                               << "\n";
            }
        }
        if (found > NAMED)
        {
            *m_options.err << "error: and " << found - NAMED << " more flows\n";
        }
        return found != 0;
    }

    /** Names the applications that did not do what they wanted. @return whether there are */
    bool PrintApplications(const RunReport& report) const
    {
        const bool mayRun = m_scenario.duration || m_progress->HasInterrupted();
        bool hasFailed = false;
        for (std::size_t i = 0; i < report.applications.size(); ++i)
        {
            const ApplicationOutcome& outcome = report.applications[i];
            if (!outcome.failure.empty() || (!outcome.hasEnded && !mayRun))
            {
                *m_options.err << "error: application " << outcome.tag << " ("
                               << m_scenario.applications[i].key
                               << "): " << (outcome.hasEnded ? outcome.failure : outcome.wait)
                               << "\n";
                hasFailed = true;
            }
        }
        return hasFailed;
    }

    std::string NameFlow(uint32_t number) const
    {
        const Flow& flow = m_scenario.flows[number];
        return "flow " + std::to_string(number) + " from " +
               m_scenario.topology.nodes[flow.source].name + " to " +
               m_scenario.topology.nodes[flow.destination].name;
    }

    const Scenario& m_scenario;
    const RunOptions& m_options;
    Ptr<ResultsSettings> m_settings;
    HpccOutputs m_hpccFiles;
    std::unique_ptr<ResultFolder> m_folder;
    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<FlowRunner> m_runner;
    std::unique_ptr<Timeline> m_timeline;
    std::unique_ptr<ApplicationRunner> m_applications;
    std::unique_ptr<RunObservers> m_observers;
    std::unique_ptr<PfcOutput> m_pfc;
    std::optional<PcapOutput> m_pcap;
    std::optional<InstrumentSet> m_instruments;
    std::unique_ptr<RunDeadlock> m_deadlock;
    std::unique_ptr<RunStandstill> m_standstill;
    std::unique_ptr<RunProgress> m_progress;
    RunPerformance m_performance;
    SimTime m_end{};
    std::optional<SimTime> m_done; ///< when the last flow and the last application had ended
    std::vector<std::string> m_writeErrors;
};

} // namespace

int
RunScenario(const Scenario& scenario, const RunOptions& options)
{
    return static_cast<int>(Run{scenario, options}.Execute());
}

} // namespace ns3::rdma
