// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/flow-runner.h"
#include "scenario/results-settings.h"
#include "trace/pcap-sink.h"
#include "trace/result-folder.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The pcap files that a scenario asks for: which ports, which frames, how much. */
class PcapOutput
{
  public:
    /**
     * Reads the wishes of the group "results" against the fabric.
     *
     * @error a port that the fabric does not have, or words that mean nothing; all at once
     */
    static Expected<PcapOutput> Make(const ResultsSettings& settings,
                                     const Fabric& fabric,
                                     const Scenario& scenario);

    /** Names of the files, in the order of the fabric's links: "<node>-<port>.pcap". */
    std::vector<std::string> GetFiles() const;

    /** Begins to listen. All arguments outlive the run; so does the value, where it lies. */
    void Start(const Fabric& fabric, ResultFolder& folder);

    /** Writes what was held back. @return what is missing in the files, a line for each */
    std::vector<std::string> Finish();

  private:
    /** A port that is listened to. */
    struct Place
    {
        std::string file;
        EthernetPort* port;
        PcapPort addresses;
        std::unique_ptr<PcapSink> sink{};
    };

    PcapSettings m_settings;
    std::vector<Place> m_places;
};

} // namespace ns3::rdma
