// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/notification-sender.h"

#include <gmock/gmock.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::Pair;

class NotificationSenderTest : public testing::Test, public NotificationUser
{
  protected:
    void SendDelayedCnp(Qpn qpn, SimTime now) override
    {
        m_sent.emplace_back(qpn.value, now);
    }

    /** CNPs in 1 ms in which each of some connections gets a marked packet every 100 ns. */
    std::vector<uint32_t> CountCnps(CnpScope scope, const std::vector<uint32_t>& peers)
    {
        NotificationSender sender{m_events, 1, *this};
        std::vector<NotificationPoint> points(peers.size());
        std::vector<uint32_t> cnps(peers.size());
        for (std::size_t i = 0; i < peers.size(); ++i)
        {
            if (auto* pace = sender.FindPace(scope, peers[i]))
            {
                points[i].ShareWith(*pace);
            }
        }
        const SimTime step = SimTime::Nanoseconds(100);
        for (SimTime now{}; now <= SimTime::Milliseconds(1); now += step)
        {
            for (std::size_t i = 0; i < peers.size(); ++i)
            {
                cnps[i] += points[i].OnPacket(true, now, SimTime::Microseconds(50)) ? 1 : 0;
            }
        }
        return cnps;
    }

    EventQueue m_events;
    std::vector<std::pair<uint32_t, SimTime>> m_sent;
};

// 1 ms of marks at 50 us: 20 and the one at 0 for each scope (Lumina, cnp_check.py). Connections 0
// and 1 lead to peer 7, connection 2 to peer 8.
TEST_F(NotificationSenderTest, IntervalHoldsForAConnection)
{
    EXPECT_THAT(CountCnps(CnpScope::QUEUE_PAIR, {7, 7, 8}), ElementsAre(21, 21, 21));
}

TEST_F(NotificationSenderTest, IntervalHoldsForAnAddressPair)
{
    const auto cnps = CountCnps(CnpScope::ADDRESS_PAIR, {7, 7, 8});
    EXPECT_EQ(cnps[0] + cnps[1], 21U);
    EXPECT_EQ(cnps[2], 21U);
}

TEST_F(NotificationSenderTest, IntervalHoldsForThePort)
{
    const auto cnps = CountCnps(CnpScope::PORT, {7, 7, 8});
    EXPECT_EQ(cnps[0] + cnps[1] + cnps[2], 21U);
}

TEST_F(NotificationSenderTest, DelayedCnpsKeepTheirOrderAndDistance)
{
    constexpr SimTime DELAY = SimTime::Microseconds(55);
    NotificationSender sender{m_events, 1, *this};
    sender.SendAfter(DELAY, {3}, {});
    m_events.AdvanceTo(SimTime::Microseconds(10));
    sender.SendAfter(DELAY, {4}, SimTime::Microseconds(10));
    sender.SendAfter(DELAY, {5}, SimTime::Microseconds(10));
    while (m_events.RunNext())
    {
    }
    EXPECT_THAT(m_sent,
                ElementsAre(Pair(3, SimTime::Microseconds(55)),
                            Pair(4, SimTime::Microseconds(65)),
                            Pair(5, SimTime::Microseconds(65))));
}

} // namespace
} // namespace ns3::rdma
