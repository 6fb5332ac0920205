// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "tests/congestion/algorithm.h"

#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

namespace ns3::rdma
{
namespace
{

/** All algorithms that are registered, whoever wrote them. */
std::vector<TypeId>
Algorithms()
{
    std::vector<TypeId> algorithms;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid != CongestionControl::GetTypeId() && tid.IsChildOf(CongestionControl::GetTypeId()))
        {
            algorithms.push_back(tid);
        }
    }
    return algorithms;
}

/** Random acknowledgements, CNPs, losses and packets from a seed, and the checks at each. */
class Story
{
  public:
    Story(const CongestionControl& algorithm, BitRate lineRate, uint64_t seed)
        : m_lineRate{lineRate},
          m_state{seed},
          m_controller{algorithm.NewController(lineRate, SimTime{})}
    {
    }

    /** The rate after each event; empty for an algorithm that never limits. */
    std::vector<uint64_t> Run(uint32_t events)
    {
        std::vector<uint64_t> rates;
        for (uint32_t i = 0; m_controller && i < events; ++i)
        {
            m_now += SimTime{Roll(Roll(20) == 0 ? 400'000'000 : 3'000'000)};
            RunTimers();
            Event();
            Check();
            rates.push_back(m_controller->GetLimits().rate.bps);
        }
        return rates;
    }

  private:
    uint32_t Roll(uint32_t below)
    {
        return static_cast<uint32_t>((Mix64(m_state++) >> 32) % below);
    }

    void RunTimers()
    {
        const SendLimits before = m_controller->GetLimits();
        if (m_controller->NextTimer() > m_now)
        {
            m_controller->OnTimer(m_now);
            EXPECT_EQ(m_controller->GetLimits(), before) << "a timer that was not due";
            return;
        }
        m_controller->OnTimer(m_now);
        EXPECT_GT(m_controller->NextTimer(), m_now) << "a timer that was due is left";
    }

    void Event()
    {
        switch (Roll(5))
        {
        case 0:
            m_controller->OnAck({.now = m_now, .ackedBytes = Roll(9000), .inFlightBytes = 9000});
            break;
        case 1:
            m_controller->OnCnp({.now = m_now});
            break;
        case 2:
            m_controller->OnLoss(
                {.now = m_now,
                 .cause = Roll(2) == 0 ? LossEvent::Cause::NAK : LossEvent::Cause::TIMEOUT});
            break;
        default:
            m_controller->OnSent({.now = m_now, .payloadBytes = 1024, .frameBytes = 1086});
            break;
        }
    }

    void Check() const
    {
        const SendLimits limits = m_controller->GetLimits();
        EXPECT_GT(limits.rate.bps, 0u);
        EXPECT_LE(limits.rate, m_lineRate);
        EXPECT_GT(limits.windowBytes, 0u);
        EXPECT_GT(m_controller->NextTimer(), m_now);
    }

    BitRate m_lineRate;
    uint64_t m_state;
    SimTime m_now{};
    std::unique_ptr<CongestionController> m_controller;
};

void
Conform(const CongestionControl& algorithm, uint64_t seed)
{
    for (const BitRate lineRate :
         {BitRate::Mbps(10), BitRate::Gbps(25), BitRate::Gbps(100), BitRate::Gbps(1600)})
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " line rate " << lineRate.bps);
        const std::vector<uint64_t> rates = Story{algorithm, lineRate, seed}.Run(2000);
        EXPECT_EQ(rates, (Story{algorithm, lineRate, seed}.Run(2000))) << "same events, same rates";
    }
}

TEST(CongestionControl, TheKnownAlgorithmsAreRegistered)
{
    std::set<std::string> names;
    for (const TypeId& tid : Algorithms())
    {
        names.insert(tid.GetName());
    }
    EXPECT_THAT(
        names,
        testing::IsSupersetOf(
            {"ns3::rdma::NoCongestionControl", "ns3::rdma::FixedRate", "ns3::rdma::Dcqcn"}));
}

TEST(CongestionControl, EveryAlgorithmConforms)
{
    for (const TypeId& tid : Algorithms())
    {
        SCOPED_TRACE(tid.GetName());
        EXPECT_EQ(tid.GetGroupName(), "Rdma");
        ASSERT_TRUE(tid.HasConstructor());
        for (uint64_t seed = 0; seed < 5; ++seed)
        {
            Conform(*Make(tid), seed);
        }
        for (const ParameterSet& set : Make(tid)->GetParameterSets())
        {
            SCOPED_TRACE(set.name);
            EXPECT_FALSE(set.source.empty());
            const Ptr<CongestionControl> algorithm = Make(tid);
            Apply(set, *algorithm);
            Conform(*algorithm, 99);
        }
    }
}

/** A set must not depend on what was set before: it names every attribute of the algorithm. */
TEST(CongestionControl, EverySetIsComplete)
{
    for (const TypeId& tid : Algorithms())
    {
        for (const ParameterSet& set : Make(tid)->GetParameterSets())
        {
            SCOPED_TRACE(testing::Message() << tid.GetName() << ' ' << set.name);
            std::set<std::string> named;
            for (const ParameterSet::Entry& entry : set.entries)
            {
                EXPECT_TRUE(named.insert(std::string{entry.attribute}).second) << entry.attribute;
            }
            std::set<std::string> known;
            for (size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                known.insert(tid.GetAttribute(i).name);
                EXPECT_FALSE(tid.GetAttribute(i).help.empty());
            }
            EXPECT_EQ(named, known);
        }
    }
}

} // namespace
} // namespace ns3::rdma
