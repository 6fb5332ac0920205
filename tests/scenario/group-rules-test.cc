// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/attribute-text.h"
#include "scenario/group-resolver.h"
#include "scenario/group-rules.h"

#include <gmock/gmock.h>
#include <set>

namespace ns3::rdma
{

TEST(GroupRules, EveryGroupHasItsClasses)
{
    for (const GroupRule& rule : GetGroupRules())
    {
        const auto type = FindType(rule.typeName);
        ASSERT_TRUE(type) << rule.typeName;
        EXPECT_FALSE(rule.help.empty()) << rule.key;
        if (rule.selector.empty())
        {
            EXPECT_TRUE(type->HasConstructor()) << rule.typeName;
            continue;
        }
        std::set<std::string> names;
        for (const Component& component : FindComponents(rule.typeName, rule.noun))
        {
            EXPECT_TRUE(names.insert(component.name).second)
                << rule.key << " has two classes named " << component.name;
        }
        EXPECT_FALSE(names.empty()) << rule.key;
        EXPECT_TRUE(rule.defaultChoice.empty() || names.contains(rule.defaultChoice)) << rule.key;
    }
}

TEST(GroupRules, EveryAttributeHasHelpAndADefaultThatItsCheckerTakes)
{
    for (const GroupRule& rule : GetGroupRules())
    {
        auto components = FindComponents(rule.typeName, rule.noun);
        if (rule.selector.empty())
        {
            components = {{"", *FindType(rule.typeName)}};
        }
        for (const Component& component : components)
        {
            for (const SettingRule& setting : GetSettingRules(component.type))
            {
                const AttributeText text{setting.attribute};
                const std::string name = rule.key + " " + component.name + " " + setting.key;
                EXPECT_FALSE(setting.attribute.help.empty()) << name;
                EXPECT_EQ(ToString(text.Check(text.GetDefault())), "") << name;
                EXPECT_EQ(text.Normalise(text.GetDefault()), text.GetDefault()) << name;
            }
        }
    }
}

TEST(GroupRules, EveryChoiceHasASentence)
{
    for (const GroupRule& rule : GetGroupRules())
    {
        for (const Component& component : FindComponents(rule.typeName, rule.noun))
        {
            EXPECT_NE(ComponentHelp::Find(component.type.GetName()), "")
                << "no ComponentHelp for " << component.type.GetName();
        }
    }
}

TEST(GroupRules, EveryParameterSetHoldsRightValuesOfItsClass)
{
    size_t sets = 0;
    auto components = FindComponents("ns3::rdma::CongestionControl", "CongestionControl");
    const auto buffers = FindComponents("ns3::rdma::BufferPolicy", "Buffer");
    components.insert(components.end(), buffers.begin(), buffers.end());
    for (const Component& component : components)
    {
        for (const ParameterSet& set : GetParameterSets(component.type))
        {
            sets++;
            EXPECT_FALSE(set.source.empty()) << component.name << " " << set.name;
            for (const ParameterSet::Entry& entry : set.entries)
            {
                TypeId::AttributeInformation attribute;
                const std::string name{entry.attribute};
                ASSERT_TRUE(component.type.LookupAttributeByName(name, &attribute))
                    << component.name << " " << set.name << " " << name;
                EXPECT_EQ(ToString(AttributeText{attribute}.Check(std::string{entry.value})), "")
                    << component.name << " " << set.name << " " << name;
            }
        }
    }
    EXPECT_GE(sets, 5U); // DCQCN: paper, mlx5, hpcc-sim; shared buffer: trident2, azure
}

TEST(GroupRules, KeysOfAGroupAreDistinct)
{
    for (const GroupRule& rule : GetGroupRules())
    {
        for (const Component& component : FindComponents(rule.typeName, rule.noun))
        {
            std::set<std::string> keys{rule.selector, PARAMETERS_KEY};
            for (const SettingRule& setting : GetSettingRules(component.type))
            {
                EXPECT_TRUE(keys.insert(setting.key).second)
                    << rule.key << " " << component.name << " " << setting.key;
            }
        }
    }
}

TEST(GroupRules, GroupsInsideAGroupAreFound)
{
    EXPECT_THAT(GetSubgroups(GetGroupRules(), "switch"),
                testing::ElementsAre("buffer", "marking", "scheduler", "path", "watchdog"));
    EXPECT_THAT(GetSubgroups(GetGroupRules(), "pfc"), testing::IsEmpty());
    EXPECT_EQ(FindGroupRule(GetGroupRules(), "switch.buffer")->selector, "policy");
    EXPECT_EQ(FindGroupRule(GetGroupRules(), "nothing"), nullptr);
}

} // namespace ns3::rdma
