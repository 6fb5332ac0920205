// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "ns3/object.h"

namespace ns3::rdma
{

/**
 * An entry of a scenario's workload: a generator of flows, or an application.
 *
 * Only the base by whose children both are found; WorkloadGenerator and Application say what is to
 * be written.
 */
class Workload : public Object
{
  public:
    static TypeId GetTypeId();
};

} // namespace ns3::rdma
