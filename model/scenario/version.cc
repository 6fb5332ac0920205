// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/version.h"

#include "ns3/version-defines.h"

namespace ns3::rdma
{

std::string
GetVersion()
{
    return RDMASIM_VERSION;
}

std::string
GetNs3Version()
{
    return std::to_string(NS3_VERSION_MAJOR) + "." + std::to_string(NS3_VERSION_MINOR);
}

} // namespace ns3::rdma
