// SPDX-License-Identifier: GPL-2.0-only
#include "switch/traffic-classifier.h"

#include "base/number-map.h"
#include "switch/rdma-switch.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::rdma
{

namespace
{

/** An attribute as a member of the class, which is what ns-3's accessors need. */
template <typename T>
constexpr T RdmaSwitch::*
Member(T TrustAttributes::*attribute)
{
    return attribute;
}

/** Reads a map into a table; an error gets its key and form. */
Diagnostics
ReadMap(const std::string& text, std::span<uint8_t> table, const std::string& key)
{
    auto error = ReadNumberMap(text, table, PRIORITY_COUNT - 1);
    if (!error)
    {
        return {};
    }
    error->key = key;
    error->expected = key == "pcp_map"
                          ? "entries such as \"3:4 5:0\": PCP 0 to 7, priority 0 to 7"
                          : "entries such as \"26:3 48:6\" or \"*:0\": DSCP 0 to 63, priority 0 "
                            "to 7";
    return {*error};
}

/** The maps of a text such as "leaf0 26:0; spine1 26:1 48:0" that belong to one switch. */
std::string
FindMapOf(const std::string& text, const std::string& switchName)
{
    std::string map;
    std::istringstream parts{text};
    for (std::string part; std::getline(parts, part, ';');)
    {
        std::istringstream words{part};
        std::string name;
        words >> name;
        if (name == switchName)
        {
            std::string rest;
            std::getline(words, rest);
            map += " " + rest;
        }
    }
    return map;
}

} // namespace

Expected<TrafficClassifier>
TrafficClassifier::Make(const TrustAttributes& attributes, const std::string& switchName)
{
    TrafficClassifier classifier;
    classifier.m_trust = attributes.trust;
    classifier.m_default = attributes.defaultPriority;
    classifier.m_byPcp.back() = attributes.defaultPriority;
    const std::span<uint8_t> tagged = std::span{classifier.m_byPcp}.first(PRIORITY_COUNT);
    Diagnostics errors = ReadMap(attributes.dscpMap, classifier.m_byDscp, "dscp_map");
    for (const Diagnostics& more :
         {ReadMap(attributes.pcpMap, tagged, "pcp_map"),
          ReadMap(FindMapOf(attributes.dscpMapAt, switchName), classifier.m_byDscp, "dscp_map_at")})
    {
        errors.insert(errors.end(), more.begin(), more.end());
    }
    if (!errors.empty())
    {
        return errors;
    }
    return classifier;
}

TypeId
AddTrustAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "Trust",
            "What puts a frame into its priority: dscp, by DscpMap; pcp, the VLAN tag's priority "
            "by PcpMap; port, all frames into DefaultPriority",
            ChoiceValue<Trust>(Trust::DSCP),
            MakeChoiceAccessor<Trust>(Member(&TrustAttributes::trust)),
            MakeChoiceChecker<Trust>(
                {{Trust::DSCP, "dscp"}, {Trust::PCP, "pcp"}, {Trust::PORT, "port"}}))
        .AddAttribute(
            "DscpMap",
            "Priority of each DSCP, \"26:3 48:6\" (DSCP:priority), \"*:0\" for all others "
            "first; one that is not named: dscp / 8 (as mlnx_qos)",
            StringValue(""),
            MakeStringAccessor(Member(&TrustAttributes::dscpMap)),
            MakeStringChecker())
        .AddAttribute("DscpMapAt",
                      "Entries of single switches that differ, \"leaf0 26:0; spine1 26:1 48:0\"",
                      StringValue(""),
                      MakeStringAccessor(Member(&TrustAttributes::dscpMapAt)),
                      MakeStringChecker())
        .AddAttribute("PcpMap",
                      "Priority of each PCP, \"3:4\" (PCP:priority); one that is not named: itself",
                      StringValue(""),
                      MakeStringAccessor(Member(&TrustAttributes::pcpMap)),
                      MakeStringChecker())
        .AddAttribute(
            "DefaultPriority",
            "Priority of frames without a VLAN tag where PCP is trusted, and of all where "
            "only the port is",
            UintegerValue(0),
            MakeUintegerAccessor(Member(&TrustAttributes::defaultPriority)),
            MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1));
}

} // namespace ns3::rdma
