// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/units.h"
#include "scenario/measurement-window.h"
#include "topology/topology.h"
#include "workload/application.h"
#include "workload/flow.h"

#include "ns3/object-factory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Which event queue runs the fabric, and how its ports advance; results are the same on all. */
struct EngineChoice
{
    std::string simulator{"fabric"}; ///< a name that SelectEngine knows: fabric, map, calendar, ...
    bool eagerPorts{false};          ///< an event for every departure, for comparison
};

/** One parameter as it is in force, and where its value came from. */
struct EffectiveParameter
{
    std::string key;    ///< dotted path, as --set takes it: "switch.buffer.size"
    std::string value;  ///< with its unit
    std::string origin; ///< "default", "parameter set paper (source)", "incast.yaml:12", "--set"
    std::string type;   ///< "time", "rate", "whole number", ...; with the range where there is one
    std::string help;

    bool operator==(const EffectiveParameter&) const = default;
};

/** Files in the columns of the HPCC simulator that its configuration asks for. */
struct HpccOutputs
{
    std::string fctFile; ///< as FCT_OUTPUT_FILE names it; empty without one
    std::string pfcFile; ///< as PFC_OUTPUT_FILE names it
};

/** A program that runs beside the flows. */
struct ApplicationEntry
{
    std::string key;          ///< dotted path of its entry: "workload.1"
    ObjectFactory factory;    ///< a child of ns3::rdma::Application
    Ptr<Application> checked; ///< the one whose check found nothing wrong; null: none was made
};

/**
 * A scenario in full: everything that decides a run, checked, with all defaults filled in.
 *
 * The factories make one object each time; attributes are set already. A factory for a device
 * makes one for each device, a factory for settings is used once.
 */
struct Scenario
{
    std::string name;
    std::string description;
    std::vector<std::string> files; ///< everything that was read, in order

    uint64_t seed{1};
    std::optional<SimTime> duration; ///< absent: until every flow that counts has finished
    MeasurementWindow window;        ///< which flows count
    EngineChoice engine;

    Topology topology;
    FlowList flows; ///< in the order of Flow's rule; the index is the flow's number
    std::vector<ApplicationEntry> applications; ///< checked
    bool hasIpStack{false}; ///< frames of TCP and UDP are on the network, up to nic.ip_mtu

    ObjectFactory routing;                  ///< ns3::rdma::RoutingSettings
    ObjectFactory switchNode;               ///< ns3::rdma::RdmaSwitch
    ObjectFactory buffer;                   ///< a child of ns3::rdma::BufferPolicy
    ObjectFactory marker;                   ///< a child of ns3::rdma::Marker
    ObjectFactory scheduler;                ///< a child of ns3::rdma::EgressScheduler
    ObjectFactory path;                     ///< a child of ns3::rdma::PathPolicy
    ObjectFactory watchdog;                 ///< ns3::rdma::WatchdogSettings
    ObjectFactory nic;                      ///< ns3::rdma::Rnic
    ObjectFactory nicWatchdog;              ///< ns3::rdma::NicWatchdogSettings
    ObjectFactory congestion;               ///< a child of ns3::rdma::CongestionControl
    ObjectFactory pfc;                      ///< ns3::rdma::PfcSettings
    ObjectFactory transport;                ///< ns3::rdma::TransportSettings
    ObjectFactory results;                  ///< ns3::rdma::ResultsSettings
    std::vector<ObjectFactory> routes;      ///< ns3::rdma::RouteSettings
    std::vector<ObjectFactory> faults;      ///< children of ns3::rdma::FaultSettings
    std::vector<ObjectFactory> timeline;    ///< children of ns3::rdma::TimelineAction
    std::vector<ObjectFactory> instruments; ///< children of ns3::rdma::Instrument
    std::optional<HpccOutputs> hpccOutputs;

    std::vector<EffectiveParameter> parameters; ///< every one of the groups above
    std::vector<std::string> notes;             ///< what the readers took the input for
    std::vector<std::string> warnings;          ///< what runs, but is hardly meant
};

/** A scenario on a topology with every component at its default, and no flows. */
Scenario MakeDefaultScenario(Topology topology);

/**
 * Gives diagnostics that name only a key ("switch.buffer.headroom") the place where its value was
 * written; those of a part that sees the whole fabric, after the scenario was loaded.
 */
Diagnostics LocateDiagnostics(Diagnostics diagnostics, const Scenario& scenario);

} // namespace ns3::rdma
