// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-mapping.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** How many cables each node has. */
std::vector<uint32_t>
CountCables(const Topology& topology)
{
    std::vector<uint32_t> cables(topology.nodes.size());
    for (const TopologyLink& link : topology.links)
    {
        ++cables[link.a];
        ++cables[link.b];
    }
    return cables;
}

/** Nodes that a process can run on. */
std::vector<uint32_t>
FindHosts(const Topology& topology)
{
    const std::vector<uint32_t> cables = CountCables(topology);
    std::vector<uint32_t> hosts;
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        if (topology.nodes[node].kind == NodeKind::HOST && cables[node] > 0)
        {
            hosts.push_back(node);
        }
    }
    return hosts;
}

/**
 * Whether a text is as a pattern says.
 *
 * @return what the first "*" stands for; empty text if there is none
 */
std::optional<std::string_view>
Match(std::string_view pattern, std::string_view text)
{
    const auto star = pattern.find('*');
    if (star == std::string_view::npos)
    {
        return pattern == text ? std::optional{std::string_view{}} : std::nullopt;
    }
    if (text.substr(0, star) != pattern.substr(0, star))
    {
        return std::nullopt;
    }
    const std::string_view rest = pattern.substr(star + 1);
    text.remove_prefix(star);
    for (std::size_t length = 0; length <= text.size(); ++length)
    {
        if (Match(rest, text.substr(length)))
        {
            return text.substr(0, length);
        }
    }
    return std::nullopt;
}

std::string_view
Trim(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t\r";
    const auto first = text.find_first_not_of(BLANKS);
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(BLANKS) + 1 - first);
}

std::vector<std::string_view>
Split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true)
    {
        const auto end = text.find(separator);
        parts.push_back(Trim(text.substr(0, end)));
        if (end == std::string_view::npos)
        {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

/** A line of the table. */
struct Row
{
    uint32_t line{0};
    std::string process;
    std::string host;
    std::optional<uint32_t> interface;
    std::string device; ///< empty: any
    bool isUsed{false};
};

/** Reads the table and applies it; an object because its steps share what is wrong. */
class TableMapping
{
  public:
    TableMapping(const std::string& file, const Topology& topology)
        : m_file{file},
          m_cables{CountCables(topology)}
    {
        for (const uint32_t node : FindHosts(topology))
        {
            m_hosts[topology.nodes[node].name] = node;
        }
    }

    Expected<ReplayPlaces> Run(std::string_view text, const std::vector<MappedProcess>& processes)
    {
        Read(text);
        ReplayPlaces places;
        for (const MappedProcess& process : processes)
        {
            auto& ofDevices = places.emplace_back();
            for (const std::string& device : process.devices)
            {
                ofDevices.push_back(Place(process.name, device));
            }
        }
        for (const Row& row : m_rows)
        {
            if (!row.isUsed && m_errors.empty())
            {
                ReportUnused(row, processes);
            }
        }
        if (!m_errors.empty())
        {
            return m_errors;
        }
        return places;
    }

  private:
    void Report(uint32_t line,
                const std::string& message,
                const std::string& got,
                const std::vector<std::string>& known)
    {
        Diagnostic error;
        error.file = m_file;
        error.line = line;
        error.message = message;
        error.got = got;
        error.nearest = NearestName(got, known);
        error.knownNames = known;
        m_errors.push_back(error);
    }

    void ReportUnused(const Row& row, const std::vector<MappedProcess>& processes)
    {
        std::vector<std::string> names;
        std::vector<std::string> devices;
        for (const MappedProcess& process : processes)
        {
            names.push_back(process.name);
            if (Match(row.process, process.name))
            {
                devices.insert(devices.end(), process.devices.begin(), process.devices.end());
            }
        }
        if (devices.empty())
        {
            Report(row.line, "no process of the trace is so called", row.process, names);
            return;
        }
        const bool isShadowed =
            row.device.empty() || std::ranges::find(devices, row.device) != devices.end();
        if (isShadowed)
        {
            Report(row.line, "lines before it fit all that this one does", row.process, {});
            return;
        }
        std::erase(devices, "");
        Report(row.line,
               devices.empty() ? "the trace does not say on which device what of the process is"
                               : "no device of the process is so called",
               row.device,
               devices);
    }

    void Read(std::string_view text)
    {
        uint32_t line = 0;
        for (const std::string_view words : Split(text, '\n'))
        {
            ++line;
            if (words.empty() || words.front() == '#')
            {
                continue;
            }
            const auto cells = Split(words, ',');
            const bool isHeader =
                m_rows.empty() && cells[0] == "process" && cells.size() > 1 && cells[1] == "host";
            if (!isHeader)
            {
                ReadRow(line, words, cells);
            }
        }
    }

    void ReadRow(uint32_t line, std::string_view words, const std::vector<std::string_view>& cells)
    {
        Row row{.line = line,
                .process = std::string{cells[0]},
                .host = {},
                .interface = {},
                .device = {}};
        const bool hasHost = cells.size() >= 2 && cells.size() <= 4;
        row.host = hasHost ? std::string{cells[1]} : "";
        bool isRight = hasHost && !row.process.empty() && !row.host.empty();
        row.device = cells.size() == 4 ? std::string{cells[3]} : "";
        if (isRight && cells.size() >= 3 && !(cells.size() == 4 && cells[2].empty()))
        {
            uint32_t number = 0;
            const char* end = cells[2].data() + cells[2].size();
            const auto [stop, error] = std::from_chars(cells[2].data(), end, number);
            isRight = error == std::errc{} && stop == end;
            row.interface = number;
        }
        if (isRight)
        {
            m_rows.push_back(row);
            return;
        }
        Report(line, "not a process and its host", std::string{words}, {});
        m_errors.back().expected = "process,host or process,host,number of the interface from 0, "
                                   "or with a device behind it";
    }

    ReplayPlace Place(const std::string& process, const std::string& device)
    {
        for (Row& row : m_rows)
        {
            const auto part = Match(row.process, process);
            if (part && (row.device.empty() || row.device == device))
            {
                row.isUsed = true;
                return PlaceAt(row, *part);
            }
        }
        const std::string where = device.empty() ? "" : ", device " + device;
        Report(0, "no line says where a process runs", process + where, {});
        return {};
    }

    ReplayPlace PlaceAt(const Row& row, std::string_view part)
    {
        std::string name = row.host;
        if (const auto star = name.find('*'); star != std::string::npos)
        {
            name.replace(star, 1, part);
        }
        const auto found = m_hosts.find(name);
        if (found == m_hosts.end())
        {
            std::vector<std::string> known;
            for (const auto& [host, node] : m_hosts)
            {
                known.push_back(host);
            }
            Report(row.line, "no host of the fabric is so called", name, known);
            return {};
        }
        const uint32_t node = found->second;
        const uint32_t interface =
            row.interface ? *row.interface : m_turns[node]++ % m_cables[node];
        if (interface >= m_cables[node])
        {
            Report(row.line, "the host has no such interface", std::to_string(interface), {});
            m_errors.back().expected = "0 to " + std::to_string(m_cables[node] - 1);
            return {};
        }
        return {node, interface};
    }

    const std::string& m_file;
    std::vector<uint32_t> m_cables;
    std::map<std::string, uint32_t> m_hosts; ///< by name
    std::map<uint32_t, uint32_t> m_turns;    ///< by node
    std::vector<Row> m_rows;
    Diagnostics m_errors;
};

/**
 * The hosts that processes name, where each names one of the fabric: its name, or its number where
 * the fabric puts an h before it. Positions in hosts.
 */
std::optional<std::vector<std::size_t>>
FindNamed(const std::vector<MappedProcess>& processes,
          const Topology& topology,
          const std::vector<uint32_t>& hosts)
{
    std::map<std::string, std::size_t> byName;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        byName[topology.nodes[hosts[i]].name] = i;
    }
    std::vector<std::size_t> named;
    for (const MappedProcess& process : processes)
    {
        auto found = byName.find(process.host);
        found = found != byName.end() ? found : byName.find("h" + process.host);
        if (found == byName.end())
        {
            return std::nullopt;
        }
        named.push_back(found->second);
    }
    return named;
}

/** Devices of the processes of one host take its interfaces in turn. */
ReplayPlaces
TakeTurns(const std::vector<MappedProcess>& processes,
          const std::vector<std::size_t>& hostOf,
          const std::vector<uint32_t>& hosts,
          const Topology& topology)
{
    const std::vector<uint32_t> cables = CountCables(topology);
    std::map<uint32_t, uint32_t> turns;
    ReplayPlaces places(processes.size());
    for (std::size_t process = 0; process < processes.size(); ++process)
    {
        const uint32_t node = hosts[hostOf[process] % hosts.size()];
        for (std::size_t device = 0; device < processes[process].devices.size(); ++device)
        {
            places[process].push_back({node, turns[node]++ % cables[node]});
        }
    }
    return places;
}

} // namespace

Expected<ReplayPlaces>
MapInOrder(const std::vector<MappedProcess>& processes, const Topology& topology, bool shares)
{
    const std::vector<uint32_t> hosts = FindHosts(topology);
    if (const auto named = FindNamed(processes, topology, hosts))
    {
        return TakeTurns(processes, *named, hosts, topology);
    }
    std::map<std::string, std::size_t> numbers;
    std::vector<std::size_t> hostOf;
    std::size_t count = 0;
    for (const MappedProcess& process : processes)
    {
        const bool isAlone = process.host.empty();
        const bool isNew = isAlone || numbers.emplace(process.host, count).second;
        hostOf.push_back(isAlone ? count : numbers[process.host]);
        count += isNew ? 1 : 0;
    }
    if (hosts.empty() || (count > hosts.size() && !shares))
    {
        Diagnostic error;
        error.message = "the trace needs " + std::to_string(count) + " hosts, the fabric has " +
                        std::to_string(hosts.size());
        error.expected = "a larger fabric, hosts_shared: true, or a map_file";
        return error;
    }
    return TakeTurns(processes, hostOf, hosts, topology);
}

Expected<ReplayPlaces>
MapByTable(std::string_view text,
           const std::string& file,
           const std::vector<MappedProcess>& processes,
           const Topology& topology)
{
    return TableMapping{file, topology}.Run(text, processes);
}

} // namespace ns3::rdma
