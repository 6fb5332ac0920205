// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-config-reader.h"

#include "base/quantity.h"
#include "topology/hpcc-topology-reader.h"
#include "topology/text-reader.h"
#include "topology/topology-generator.h"
#include "workload/hpcc-config-file.h"
#include "workload/hpcc-config-table.h"
#include "workload/hpcc-flow-reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

constexpr uint64_t DEFAULT_PAYLOAD = 1000; ///< that simulator's, without PACKET_PAYLOAD_SIZE

class HpccConfigReader
{
  public:
    explicit HpccConfigReader(const std::string& path) : m_path{path}, m_errors{path} {}

    Expected<HpccConfig> Read();

  private:
    // Entries to settings.
    void ApplyTable();
    void ApplyAlgorithm();
    void ApplyPayloadAndAck();
    void ApplyLinkDown();
    void ApplyMarking();
    void ApplyWindow();
    void ApplyBuiltIn();
    std::map<uint64_t, TextToken> ReadMap(const char* key);

    // Files.
    std::string Resolve(const char* key, bool isRequired);
    void ReadFiles();

    const HpccEntry* Find(std::string_view key) const;
    std::optional<uint64_t> Whole(std::string_view key, uint64_t fallback);
    void Emit(const HpccEntry* entry,
              std::string key,
              std::string value,
              std::string algorithm = "");

    const std::string& m_path;
    DiagnosticList m_errors;
    HpccEntries m_entries;
    HpccConfig m_config;
    uint64_t m_payload{DEFAULT_PAYLOAD};
    bool m_haveTopology{false};
};

const HpccEntry*
HpccConfigReader::Find(std::string_view key) const
{
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? nullptr : &found->second;
}

std::optional<uint64_t>
HpccConfigReader::Whole(std::string_view key, uint64_t fallback)
{
    const HpccEntry* const entry = Find(key);
    if (entry == nullptr)
    {
        return fallback;
    }
    const std::optional<uint64_t> value = ParseWhole(entry->values[0].text);
    if (!value)
    {
        m_errors.Add(entry->values[0], std::string{key} + ": not a number", "a whole number");
    }
    return value;
}

void
HpccConfigReader::Emit(const HpccEntry* entry,
                       std::string key,
                       std::string value,
                       std::string algorithm)
{
    const std::string file = fs::path{m_path}.filename().string();
    HpccSetting setting;
    setting.key = std::move(key);
    setting.value = std::move(value);
    setting.algorithm = std::move(algorithm);
    setting.line = entry == nullptr ? 0 : entry->key.line;
    setting.origin = entry == nullptr ? file + ": built into that simulator"
                                      : file + ":" + std::to_string(setting.line) + " " +
                                            std::string{entry->key.text};
    m_config.settings.push_back(std::move(setting));
}

void
HpccConfigReader::ApplyTable()
{
    constexpr std::array<const char*, 8> EXPECTED{"",
                                                  "a rate, such as 50Mb/s",
                                                  "a number of microseconds",
                                                  "a number of seconds",
                                                  "a whole number of MiB",
                                                  "a whole number",
                                                  "a number from 0 to 1",
                                                  "0 or 1"};
    std::string neutral;
    for (const auto& [name, entry] : m_entries)
    {
        const HpccKey& key = *FindHpccKey(name);
        const TextToken& value = entry.values[0];
        if (key.use == HpccUse::NEUTRAL)
        {
            neutral += (neutral.empty() ? "" : ", ") + name;
        }
        else if (key.use == HpccUse::ACCEPTED && ParseReal(value.text) != ParseReal(key.accepted))
        {
            m_errors.Add(value,
                         name + ": not modelled: " + std::string{key.reason},
                         std::string{key.accepted});
        }
        else if (key.use == HpccUse::SETTING)
        {
            std::string text = ConvertHpccValue(key.conversion, value.text);
            if (text.empty())
            {
                m_errors.Add(
                    value, name + ": malformed", EXPECTED[static_cast<size_t>(key.conversion)]);
                continue;
            }
            Emit(&entry, std::string{key.scenarioKey}, text, std::string{key.algorithm});
        }
    }
    if (!neutral.empty())
    {
        m_config.notes.push_back(m_path + ": without effect here: " + neutral);
    }
}

void
HpccConfigReader::ApplyAlgorithm()
{
    const HpccEntry* const entry = Find("CC_MODE");
    const std::optional<uint64_t> mode = Whole("CC_MODE", 1);
    if (!mode)
    {
        return;
    }
    const std::string_view name = HpccAlgorithmName(*mode);
    if (name.empty())
    {
        m_errors.Add(entry->values[0],
                     "CC_MODE: unknown number",
                     "1 DCQCN, 3 HPCC, 7 TIMELY, 8 DCTCP, 10 HPCC-PINT, 12 none");
        return;
    }
    Emit(entry, "congestion.algorithm", std::string{name});
    // The named set first: the file's own values are written over it.
    Emit(nullptr, "congestion.parameters", "hpcc-sim", "dcqcn");
    const HpccEntry* const increase =
        Find("RATE_AI") != nullptr ? Find("RATE_AI") : Find("RATE_HAI");
    if (increase != nullptr)
    {
        Emit(increase, "congestion.reference_rate", "0bps", "dcqcn"); // increases do not scale
    }
}

void
HpccConfigReader::ApplyPayloadAndAck()
{
    const std::optional<uint64_t> payload = Whole("PACKET_PAYLOAD_SIZE", DEFAULT_PAYLOAD);
    constexpr uint64_t MAX_PAYLOAD = 65'535; // An IP packet's length has 16 bits.
    if (payload && (*payload == 0 || *payload > MAX_PAYLOAD))
    {
        m_errors.Add(Find("PACKET_PAYLOAD_SIZE")->values[0],
                     "PACKET_PAYLOAD_SIZE: out of range",
                     "1 to 65535 bytes");
        return;
    }
    m_payload = payload.value_or(DEFAULT_PAYLOAD);
    Emit(Find("PACKET_PAYLOAD_SIZE"), "transport.path_mtu", std::to_string(m_payload));
    const HpccEntry* const ack = Find("L2_ACK_INTERVAL");
    if (ack == nullptr)
    {
        return;
    }
    const std::optional<uint64_t> interval = Whole("L2_ACK_INTERVAL", 1);
    if (interval && *interval == 0)
    {
        m_errors.Add(ack->values[0],
                     "L2_ACK_INTERVAL: without acknowledgements no flow ever finishes",
                     "bytes between acknowledgements; 1: every packet");
        return;
    }
    const uint64_t bytes = interval.value_or(1);
    const uint64_t packets = bytes / m_payload + (bytes % m_payload == 0 ? 0 : 1);
    Emit(ack,
         "transport.ack",
         packets == 1 ? "every-packet" : "every-" + std::to_string(packets) + "-packets");
}

void
HpccConfigReader::ApplyLinkDown()
{
    const HpccEntry* const entry = Find("LINK_DOWN");
    if (entry != nullptr && ParseReal(entry->values[0].text) != 0.0)
    {
        m_errors.Add(
            entry->values[0], "LINK_DOWN: not modelled: links do not fail during a run", "0 0 0");
    }
}

std::map<uint64_t, TextToken>
HpccConfigReader::ReadMap(const char* key)
{
    std::map<uint64_t, TextToken> values;
    const HpccEntry* const entry = Find(key);
    if (entry == nullptr)
    {
        m_errors.Add(0, std::string{key} + ": missing", "", "a count and pairs of rate and value");
        return values;
    }
    for (size_t i = 0; i + 1 < entry->values.size(); i += 2)
    {
        const std::optional<uint64_t> rate = ParseWhole(entry->values[i].text);
        if (!rate || !values.emplace(*rate, entry->values[i + 1]).second)
        {
            m_errors.Add(entry->values[i],
                         std::string{key} + ": not a rate, or one that is listed already",
                         "bits per second");
        }
    }
    return values;
}

void
HpccConfigReader::ApplyMarking()
{
    const std::optional<uint64_t> isEnabled = Whole("ENABLE_QCN", 1);
    if (!isEnabled || *isEnabled == 0)
    {
        Emit(Find("ENABLE_QCN"), "switch.marking.policy", "none");
        return;
    }
    constexpr int KB_EXPONENT = 3;
    const auto kmin = ReadMap("KMIN_MAP");
    const auto kmax = ReadMap("KMAX_MAP");
    const auto pmax = ReadMap("PMAX_MAP");
    std::string list;
    for (const auto& [rate, low] : kmin)
    {
        const auto high = kmax.find(rate);
        const auto probability = pmax.find(rate);
        if (high == kmax.end() || probability == pmax.end())
        {
            m_errors.Add(low,
                         "the rate " + ToString(BitRate{rate}) + " is in KMIN_MAP alone",
                         "the same rates in KMIN_MAP, KMAX_MAP and PMAX_MAP");
            continue;
        }
        const auto lowBytes = ParseScaled(low.text, KB_EXPONENT);
        const auto highBytes = ParseScaled(high->second.text, KB_EXPONENT);
        const auto share = ParseFraction(probability->second.text);
        if (!lowBytes || !highBytes || !share || *lowBytes > *highBytes)
        {
            m_errors.Add(low,
                         "not marking parameters for " + ToString(BitRate{rate}),
                         "KMIN below KMAX, in KB, and PMAX from 0 to 1");
            continue;
        }
        list += (list.empty() ? "" : ", ") + ToString(BitRate{rate}) + " " +
                ToString(ByteCount{*lowBytes}) + " " + ToString(ByteCount{*highBytes}) + " " +
                std::string{probability->second.text};
    }
    std::set<uint64_t> missing;
    for (const TopologyLink& link : m_config.topology.links)
    {
        if (!kmin.empty() && !kmin.contains(link.rate.bps) && missing.insert(link.rate.bps).second)
        {
            m_errors.Add(Find("KMIN_MAP")->key.line,
                         "a link speed of the topology has no marking parameters",
                         ToString(link.rate) + " (" + link.origin + ")",
                         "every speed in KMIN_MAP, KMAX_MAP and PMAX_MAP");
        }
    }
    Emit(Find("ENABLE_QCN"), "switch.marking.policy", "red");
    Emit(Find("KMIN_MAP"), "switch.marking.thresholds", list);
}

void
HpccConfigReader::ApplyWindow()
{
    const std::optional<uint64_t> hasWindow = Whole("HAS_WIN", 1);
    const std::optional<uint64_t> isGlobal = Whole("GLOBAL_T", 1);
    const std::optional<uint64_t> isVariable = Whole("VAR_WIN", 0);
    if (!hasWindow || !isGlobal || !isVariable)
    {
        return;
    }
    if (*hasWindow == 0)
    {
        Emit(Find("HAS_WIN"), "transport.window", "0B");
        return;
    }
    if (!m_haveTopology)
    {
        return;
    }
    const RoutingTables routes = ComputeRoutes(m_config.topology);
    m_config.baseRtt = ComputeMaxBaseRtt(m_config.topology, routes, {m_payload});
    if (*isGlobal == 0)
    {
        m_config.warnings.push_back(m_path + ": GLOBAL_T 0: every flow has the window of the "
                                             "farthest pair of hosts, not of its own");
    }
    if (*isVariable != 0)
    {
        m_config.warnings.push_back(m_path + ": VAR_WIN 1: windows are constant here, and do not "
                                             "shrink with the rate");
    }
    Emit(Find("HAS_WIN"), "transport.window", std::to_string(m_config.baseRtt.bdp.value) + "B");
    m_config.notes.push_back(m_path + ": window " + std::to_string(m_config.baseRtt.bdp.value) +
                             " bytes, the largest bandwidth-delay product; largest base RTT " +
                             ToString(m_config.baseRtt.rtt));
}

void
HpccConfigReader::ApplyBuiltIn()
{
    // Fixed in that simulator's switch (switch-mmu.cc, third.cc).
    Emit(nullptr, "switch.buffer.alpha", "1/8");
    Emit(nullptr, "switch.buffer.reserve", "4KiB");
    Emit(nullptr, "switch.buffer.xon_offset", "3KiB");
    Emit(nullptr, "switch.marking.at", "dequeue");
    std::set<uint8_t> used;
    for (const Flow& flow : m_config.flows)
    {
        used.insert(flow.priority);
    }
    std::string priorities;
    for (const uint8_t priority : used)
    {
        if (priority != 0) // Its queue there is for control packets, and never paused.
        {
            priorities += (priorities.empty() ? "" : " ") + std::to_string(priority);
        }
    }
    if (!priorities.empty())
    {
        Emit(nullptr, "pfc.lossless_priorities", priorities);
    }
}

std::string
HpccConfigReader::Resolve(const char* key, bool isRequired)
{
    const HpccEntry* const entry = Find(key);
    if (entry == nullptr)
    {
        if (isRequired)
        {
            m_errors.Add(0, std::string{key} + ": missing", "", "a path");
        }
        return "";
    }
    const fs::path name{std::string{entry->values[0].text}};
    const fs::path folder = fs::path{m_path}.parent_path();
    const std::array candidates{
        folder / name, folder / ".." / name, folder / name.filename(), name};
    for (const fs::path& candidate : candidates)
    {
        std::error_code error;
        if (fs::is_regular_file(candidate, error))
        {
            return candidate.lexically_normal().string();
        }
    }
    if (isRequired)
    {
        m_errors.Add(entry->values[0],
                     std::string{key} + ": no such file, neither here nor in the folder above",
                     candidates[0].string() + ", " + candidates[1].lexically_normal().string() +
                         " or " + candidates[2].string());
    }
    else
    {
        m_config.notes.push_back(m_path + ": " + key +
                                 " names a file that is not there; it is "
                                 "not needed");
    }
    return "";
}

void
HpccConfigReader::ReadFiles()
{
    m_config.topologyFile = Resolve("TOPOLOGY_FILE", true);
    m_config.flowFile = Resolve("FLOW_FILE", true);
    Resolve("TRACE_FILE", false);
    for (const auto& [key, target] : {std::pair{"FCT_OUTPUT_FILE", &m_config.fctOutput},
                                      std::pair{"PFC_OUTPUT_FILE", &m_config.pfcOutput}})
    {
        const HpccEntry* const entry = Find(key);
        *target = entry == nullptr ? "" : std::string{entry->values[0].text};
    }
    if (m_config.topologyFile.empty())
    {
        return;
    }
    Expected<Topology> topology = ReadHpccTopology(m_config.topologyFile, m_config.notes);
    Diagnostics findings = topology ? ValidateTopology(*topology) : topology.Errors();
    m_errors.Append(findings);
    if (!findings.empty())
    {
        return;
    }
    m_config.topology = std::move(*topology);
    m_haveTopology = true;
    if (m_config.flowFile.empty())
    {
        return;
    }
    Expected<FlowList> flows = ReadHpccFlows(m_config.flowFile, m_config.topology, m_config.notes);
    if (!flows)
    {
        m_errors.Append(flows.Errors());
        return;
    }
    m_config.flows = std::move(*flows);
}

Expected<HpccConfig>
HpccConfigReader::Read()
{
    const Expected<std::string> text = ReadTextFile(m_path);
    if (!text)
    {
        return text.Errors();
    }
    m_entries = ParseHpccEntries(*text, m_errors, m_config.warnings);
    ReadFiles();
    ApplyAlgorithm();
    ApplyTable();
    ApplyPayloadAndAck();
    ApplyLinkDown();
    ApplyMarking();
    ApplyWindow();
    ApplyBuiltIn();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    return std::move(m_config);
}

} // namespace

Expected<HpccConfig>
ReadHpccConfig(const std::string& path)
{
    return HpccConfigReader{path}.Read();
}

} // namespace ns3::rdma
