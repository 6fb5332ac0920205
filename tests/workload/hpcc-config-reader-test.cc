// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "workload/hpcc-config-reader.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace
{

namespace fs = std::filesystem;

/** Two hosts of 100 Gb/s and a switch, one flow, and a configuration beside them. */
class HpccConfigReader : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_folder = TemporaryPath(testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(m_folder / "mix");
        Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
        Write("flow.txt", "1\n0 1 3 100 1000 2\n");
    }

    void TearDown() override
    {
        fs::remove_all(m_folder);
    }

    void Write(const std::string& name, const std::string& text) const
    {
        std::ofstream{m_folder / "mix" / name} << text;
    }

    Expected<HpccConfig> Read(const std::string& text) const
    {
        Write("config.txt", text);
        return ReadHpccConfig(m_folder / "mix" / "config.txt");
    }

    std::vector<std::string> Errors(const std::string& text) const
    {
        std::vector<std::string> messages;
        const auto config = Read(text);
        if (!config)
        {
            for (const Diagnostic& diagnostic : config.Errors())
            {
                messages.push_back(ToString(diagnostic));
            }
        }
        return messages;
    }

    fs::path m_folder;
};

constexpr const char* FILES = "TOPOLOGY_FILE mix/topology.txt\nFLOW_FILE mix/flow.txt\n";
constexpr const char* MAPS = "KMAX_MAP 2 25000000000 400 100000000000 1600\n"
                             "KMIN_MAP 2 25000000000 100 100000000000 400\n"
                             "PMAX_MAP 2 25000000000 0.2 100000000000 0.25\n";

/** "key=value" or, for one algorithm only, "key=value (algorithm)". */
std::vector<std::string>
Texts(const HpccConfig& config)
{
    std::vector<std::string> texts;
    for (const HpccSetting& setting : config.settings)
    {
        texts.push_back(setting.key + "=" + setting.value +
                        (setting.algorithm.empty() ? "" : " (" + setting.algorithm + ")"));
    }
    return texts;
}

} // namespace

TEST_F(HpccConfigReader, ConvertsEveryKeyWithItsUnit)
{
    const auto config = Read(std::string{FILES} + MAPS +
                             "ENABLE_QCN 1\nPACKET_PAYLOAD_SIZE 1000\nCC_MODE 1\n"
                             "SIMULATOR_STOP_TIME 4.00\nBUFFER_SIZE 32\nL2_ACK_INTERVAL 1\n"
                             "ALPHA_RESUME_INTERVAL 1\nRATE_DECREASE_INTERVAL 4\n"
                             "CLAMP_TARGET_RATE 0\nRP_TIMER 900 \nEWMA_GAIN 0.00390625\n"
                             "FAST_RECOVERY_TIMES 1\nRATE_AI 50Mb/s\nRATE_HAI 100Mb/s\n"
                             "MIN_RATE 1000Mb/s\nHAS_WIN 0\n");
    ASSERT_TRUE(config) << ToString(config.Errors()[0]);
    EXPECT_THAT(Texts(*config),
                testing::UnorderedElementsAre("congestion.algorithm=dcqcn",
                                              "congestion.parameters=hpcc-sim (dcqcn)",
                                              "congestion.reference_rate=0bps (dcqcn)",
                                              "congestion.alpha_period=1us (dcqcn)",
                                              "congestion.reduce_period=4us (dcqcn)",
                                              "congestion.clamp_target=false (dcqcn)",
                                              "congestion.increase_period=900us (dcqcn)",
                                              "congestion.alpha_gain=0.00390625 (dcqcn)",
                                              "congestion.fast_recovery_rounds=1 (dcqcn)",
                                              "congestion.additive_increase=50Mbps (dcqcn)",
                                              "congestion.hyper_increase=100Mbps (dcqcn)",
                                              "congestion.min_rate=1Gbps (dcqcn)",
                                              "duration=4s",
                                              "switch.buffer.size=32MiB",
                                              "switch.buffer.alpha=1/8",
                                              "switch.buffer.reserve=4KiB",
                                              "switch.buffer.xon_offset=3KiB",
                                              "switch.marking.policy=red",
                                              "switch.marking.at=dequeue",
                                              "switch.marking.thresholds=25Gbps 100KB 400KB 0.2, "
                                              "100Gbps 400KB 1600KB 0.25",
                                              "transport.path_mtu=1000",
                                              "transport.ack=every-packet",
                                              "transport.window=0B",
                                              "pfc.lossless_priorities=3"));
    EXPECT_EQ(config->flows.size(), 1U);
    EXPECT_EQ(config->topology.nodes.size(), 3U);
}

TEST_F(HpccConfigReader, NamesTheLineOfEachSetting)
{
    const auto config = Read(std::string{FILES} + MAPS + "RATE_AI 50Mb/s\n");
    ASSERT_TRUE(config) << ToString(config.Errors()[0]);
    EXPECT_THAT(config->settings,
                Contains(HpccSetting{
                    "congestion.additive_increase", "50Mbps", "config.txt:6 RATE_AI", 6, "dcqcn"}));
}

TEST_F(HpccConfigReader, WindowIsTheLargestProduct)
{
    // Base RTT: 2 x (1 us + 1 us) and 1000 bytes at 100 Gb/s, 80 ns, on each of two links:
    // 4.16 us x 100 Gb/s / 8 = 52 000 bytes. HAS_WIN and GLOBAL_T are 1 unless given.
    const auto config = Read(std::string{FILES} + MAPS);
    ASSERT_TRUE(config) << ToString(config.Errors()[0]);
    EXPECT_THAT(Texts(*config), Contains("transport.window=52000B"));
    EXPECT_EQ(config->baseRtt.rtt, SimTime::Nanoseconds(4160));
    EXPECT_THAT(config->warnings, IsEmpty());
    const auto variable = Read(std::string{FILES} + MAPS + "VAR_WIN 1\nGLOBAL_T 0\n");
    EXPECT_THAT(variable->warnings, ElementsAre(HasSubstr("GLOBAL_T"), HasSubstr("VAR_WIN")));
}

TEST_F(HpccConfigReader, AckIntervalIsBytes)
{
    const std::string base = std::string{FILES} + MAPS + "L2_ACK_INTERVAL ";
    EXPECT_THAT(Texts(*Read(base + "1000\n")), Contains("transport.ack=every-packet"));
    EXPECT_THAT(Texts(*Read(base + "1001\n")), Contains("transport.ack=every-2-packets"));
    EXPECT_THAT(Texts(*Read(base + "16000\n")), Contains("transport.ack=every-16-packets"));
    EXPECT_THAT(Errors(base + "0\n"), ElementsAre(HasSubstr("no flow ever finishes")));
}

TEST_F(HpccConfigReader, OtherAlgorithmsKeepTheirNames)
{
    const std::string base = std::string{FILES} + MAPS + "CC_MODE ";
    EXPECT_THAT(Texts(*Read(base + "3\n")), Contains("congestion.algorithm=hpcc"));
    EXPECT_THAT(Texts(*Read(base + "12\n")), Contains("congestion.algorithm=none"));
    EXPECT_THAT(Errors(base + "2\n"), ElementsAre(HasSubstr("unknown number")));
}

TEST_F(HpccConfigReader, RefusesWhatIsNotModelledAllAtOnce)
{
    EXPECT_THAT(Errors(std::string{FILES} + MAPS +
                       "L2_BACK_TO_ZERO 1\nENABLE_IRN 1\nLB_MODE 9\nLINK_DOWN 10 0 2\n"
                       "ERROR_RATE_PER_LINK 0.0001\nACK_HIGH_PRIO 1\nRATE_BOUND 0\n"),
                testing::UnorderedElementsAre(HasSubstr("config.txt:6"),
                                              HasSubstr("config.txt:7"),
                                              HasSubstr("config.txt:8"),
                                              AllOf(HasSubstr("config.txt:9"), HasSubstr("'10'")),
                                              HasSubstr("config.txt:10"),
                                              HasSubstr("config.txt:11"),
                                              HasSubstr("config.txt:12")));
}

TEST_F(HpccConfigReader, AcceptsNeutralValuesOfTheSameKeys)
{
    EXPECT_THAT(Errors(std::string{FILES} + MAPS +
                       "L2_BACK_TO_ZERO 0\nENABLE_IRN 0\nLB_MODE 0\nLINK_DOWN 0 0 0\n"
                       "ERROR_RATE_PER_LINK 0.0000\nACK_HIGH_PRIO 0\nRATE_BOUND 1\n"),
                IsEmpty());
}

TEST_F(HpccConfigReader, UnknownKeysNameTheNearest)
{
    EXPECT_THAT(Errors(std::string{FILES} + MAPS + "RATE_AL 50Mb/s\nFOO 1 2 3\n"),
                ElementsAre(AllOf(HasSubstr("config.txt:6"), HasSubstr("'RATE_AI'")),
                            AllOf(HasSubstr("config.txt:7"), HasSubstr("FOO"))));
}

TEST_F(HpccConfigReader, MissingAndMalformedValues)
{
    EXPECT_THAT(Errors(std::string{FILES} + MAPS +
                       "RATE_AI\nRATE_HAI 50\xc2\xb5\nBUFFER_SIZE 1.5\nLINK_DOWN 0 0\n"),
                testing::UnorderedElementsAre(
                    AllOf(HasSubstr("config.txt:6"), HasSubstr("values are missing")),
                    AllOf(HasSubstr("config.txt:7"), HasSubstr("a rate")),
                    AllOf(HasSubstr("config.txt:8"), HasSubstr("MiB")),
                    AllOf(HasSubstr("config.txt:9"), HasSubstr("values are missing"))));
}

TEST_F(HpccConfigReader, LinkSpeedWithoutMarkingParameters)
{
    Write("topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 40Gbps 1us 0\n");
    EXPECT_THAT(Errors(std::string{FILES} + MAPS),
                ElementsAre(AllOf(HasSubstr("40Gbps"), HasSubstr("topology.txt:4"))));
    EXPECT_THAT(Errors(std::string{FILES} + "ENABLE_QCN 0\n"), IsEmpty());
}

TEST_F(HpccConfigReader, FindsFilesWhereThatSimulatorWouldAndSaysWhereItLooked)
{
    const auto config = Read(std::string{"TOPOLOGY_FILE elsewhere/topology.txt\n"
                                         "FLOW_FILE flow.txt\nTRACE_FILE mix/trace.txt\n"} +
                             MAPS);
    ASSERT_TRUE(config) << ToString(config.Errors()[0]);
    EXPECT_EQ(fs::path{config->topologyFile}, m_folder / "mix/topology.txt");
    EXPECT_EQ(fs::path{config->flowFile}, m_folder / "mix/flow.txt");
    EXPECT_THAT(config->notes, Contains(HasSubstr("TRACE_FILE")));
    EXPECT_THAT(Errors(std::string{MAPS} + "TOPOLOGY_FILE mix/none.txt\n"),
                ElementsAre(AllOf(HasSubstr("config.txt:4"), HasSubstr("mix/none.txt")),
                            HasSubstr("FLOW_FILE: missing")));
}

TEST_F(HpccConfigReader, ErrorsOfBothFilesAreReportedToo)
{
    Write("flow.txt", "1\n0 2 3 100 1000 2\n");
    EXPECT_THAT(Errors(std::string{FILES} + MAPS + "RATE_AL 1\n"),
                ElementsAre(HasSubstr("config.txt:6"), HasSubstr("flow.txt:2")));
}

TEST_F(HpccConfigReader, SurvivesChangedBytes)
{
    std::mt19937 random{3};
    const std::string original = std::string{FILES} + MAPS + "RATE_AI 50Mb/s\nCC_MODE 1\n";
    size_t refused = 0;
    for (int round = 0; round < 500; ++round)
    {
        std::string text = original;
        text[random() % text.size()] = static_cast<char>(random() % 256);
        refused += Errors(text).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 250U);
}

TEST(HpccConfigSample, IsReadAsItIs)
{
    const fs::path path = SharedFolder("samples") / "hpcc/config.txt";
    if (!fs::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    const auto config = ReadHpccConfig(path);
    ASSERT_TRUE(config) << ToString(config.Errors()[0]);
    EXPECT_EQ(config->topology.links.size(), 65U);
    EXPECT_EQ(config->flows.size(), 2U);
    EXPECT_EQ(config->fctOutput, "mix/fct.txt");
    EXPECT_EQ(config->pfcOutput, "mix/pfc.txt");
    // One switch, 100 Gb/s, 1 us: as in WindowIsTheLargestProduct.
    EXPECT_THAT(Texts(*config), Contains("transport.window=52000B"));
    EXPECT_THAT(Texts(*config), Contains("congestion.algorithm=hpcc"));
    EXPECT_THAT(Texts(*config), Contains("duration=4s"));
    EXPECT_THAT(Texts(*config),
                Contains("switch.marking.thresholds=25Gbps 100KB 400KB 0.2, 50Gbps 200KB 800KB "
                         "0.2, 100Gbps 400KB 1600KB 0.2"));
    // mix/trace.txt is not part of the sample.
    EXPECT_THAT(config->notes, Contains(HasSubstr("TRACE_FILE names a file that is not there")));
}
