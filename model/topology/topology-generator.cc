// SPDX-License-Identifier: GPL-2.0-only
#include "topology/topology-generator.h"

#include "topology/text-reader.h"
#include "topology/topology-attributes.h"

#include <set>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TopologyGenerator);

namespace
{

Diagnostic
MakeDiagnostic(std::string key, std::string message, std::string got, std::string expected)
{
    Diagnostic diagnostic;
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    diagnostic.expected = std::move(expected);
    return diagnostic;
}

/** Fills file and line from "file:line". */
void
SetOrigin(Diagnostic& diagnostic, const std::string& origin)
{
    const size_t colon = origin.rfind(':');
    if (colon == std::string::npos)
    {
        return;
    }
    diagnostic.file = origin.substr(0, colon);
    diagnostic.line =
        static_cast<uint32_t>(ParseWhole(std::string_view{origin}.substr(colon + 1)).value_or(0));
}

/** Collects what is wrong with one link. */
class LinkCheck
{
  public:
    LinkCheck(const Topology& topology, Diagnostics& findings)
        : m_topology{topology},
          m_findings{findings}
    {
    }

    void Check(const TopologyLink& link)
    {
        const std::string a = Name(link.a);
        const std::string b = Name(link.b);
        const std::string between = "link " + a + " - " + b;
        if (link.a >= m_topology.nodes.size() || link.b >= m_topology.nodes.size())
        {
            Report(link, between + " ends at a node that does not exist", "", "known nodes");
            return;
        }
        if (link.a == link.b)
        {
            Report(link, "a link joins " + a + " to itself", a, "two different nodes");
        }
        if (link.rate < MIN_LINK_RATE || link.rate > MAX_LINK_RATE)
        {
            Report(link,
                   "the rate of " + between + " is out of range",
                   std::to_string(link.rate.bps) + " b/s",
                   "10 Mb/s to 1.6 Tb/s");
        }
        if (link.delay > MAX_LINK_DELAY)
        {
            Report(link,
                   "the delay of " + between + " is out of range",
                   std::to_string(link.delay.ps) + " ps",
                   "0 to 100 ms");
        }
        if (!(link.lossRate >= 0.0 && link.lossRate <= 1.0))
        {
            Report(link,
                   "the loss rate of " + between + " is no probability",
                   std::to_string(link.lossRate),
                   "0 to 1");
        }
    }

  private:
    std::string Name(uint32_t node) const
    {
        return node < m_topology.nodes.size() ? m_topology.nodes[node].name
                                              : "#" + std::to_string(node);
    }

    void Report(const TopologyLink& link,
                std::string message,
                std::string got,
                std::string expected)
    {
        Diagnostic diagnostic =
            MakeDiagnostic("", std::move(message), std::move(got), std::move(expected));
        SetOrigin(diagnostic, link.origin);
        m_findings.push_back(std::move(diagnostic));
    }

    const Topology& m_topology;
    Diagnostics& m_findings;
};

std::string
Count(double number)
{
    constexpr double EXACT = 1e15;
    return number < EXACT ? std::to_string(static_cast<uint64_t>(number)) : "more than 10^15";
}

Diagnostics
CheckSize(const TopologySize& size)
{
    Diagnostics findings;
    if (size.nodes > TopologyGenerator::MAX_NODES)
    {
        findings.push_back(MakeDiagnostic("",
                                          "the topology would be too large",
                                          Count(size.nodes) + " nodes",
                                          "at most " + Count(TopologyGenerator::MAX_NODES)));
    }
    if (size.links > TopologyGenerator::MAX_LINKS)
    {
        findings.push_back(MakeDiagnostic("",
                                          "the topology would be too large",
                                          Count(size.links) + " links",
                                          "at most " + Count(TopologyGenerator::MAX_LINKS)));
    }
    return findings;
}

} // namespace

Diagnostics
ValidateTopology(const Topology& topology)
{
    Diagnostics findings;
    std::set<std::string> names;
    bool hasHost = false;
    for (const TopologyNode& node : topology.nodes)
    {
        hasHost = hasHost || node.kind == NodeKind::HOST;
        if (node.name.empty())
        {
            findings.push_back(MakeDiagnostic("", "a node has no name", "", "a name"));
        }
        else if (!names.insert(node.name).second)
        {
            findings.push_back(
                MakeDiagnostic("", "two nodes have the same name", node.name, "unique names"));
        }
    }
    if (!hasHost)
    {
        findings.push_back(
            MakeDiagnostic("hosts", "the topology has no host", "0 hosts", "at least 1"));
    }
    LinkCheck check{topology, findings};
    for (const TopologyLink& link : topology.links)
    {
        if (findings.size() >= DiagnosticList::MAX_KEPT)
        {
            break;
        }
        check.Check(link);
    }
    return findings;
}

TypeId
TopologyGenerator::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::TopologyGenerator"}.SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

Expected<Topology>
TopologyGenerator::ReadFile(const std::string& path, FileReader reader) const
{
    if (path.empty())
    {
        return MakeDiagnostic("file", "no topology file is named", "", "a path");
    }
    return reader(path, m_notes);
}

Expected<Topology>
TopologyGenerator::Generate() const
{
    m_notes.clear();
    Diagnostics tooLarge = CheckSize(DoPredictSize());
    if (!tooLarge.empty())
    {
        return tooLarge;
    }
    Expected<Topology> topology = DoGenerate();
    if (!topology)
    {
        return topology;
    }
    Diagnostics findings = ValidateTopology(*topology);
    if (!findings.empty())
    {
        return findings;
    }
    return topology;
}

} // namespace ns3::rdma
