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

    /** Ports whose frames go into pcap files: "<node>", "<node>:<port>", or "*"; empty: none. */
    const std::string& GetPcapPorts() const
    {
        return m_pcapPorts;
    }

    /** "in", "out" or "both". */
    const std::string& GetPcapDirection() const
    {
        return m_pcapDirection;
    }

    /** Kinds of frames, separated by spaces. */
    const std::string& GetPcapFrames() const
    {
        return m_pcapFrames;
    }

    /** Numbers of flows, separated by spaces; empty: all. */
    const std::string& GetPcapFlows() const
    {
        return m_pcapFlows;
    }

    uint32_t GetPcapSnapBytes() const
    {
        return m_pcapSnapBytes;
    }

    uint64_t GetPcapMaxBytes() const
    {
        return m_pcapMaxBytes;
    }

  private:
    static TypeId AddPcapAttributes(TypeId tid);

    SimTime m_sampleInterval{};
    bool m_samplesRates{false};
    std::string m_folder;
    std::string m_fctFile;
    std::string m_pfcFile;
    std::string m_pcapPorts;
    std::string m_pcapDirection;
    std::string m_pcapFrames;
    std::string m_pcapFlows;
    uint32_t m_pcapSnapBytes{0};
    uint64_t m_pcapMaxBytes{0};
};

} // namespace ns3::rdma
