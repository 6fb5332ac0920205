// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "topology/htsim-topology-reader.h"
#include "topology/topology-generator.h"

#include "ns3/string.h"

namespace ns3::rdma
{

namespace
{

/** The fat-tree of two or three tiers that a file of htsim describes. */
class HtsimFileTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    /** The reader checks what follows from the file. */
    TopologySize DoPredictSize() const override
    {
        return {};
    }

    Expected<Topology> DoGenerate() const override
    {
        return ReadFile(m_file, ReadHtsimTopology);
    }

    std::string m_file;
};

NS_OBJECT_ENSURE_REGISTERED(HtsimFileTopology);

const ComponentHelp HELP{"ns3::rdma::HtsimFileTopology", "A topology file of htsim (.topo)"};

TypeId
HtsimFileTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::HtsimFileTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<HtsimFileTopology>()
                            .AddAttribute("File",
                                          "Path of the topology file",
                                          StringValue{""},
                                          MakeStringAccessor(&HtsimFileTopology::m_file),
                                          MakeStringChecker());
    return tid;
}

} // namespace

} // namespace ns3::rdma
