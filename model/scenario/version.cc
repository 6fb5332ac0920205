// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/version.h"

#include "ns3/version-defines.h"

#include <utility>

namespace ns3::rdma
{

namespace
{

std::string&
Commit()
{
    static std::string commit{"unknown"};
    return commit;
}

} // namespace

std::string
GetCommit()
{
    return Commit();
}

void
SetCommit(std::string commit)
{
    Commit() = std::move(commit);
}

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
