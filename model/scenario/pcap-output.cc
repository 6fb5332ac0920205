// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/pcap-output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3::rdma
{
namespace
{

constexpr std::string_view ALL_PORTS = "*";

constexpr std::array<std::pair<std::string_view, uint8_t>, 7> CLASSES{{
    {"all", PCAP_ALL},
    {"request", PCAP_REQUEST},
    {"response", PCAP_RESPONSE},
    {"acknowledge", PCAP_ACKNOWLEDGE},
    {"cnp", PCAP_CNP},
    {"pfc", PCAP_PFC},
    {"ip", PCAP_FOREIGN},
}};

std::vector<std::string>
SplitWords(const std::string& text)
{
    std::istringstream stream{text};
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
    {
        words.push_back(word);
    }
    return words;
}

Diagnostic
Complain(const std::string& key, const std::string& got, const std::string& expected)
{
    return {"", 0, key, "not understood", got, expected, "", {}};
}

void
ReadDirection(const std::string& text, PcapSettings& settings, Diagnostics& errors)
{
    settings.capturesIn = text == "in" || text == "both";
    settings.capturesOut = text == "out" || text == "both";
    if (!settings.capturesIn && !settings.capturesOut)
    {
        errors.push_back(Complain("results.pcap_direction", text, "'in', 'out' or 'both'"));
    }
}

void
ReadClasses(const std::string& text, PcapSettings& settings, Diagnostics& errors)
{
    settings.classes = 0;
    for (const std::string& word : SplitWords(text))
    {
        const auto* found = std::ranges::find(CLASSES, word, &decltype(CLASSES)::value_type::first);
        if (found == CLASSES.end())
        {
            errors.push_back(Complain(
                "results.pcap_frames", word, "all, request, response, acknowledge, cnp, pfc, ip"));
            continue;
        }
        settings.classes |= found->second;
    }
}

void
ReadFlows(const std::string& text,
          std::size_t flowCount,
          PcapSettings& settings,
          Diagnostics& errors)
{
    for (const std::string& word : SplitWords(text))
    {
        uint32_t flow = 0;
        const char* end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data(), end, flow);
        if (error != std::errc{} || stop != end || flow >= flowCount)
        {
            errors.push_back(Complain("results.pcap_flows",
                                      word,
                                      "numbers of flows, below " + std::to_string(flowCount)));
        }
        settings.flows.push_back(flow);
    }
    std::ranges::sort(settings.flows);
}

/** The MAC address of every port of the fabric. */
std::map<const EthernetPort*, MacAddress>
NumberPorts(const Fabric& fabric, const Scenario& scenario)
{
    std::map<const EthernetPort*, MacAddress> addresses;
    for (std::size_t direction = 0; direction < fabric.GetLinks().size(); ++direction)
    {
        const FabricLink& link = fabric.GetLinks()[direction];
        const TopologyLink& cable = scenario.topology.links[link.link];
        addresses[link.port] = SwitchPortMac(direction % 2 == 0 ? cable.a : cable.b, link.fromPort);
    }
    for (uint32_t number = 0; number < fabric.GetInterfaces().size(); ++number)
    {
        addresses[&fabric.GetInterfaces()[number]->GetPort()] = InterfaceMac(number);
    }
    return addresses;
}

/** The receiving queue pair knows its peer. One that is gone leaves its frames without a sender. */
FrameOrigin
FindOrigin(const Fabric& fabric, const Frame& frame)
{
    const auto& devices = fabric.GetInterfaces();
    const QueuePairAttributes* receiver =
        devices[frame.destination]->FindAttributes({frame.destinationQp});
    if (receiver == nullptr)
    {
        return {frame.destination, 0};
    }
    const uint32_t source = receiver->address.destination;
    const QueuePairAttributes* sender = devices[source]->FindAttributes(receiver->destinationQp);
    return {source, sender == nullptr ? uint16_t{0} : sender->address.udpSourcePort};
}

} // namespace

Expected<PcapOutput>
PcapOutput::Make(const ResultsSettings& settings, const Fabric& fabric, const Scenario& scenario)
{
    PcapOutput output;
    Diagnostics errors;
    ReadDirection(settings.GetPcapDirection(), output.m_settings, errors);
    ReadClasses(settings.GetPcapFrames(), output.m_settings, errors);
    ReadFlows(settings.GetPcapFlows(), scenario.flows.size(), output.m_settings, errors);
    output.m_settings.snapBytes = settings.GetPcapSnapBytes();
    output.m_settings.maxBytes = settings.GetPcapMaxBytes();

    const std::vector<std::string> words = SplitWords(settings.GetPcapPorts());
    std::set<std::string> unknown{words.begin(), words.end()};
    unknown.erase(std::string{ALL_PORTS});
    const bool wantsAll = std::ranges::find(words, ALL_PORTS) != words.end();
    const auto addresses = NumberPorts(fabric, scenario);
    for (const FabricLink& link : fabric.GetLinks())
    {
        const std::string port = std::to_string(link.fromPort);
        const bool isNamed = std::ranges::find(words, link.from) != words.end() ||
                             std::ranges::find(words, link.from + ":" + port) != words.end();
        unknown.erase(link.from);
        unknown.erase(link.from + ":" + port);
        if (isNamed || wantsAll)
        {
            output.m_places.push_back({.file = link.from + "-" + port + ".pcap",
                                       .port = link.port,
                                       .addresses = {.mac = addresses.at(link.port),
                                                     .peerMac = addresses.at(link.port->GetPeer()),
                                                     .delay = link.port->GetConfig().delay}});
        }
    }
    for (const std::string& word : unknown)
    {
        errors.push_back(Complain(
            "results.pcap", word, "'<node>', '<node>:<port>' or '*', separated by spaces"));
    }
    if (!errors.empty())
    {
        return errors;
    }
    return output;
}

std::vector<std::string>
PcapOutput::GetFiles() const
{
    std::vector<std::string> files;
    for (const Place& place : m_places)
    {
        files.push_back(place.file);
    }
    return files;
}

void
PcapOutput::Start(const Fabric& fabric, ResultFolder& folder)
{
    const auto find = [&fabric](const Frame& frame) { return FindOrigin(fabric, frame); };
    for (Place& place : m_places)
    {
        place.sink =
            std::make_unique<PcapSink>(folder.Get(place.file), m_settings, place.addresses, find);
        place.port->AddTap(*place.sink);
    }
}

std::vector<std::string>
PcapOutput::Finish()
{
    std::vector<std::string> notes;
    for (Place& place : m_places)
    {
        place.sink->Finish();
        const uint64_t leftOut = place.sink->GetCounters().leftOut;
        if (leftOut != 0)
        {
            notes.push_back(place.file + ": " + std::to_string(leftOut) +
                            " frames left out beyond results.pcap_max_bytes");
        }
    }
    return notes;
}

} // namespace ns3::rdma
