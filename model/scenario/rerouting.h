// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "scenario/run-events.h"
#include "switch/rdma-switch.h"
#include "topology/routing-settings.h"
#include "topology/routing.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/** What routes are made of; all of it outlives them. */
struct ReroutingSetup
{
    EventQueue& events;
    RunEvents& log;
    const Topology& topology;             ///< with a node for each interface
    const RoutingTables& start;           ///< the routes with all cables
    std::vector<uint32_t> destinations{}; ///< nodes of the interfaces, by interface
    std::vector<RdmaSwitch*> switches{};  ///< by node; null for hosts
};

/**
 * How the routes of a fabric follow cables that fail and come back.
 *
 * A switch leaves out a port of its own when the port goes down (local repair): groups of equal
 * cost shrink, and a group without a port is no route. All switches get routes without the cable
 * when it has been down for the delay of the settings, and routes with it when it has been up for
 * as long; until then neither end uses it. A cable that is down for less is never told of to
 * others.
 *
 * @choice a group that shrinks or grows is hashed anew, as plain ECMP does it: flows of the group
 * that did not use the failed port may move, too, and may arrive out of order while they do
 * @choice all switches change their tables at one instant, so that there are no loops meanwhile;
 * new routes are the shortest of those left, even if they lead down and up again
 * @choice routes that the scenario directs hold as long as nobody does without a cable: with one
 * out of use they could lead in a circle
 */
class Rerouting
{
  public:
    Rerouting(ReroutingSetup setup, Ptr<RoutingSettings> settings);

    Rerouting(const Rerouting&) = delete;
    Rerouting& operator=(const Rerouting&) = delete;

    /** A cable went down or came back. Before all else of its time. */
    void OnLinkChanged(uint32_t link, bool isUp, SimTime now);

    /** Whether a change is yet to reach all switches. */
    bool HasPending() const
    {
        return m_settle.IsPending();
    }

  private:
    struct Link
    {
        bool isDown{false};
        bool isOut{false};       ///< its own ends do not use it
        bool isWithdrawn{false}; ///< nobody does
        SimTime settlesAt{SimTime::Never()};
    };

    void OnSettle(SimTime now);
    void Schedule();
    void Recompute();
    void Reroute(uint32_t node);
    ForwardingTable MakeTable(uint32_t node) const;

    ReroutingSetup m_setup;
    Ptr<RoutingSettings> m_settings;
    std::unique_ptr<RoutingTables> m_changed; ///< null: as at the start
    std::vector<Link> m_links;
    Event m_settle;
};

} // namespace ns3::rdma
