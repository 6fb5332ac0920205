// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include "ns3/object.h"

#include <string>

namespace ns3::rdma
{

/** What a run measures beside its totals, and the files that it writes on request. */
class ResultsSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /** Time between samples of queues and rates; 0: no samples. */
    SimTime GetSampleInterval() const
    {
        return m_sampleInterval;
    }

    bool SamplesRates() const
    {
        return m_samplesRates;
    }

    /** The folder in which a run without a folder of its own makes one, named as the scenario. */
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /** Name of the file of completed flows in the HPCC simulator's columns; empty: none. */
    const std::string& GetFctFile() const
    {
        return m_fctFile;
    }

    /** Name of the file of PFC frames in the HPCC simulator's columns; empty: none. */
    const std::string& GetPfcFile() const
    {
        return m_pfcFile;
    }

  private:
    SimTime m_sampleInterval{};
    bool m_samplesRates{false};
    std::string m_folder;
    std::string m_fctFile;
    std::string m_pfcFile;
};

} // namespace ns3::rdma
