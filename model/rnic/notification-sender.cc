// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/notification-sender.h"

namespace ns3::rdma
{

namespace
{

/** Numbers of these events are those of their devices with this bit. */
constexpr uint64_t NOTIFICATION_ID = uint64_t{1} << 50;

} // namespace

NotificationSender::NotificationSender(EventQueue& events, uint64_t id, NotificationUser& user)
    : m_events{events},
      m_user{user}
{
    m_due.Bind<&NotificationSender::OnDue>(this,
                                           EventOrder::Of(EventPhase::TIMER, id | NOTIFICATION_ID));
}

NotificationPace*
NotificationSender::FindPace(CnpScope scope, uint32_t peer)
{
    switch (scope)
    {
    case CnpScope::QUEUE_PAIR:
        return nullptr;
    case CnpScope::ADDRESS_PAIR:
        return &m_paces[peer];
    case CnpScope::PORT:
        return &m_portPace;
    }
    return nullptr;
}

void
NotificationSender::SendAfter(SimTime delay, Qpn qpn, SimTime now)
{
    if (m_waiting.empty())
    {
        m_events.Schedule(m_due, now + delay);
    }
    m_waiting.push_back({now + delay, qpn});
}

void
NotificationSender::OnDue(SimTime now)
{
    while (!m_waiting.empty() && m_waiting.front().when <= now)
    {
        const Qpn qpn = m_waiting.front().qpn;
        m_waiting.pop_front();
        m_user.SendDelayedCnp(qpn, now);
    }
    if (!m_waiting.empty())
    {
        m_events.Schedule(m_due, m_waiting.front().when);
    }
}

} // namespace ns3::rdma
