// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "base/units.h"
#include "congestion/state-sink.h"

#include <cstdint>

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

    /** Tells of the state beside the limits as it stands at now; by default there is none. */
    virtual void Describe(SimTime, StateSink&) const {}

    /**
     * Parameters of the algorithm have changed, those that it lets change during a run.
     *
     * @param lineRate of the sending port, as it is now
     */
    virtual void OnParametersChanged(BitRate lineRate);
};

} // namespace ns3::rdma
