// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/rerouting.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Routes settle behind the timeline's entries of the same instant. */
constexpr uint64_t ROUTES_ID = 1;

} // namespace

Rerouting::Rerouting(ReroutingSetup setup, Ptr<RoutingSettings> settings)
    : m_setup{std::move(setup)},
      m_settings{settings},
      m_links(m_setup.topology.links.size())
{
    m_settle.Bind<&Rerouting::OnSettle>(this, EventOrder::Of(EventPhase::CHANGE, ROUTES_ID));
}

ForwardingTable
Rerouting::MakeTable(uint32_t node) const
{
    const RoutingTables& routes = m_changed ? *m_changed : m_setup.start;
    const std::vector<TopologyPort>& ports = m_setup.start.Ports()[node];
    const auto isOut = [this, &ports](uint32_t port) { return m_links[ports[port].link].isOut; };
    ForwardingTable table{static_cast<uint16_t>(ports.size())};
    std::vector<uint32_t> left;
    for (const uint32_t destination : m_setup.destinations)
    {
        const auto next = routes.NextPorts(node, destination);
        left.assign(next.begin(), next.end());
        std::erase_if(left, isOut);
        table.AddDestination(left);
    }
    return table;
}

void
Rerouting::Reroute(uint32_t node)
{
    if (node < m_setup.switches.size() && m_setup.switches[node] != nullptr)
    {
        m_setup.switches[node]->Reroute(MakeTable(node));
    }
}

void
Rerouting::OnLinkChanged(uint32_t link, bool isUp, SimTime now)
{
    Link& state = m_links[link];
    if (state.isDown == !isUp)
    {
        return;
    }
    state.isDown = !isUp;
    if (m_settings->IsReconverging())
    {
        state.settlesAt = now + m_settings->GetDelay();
        Schedule();
    }
    // A port that is back is used when its neighbour has been heard of again, or at once if nobody
    // listens.
    const bool isOut = state.isDown || (state.isOut && m_settings->IsReconverging());
    if (m_settings->IsRepairingLocally() && state.isOut != isOut)
    {
        state.isOut = isOut;
        Reroute(m_setup.topology.links[link].a);
        Reroute(m_setup.topology.links[link].b);
    }
}

void
Rerouting::Schedule()
{
    SimTime next = SimTime::Never();
    for (const Link& link : m_links)
    {
        next = std::min(next, link.settlesAt);
    }
    m_setup.events.Schedule(m_settle, next);
}

void
Rerouting::OnSettle(SimTime now)
{
    for (Link& link : m_links)
    {
        if (link.settlesAt <= now)
        {
            link.settlesAt = SimTime::Never();
            link.isWithdrawn = link.isDown;
            link.isOut = link.isDown;
        }
    }
    Recompute();
    Schedule();
    const auto withdrawn = std::count_if(
        m_links.begin(), m_links.end(), [](const Link& link) { return link.isWithdrawn; });
    m_setup.log.Add({.time = now,
                     .event = "reroute",
                     .node = "",
                     .detail = std::to_string(withdrawn) + " of " + std::to_string(m_links.size()) +
                               " links out of use"});
}

void
Rerouting::Recompute()
{
    std::vector<bool> withdrawn;
    for (const Link& link : m_links)
    {
        withdrawn.push_back(link.isWithdrawn);
    }
    const bool isWhole = std::find(withdrawn.begin(), withdrawn.end(), true) == withdrawn.end();
    m_changed =
        isWhole ? nullptr : std::make_unique<RoutingTables>(m_setup.topology, std::move(withdrawn));
    for (uint32_t node = 0; node < m_setup.switches.size(); ++node)
    {
        Reroute(node);
    }
}

} // namespace ns3::rdma
