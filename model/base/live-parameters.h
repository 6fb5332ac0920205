// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <span>
#include <string_view>

namespace ns3::rdma
{

/**
 * An object some of whose attributes may be set while a run goes on.
 *
 * A component inherits it beside its base; what it does not name here stays as it was at the start.
 */
class LiveParameters
{
  public:
    virtual ~LiveParameters() = default;

    /** The names of those attributes: "Kmin". */
    virtual std::span<const std::string_view> GetLiveAttributes() const = 0;

    /** Some of them have been set; everything before that has happened by the old values. */
    virtual void OnParametersChanged() {}
};

} // namespace ns3::rdma
