// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <span>
#include <string_view>

namespace ns3::rdma
{

/** A file of model/host/profiles, as it was when the program was built. */
struct BuiltInProfile
{
    std::string_view name; ///< of the file, without its ending
    std::string_view text;
};

/** All of them in the order of their names; the build makes the definition from the files. */
std::span<const BuiltInProfile> GetBuiltInProfiles();

} // namespace ns3::rdma
