// SPDX-License-Identifier: GPL-2.0-only
#include "topology/htsim-topology-reader.h"

#include "topology/htsim-topology-file.h"
#include "topology/text-reader.h"
#include "topology/topology-builder.h"
#include "topology/topology-generator.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t NS_TO_PS = 1000;
constexpr uint64_t GBPS_TO_BPS = 1'000'000'000;

/** How many switches there are of each kind, and of which part of the fabric. */
struct Shape
{
    uint64_t pods{1};
    uint64_t torsPerPod{0};
    uint64_t aggsPerPod{0};
    uint64_t cores{0};
};

/** Checks that the numbers of a file agree, and makes the topology. */
class HtsimTopologyMaker
{
  public:
    HtsimTopologyMaker(const HtsimTopologyFile& content,
                       const std::string& file,
                       std::vector<std::string>& notes)
        : m_content{content},
          m_file{file},
          m_errors{file},
          m_notes{notes}
    {
    }

    Expected<Topology> Make();

  private:
    void CheckShape();
    void CheckDivides(const HtsimValue& part, uint64_t whole, std::string name);
    void CheckEqual(const HtsimValue& value, uint64_t right, std::string name, std::string why);
    void CheckOversubscription();
    void CheckSize();
    void NoteRest();
    Topology Build() const;
    void BuildCores(TopologyBuilder& builder, uint32_t firstAgg, uint32_t firstCore) const;

    Cable GetCable(std::size_t tier) const
    {
        return {BitRate{m_content.tier[tier].speedGbps.number * GBPS_TO_BPS},
                SimTime{m_content.tier[tier].latencyNs.number * NS_TO_PS}};
    }

    const HtsimTopologyFile& m_content;
    const std::string& m_file;
    DiagnosticList m_errors;
    std::vector<std::string>& m_notes;
    Shape m_shape;
};

void
HtsimTopologyMaker::CheckDivides(const HtsimValue& part, uint64_t whole, std::string name)
{
    if (whole % part.number != 0)
    {
        m_errors.Add(part.line,
                     std::move(name),
                     std::to_string(part.number),
                     "a divisor of " + std::to_string(whole));
    }
}

void
HtsimTopologyMaker::CheckEqual(const HtsimValue& value,
                               uint64_t right,
                               std::string name,
                               std::string why)
{
    if (value.number != right)
    {
        m_errors.Add(value.line,
                     std::move(name),
                     std::to_string(value.number),
                     std::to_string(right) + ": " + std::move(why));
    }
}

/** Oversubscribed is capacity down over capacity up, of each tier that has one above it. */
void
HtsimTopologyMaker::CheckOversubscription()
{
    for (std::size_t i = 0; i < m_content.Top(); i++)
    {
        const HtsimTier& tier = m_content.tier[i];
        const uint64_t down = tier.radixDown.number * tier.speedGbps.number;
        const uint64_t up = tier.radixUp.number * m_content.tier[i + 1].speedGbps.number;
        if (down != up * tier.oversubscribed.number)
        {
            m_errors.Add(tier.oversubscribed.line != 0 ? tier.oversubscribed.line : tier.start.line,
                         "tier " + std::to_string(i) + ": Oversubscribed is not what radix and " +
                             "speeds make it",
                         std::to_string(tier.oversubscribed.number),
                         std::to_string(down) + " Gb/s down over " + std::to_string(up) +
                             " Gb/s up");
        }
    }
}

/** Computes the numbers of switches from the bottom to the top; each must come out whole. */
void
HtsimTopologyMaker::CheckShape()
{
    CheckEqual(m_content.tier[0].bundle, 1, "Bundle of tier 0", "a host has one cable");
    CheckDivides(m_content.podSize, m_content.nodes.number, "Podsize does not divide Nodes");
    CheckDivides(m_content.tier[0].radixDown, m_content.podSize.number, "Radix_Down of tier 0");
    for (std::size_t i = 1; i <= m_content.Top(); i++)
    {
        const std::string above = " of tier " + std::to_string(i);
        CheckDivides(
            m_content.tier[i].bundle, m_content.tier[i].radixDown.number, "Bundle" + above);
        CheckDivides(
            m_content.tier[i].bundle, m_content.tier[i - 1].radixUp.number, "Bundle" + above);
    }
    if (!m_errors.IsEmpty())
    {
        return;
    }
    m_shape.pods = m_content.nodes.number / m_content.podSize.number;
    m_shape.torsPerPod = m_content.podSize.number / m_content.tier[0].radixDown.number;
    m_shape.aggsPerPod = m_content.tier[0].radixUp.number / m_content.tier[1].bundle.number;
    CheckEqual(m_content.tier[1].radixDown,
               m_shape.torsPerPod * m_content.tier[1].bundle.number,
               "Radix_Down of tier 1",
               "a bundle to each switch of tier 0 in the pod");
    if (m_content.Top() == 1)
    {
        CheckEqual(m_content.podSize, m_content.nodes.number, "Podsize", "two tiers are one pod");
        return;
    }
    m_shape.cores =
        m_shape.aggsPerPod * m_content.tier[1].radixUp.number / m_content.tier[2].bundle.number;
    CheckEqual(m_content.tier[2].radixDown,
               m_shape.pods * m_content.tier[2].bundle.number,
               "Radix_Down of tier 2",
               "a bundle to one switch of tier 1 in each pod");
}

void
HtsimTopologyMaker::CheckSize()
{
    const auto product = [](auto... factors) { return (1.0 * ... * static_cast<double>(factors)); };
    const double hosts = product(m_content.nodes.number);
    const double tors = product(m_shape.pods, m_shape.torsPerPod);
    const double aggs = product(m_shape.pods, m_shape.aggsPerPod);
    const double links =
        hosts + tors * product(m_content.tier[0].radixUp.number) +
        (m_content.Top() == 1 ? 0 : aggs * product(m_content.tier[1].radixUp.number));
    if (hosts + tors + aggs + product(m_shape.cores) > TopologyGenerator::MAX_NODES ||
        links > TopologyGenerator::MAX_LINKS)
    {
        m_errors.Add(0,
                     "the topology would be too large",
                     std::to_string(static_cast<uint64_t>(links)) + " links",
                     "at most 1000000 nodes and 10000000 links");
    }
}

void
HtsimTopologyMaker::NoteRest()
{
    for (std::size_t i = 0; i <= m_content.Top(); i++)
    {
        const HtsimTier& tier = m_content.tier[i];
        const std::string of = m_file + ": tier " + std::to_string(i) + ": ";
        if (tier.switchLatencyNs.number != 0)
        {
            m_notes.push_back(of + "Switch_Latency_ns " +
                              std::to_string(tier.switchLatencyNs.number) +
                              " is not modelled: switches forward without a latency of their own");
        }
        for (const auto& [name, queue] :
             {std::pair{"Queue_Down ", tier.queueDown}, std::pair{"Queue_Up ", tier.queueUp}})
        {
            if (queue.line != 0)
            {
                m_notes.push_back(of + name + std::to_string(queue.number) +
                                  " bytes is no part of a topology: buffers are set by "
                                  "switch.buffer");
            }
        }
    }
}

void
HtsimTopologyMaker::BuildCores(TopologyBuilder& builder,
                               uint32_t firstAgg,
                               uint32_t firstCore) const
{
    const auto aggs = static_cast<uint32_t>(m_shape.pods * m_shape.aggsPerPod);
    const auto aggsPerPod = static_cast<uint32_t>(m_shape.aggsPerPod);
    for (uint32_t agg = 0; agg < aggs; agg++)
    {
        for (uint32_t core = agg % aggsPerPod; core < m_shape.cores; core += aggsPerPod)
        {
            builder.Connect(firstAgg + agg,
                            firstCore + core,
                            GetCable(2),
                            static_cast<uint32_t>(m_content.tier[2].bundle.number));
        }
    }
}

Topology
HtsimTopologyMaker::Build() const
{
    const auto hosts = static_cast<uint32_t>(m_content.nodes.number);
    const auto torsPerPod = static_cast<uint32_t>(m_shape.torsPerPod);
    const auto aggsPerPod = static_cast<uint32_t>(m_shape.aggsPerPod);
    const auto pods = static_cast<uint32_t>(m_shape.pods);
    TopologyBuilder builder{"htsim-file"};
    builder.AddNodes(NodeKind::HOST, "h", hosts);
    const uint32_t firstTor = builder.AddNodes(NodeKind::SWITCH, "tor", torsPerPod * pods);
    const uint32_t firstAgg = builder.AddNodes(NodeKind::SWITCH, "agg", aggsPerPod * pods);
    const uint32_t firstCore =
        builder.AddNodes(NodeKind::SWITCH, "core", static_cast<uint32_t>(m_shape.cores));
    for (uint32_t host = 0; host < hosts; host++)
    {
        const auto tor = static_cast<uint32_t>(host / m_content.tier[0].radixDown.number);
        builder.Connect(host, firstTor + tor, GetCable(0));
    }
    for (uint32_t i = 0; i < torsPerPod * pods * aggsPerPod; i++)
    {
        const uint32_t tor = i / aggsPerPod;
        const uint32_t agg = tor / torsPerPod * aggsPerPod + i % aggsPerPod;
        builder.Connect(firstTor + tor,
                        firstAgg + agg,
                        GetCable(1),
                        static_cast<uint32_t>(m_content.tier[1].bundle.number));
    }
    if (m_shape.cores > 0)
    {
        BuildCores(builder, firstAgg, firstCore);
    }
    return builder.Take();
}

Expected<Topology>
HtsimTopologyMaker::Make()
{
    CheckShape();
    CheckOversubscription();
    CheckSize();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    NoteRest();
    return Build();
}

} // namespace

Expected<Topology>
ParseHtsimTopology(std::string_view text, const std::string& file, std::vector<std::string>& notes)
{
    const auto content = ParseHtsimTopologyFile(text, file);
    if (!content)
    {
        return content.Errors();
    }
    return HtsimTopologyMaker{*content, file, notes}.Make();
}

Expected<Topology>
ReadHtsimTopology(const std::string& path, std::vector<std::string>& notes)
{
    const Expected<std::string> text = ReadTextFile(path);
    if (!text)
    {
        return text.Errors();
    }
    return ParseHtsimTopology(*text, path, notes);
}

} // namespace ns3::rdma
