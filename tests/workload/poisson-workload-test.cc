// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/generate.h"
#include "workload/flow-checks.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::HasSubstr;

namespace
{

/** Sizes uniform in 0 .. 20 000 bytes, in a file of its own: mean 10 000. */
class PoissonWorkload : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_path = TemporaryPath(testing::UnitTest::GetInstance()->current_test_info()->name());
        std::ofstream{m_path} << "0,0\n20000,1\n";
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    AttributeTexts With(AttributeTexts more = {}) const
    {
        more.emplace("Distribution", m_path);
        return more;
    }

    std::filesystem::path m_path;
};

Topology
Star(const std::string& hosts)
{
    return MustGenerate("StarTopology", {{"Hosts", hosts}});
}

} // namespace

TEST_F(PoissonWorkload, OffersTheLoadWithinSamplingError)
{
    const FlowList flows = MustGenerateFlows(
        Star("8"), "PoissonWorkload", With({{"Load", "0.5"}, {"Start", "1ms"}, {"Stop", "11ms"}}));
    // 8 hosts x 10 ms x 100 Gb/s x 0.5 / 8 = 500 MB in 50 000 flows of 10 000 bytes. A compound
    // Poisson sum: standard deviation sqrt(50 000 x E[s^2]) = sqrt(5e4 x 4e8 / 3) = 2.58e6 bytes.
    double bytes = 0.0;
    for (const Flow& flow : flows)
    {
        bytes += static_cast<double>(flow.bytes);
        ASSERT_GE(flow.start, SimTime::Milliseconds(1));
        ASSERT_LT(flow.start, SimTime::Milliseconds(11));
        ASSERT_NE(flow.source, flow.destination);
    }
    EXPECT_NEAR(bytes, 500e6, 5 * 2.58e6);
    // Poisson: standard deviation sqrt(50 000) = 224.
    EXPECT_NEAR(static_cast<double>(flows.size()), 50'000.0, 5 * 224.0);
    EXPECT_TRUE(AreFlowsSorted(flows));
}

TEST_F(PoissonWorkload, PairsAreEven)
{
    std::map<std::pair<uint32_t, uint32_t>, int> counts;
    for (const Flow& flow :
         MustGenerateFlows(Star("4"), "PoissonWorkload", With({{"Load", "0.4"}, {"Stop", "24ms"}})))
    {
        ++counts[{flow.source, flow.destination}];
    }
    // Each host: 24 ms x 100 Gb/s x 0.4 / 8 / 10 000 bytes = 12 000 flows, 4000 to each of 3 peers;
    // standard deviation 63.2; five of these.
    EXPECT_EQ(counts.size(), 12U);
    for (const auto& [pair, count] : counts)
    {
        EXPECT_NEAR(count, 4000, 316);
    }
}

TEST_F(PoissonWorkload, FasterHostsOfferMore)
{
    Topology topology = Star("2");
    topology.links[1].rate = BitRate::Gbps(400);
    std::map<uint32_t, double> counts;
    for (const Flow& flow :
         MustGenerateFlows(topology, "PoissonWorkload", With({{"Load", "0.4"}, {"Stop", "20ms"}})))
    {
        ++counts[flow.source];
    }
    // 10 000 and 40 000 flows, standard deviations 100 and 200.
    EXPECT_NEAR(counts[0], 10'000, 500);
    EXPECT_NEAR(counts[1], 40'000, 1000);
}

TEST_F(PoissonWorkload, AHostsFlowsDependOnNoOtherHost)
{
    const auto ofFirst = [](const FlowList& flows)
    {
        std::vector<SimTime> starts;
        for (const Flow& flow : flows)
        {
            if (flow.source == 0)
            {
                starts.push_back(flow.start);
            }
        }
        return starts;
    };
    EXPECT_EQ(ofFirst(MustGenerateFlows(Star("4"), "PoissonWorkload", With())),
              ofFirst(MustGenerateFlows(Star("9"), "PoissonWorkload", With())));
    EXPECT_NE(ofFirst(MustGenerateFlows(Star("4"), "PoissonWorkload", With(), 1)),
              ofFirst(MustGenerateFlows(Star("4"), "PoissonWorkload", With(), 2)));
    EXPECT_NE(ofFirst(MustGenerateFlows(Star("4"), "PoissonWorkload", With())),
              ofFirst(MustGenerateFlows(Star("4"), "PoissonWorkload", With({{"Tag", "other"}}))));
}

TEST_F(PoissonWorkload, SaysWhatItTook)
{
    std::vector<std::string> notes;
    const auto flows = Make<WorkloadGenerator>("PoissonWorkload", With({{"Load", "0.3"}}))
                           ->Generate(Star("4"), 1, notes);
    ASSERT_TRUE(flows);
    EXPECT_THAT(notes,
                testing::ElementsAre(HasSubstr("mean 10000 bytes"),
                                     AllOf(HasSubstr(std::to_string(flows->size()) + " flows"),
                                           HasSubstr("load 0.3"))));
}

TEST_F(PoissonWorkload, RefusesWhatMakesNoSense)
{
    EXPECT_THAT(OnlyError(GenerateFlows(Star("4"), "PoissonWorkload", With({{"Load", "0"}}))),
                HasSubstr("load"));
    EXPECT_THAT(OnlyError(GenerateFlows(
                    Star("4"), "PoissonWorkload", With({{"Start", "2ms"}, {"Stop", "1ms"}}))),
                HasSubstr("stop"));
    EXPECT_THAT(
        OnlyError(GenerateFlows(Star("4"), "PoissonWorkload", {{"Distribution", "nothing"}})),
        HasSubstr("distribution"));
    EXPECT_THAT(OnlyError(GenerateFlows(Star("1"), "PoissonWorkload", With())),
                HasSubstr("1 hosts"));
    // 0.3 x 100 Gb/s / 8 / 10 000 bytes: 2 666 667 ps apart, rounded; 4 x 10 000 s / that.
    EXPECT_THAT(OnlyError(GenerateFlows(Star("4"), "PoissonWorkload", With({{"Stop", "10000s"}}))),
                HasSubstr("14999998125 flows"));
}
