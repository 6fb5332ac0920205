// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "tests/congestion/algorithm.h"
#include "tests/congestion/dcqcn-script.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace ns3::rdma
{
namespace
{

TEST(Dcqcn, SaysHowOftenCnpsMayCome)
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
TEST(Dcqcn, DefaultsArePaper)
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

/** The controllers of the three sets are those whose rates DcqcnController's tests work out. */
TEST(Dcqcn, SetsMakeTheControllersThatAreTestedAlone)
{
    const auto dcqcn = Make(TypeId::LookupByName("ns3::rdma::Dcqcn"));
    const std::vector<DcqcnParameters> expected{Paper(), Mlx5(), HpccSim()};
    const std::span<const ParameterSet> sets = dcqcn->GetParameterSets();
    ASSERT_EQ(sets.size(), expected.size());
    for (size_t i = 0; i < sets.size(); ++i)
    {
        SCOPED_TRACE(sets[i].name);
        Apply(sets[i], *dcqcn);
        const auto registered = dcqcn->NewController(BitRate::Gbps(100), SimTime{});
        DcqcnController alone{expected[i], BitRate::Gbps(100)};
        SimTime now{};
        for (uint64_t n = 0; n < 5000; ++n)
        {
            now += SimTime{Mix64(n) % (Mix64(n + 1) % 20 == 0 ? 900'000'000 : 9'000'000)};
            const bool isCnp = Mix64(n + 2) % 3 == 0;
            for (CongestionController* flow :
                 std::array<CongestionController*, 2>{registered.get(), &alone})
            {
                flow->OnTimer(now);
                isCnp ? flow->OnCnp({.now = now})
                      : flow->OnSent({.now = now, .frameBytes = 500'000});
            }
            ASSERT_EQ(registered->GetLimits(), alone.GetLimits()) << n;
            ASSERT_EQ(registered->NextTimer(), alone.NextTimer()) << n;
        }
    }
}

} // namespace
} // namespace ns3::rdma
