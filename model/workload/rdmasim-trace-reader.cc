// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-folder.h"
#include "workload/trace-reader.h"

namespace ns3::rdma
{

namespace
{

/** Our own format: folders that a recorder or a conversion wrote (tracefile/README.md). */
class RdmasimTraceReader final : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId{"ns3::rdma::RdmasimTraceReader"}
                                .SetParent<TraceReader>()
                                .SetGroupName("Rdma")
                                .AddConstructor<RdmasimTraceReader>();
        return tid;
    }

  private:
    Match DoProbe(const std::string& path, std::span<const std::byte> head) const override
    {
        return IsTraceFile(head) || (head.empty() && IsTraceFolder(path)) ? Match::YES : Match::NO;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        return OpenTraceFolders(paths);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RdmasimTraceReader);

} // namespace

} // namespace ns3::rdma
