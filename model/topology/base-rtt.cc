// SPDX-License-Identifier: GPL-2.0-only
#include "topology/base-rtt.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3::rdma
{

namespace
{

/** A host's cables: two hosts with equal ones have equal round trips to any third. */
using Attachment = std::vector<std::tuple<uint32_t, uint64_t, uint64_t>>;

/** At most two hosts of each attachment: the second serves for pairs within it. */
std::vector<uint32_t>
Representatives(const Topology& topology, const RoutingTables& routes)
{
    constexpr uint32_t PER_ATTACHMENT = 2;
    std::map<Attachment, uint32_t> seen;
    std::vector<uint32_t> hosts;
    for (const uint32_t host : routes.Hosts())
    {
        Attachment attachment;
        for (const TopologyPort& port : routes.Ports()[host])
        {
            const TopologyLink& link = topology.links[port.link];
            attachment.emplace_back(port.peer, link.rate.bps, link.delay.ps);
        }
        if (seen[attachment]++ < PER_ATTACHMENT)
        {
            hosts.push_back(host);
        }
    }
    return hosts;
}

} // namespace

std::optional<BaseRtt>
ComputeBaseRtt(const Topology& topology,
               const RoutingTables& routes,
               const std::pair<uint32_t, uint32_t>& hosts,
               ByteCount payload)
{
    constexpr unsigned __int128 BIT_PS_PER_BYTE = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    const std::optional<std::vector<uint32_t>> path = routes.FirstPath(hosts.first, hosts.second);
    if (!path || path->empty())
    {
        return std::nullopt;
    }
    BaseRtt result;
    result.bottleneck = topology.links[path->front()].rate;
    for (const uint32_t index : *path)
    {
        const TopologyLink& link = topology.links[index];
        result.rtt += 2 * link.delay + ByteTime{link.rate}.Of(payload.value);
        result.bottleneck = std::min(result.bottleneck, link.rate);
    }
    const unsigned __int128 product =
        static_cast<unsigned __int128>(result.rtt.ps) * result.bottleneck.bps;
    result.bdp = {static_cast<uint64_t>(product / BIT_PS_PER_BYTE)};
    return result;
}

BaseRtt
ComputeMaxBaseRtt(const Topology& topology, const RoutingTables& routes, ByteCount payload)
{
    BaseRtt result;
    const std::vector<uint32_t> hosts = Representatives(topology, routes);
    for (const uint32_t source : hosts)
    {
        for (const uint32_t destination : hosts)
        {
            const std::optional<BaseRtt> pair =
                ComputeBaseRtt(topology, routes, {source, destination}, payload);
            if (!pair)
            {
                continue;
            }
            result.rtt = std::max(result.rtt, pair->rtt);
            if (pair->bdp > result.bdp)
            {
                result.bdp = pair->bdp;
                result.bottleneck = pair->bottleneck;
            }
        }
    }
    return result;
}

} // namespace ns3::rdma
