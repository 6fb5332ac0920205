// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/parameter-set.h"
#include "base/units.h"
#include "congestion/congestion-controller.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>

namespace ns3::rdma
{

/** What a congestion control needs from the network. */
enum class Feedback : uint8_t
{
    NONE,
    ECN,
};

/**
 * A congestion control algorithm with its parameters (its attributes), shared by all connections.
 *
 * A new algorithm is one file: a child of this class, registered, found by its TypeId's name.
 */
class CongestionControl : public Object, public HasParameterSets
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
};

} // namespace ns3::rdma
