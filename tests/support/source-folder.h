// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <filesystem>

namespace ns3::rdma
{

/**
 * The root of the source tree that the tests were built from.
 *
 * A function of one file, not a macro of all: objects of the tests do not depend on where the tree
 * stands, so that a compiler cache serves every checkout.
 */
const std::filesystem::path& GetSourceFolder();

} // namespace ns3::rdma
