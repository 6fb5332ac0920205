// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "congestion/congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

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

Ptr<CongestionControl>
Make(TypeId tid)
{
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory.Create<CongestionControl>();
}

void
Apply(const ParameterSet& set, CongestionControl& algorithm)
{
    for (const ParameterSet::Entry& entry : set.entries)
    {
        EXPECT_TRUE(algorithm.SetAttributeFailSafe(std::string{entry.attribute},
                                                   StringValue(std::string{entry.value})))
            << entry.attribute << " = " << entry.value;
    }
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

TEST(CongestionControl, NoneHasNoController)
{
    const auto none = Make(TypeId::LookupByName("ns3::rdma::NoCongestionControl"));
    EXPECT_EQ(none->NewController(BitRate::Gbps(100), SimTime{}), nullptr);
    EXPECT_EQ(none->GetFeedback(), Feedback::NONE);
    EXPECT_TRUE(none->GetParameterSets().empty());
}

TEST(CongestionControl, FixedRateIsItsAttributeOrTheLineRate)
{
    const auto fixed = Make(TypeId::LookupByName("ns3::rdma::FixedRate"));
    ASSERT_TRUE(fixed->SetAttributeFailSafe("Rate", StringValue("40Gbps")));
    const auto fast = fixed->NewController(BitRate::Gbps(100), SimTime{});
    fast->OnCnp({});
    fast->OnLoss({});
    EXPECT_EQ(fast->GetLimits(), (SendLimits{.rate = BitRate::Gbps(40)}));
    EXPECT_TRUE(fast->NextTimer().IsNever());
    EXPECT_EQ(fixed->NewController(BitRate::Gbps(25), SimTime{})->GetLimits().rate,
              BitRate::Gbps(25));
    EXPECT_FALSE(fixed->SetAttributeFailSafe("Rate", StringValue("40")));
    EXPECT_FALSE(fixed->SetAttributeFailSafe("Rate", StringValue("0bps")));
}

TEST(CongestionControl, DcqcnSaysHowOftenCnpsMayCome)
{
    const auto dcqcn = Make(TypeId::LookupByName("ns3::rdma::Dcqcn"));
    EXPECT_EQ(dcqcn->GetFeedback(), Feedback::ECN);
    EXPECT_EQ(dcqcn->GetCnpInterval(), SimTime::Microseconds(50));
    std::vector<std::string_view> names;
    std::vector<SimTime> intervals;
    for (const ParameterSet& set : dcqcn->GetParameterSets())
    {
        Apply(set, *dcqcn);
        names.push_back(set.name);
        intervals.push_back(dcqcn->GetCnpInterval());
    }
    EXPECT_THAT(names, testing::ElementsAre("paper", "mlx5", "hpcc-sim"));
    EXPECT_THAT(
        intervals,
        testing::ElementsAre(SimTime::Microseconds(50), SimTime::Microseconds(4), SimTime{}));
}

/** The default values are the set "paper". */
TEST(CongestionControl, DcqcnDefaultsArePaper)
{
    const auto untouched = Make(TypeId::LookupByName("ns3::rdma::Dcqcn"));
    const auto paper = Make(TypeId::LookupByName("ns3::rdma::Dcqcn"));
    Apply(paper->GetParameterSets()[0], *paper);
    const TypeId tid = paper->GetInstanceTypeId();
    for (size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        const std::string name = tid.GetAttribute(i).name;
        StringValue a;
        StringValue b;
        untouched->GetAttribute(name, a);
        paper->GetAttribute(name, b);
        EXPECT_EQ(a.Get(), b.Get()) << name;
    }
}

} // namespace
} // namespace ns3::rdma
