// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/results-settings.h"

#include "base/attributes.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ResultsSettings);

TypeId
ResultsSettings::GetTypeId()
{
    static TypeId tid =
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
                          MakeStringChecker());
    return tid;
}

} // namespace ns3::rdma
