// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "ns3/object.h"

#include <string>

namespace ns3::rdma
{

/** A route that a scenario directs elsewhere than along a shortest path; names of nodes. */
struct DirectedRoute
{
    std::string node;        ///< a switch
    std::string destination; ///< a host
    std::string next;        ///< where the switch sends what is for the host: a neighbour of it

    bool operator==(const DirectedRoute&) const = default;
};

/** A directed route as a scenario sets it. */
class RouteSettings : public Object
{
  public:
    static TypeId GetTypeId();

    DirectedRoute GetRoute() const
    {
        return {m_node, m_destination, m_next};
    }

  private:
    std::string m_node;
    std::string m_destination;
    std::string m_next;
};

} // namespace ns3::rdma
