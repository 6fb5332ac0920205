// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/hpcc-layer.h"

namespace ns3::rdma
{

Expected<HpccLayer>
ReadHpccLayer(const std::string& file)
{
    return Diagnostic{
        file, 0, "", "this build has no reader of HPCC configurations", "", "", "", {}};
}

} // namespace ns3::rdma
