// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

namespace ns3::rdma
{

/** Until when no CNP may go out; of one connection, or shared by several. */
struct NotificationPace
{
    SimTime silentUntil{};
};

/**
 * Decides for one connection when a congestion notification packet goes out.
 *
 * The first marked packet draws one at once. Then none goes out until the interval has passed; if
 * a packet that came meanwhile was marked, one does at the end of the interval.
 *
 * @spec Zhu et al., SIGCOMM 2015, section 3.1, NP algorithm (Figure 6)
 * @choice the end of an interval is noticed when the next packet of the connection arrives: a
 * sender that sends nothing has no rate to cut
 * @choice the interval is the connection's own, as the paper has it, unless ShareWith says that
 * others use it up, too, as network adapters have it for an address pair or a port; a mark is
 * remembered by its own connection all the same, and answered to it
 */
class NotificationPoint
{
  public:
    NotificationPoint() = default;
    NotificationPoint(const NotificationPoint&) = delete;
    NotificationPoint& operator=(const NotificationPoint&) = delete;

    /** CNPs of all connections with this pace keep the interval between them; it must outlive. */
    void ShareWith(NotificationPace& pace)
    {
        m_pace = &pace;
    }

    /**
     * A packet of the connection has arrived.
     *
     * @param isMarked  whether its ECN field is CE
     * @param now       arrival; not earlier than in the previous call
     * @param interval  shortest time between two CNPs of the connection; zero: no limit
     * @return whether a CNP goes out now
     */
    bool OnPacket(bool isMarked, SimTime now, SimTime interval)
    {
        m_hasMark |= isMarked;
        if (!m_hasMark || now < m_pace->silentUntil)
        {
            return false;
        }
        m_hasMark = false;
        m_pace->silentUntil = now + interval;
        return true;
    }

  private:
    NotificationPace m_own{};
    NotificationPace* m_pace{&m_own};
    bool m_hasMark{false}; ///< a mark that no CNP has answered
};

} // namespace ns3::rdma
