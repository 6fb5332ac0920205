// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace ns3::rdma
{

/** This project's version, "0.1". */
std::string GetVersion();

/**
 * The commit that the program was built from, as "git describe" tells it, with "-dirty" behind it
 * if files were changed; "unknown" without a repository, or in a program that did not tell.
 */
std::string GetCommit();

/** The program tells its commit, once, before anything else; so only itself is built anew for it.
 */
void SetCommit(std::string commit);

/** The version of the ns-3 that this was built against, "3.37". */
std::string GetNs3Version();

} // namespace ns3::rdma
