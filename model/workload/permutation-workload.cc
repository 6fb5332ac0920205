// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "engine/random-stream.h"
#include "workload/flow-checks.h"
#include "workload/workload-generator.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

/**
 * Every host sends to one other, and every host receives from one.
 *
 * With Shift s the i-th host sends to the (i + s)-th, in a ring; with Shift 0 the seed picks one of
 * all permutations that leave no host in its place, each as likely as any other.
 */
class PermutationWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    Expected<FlowList> DoGenerate(const WorkloadContext& context) const override;
    std::vector<uint32_t> Rotate(uint32_t count) const;
    std::vector<uint32_t> Draw(const WorkloadContext& context, uint32_t count) const;

    std::string DoDefaultTag() const override
    {
        return "permutation";
    }

    std::string m_hosts;
    ByteCount m_bytes;
    SimTime m_start;
    uint32_t m_shift{0};
};

NS_OBJECT_ENSURE_REGISTERED(PermutationWorkload);

const ComponentHelp HELP{"ns3::rdma::PermutationWorkload",
                         "Every host sends to one other and receives from one other"};

TypeId
PermutationWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::PermutationWorkload"}
            .SetParent<WorkloadGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<PermutationWorkload>()
            .AddAttribute("Hosts",
                          "Names of the hosts that take part, separated by commas; empty: all",
                          StringValue{""},
                          MakeStringAccessor(&PermutationWorkload::m_hosts),
                          MakeStringChecker())
            .AddAttribute("Bytes",
                          "Size of each flow",
                          ByteCountValue{ByteCount{1'000'000}},
                          MakeByteCountAccessor(&PermutationWorkload::m_bytes),
                          MakeByteCountChecker(ByteCount{1}, ByteCount{MAX_FLOW_BYTES}))
            .AddAttribute("Start",
                          "Start of all flows",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&PermutationWorkload::m_start),
                          MakeSimTimeChecker())
            .AddAttribute("Shift",
                          "The i-th host sends to the (i + Shift)-th; 0: a random permutation",
                          UintegerValue{0},
                          MakeUintegerAccessor(&PermutationWorkload::m_shift),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Expected<FlowList>
PermutationWorkload::DoGenerate(const WorkloadContext& context) const
{
    const auto hosts = FindHosts(context, m_hosts);
    if (!hosts)
    {
        return hosts.Errors();
    }
    const uint32_t count = static_cast<uint32_t>(hosts->size());
    if (m_shift >= count)
    {
        return MakeDiagnostic("shift",
                              "the shift leads once around all hosts",
                              std::to_string(m_shift),
                              "below " + std::to_string(count) + ", the number of hosts");
    }
    const std::vector<uint32_t> peers = m_shift == 0 ? Draw(context, count) : Rotate(count);
    FlowList flows;
    for (uint32_t i = 0; i < count; ++i)
    {
        flows.push_back(MakeFlow((*hosts)[i], (*hosts)[peers[i]], m_bytes.value, m_start));
    }
    return flows;
}

std::vector<uint32_t>
PermutationWorkload::Rotate(uint32_t count) const
{
    std::vector<uint32_t> peers;
    for (uint32_t i = 0; i < count; ++i)
    {
        peers.push_back((i + m_shift) % count);
    }
    return peers;
}

std::vector<uint32_t>
PermutationWorkload::Draw(const WorkloadContext& context, uint32_t count) const
{
    RandomStream stream{context.seed, "workload/permutation/" + GetTag()};
    std::vector<uint32_t> peers(count);
    for (bool isDone = false; !isDone;)
    {
        // Of all shuffles a part of 1/e, 37 %, leaves no host in its place.
        std::iota(peers.begin(), peers.end(), 0U);
        for (uint32_t i = count - 1; i > 0; --i)
        {
            std::swap(peers[i], peers[stream.NextBelow(i + 1)]);
        }
        isDone = true;
        for (uint32_t i = 0; i < count; ++i)
        {
            isDone = isDone && peers[i] != i;
        }
    }
    return peers;
}

} // namespace

} // namespace ns3::rdma
