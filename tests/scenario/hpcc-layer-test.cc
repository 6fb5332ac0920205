// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/hpcc-layer.h"
#include "scenario/scenario-loader.h"
#include "tests/scenario/sample-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

/** Two hosts around switch 2, one flow of 1000 bytes at 1 ms. */
const std::string TOPOLOGY = "3 1 2\n2\n0 2 100Gbps 0.001ms 0\n1 2 100Gbps 0.001ms 0\n";
const std::string FLOWS = "1\n0 1 3 100 1000 0.001\n";

std::string
ConfigOf(const std::string& mode)
{
    return "TOPOLOGY_FILE mix/t.txt\nFLOW_FILE mix/f.txt\nFCT_OUTPUT_FILE mix/fct.txt\n"
           "CC_MODE " +
           mode +
           "\nRATE_AI 50Mb/s\nHAS_WIN 0\nKMAX_MAP 1 100000000000 1600\n"
           "KMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\nBUFFER_SIZE 16\n";
}

/** The configuration with its two files, which its paths name in that simulator's folder. */
class HpccFiles
{
  public:
    explicit HpccFiles(const std::string& mode) : m_config{"config.txt", ConfigOf(mode)}
    {
        m_config.AddNeighbour("t.txt", TOPOLOGY);
        m_config.AddNeighbour("f.txt", FLOWS);
    }

    const SampleFile& Config() const
    {
        return m_config;
    }

  private:
    SampleFile m_config;
};

const EffectiveParameter&
Find(const Scenario& scenario, const std::string& key)
{
    for (const EffectiveParameter& parameter : scenario.parameters)
    {
        if (parameter.key == key)
        {
            return parameter;
        }
    }
    ADD_FAILURE() << "no parameter " << key;
    return scenario.parameters.front();
}

} // namespace

TEST(HpccLayer, AConfigurationAloneIsAScenario)
{
    const HpccFiles files{"1"};
    const auto scenario = LoadScenario({"", files.Config().GetPath(), {}});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->name, "config");
    EXPECT_EQ(scenario->topology.nodes.size(), 3U);
    ASSERT_EQ(scenario->flows.size(), 1U);
    EXPECT_EQ(scenario->flows[0].start, SimTime::Milliseconds(1));
    ASSERT_TRUE(scenario->hpccOutputs);
    EXPECT_EQ(scenario->hpccOutputs->fctFile, "mix/fct.txt");
    EXPECT_EQ(scenario->hpccOutputs->pfcFile, "");
    EXPECT_EQ(Find(*scenario, "switch.buffer.size").value, "16MiB");
    EXPECT_EQ(Find(*scenario, "switch.buffer.size").origin, "config.txt:10 BUFFER_SIZE");
    EXPECT_EQ(Find(*scenario, "congestion.additive_increase").value, "50Mbps");
    EXPECT_EQ(Find(*scenario, "congestion.additive_increase").origin, "config.txt:5 RATE_AI");
}

TEST(HpccLayer, TheScenarioFileAndTheCommandLineLieAboveIt)
{
    const HpccFiles files{"1"};
    files.Config().AddNeighbour("s.yaml",
                                "hpcc: {config: config.txt}\n"
                                "switch: {buffer: {size: 8MiB, alpha: 1/4}}\n");
    const std::string path = files.Config().GetPath();
    const std::string yaml = path.substr(0, path.rfind('/')) + "/s.yaml";
    const auto scenario = LoadScenario({yaml, "", {{"switch.buffer.size", "4MiB", "--set"}}});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->name, "s");
    EXPECT_EQ(Find(*scenario, "switch.buffer.size").value, "4MiB");
    EXPECT_EQ(Find(*scenario, "switch.buffer.size").origin, "--set");
    EXPECT_EQ(Find(*scenario, "switch.buffer.alpha").value, "0.25");
    EXPECT_THAT(Find(*scenario, "switch.buffer.alpha").origin, HasSubstr("s.yaml:2"));
    EXPECT_EQ(Find(*scenario, "congestion.algorithm").origin, "config.txt:4 CC_MODE");
}

TEST(HpccLayer, AModeThatIsNotModelledIsRefusedUnlessReplaced)
{
    const HpccFiles files{"3"}; // HPCC itself
    const auto refused = LoadScenario({"", files.Config().GetPath(), {}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(ToString(refused.Errors()),
                HasSubstr("config.txt:4: congestion.algorithm: unknown name; got 'hpcc'"));
    EXPECT_THAT(ToString(refused.Errors()), HasSubstr("dcqcn"));

    const auto replaced =
        LoadScenario({"", files.Config().GetPath(), {{"congestion.algorithm", "dcqcn", "--set"}}});
    ASSERT_TRUE(replaced) << ToString(replaced.Errors());
    EXPECT_EQ(Find(*replaced, "congestion.additive_increase").value, "50Mbps");
    EXPECT_EQ(Find(*replaced, "congestion.parameters").value, "hpcc-sim");

    const auto none =
        LoadScenario({"", files.Config().GetPath(), {{"congestion.algorithm", "none", "--set"}}});
    EXPECT_TRUE(none) << ToString(none.Errors());
}

TEST(HpccLayer, AMissingConfigurationIsAnError)
{
    const auto layer = ReadHpccLayer("/nowhere/config.txt", "");
    ASSERT_FALSE(layer);
    EXPECT_THAT(ToString(layer.Errors()), HasSubstr("/nowhere/config.txt"));
}

} // namespace ns3::rdma
