// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "topology/hpcc-topology-reader.h"
#include "topology/topology-generator.h"

#include "ns3/string.h"

namespace ns3::rdma
{

namespace
{

/** The topology in a file of the HPCC family of simulators; nodes are named by their ids. */
class HpccFileTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    /** The reader checks the counts that the file announces. */
    TopologySize DoPredictSize() const override
    {
        return {};
    }

    Expected<Topology> DoGenerate() const override
    {
        return ReadFile(m_file, ReadHpccTopology);
    }

    std::string m_file;
};

NS_OBJECT_ENSURE_REGISTERED(HpccFileTopology);

const ComponentHelp HELP{"ns3::rdma::HpccFileTopology",
                         "A topology file of the HPCC simulator and its relatives"};

TypeId
HpccFileTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::HpccFileTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<HpccFileTopology>()
                            .AddAttribute("File",
                                          "Path of the topology file",
                                          StringValue{""},
                                          MakeStringAccessor(&HpccFileTopology::m_file),
                                          MakeStringChecker());
    return tid;
}

} // namespace

} // namespace ns3::rdma
