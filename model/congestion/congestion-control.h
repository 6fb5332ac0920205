// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"
#include "congestion/congestion-controller.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::rdma
{

/** What a congestion control needs from the network. */
enum class Feedback : uint8_t
{
    NONE,
    ECN,
};

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

/**
 * A congestion control algorithm with its parameters (its attributes), shared by all connections.
 *
 * A new algorithm is one file: a child of this class, registered, found by its TypeId's name.
 */
class CongestionControl : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * The state of a new connection.
     *
     * @param lineRate  rate of the sending port
     * @param now       when the connection starts to send
     * @return null if the connection shall send at line rate for ever, without being asked
     */
    virtual std::unique_ptr<CongestionController> NewController(BitRate lineRate,
                                                                SimTime now) const = 0;

    virtual Feedback GetFeedback() const = 0;

    /**
     * The shortest time between two CNPs that the receiving side sends for one connection; zero
     * if each marked packet draws one. Only with Feedback::ECN.
     */
    virtual SimTime GetCnpInterval() const;

    /** Named parameter sets; none by default. */
    virtual std::span<const ParameterSet> GetParameterSets() const;
};

} // namespace ns3::rdma
