// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-loader.h"
#include "tests/scenario/sample-components.h"
#include "tests/scenario/sample-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

const std::string GOOD = R"(name: tiny
description: two to one
seed: 7
duration: 5ms
topology: {family: star, hosts: 3, rate: 25Gbps}
pfc: {delay: 2us, policy: {policy: two-step, step: 1KB}}
workload:
- {pattern: incast, bytes: 1KB}
- {pattern: incast, bytes: 2KB, senders: 1, tag: second}
)";

Expected<Scenario>
Load(const std::string& text, std::vector<SettingOverride> overrides = {})
{
    static const GroupRules RULES = SampleRules();
    const SampleFile file{"loader.yaml", text};
    return LoadScenario({file.GetPath(), "", std::move(overrides)}, RULES);
}

std::string
ErrorsOf(const std::string& text, std::vector<SettingOverride> overrides = {})
{
    const auto scenario = Load(text, std::move(overrides));
    return scenario ? "no error" : ToString(scenario.Errors());
}

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

TEST(ScenarioLoader, AGoodFileBecomesAScenario)
{
    const auto scenario = Load(GOOD);
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->name, "tiny");
    EXPECT_EQ(scenario->description, "two to one");
    EXPECT_EQ(scenario->seed, 7U);
    EXPECT_EQ(scenario->duration, SimTime::Milliseconds(5));
    EXPECT_EQ(scenario->engine.simulator, "fabric");
    EXPECT_FALSE(scenario->engine.eagerPorts);
    EXPECT_EQ(scenario->topology.nodes.size(), 4U); // 3 hosts and the switch
    EXPECT_EQ(scenario->topology.links.at(0).rate, BitRate::Gbps(25));
    EXPECT_EQ(scenario->flows.size(), 3U); // 2 senders to one, then 1
    EXPECT_EQ(scenario->pfc.Create()->GetInstanceTypeId(), SampleSettings::GetTypeId());
    const auto policy = DynamicCast<TwoStepSamplePolicy>(scenario->buffer.Create());
    EXPECT_EQ(policy->m_step, ByteCount{1000});
}

TEST(ScenarioLoader, FlowsOfAllGeneratorsAreNumberedTogether)
{
    // The rule is (start, source, destination, port, bytes): host 1 sends 1 KB, 2 KB, then host 2.
    const auto scenario = Load(GOOD);
    ASSERT_TRUE(scenario);
    EXPECT_EQ(scenario->flows[0].bytes, 1000U);
    EXPECT_EQ(scenario->flows[1].bytes, 2000U);
    EXPECT_EQ(scenario->flows[1].tag, "second");
    EXPECT_EQ(scenario->flows[2].source, 2U);
}

TEST(ScenarioLoader, TheNameIsTheFilesByDefault)
{
    const auto scenario =
        Load("topology: {family: star, hosts: 3}\nworkload: [{pattern: incast}]\n");
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->name, "loader");
    EXPECT_EQ(scenario->seed, 1U);
    EXPECT_EQ(scenario->duration, std::nullopt);
}

TEST(ScenarioLoader, TheCommandLineWinsAndIsNamedAsOrigin)
{
    const auto scenario = Load(GOOD,
                               {{"workload.0.bytes", "3KB", "--set"},
                                {"pfc.delay", "3us", "--set"},
                                {"pfc.size", "2KiB", "--set"},
                                {"seed", "9", "--seed"}});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->seed, 9U);
    EXPECT_EQ(Find(*scenario, "seed").origin, "--seed");
    EXPECT_EQ(Find(*scenario, "workload.0.bytes").value, "3KB");
    EXPECT_EQ(Find(*scenario, "workload.0.bytes").origin, "--set");
    EXPECT_EQ(Find(*scenario, "pfc.delay").value, "3us");
    EXPECT_EQ(Find(*scenario, "pfc.size").value, "2KiB");
    EXPECT_EQ(Find(*scenario, "pfc.gain").origin, "default");
    EXPECT_THAT(Find(*scenario, "workload.1.bytes").origin, HasSubstr("loader.yaml:9"));
}

TEST(ScenarioLoader, AListMayBeReplacedAsAWhole)
{
    const auto scenario = Load(GOOD, {{"workload", "[{pattern: incast, senders: 2}]", "--set"}});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->flows.size(), 2U);
}

TEST(ScenarioLoader, OfSeveralOptionsTheLastWins)
{
    const auto scenario =
        Load(GOOD, {{"pfc.delay", "3us", "--set"}, {"pfc.delay", "4us", "--set"}});
    ASSERT_TRUE(scenario);
    EXPECT_EQ(Find(*scenario, "pfc.delay").value, "4us");
}

TEST(ScenarioLoader, AllErrorsOfAllGroupsComeAtOnce)
{
    const std::string errors = ErrorsOf(R"(nam: x
seed: -1
duration: 5
engine: {simulator: fabrik, port: lazy}
topology: {family: star, hosts: 0, rate: 100}
pfc: {delya: 1us}
workload:
- {pattern: incast, bytes: 1XB}
- {pattern: incest}
)");
    for (const char* part :
         {"loader.yaml:1: nam: unknown key; got 'nam'; did you mean 'name'?",
          "loader.yaml:2: seed: not a whole number; got '-1'",
          "loader.yaml:3: duration: the unit is missing; got '5'",
          "loader.yaml:4: engine.simulator: unknown name; got 'fabrik'",
          "did you mean 'fabric'?",
          "loader.yaml:4: engine.port: unknown key; got 'port'; did you mean 'ports'?",
          "loader.yaml:5: topology.hosts: out of range; got '0'",
          "loader.yaml:5: topology.rate: the unit is missing; got '100'",
          "loader.yaml:6: pfc.delya: unknown key; got 'delya'; did you mean 'delay'?",
          "loader.yaml:8: workload.0.bytes: unknown unit 'XB'",
          "loader.yaml:9: workload.1.pattern: unknown name; got 'incest'; did you mean 'incast'?"})
    {
        EXPECT_THAT(errors, HasSubstr(part));
    }
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 10) << errors;
}

TEST(ScenarioLoader, MissingGroupsAreNamed)
{
    const std::string errors = ErrorsOf("name: x\n");
    EXPECT_THAT(errors, HasSubstr("topology: the key is missing"));
    EXPECT_THAT(errors, HasSubstr("workload: the key is missing"));
    EXPECT_THAT(ErrorsOf("topology: {hosts: 3}\nworkload: [{pattern: incast}]\n"),
                HasSubstr("topology.family: the key is missing"));
    EXPECT_THAT(ErrorsOf("topology: {family: star}\nworkload: {pattern: incast}\n"),
                HasSubstr("workload: not a list; got 'a map'"));
    EXPECT_THAT(ErrorsOf("topology: {family: star}\nworkload: incast\n"),
                HasSubstr("workload: not a list; got 'incast'"));
}

TEST(ScenarioLoader, FindingsOfGeneratorsHaveTheUsersLine)
{
    EXPECT_THAT(ErrorsOf("topology: {family: star, hosts: 3}\nworkload:\n- pattern: incast\n"
                         "  senders: 9\n"),
                HasSubstr("loader.yaml:4: workload.0.senders: more senders than hosts"));
    EXPECT_THAT(ErrorsOf("topology:\n  family: star\n  hosts: 4000000000\n"
                         "workload: [{pattern: incast}]\n"),
                HasSubstr("loader.yaml:1: topology"));
}

TEST(ScenarioLoader, WrongOptionsAreErrorsOfTheCommandLine)
{
    EXPECT_THAT(ErrorsOf(GOOD, {{"pfc.dely", "1us", "--set"}}),
                HasSubstr("--set: pfc.dely: unknown key"));
    EXPECT_THAT(ErrorsOf(GOOD, {{"workload.7.bytes", "1KB", "--set"}}),
                HasSubstr("--set: workload.7.bytes: no entry '7' in the list"));
    EXPECT_THAT(ErrorsOf(GOOD, {{"pfc.delay", "[1", "--set"}}),
                HasSubstr("--set: pfc.delay: malformed YAML"));
    EXPECT_THAT(ErrorsOf(GOOD, {{"seed", "x", "--seed"}}),
                HasSubstr("--seed: seed: not a whole number; got 'x'"));
}

TEST(ScenarioLoader, EveryHeaderKeyIsChecked)
{
    const auto with = [](const std::string& line)
    { return ErrorsOf(line + "\n" + GOOD.substr(11)); };
    EXPECT_EQ(with("name: fine"), "no error");
    EXPECT_THAT(with("name: a/b"), HasSubstr("name: the name becomes a folder's name"));
    EXPECT_THAT(with("name: [a]"), HasSubstr("name: not a plain value"));
    EXPECT_THAT(with("name:"), HasSubstr("name: no value"));
    EXPECT_THAT(with("engine: fabric"), HasSubstr("engine: not a group of keys; got 'fabric'"));
    EXPECT_THAT(with("engine: {ports: slow}"), HasSubstr("engine.ports: unknown name"));
    EXPECT_THAT(with("hpcc: {confg: x}"), HasSubstr("hpcc.confg: unknown key"));
    EXPECT_THAT(ErrorsOf(GOOD, {{"duration", "0s", "--duration"}}), HasSubstr("out of range"));
    EXPECT_THAT(ErrorsOf(GOOD, {{"duration", "never", "--duration"}}), HasSubstr("out of range"));
}

TEST(ScenarioLoader, MissingAndEmptyFilesAreErrors)
{
    EXPECT_THAT(ErrorsOf(""), HasSubstr("the file is empty"));
    const auto missing = LoadScenario({"/nowhere.yaml", "", {}}, SampleRules());
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.Errors().at(0).message, "no such file");
}

TEST(ScenarioLoader, EagerPortsCanBeAskedFor)
{
    const auto scenario = Load(GOOD, {{"engine", "{simulator: map, ports: eager}", "--set"}});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    EXPECT_EQ(scenario->engine.simulator, "map");
    EXPECT_TRUE(scenario->engine.eagerPorts);
}

} // namespace ns3::rdma
