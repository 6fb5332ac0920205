// SPDX-License-Identifier: GPL-2.0-only
#include "topology/route-check.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The dependencies of all channels, and the search for a cycle in them. */
class ChannelGraph
{
  public:
    ChannelGraph(const Topology& topology, const RoutingTables& routes)
        : m_topology{topology},
          m_routes{routes},
          m_next(2 * topology.links.size()),
          m_groups(2 * topology.links.size())
    {
        for (const uint32_t host : routes.Hosts())
        {
            for (const TopologyPort& port : routes.Ports()[host])
            {
                m_edges.push_back(port.peer);
            }
        }
        for (const uint32_t destination : routes.RepresentativeHosts())
        {
            AddDestination(destination);
        }
    }

    std::vector<Channel> FindCycle() const
    {
        std::vector<State> states(m_next.size(), State::NEW);
        for (Channel channel = 0; channel < m_next.size(); ++channel)
        {
            if (states[channel] == State::NEW)
            {
                const std::vector<Channel> cycle = Search(channel, states);
                if (!cycle.empty())
                {
                    return cycle;
                }
            }
        }
        return {};
    }

  private:
    enum class State : uint8_t
    {
        NEW,
        OPEN,
        DONE,
    };

    /** A channel on the way of a search, and how many of its followers were tried. */
    struct Step
    {
        Channel channel{0};
        std::size_t tried{0};
    };

    Channel ChannelOf(uint32_t node, uint32_t port) const
    {
        const uint32_t link = m_routes.Ports()[node][port].link;
        return 2 * link + (m_topology.links[link].a == node ? 0 : 1);
    }

    uint32_t EndOf(Channel channel) const
    {
        const TopologyLink& link = m_topology.links[channel / 2];
        return channel % 2 == 0 ? link.b : link.a;
    }

    /** Follows all routes to a host from all others at once, each node one time. */
    void AddDestination(uint32_t destination)
    {
        std::vector<bool> isReached(m_topology.nodes.size());
        std::vector<uint32_t> queue;
        const auto reach = [this, &isReached, &queue](uint32_t node)
        {
            if (!isReached[node] && m_topology.nodes[node].kind == NodeKind::SWITCH)
            {
                isReached[node] = true;
                queue.push_back(node);
            }
        };
        for (const uint32_t edge : m_edges)
        {
            reach(edge);
        }
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            for (const uint32_t port : m_routes.NextPorts(queue[i], destination))
            {
                const Channel channel = ChannelOf(queue[i], port);
                const uint32_t next = EndOf(channel);
                if (m_topology.nodes[next].kind == NodeKind::SWITCH)
                {
                    AddDependencies(channel, m_routes.GroupOf(next, destination));
                    reach(next);
                }
            }
        }
    }

    /** A channel goes on into all ports of a group, at the node where it ends. */
    void AddDependencies(Channel channel, uint32_t group)
    {
        std::vector<bool>& known = m_groups[channel];
        const uint32_t node = EndOf(channel);
        known.resize(m_routes.GroupCount(node));
        if (known[group])
        {
            return;
        }
        known[group] = true;
        for (const uint32_t port : m_routes.Group(node, group))
        {
            // A host waits for nobody, so what leads to one is in no cycle.
            if (m_topology.nodes[m_routes.Ports()[node][port].peer].kind == NodeKind::SWITCH)
            {
                m_next[channel].push_back(ChannelOf(node, port));
            }
        }
    }

    /** Depth first, without recursion: fabrics may be deep. */
    std::vector<Channel> Search(Channel start, std::vector<State>& states) const
    {
        std::vector<Step> way{{start}};
        states[start] = State::OPEN;
        while (!way.empty())
        {
            const Channel channel = way.back().channel;
            if (way.back().tried == m_next[channel].size())
            {
                states[channel] = State::DONE;
                way.pop_back();
                continue;
            }
            const Channel next = m_next[channel][way.back().tried++];
            if (states[next] == State::OPEN)
            {
                return CutCycle(way, next);
            }
            if (states[next] == State::NEW)
            {
                states[next] = State::OPEN;
                way.push_back({next});
            }
        }
        return {};
    }

    static std::vector<Channel> CutCycle(const std::vector<Step>& way, Channel first)
    {
        std::vector<Channel> cycle;
        for (const Step& step : way)
        {
            if (step.channel == first || !cycle.empty())
            {
                cycle.push_back(step.channel);
            }
        }
        return cycle;
    }

    const Topology& m_topology;
    const RoutingTables& m_routes;
    std::vector<std::vector<Channel>> m_next; ///< by channel
    std::vector<std::vector<bool>> m_groups;  ///< by channel: groups that are in m_next
    std::vector<uint32_t> m_edges;            ///< nodes on which hosts hang
};

} // namespace

std::vector<Channel>
FindDependencyCycle(const Topology& topology, const RoutingTables& routes)
{
    return ChannelGraph{topology, routes}.FindCycle();
}

} // namespace ns3::rdma
