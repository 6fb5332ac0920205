// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/instrument.h"
#include "scenario/results-settings.h"
#include "trace/result-folder.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The instruments of a run: those of the scenario's list, and those that `results` stands for. */
class InstrumentSet
{
  public:
    /**
     * Makes them and applies their filters to the fabric.
     *
     * `results.sample_interval` stands for an instrument `queues`, `results.sample_rates` for one
     * `rates`.
     *
     * @error filters for what is not there, files without a name of their own; keys as
     *        "instruments.0.nodes"
     */
    static Expected<InstrumentSet> Make(const Scenario& scenario, const FlowRunner& runner);

    /**
     * Adds the files that they write, without the folder.
     *
     * @param names all other files of the run
     * @return files that another result has, too; keys as "instruments.0.file"
     */
    Diagnostics AddFiles(std::vector<std::string>& names) const;

    /** Files that instruments write unless they are given other names. */
    static std::vector<std::string> GetUsualFiles();

    /** How large the files may become, as far as it can be known. */
    std::vector<std::string> GetNotes() const
    {
        return m_notes;
    }

    /** Files that may become large. */
    std::vector<std::string> GetWarnings() const
    {
        return m_warnings;
    }

    /** They begin to look; before the run. */
    void Start(const InstrumentContext& context, ResultFolder& folder);

    /** They end. @return what is not in a file, a sentence each */
    std::vector<std::string> Finish(SimTime end);

  private:
    struct Entry
    {
        std::string key; ///< "instruments.0"
        Ptr<Instrument> instrument;
    };

    void Add(const std::string& key, const ObjectFactory& factory);
    void AddShorthands(const ResultsSettings& settings);
    std::string GetFileKey(const std::string& file) const;
    Diagnostics Resolve(const Scenario& scenario, const Fabric& fabric) const;
    void Estimate(const Scenario& scenario, const FlowRunner& runner);

    std::vector<Entry> m_entries;
    std::vector<std::string> m_notes;
    std::vector<std::string> m_warnings;
};

} // namespace ns3::rdma
