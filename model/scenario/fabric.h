// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "link/frame-ledger.h"
#include "rnic/rnic.h"
#include "rnic/transport-settings.h"
#include "scenario/rerouting.h"
#include "scenario/run-events.h"
#include "scenario/scenario.h"
#include "switch/rdma-switch.h"
#include "topology/routing.h"
#include "trace/ideal-time.h"
#include "wire/framing.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The two network interfaces that a flow uses, by number. */
struct InterfacePair
{
    uint32_t source{0};
    uint32_t destination{0};

    bool operator==(const InterfacePair&) const = default;
};

/** One direction of a cable of the running fabric. */
struct FabricLink
{
    uint32_t link{0};            ///< index into Topology::links
    EthernetPort* port{nullptr}; ///< its transmitter
    std::string from;            ///< node name
    uint16_t fromPort{0};        ///< number of the port at its node
    std::string to;
    uint16_t toPort{0};
    RdmaSwitch* fromSwitch{nullptr}; ///< null if a host sends
};

/** Where a rule of a fault is. */
struct FaultPlace
{
    FaultInjector* injector{nullptr};
    std::size_t rule{0};
};

/**
 * A scenario's topology as running devices: switches, network interfaces, cables, routes.
 *
 * Each cable of a host is a network interface of its own; interfaces are numbered by host, then by
 * the host's cables. Routes lead to interfaces, so a host may hang on several switches.
 */
class Fabric
{
  public:
    /**
     * Builds everything; the simulator implementation must have been chosen.
     *
     * @error thresholds, buffers or policies that cannot work on this topology, all of them
     */
    static Expected<std::unique_ptr<Fabric>> Build(const Scenario& scenario);

    ~Fabric();

    /** What was derived (thresholds scaled to a speed), and what may hurt (small headroom). */
    const std::vector<std::string>& GetNotes() const
    {
        return m_notes;
    }

    const std::vector<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

    const std::vector<Ptr<Rnic>>& GetInterfaces() const
    {
        return m_interfaces;
    }

    const std::vector<Ptr<RdmaSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /** All directions of all cables: link 0 a to b, link 0 b to a, link 1 a to b, ... */
    const std::vector<FabricLink>& GetLinks() const
    {
        return m_links;
    }

    FrameLedger& GetLedger()
    {
        return m_ledger;
    }

    EventQueue& GetEvents()
    {
        return m_events;
    }

    /** What happens besides the traffic; whoever makes it happen adds it. */
    RunEvents& GetRunEvents()
    {
        return m_runEvents;
    }

    /** The largest frame of the fabric, destination address to FCS. */
    uint32_t GetMaxFrameBytes() const
    {
        return m_maxFrameBytes;
    }

    /** Bytes that each frame has besides those of RoCEv2: those of a VLAN tag, or none. */
    uint32_t GetTagBytes() const
    {
        return m_marks[0].pcp == UNTAGGED_PCP ? 0 : VLAN_TAG_BYTES;
    }

    /** What connections of the scenario have in common. */
    const ConnectionDefaults& GetConnectionDefaults() const
    {
        return m_connection;
    }

    /** The interfaces of a host, in the order of its cables. @param node of the topology */
    const std::vector<uint32_t>& GetInterfacesOf(uint32_t node) const
    {
        return m_interfacesOfNode[node];
    }

    /**
     * The interfaces of the next flow between two hosts.
     *
     * Flows of a host take its interfaces in turn; the peer's interface of the same rank is
     * preferred, as in fabrics with a plane per rank.
     *
     * @error no path; the message names both hosts
     */
    Expected<InterfacePair> ChooseInterfaces(uint32_t sourceNode, uint32_t destinationNode);

    /** The cables that packets of a hash take by the routes of the run's start. */
    std::vector<PathHop> TracePath(InterfacePair pair, uint32_t flowHash) const;

    /** A cable goes down or comes back, in both directions; before all else of its time. */
    void SetLinkUp(uint32_t link, bool isUp, SimTime now);

    /** Whether routes are yet to follow a cable that failed or came back. */
    bool IsRerouting() const
    {
        return m_rerouting->HasPending();
    }

    /** Faults of an entry of the scenario strike from now on, or do not any more. */
    void SetFaultActive(uint32_t fault, bool isActive);

    /**
     * Sets attributes of the running parts of a group of the scenario; before all else of its time.
     *
     * @param group  "switch.buffer", "switch.marking" or "congestion"
     * @param change is given each part that is of the group's class
     */
    void ChangeParameters(const std::string& group,
                          const std::function<void(Object&)>& change,
                          SimTime now);

    /** A cable takes another rate, in both directions; before all else of its time. */
    void SetLinkRate(uint32_t link, BitRate rate, SimTime now);

    /** Whether a cable has failed or changed its rate, so that ideal times may be beaten. */
    bool HasChanged() const
    {
        return m_hasChanged;
    }

    /** All transmitters make up for everything until now. */
    void Settle(SimTime now);

  private:
    explicit Fabric(const Scenario& scenario);

    Ptr<Rnic> MakeInterface(uint32_t interface, uint32_t link, uint32_t side, Diagnostics& errors);
    void NumberInterfaces();
    void AddInterface(uint32_t node, uint32_t rank, uint32_t link);
    void MakeNodes();
    Diagnostics MakePorts();
    Diagnostics SetUpSwitches();
    void SetUpRoutes();
    Diagnostics DirectRoutes();
    void CheckForLoops(const std::map<uint32_t, std::string>& keys, Diagnostics& errors) const;
    void CheckRoutes();
    Diagnostics SetUpFaults();
    FaultInjector& GetInjector(std::size_t direction);
    PortConfig MakePortConfig(uint32_t link, uint32_t side) const;
    EthernetPort& AddSwitchPort(uint32_t node, uint32_t link, uint32_t side, Diagnostics& errors);

    const Scenario& m_scenario;
    EventQueue& m_events;
    FrameLedger m_ledger;
    PfcConfig m_pfc;
    ConnectionDefaults m_connection;
    NicProfile m_profile;
    Ptr<CongestionControl> m_congestion;
    uint32_t m_maxFrameBytes{0}; ///< destination address to FCS
    MarkOfPriority m_marks{};    ///< what hosts put on frames

    std::vector<Ptr<RdmaSwitch>> m_switches;
    std::vector<Ptr<Rnic>> m_interfaces;
    std::vector<FabricLink> m_links;
    std::vector<std::unique_ptr<FaultInjector>> m_injectors; ///< by direction; null: no faults
    std::vector<std::vector<FaultPlace>> m_faults;           ///< by entry of the scenario

    Topology m_split;                        ///< the topology with a node per interface
    std::unique_ptr<RoutingTables> m_routes; ///< of m_split
    std::unique_ptr<Rerouting> m_rerouting;
    std::vector<uint32_t> m_switchOfNode; ///< by node of the scenario's topology
    std::vector<std::vector<uint32_t>> m_interfacesOfNode;
    std::vector<uint32_t> m_splitNodeOfInterface;
    std::vector<uint32_t> m_interfaceOfSplitNode;
    std::vector<uint64_t> m_flowsOfNode; ///< how many flows have chosen, for taking turns
    bool m_hasChanged{false};
    std::vector<std::string> m_notes;
    std::vector<std::string> m_warnings;
    RunEvents m_runEvents;
};

} // namespace ns3::rdma
