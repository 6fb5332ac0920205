// SPDX-License-Identifier: GPL-2.0-only
#include "engine/simulator-choice.h"
#include "host/nic-profile.h"
#include "scenario/named-values.h"
#include "transport/rc-policies.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

std::vector<std::string>
NamesOf(const std::string& key)
{
    std::vector<std::string> names;
    for (const NamedValues& list : GetNamedValues())
    {
        for (const NamedValue& value : list.values)
        {
            if (list.key == key)
            {
                names.push_back(value.name);
            }
        }
    }
    return names;
}

} // namespace

TEST(NamedValues, EveryNameThatIsTakenIsListed)
{
    EXPECT_EQ(NamesOf("engine.simulator"), GetEngineNames());
    EXPECT_EQ(NamesOf("nic.profile"), GetNicProfileNames());
    EXPECT_EQ(NamesOf("transport.policy").size(), GetRcPolicies().size());
}

TEST(NamedValues, EachHasItsSentenceAndEachKeyADefault)
{
    for (const NamedValues& list : GetNamedValues())
    {
        EXPECT_FALSE(list.help.empty());
        EXPECT_THAT(NamesOf(list.key), testing::Contains(list.defaultName));
        for (const NamedValue& value : list.values)
        {
            EXPECT_FALSE(value.help.empty()) << list.key << " " << value.name;
        }
    }
}

} // namespace ns3::rdma
