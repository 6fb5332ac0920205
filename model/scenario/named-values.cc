// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/named-values.h"

#include "engine/simulator-choice.h"
#include "host/built-in-profiles.h"
#include "transport/rc-policies.h"

#include <sstream>
#include <string_view>

namespace ns3::rdma
{

namespace
{

/** The comment at the head of a profile, without the licence line, as one line. */
std::string
ReadHead(std::string_view profile)
{
    constexpr std::string_view MARK = "# ";
    std::istringstream lines{std::string{profile}};
    std::string text;
    for (std::string line; std::getline(lines, line) && line.starts_with(MARK);)
    {
        if (line.find("SPDX") == std::string::npos)
        {
            text += (text.empty() ? "" : " ") + line.substr(MARK.size());
        }
    }
    return text;
}

NamedValues
ListEngines()
{
    NamedValues list{"engine.simulator", "Event queue; results are the same on all", "fabric", {}};
    for (const std::string& name : GetEngineNames())
    {
        list.values.push_back({name,
                               name == list.defaultName
                                   ? "this project's own: the fastest"
                                   : "ns-3's default simulator with its " + name + " scheduler"});
    }
    return list;
}

NamedValues
ListPolicies()
{
    NamedValues list{"transport.policy",
                     "How an implementation fills what the standard leaves open",
                     std::string{GetRcPolicies().front().name},
                     {}};
    for (const NamedRcPolicy& policy : GetRcPolicies())
    {
        list.values.push_back({std::string{policy.name}, std::string{policy.description}});
    }
    return list;
}

NamedValues
ListProfiles()
{
    NamedValues list{
        "nic.profile", "What NIC and host cost; or the path of a file (./mine.yaml)", "ideal", {}};
    for (const BuiltInProfile& profile : GetBuiltInProfiles())
    {
        list.values.push_back({std::string{profile.name}, ReadHead(profile.text)});
    }
    return list;
}

} // namespace

std::vector<NamedValues>
GetNamedValues()
{
    return {ListEngines(), ListPolicies(), ListProfiles()};
}

} // namespace ns3::rdma
