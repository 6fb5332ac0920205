// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "topology/text-reader.h"
#include "workload/flow-table-reader.h"
#include "workload/hpcc-flow-reader.h"
#include "workload/workload-generator.h"

#include "ns3/string.h"

namespace ns3::rdma
{

namespace
{

/**
 * Flows one by one: in the scenario itself, or in a file.
 *
 * A file is HPCC's if its first line is one number, else a table with names of columns. What it
 * does not say comes from the attributes.
 */
class FlowListWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    Expected<FlowList> DoGenerate(const WorkloadContext& context) const override;
    Expected<FlowList> ReadFile(const WorkloadContext& context) const;

    std::string DoDefaultTag() const override
    {
        return "flows";
    }

    std::string m_flows;
    std::string m_file;
};

NS_OBJECT_ENSURE_REGISTERED(FlowListWorkload);

const ComponentHelp HELP{"ns3::rdma::FlowListWorkload", "The flows of a list or of a file"};

TypeId
FlowListWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::FlowListWorkload"}
            .SetParent<WorkloadGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<FlowListWorkload>()
            .AddAttribute("Flows",
                          "\"source destination bytes start\" for each flow, separated by commas; "
                          "excludes File",
                          StringValue{""},
                          MakeStringAccessor(&FlowListWorkload::m_flows),
                          MakeStringChecker())
            .AddAttribute("File",
                          "Path of a flow file of the HPCC simulator, or of a table (.csv)",
                          StringValue{""},
                          MakeStringAccessor(&FlowListWorkload::m_file),
                          MakeStringChecker());
    return tid;
}

Expected<FlowList>
FlowListWorkload::DoGenerate(const WorkloadContext& context) const
{
    if (m_flows.empty() == m_file.empty())
    {
        return MakeDiagnostic(m_file.empty() ? "flows" : "file",
                              m_file.empty() ? "no flows are listed, and no file is named"
                                             : "flows are listed, and a file is named as well",
                              m_file,
                              "either flows or file");
    }
    if (!m_file.empty())
    {
        return ReadFile(context);
    }
    Expected<FlowList> flows = ParseFlowText(m_flows, context.topology, MakeFlow(0, 0, 0, {}));
    if (flows)
    {
        return flows;
    }
    Diagnostics findings = flows.Errors();
    for (Diagnostic& finding : findings)
    {
        finding.key = finding.key.empty() ? "flows" : "flows." + finding.key;
    }
    return findings;
}

Expected<FlowList>
FlowListWorkload::ReadFile(const WorkloadContext& context) const
{
    const Expected<std::string> text = ReadTextFile(m_file);
    if (!text)
    {
        return text.Errors();
    }
    const Flow prototype = MakeFlow(0, 0, 0, {});
    TextReader reader{*text};
    std::vector<TextToken> words;
    const bool isHpcc = reader.Next(words) && words.size() == 1 && ParseWhole(words[0].text);
    if (!isHpcc)
    {
        return ParseFlowTable(*text, m_file, context.topology, prototype);
    }
    Expected<FlowList> flows = ParseHpccFlows(*text, m_file, context.topology, context.notes);
    if (flows)
    {
        for (Flow& flow : *flows)
        {
            flow.rate = prototype.rate;
            flow.tag = prototype.tag;
        }
    }
    return flows;
}

} // namespace

} // namespace ns3::rdma
