// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/qpn.h"
#include "congestion/notification-point.h"
#include "engine/event-queue.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3::rdma
{

/** What the shortest time between two CNPs holds for. */
enum class CnpScope : uint8_t
{
    QUEUE_PAIR,
    ADDRESS_PAIR,
    PORT,
};

/** The device whose CNPs wait. */
class NotificationUser
{
  public:
    virtual ~NotificationUser() = default;

    /** A CNP of a queue pair is to go now; the queue pair may have gone meanwhile. */
    virtual void SendDelayedCnp(Qpn qpn, SimTime now) = 0;
};

/**
 * What the CNPs of a device have in common: who shares an interval, and how long each one takes
 * from the marked packet to the port.
 */
class NotificationSender
{
  public:
    /** @param id stable number of the device; orders simultaneous events */
    NotificationSender(EventQueue& events, uint64_t id, NotificationUser& user);

    /** The pace that a connection with a peer shares; null: it has its own. */
    NotificationPace* FindPace(CnpScope scope, uint32_t peer);

    /** A CNP goes out after a delay, which is the same in all calls. */
    void SendAfter(SimTime delay, Qpn qpn, SimTime now);

  private:
    struct Waiting
    {
        SimTime when{};
        Qpn qpn{};
    };

    void OnDue(SimTime now);

    EventQueue& m_events;
    NotificationUser& m_user;
    Event m_due;
    std::deque<Waiting> m_waiting;
    NotificationPace m_portPace;
    std::map<uint32_t, NotificationPace> m_paces; ///< by peer
};

} // namespace ns3::rdma
