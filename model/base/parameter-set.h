// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <span>
#include <string_view>

namespace ns3::rdma
{

/** A named set of attribute values, from one source. */
struct ParameterSet
{
    struct Entry
    {
        std::string_view attribute; ///< name of the TypeId attribute
        std::string_view value;     ///< as a scenario would write it, with its unit
    };

    std::string_view name;   ///< "paper", "mlx5", ...
    std::string_view source; ///< where the values stand
    std::span<const Entry> entries;
};

/** A component with named parameter sets, which a scenario chooses by the key "parameters". */
class HasParameterSets
{
  public:
    virtual ~HasParameterSets() = default;

    /** Named parameter sets; none by default. */
    virtual std::span<const ParameterSet> GetParameterSets() const
    {
        return {};
    }
};

} // namespace ns3::rdma
