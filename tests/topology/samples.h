// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/support/source-folder.h"

#include <filesystem>

namespace ns3::rdma
{

/** A folder beside the checkout with files of other simulators; tests skip what is not there. */
inline std::filesystem::path
SharedFolder(const char* name)
{
    const std::filesystem::path root = GetSourceFolder();
    return (root / "../shared" / name).lexically_normal();
}

} // namespace ns3::rdma
