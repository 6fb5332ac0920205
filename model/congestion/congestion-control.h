// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::rdma
{

/** What a sender may do: how fast, and how much unacknowledged at a time. */
struct SendLimits
{
    static constexpr uint64_t NO_WINDOW = ~uint64_t{0};

    BitRate rate{};                  ///< wire rate of the connection's packets
    uint64_t windowBytes{NO_WINDOW}; ///< payload bytes in flight

    bool operator==(const SendLimits&) const = default;
};

/** A packet has left: its first bit is on the wire. */
struct SentEvent
{
    SimTime now{};
    uint32_t payloadBytes{0};
    uint32_t frameBytes{0};
};

/** An acknowledgement moved the window. */
struct AckEvent
{
    SimTime now{};
    uint64_t ackedBytes{0};    ///< payload newly acknowledged
    uint64_t inFlightBytes{0}; ///< payload still unacknowledged
};

/** A congestion notification packet came. */
struct CnpEvent
{
    SimTime now{};
};

/** The transport goes back: a NAK told of a gap, or the local ACK timer ran out. */
struct LossEvent
{
    enum class Cause : uint8_t
    {
        NAK,
        TIMEOUT,
    };

    SimTime now{};
    Cause cause{Cause::NAK};
};

/**
 * The sender-side state of congestion control of one connection.
 *
 * A plain value behind a narrow interface: it sees time and events, never a packet, another
 * connection or the simulator. Each method is given the time, and has already been told of all
 * timers before it. Limits may change only inside these calls.
 */
class CongestionController
{
  public:
    virtual ~CongestionController() = default;

    virtual SendLimits GetLimits() const = 0;

    virtual void OnSent(const SentEvent& event) = 0;
    virtual void OnAck(const AckEvent& event) = 0;
    virtual void OnCnp(const CnpEvent& event) = 0;
    virtual void OnLoss(const LossEvent& event) = 0;

    /** When OnTimer must be called next; Never() without one. */
    virtual SimTime NextTimer() const = 0;

    /** All timers that are due at now, in their order. */
    virtual void OnTimer(SimTime now) = 0;
};

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

    /** Named parameter sets; none by default. */
    virtual std::span<const ParameterSet> GetParameterSets() const;
};

} // namespace ns3::rdma
