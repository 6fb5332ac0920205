// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/source-folder.h"

namespace ns3::rdma
{

const std::filesystem::path&
GetSourceFolder()
{
    static const std::filesystem::path FOLDER{RDMASIM_SOURCE_DIR};
    return FOLDER;
}

} // namespace ns3::rdma
