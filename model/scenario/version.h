// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace ns3::rdma
{

/** This project's version, "0.1". */
std::string GetVersion();

/** The version of the ns-3 that this was built against, "3.37". */
std::string GetNs3Version();

} // namespace ns3::rdma
