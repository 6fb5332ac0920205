// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/results-settings.h"

#include "base/attributes.h"
#include "wire/pcap-file.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ResultsSettings);

TypeId
ResultsSettings::GetTypeId()
{
    static TypeId tid = AddPcapAttributes(
        TypeId("ns3::rdma::ResultsSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<ResultsSettings>()
            .AddAttribute("SampleInterval",
                          "Time between samples of the queues of switches, for queues.csv; 0s: no "
                          "samples, because each costs a look at every port",
                          SimTimeValue(SimTime{}),
                          MakeSimTimeAccessor(&ResultsSettings::m_sampleInterval),
                          MakeSimTimeChecker(SimTime{}, SimTime::Seconds(1000)))
            .AddAttribute("SampleRates",
                          "Whether the rate of each sending flow is sampled too, for rates.csv",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ResultsSettings::m_samplesRates),
                          MakeBooleanChecker())
            .AddAttribute("Folder",
                          "Where a run makes its result folder when the command line names none",
                          StringValue("results"),
                          MakeStringAccessor(&ResultsSettings::m_folder),
                          MakeStringChecker())
            .AddAttribute("FctFile",
                          "File of completed flows in the columns of the HPCC simulator, in the "
                          "result folder; empty: none",
                          StringValue(""),
                          MakeStringAccessor(&ResultsSettings::m_fctFile),
                          MakeStringChecker())
            .AddAttribute("PfcFile",
                          "File of received PFC frames in the columns of the HPCC simulator, in "
                          "the result folder; empty: none",
                          StringValue(""),
                          MakeStringAccessor(&ResultsSettings::m_pfcFile),
                          MakeStringChecker()));
    return tid;
}

TypeId
ResultsSettings::AddPcapAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Pcap",
                      "Ports whose frames go into pcap files, separated by spaces: \"<node>\", "
                      "\"<node>:<port>\" or \"*\" for all; empty: none",
                      StringValue(""),
                      MakeStringAccessor(&ResultsSettings::m_pcapPorts),
                      MakeStringChecker())
        .AddAttribute("PcapDirection",
                      "Frames of a pcap file: \"in\", \"out\" or \"both\"",
                      StringValue("both"),
                      MakeStringAccessor(&ResultsSettings::m_pcapDirection),
                      MakeStringChecker())
        .AddAttribute(
            "PcapFrames",
            "Kinds of frames in pcap files, separated by spaces: \"all\", "
            "\"request\", \"response\", \"acknowledge\", \"cnp\", \"pfc\", \"ip\" (TCP, UDP)",
            StringValue("all"),
            MakeStringAccessor(&ResultsSettings::m_pcapFrames),
            MakeStringChecker())
        .AddAttribute("PcapFlows",
                      "Flows in pcap files, by number, separated by spaces; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&ResultsSettings::m_pcapFlows),
                      MakeStringChecker())
        .AddAttribute("PcapSnapBytes",
                      "Bytes kept of each frame in pcap files",
                      UintegerValue(PcapWriter::DEFAULT_SNAP_BYTES),
                      MakeUintegerAccessor(&ResultsSettings::m_pcapSnapBytes),
                      MakeUintegerChecker<uint32_t>(1, PcapWriter::DEFAULT_SNAP_BYTES))
        .AddAttribute("PcapMaxBytes",
                      "Size at which a pcap file is full; how many frames it lacks is noted",
                      UintegerValue(uint64_t{1} << 30),
                      MakeUintegerAccessor(&ResultsSettings::m_pcapMaxBytes),
                      MakeUintegerChecker<uint64_t>(PcapWriter::HEADER_BYTES));
}

} // namespace ns3::rdma
