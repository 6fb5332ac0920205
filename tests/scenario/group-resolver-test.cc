// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/group-resolver.h"
#include "scenario/scenario-file.h"
#include "tests/scenario/sample-components.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;
using testing::IsEmpty;

const GroupRule SETTINGS{.key = "pfc", .typeName = "ns3::rdma::SampleSettings"};
const GroupRule POLICY{.key = "pfc.policy",
                       .typeName = "ns3::rdma::SamplePolicy",
                       .selector = "policy",
                       .noun = "SamplePolicy",
                       .defaultChoice = "none"};
const GroupRule CONTROL{.key = "congestion",
                        .typeName = "ns3::rdma::CongestionControl",
                        .selector = "algorithm",
                        .noun = "CongestionControl"};

ResolvedGroup
Resolve(const GroupRule& rule, const std::string& text, const std::string& file = "a/s.yaml")
{
    static const GroupRules RULES = SampleRules();
    const auto root = ParseScenarioText(text, file);
    return GroupResolver{RULES}.Resolve(rule, rule.key, &*root);
}

const EffectiveParameter&
Find(const ResolvedGroup& group, const std::string& key)
{
    for (const EffectiveParameter& parameter : group.parameters)
    {
        if (parameter.key == key)
        {
            return parameter;
        }
    }
    ADD_FAILURE() << "no parameter " << key;
    return group.parameters.front();
}

} // namespace

TEST(GroupResolver, ValuesReachTheObject)
{
    const auto group = Resolve(SETTINGS,
                               "delay: 2.5us\nsize: 32MiB\ngain: 1/8\nmode: slow\nenabled: false\n"
                               "count: 7\noffset: -2\nscale: 0.5\npriorities: [3, 4]\n");
    EXPECT_THAT(group.errors, IsEmpty());
    const auto object = DynamicCast<SampleSettings>(group.factory.Create());
    EXPECT_EQ(object->m_delay, SimTime{2'500'000});
    EXPECT_EQ(object->m_size, ByteCount{32U << 20});
    EXPECT_EQ(object->m_gain, (Fraction{1, 8}));
    EXPECT_EQ(object->m_mode, SampleSettings::Mode::SLOW);
    EXPECT_FALSE(object->m_isEnabled);
    EXPECT_EQ(object->m_count, 7U);
    EXPECT_EQ(object->m_offset, -2);
    EXPECT_EQ(object->m_scale, 0.5);
    EXPECT_EQ(object->m_priorities, "3 4");
}

TEST(GroupResolver, OriginsAreKept)
{
    const auto group = Resolve(SETTINGS, "# one\ndelay: 1000ns\n");
    EXPECT_EQ(Find(group, "pfc.delay").origin, "a/s.yaml:2");
    EXPECT_EQ(Find(group, "pfc.delay").value, "1us");
    EXPECT_EQ(Find(group, "pfc.delay").type, "time, 0ps .. 100ms");
    EXPECT_EQ(Find(group, "pfc.size").origin, "default");
    EXPECT_EQ(Find(group, "pfc.size").value, "1KB");
}

TEST(GroupResolver, NothingGivenMeansDefaults)
{
    const GroupRules rules = SampleRules();
    const auto group = GroupResolver{rules}.Resolve(POLICY, POLICY.key, nullptr);
    EXPECT_THAT(group.errors, IsEmpty());
    EXPECT_EQ(group.factory.GetTypeId(), NoSamplePolicy::GetTypeId());
    EXPECT_EQ(Find(group, "pfc.policy.policy").origin, "default");
    EXPECT_EQ(Find(group, "pfc.policy.limit").value, "9KB");
}

TEST(GroupResolver, AllErrorsComeAtOnce)
{
    const auto group =
        Resolve(SETTINGS, "delay: 5\nsize: [1KB]\ncont: 3\ncount: x\nmode: {a: 1}\ngain:\n");
    const std::string errors = ToString(group.errors);
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:1: pfc.delay: the unit is missing; got '5'"));
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:2: pfc.size: not a plain value; got '1KB'"));
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:3: pfc.cont: unknown key; got 'cont'"));
    EXPECT_THAT(errors, HasSubstr("did you mean 'count'?"));
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:4: pfc.count: not a whole number"));
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:5: pfc.mode: not a plain value; got 'a map'"));
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:6: pfc.gain: no value; expected fraction"));
    EXPECT_EQ(group.errors.size(), 6U);
}

TEST(GroupResolver, AnUnknownChoiceNamesTheKnown)
{
    const std::string errors = ToString(Resolve(POLICY, "policy: twostep\n").errors);
    EXPECT_THAT(errors, HasSubstr("a/s.yaml:1: pfc.policy.policy: unknown name; got 'twostep'"));
    EXPECT_THAT(errors, HasSubstr("did you mean 'two-step'? (known: none, two-step)"));
}

TEST(GroupResolver, AMissingChoiceWithoutDefaultIsAnError)
{
    GroupRule rule = POLICY;
    rule.defaultChoice.clear();
    EXPECT_THAT(ToString(Resolve(rule, "limit: 1KB\n").errors),
                HasSubstr("pfc.policy.policy: the key is missing"));
}

TEST(GroupResolver, AClassThatIsNotRegisteredIsAnInternalError)
{
    GroupRule rule = SETTINGS;
    rule.typeName = "ns3::rdma::Nowhere";
    EXPECT_THAT(ToString(Resolve(rule, "delay: 1us\n").errors), HasSubstr("internal error"));
    rule = POLICY;
    rule.defaultChoice = "nowhere";
    EXPECT_THAT(ToString(Resolve(rule, "limit: 1KB\n").errors), HasSubstr("internal error"));
}

TEST(GroupResolver, ParameterSetsLieBetweenDefaultAndUser)
{
    const GroupRule& rule = CONTROL;
    const auto group = Resolve(rule, "algorithm: sample-control\nparameters: paper\ntimer: 55us\n");
    EXPECT_THAT(ToString(group.errors), IsEmpty());
    EXPECT_EQ(Find(group, "congestion.rate").value, "40Gbps");
    EXPECT_EQ(Find(group, "congestion.rate").origin, "parameter set paper (A paper 2015)");
    EXPECT_EQ(Find(group, "congestion.timer").value, "55us");
    EXPECT_EQ(Find(group, "congestion.timer").origin, "a/s.yaml:3");
    const auto object = DynamicCast<SampleControl>(group.factory.Create());
    EXPECT_EQ(object->m_rate, BitRate::Gbps(40));
    EXPECT_EQ(object->m_timer, SimTime::Microseconds(55));

    const auto bad = Resolve(rule, "algorithm: sample-control\nparameters: papr\n");
    EXPECT_THAT(ToString(bad.errors), HasSubstr("unknown parameter set; got 'papr'"));
    EXPECT_THAT(ToString(bad.errors), HasSubstr("did you mean 'paper'?"));
}

TEST(GroupResolver, KeysOfAReplacedChoiceAreLeftOutWithANote)
{
    const GroupRules rules = SampleRules();
    Setting root = *ParseScenarioText("policy: two-step\nstep: 1KB\nlimit: 2KB\n", "s.yaml");
    const auto choice = ParseSettingText("none", {"--set", 0, "--set"});
    ASSERT_TRUE(SetAtPath(root, "policy", *choice).empty());
    const auto group = GroupResolver{rules}.Resolve(POLICY, POLICY.key, &root);
    EXPECT_THAT(ToString(group.errors), IsEmpty());
    ASSERT_EQ(group.notes.size(), 1U);
    EXPECT_EQ(group.notes[0],
              "pfc.policy.step (s.yaml:2) is left out: pfc.policy.policy was changed to none");
    EXPECT_EQ(Find(group, "pfc.policy.limit").value, "2KB");

    // A key that the replaced class did not have either is as wrong as ever.
    Setting bad = *ParseScenarioText("policy: two-step\nstp: 1KB\n", "s.yaml");
    ASSERT_TRUE(SetAtPath(bad, "policy", *choice).empty());
    EXPECT_EQ(GroupResolver{rules}.Resolve(POLICY, POLICY.key, &bad).errors.size(), 1U);
}

TEST(GroupResolver, PathsStartAtTheFileThatNamesThem)
{
    const auto relative = Resolve(SETTINGS, "table_file: ../t.csv\n", "a/b/s.yaml");
    EXPECT_EQ(Find(relative, "pfc.table_file").value, "a/t.csv");
    const auto absolute = Resolve(SETTINGS, "table_file: /t.csv\n", "a/b/s.yaml");
    EXPECT_EQ(Find(absolute, "pfc.table_file").value, "/t.csv");
    const auto beside = Resolve(SETTINGS, "table_file: t.csv\n", "s.yaml");
    EXPECT_EQ(Find(beside, "pfc.table_file").value, "t.csv");
    EXPECT_EQ(ResolveSettingPath("t.csv", {"--set", 0, "--set"}), "t.csv");
    GroupRule outputs = SETTINGS;
    outputs.namesInputs = false;
    const auto output = Resolve(outputs, "table_file: t.csv\n", "a/b/s.yaml");
    EXPECT_EQ(Find(output, "pfc.table_file").value, "t.csv");
}

TEST(GroupResolver, AComponentsOwnFindingsGetTheUsersLine)
{
    const auto group = Resolve(SETTINGS, "count: 7\npriorities: 12\n");
    EXPECT_EQ(ToString(group.errors),
              "a/s.yaml:2: pfc.priorities: not a priority; got '12'; expected 0 .. 7\n");
}

TEST(GroupResolver, GroupsInsideAGroupAreNoUnknownKeys)
{
    const auto group = Resolve(SETTINGS, "policy: {policy: none}\n");
    EXPECT_THAT(ToString(group.errors), IsEmpty());
}

TEST(GroupResolver, APlainValueIsNoGroup)
{
    const GroupRules rules = SampleRules();
    const auto value = ParseSettingText("fast", {"--set", 0, "--set"});
    const auto group = GroupResolver{rules}.Resolve(SETTINGS, SETTINGS.key, &*value);
    EXPECT_THAT(ToString(group.errors), HasSubstr("--set: pfc: not a group of keys; got 'fast'"));
}

TEST(LocateDiagnostics, KeepsTheFileThatAReaderNamed)
{
    const auto root = ParseScenarioText("file: x\n", "s.yaml");
    const auto located = LocateDiagnostics(
        {{"x", 7, "rate", "bad", "", "", "", {}}, {"", 0, "file", "none", "", "", "", {}}},
        "topology",
        &*root);
    EXPECT_EQ(ToString(located[0]), "x:7: rate: bad");
    EXPECT_EQ(ToString(located[1]), "s.yaml:1: topology.file: none");
}

} // namespace ns3::rdma
