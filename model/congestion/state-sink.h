// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string_view>

namespace ns3::rdma
{

/** Receives the state of a connection as named values, for whoever shows it. */
class StateSink
{
  public:
    virtual ~StateSink() = default;

    /** @param name with its unit: "alpha", "target_rate_bps"; the same words for the same thing */
    virtual void Put(std::string_view name, double value) = 0;
};

} // namespace ns3::rdma
