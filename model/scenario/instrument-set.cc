// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/instrument-set.h"

#include "scenario/component-catalog.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace ns3::rdma
{

namespace
{

constexpr const char* LIST_KEY = "instruments";
constexpr const char* SAMPLE_KEY = "results.sample_interval";

/** A file of more bytes is warned about. @choice what spreadsheets and pandas read with pain */
constexpr ByteCount LARGE{1'000'000'000};

/** "12.3 MB" */
std::string
FormatMegabytes(ByteCount bytes)
{
    constexpr double TENTH = 100'000;
    const auto tenths = static_cast<uint64_t>(std::ceil(static_cast<double>(bytes.value) / TENTH));
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

/**
 * When a run will end: its duration, or at least the time that the busiest interface needs after
 * the last start.
 */
SimTime
EstimateEnd(const Scenario& scenario)
{
    if (scenario.duration)
    {
        return *scenario.duration;
    }
    const std::size_t count = scenario.topology.nodes.size();
    std::vector<uint64_t> sent(count);
    std::vector<uint64_t> received(count);
    std::vector<uint64_t> rates(count);
    for (const TopologyLink& link : scenario.topology.links)
    {
        rates[link.a] += link.rate.bps;
        rates[link.b] += link.rate.bps;
    }
    SimTime lastStart{};
    for (const Flow& flow : scenario.flows)
    {
        sent[flow.source] += flow.bytes;
        received[flow.destination] += flow.bytes;
        lastStart = std::max(lastStart, flow.start);
    }
    SimTime longest{};
    for (std::size_t node = 0; node < count; ++node)
    {
        if (rates[node] != 0)
        {
            const ByteTime byteTime{BitRate{rates[node]}};
            longest = std::max(longest, byteTime.Of(std::max(sent[node], received[node])));
        }
    }
    return lastStart + longest;
}

} // namespace

void
InstrumentSet::Add(const std::string& key, const ObjectFactory& factory)
{
    m_entries.push_back({key, factory.Create<Instrument>()});
}

void
InstrumentSet::AddShorthands(const ResultsSettings& settings)
{
    if (settings.GetSampleInterval().ps == 0)
    {
        return;
    }
    const auto add = [&](const char* type)
    {
        ObjectFactory factory{type};
        factory.Set("Interval", SimTimeValue(settings.GetSampleInterval()));
        Add(SAMPLE_KEY, factory);
    };
    add("ns3::rdma::QueuesInstrument");
    if (settings.SamplesRates())
    {
        add("ns3::rdma::RatesInstrument");
    }
}

Expected<InstrumentSet>
InstrumentSet::Make(const Scenario& scenario, const FlowRunner& runner)
{
    InstrumentSet set;
    set.AddShorthands(*scenario.results.Create<ResultsSettings>());
    for (std::size_t i = 0; i < scenario.instruments.size(); ++i)
    {
        set.Add(std::string{LIST_KEY} + "." + std::to_string(i), scenario.instruments[i]);
    }
    const Diagnostics errors = set.Resolve(scenario, runner.GetFabric());
    if (!errors.empty())
    {
        return errors;
    }
    set.Estimate(scenario, runner);
    return set;
}

Diagnostics
InstrumentSet::Resolve(const Scenario& scenario, const Fabric& fabric) const
{
    Diagnostics errors;
    std::map<std::string, std::string> keyOfFile;
    for (const Entry& entry : m_entries)
    {
        for (Diagnostic error : entry.instrument->Resolve(scenario, fabric))
        {
            error.key = entry.key + "." + error.key;
            errors.push_back(error);
        }
        const std::string file = entry.instrument->GetFile();
        const auto [other, isNew] = keyOfFile.emplace(file, entry.key);
        if (!isNew || std::filesystem::path{file}.filename() != file)
        {
            errors.push_back({"",
                              0,
                              GetFileKey(file),
                              isNew ? "not a name without folder"
                                    : entry.key + " and " + other->second + " write one file",
                              file,
                              "a file name of its own for each instrument",
                              "",
                              {}});
        }
    }
    return errors;
}

void
InstrumentSet::Estimate(const Scenario& scenario, const FlowRunner& runner)
{
    const SimTime end = EstimateEnd(scenario);
    for (const Entry& entry : m_entries)
    {
        const ByteCount size = entry.instrument->EstimateSize(scenario, runner, end);
        const std::string text =
            entry.instrument->GetFile() + ": up to about " + FormatMegabytes(size) +
            (scenario.duration ? " in " : " if the run takes ") + ToString(end);
        if (size > LARGE)
        {
            m_warnings.push_back(text + "; a longer interval, filters or max_bytes make it less");
        }
        else if (size.value != 0)
        {
            m_notes.push_back(text);
        }
    }
}

Diagnostics
InstrumentSet::AddFiles(std::vector<std::string>& names) const
{
    Diagnostics errors;
    for (const Entry& entry : m_entries)
    {
        const std::string file = entry.instrument->GetFile();
        if (std::ranges::count(names, file) != 0)
        {
            errors.push_back({"",
                              0,
                              GetFileKey(file),
                              "another result has this name",
                              file,
                              "a file name of its own",
                              "",
                              {}});
        }
        names.push_back(file);
    }
    return errors;
}

std::string
InstrumentSet::GetFileKey(const std::string& file) const
{
    std::string key{LIST_KEY};
    for (const Entry& entry : m_entries)
    {
        // The last one: what a list entry is told of, rather than a shorthand.
        key = entry.instrument->GetFile() == file ? entry.key + ".file" : key;
    }
    return key;
}

std::vector<std::string>
InstrumentSet::GetUsualFiles()
{
    std::vector<std::string> files;
    for (const Component& component : FindComponents("ns3::rdma::Instrument", "Instrument"))
    {
        files.push_back(ObjectFactory{component.type.GetName()}.Create<Instrument>()->GetFile());
    }
    return files;
}

void
InstrumentSet::Start(const InstrumentContext& context, ResultFolder& folder)
{
    uint32_t order = 0;
    for (const Entry& entry : m_entries)
    {
        entry.instrument->Start(context, folder.Get(entry.instrument->GetFile()), order++);
    }
}

std::vector<std::string>
InstrumentSet::Finish(SimTime end)
{
    std::vector<std::string> shortfalls;
    for (const Entry& entry : m_entries)
    {
        entry.instrument->Finish(end);
        if (const auto shortfall = entry.instrument->GetShortfall())
        {
            shortfalls.push_back(*shortfall);
        }
    }
    return shortfalls;
}

} // namespace ns3::rdma
