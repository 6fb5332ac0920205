// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/nic-watchdog-settings.h"

#include "base/attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(NicWatchdogSettings);

TypeId
NicWatchdogSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::NicWatchdogSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<NicWatchdogSettings>()
            .AddAttribute("Time",
                          "An interface that has paused its switch for as long stops sending PAUSE "
                          "frames (Guo et al., SIGCOMM 2016, section 4.3: 100ms); 0s: never",
                          SimTimeValue(SimTime{}),
                          MakeSimTimeAccessor(&NicWatchdogSettings::m_time),
                          MakeSimTimeChecker());
    return tid;
}

} // namespace ns3::rdma
