// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/fabric.h"

#include "link/fault-settings.h"
#include "link/pfc-settings.h"
#include "scenario/fabric-checks.h"
#include "scenario/watchdog-events.h"
#include "switch/watchdog-settings.h"
#include "transport/retransmission-timer.h"
#include "wire/framing.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t NONE = ~uint32_t{0};

/** Timers of interfaces come after those of switches; each has a number of its own. */
constexpr uint64_t INTERFACE_TIMER_BASE = uint64_t{1} << 32;

} // namespace

Expected<std::unique_ptr<Fabric>>
Fabric::Build(const Scenario& scenario)
{
    std::unique_ptr<Fabric> fabric{new Fabric{scenario}};
    Diagnostics errors;
    const auto append = [&errors](const Diagnostics& more)
    { errors.insert(errors.end(), more.begin(), more.end()); };

    const auto pfc = scenario.pfc.Create<PfcSettings>()->GetConfig();
    const auto transport = scenario.transport.Create<TransportSettings>();
    const auto connection = transport->GetDefaults();
    append(pfc ? Diagnostics{} : pfc.Errors());
    append(connection ? Diagnostics{} : connection.Errors());
    const auto nic = scenario.nic.Create<Rnic>();
    const auto profile = nic->GetProfile();
    append(profile ? Diagnostics{} : profile.Errors());
    const auto marks = MakeMarks(*nic);
    append(marks ? Diagnostics{} : marks.Errors());
    append(CheckTrust(scenario));
    if (!errors.empty())
    {
        return errors;
    }
    fabric->m_pfc = *pfc;
    fabric->m_connection = *connection;
    fabric->m_profile = *profile;
    fabric->m_marks = *marks;
    fabric->m_maxFrameBytes =
        MaxFrameBytes(*nic, connection->attributes.pathMtu, scenario.hasIpStack);
    fabric->m_notes = transport->GetNotes();
    fabric->m_warnings = transport->GetWarnings();
    std::ranges::copy(FindClassMismatches(scenario, *pfc), std::back_inserter(fabric->m_warnings));
    fabric->m_congestion = scenario.congestion.Create<CongestionControl>();

    fabric->NumberInterfaces();
    append(fabric->DirectRoutes());
    fabric->MakeNodes();
    append(fabric->MakePorts());
    append(fabric->SetUpSwitches());
    append(fabric->SetUpFaults());
    if (!errors.empty())
    {
        return errors;
    }
    fabric->SetUpRoutes();
    fabric->CheckRoutes();
    RecordWatchdogs(*fabric);
    return fabric;
}

Fabric::Fabric(const Scenario& scenario) : m_scenario{scenario}, m_events{EventQueue::Get()} {}

Fabric::~Fabric()
{
    for (const Ptr<RdmaSwitch>& device : m_switches)
    {
        device->Dispose();
    }
    for (const Ptr<Rnic>& device : m_interfaces)
    {
        device->Dispose();
    }
}

void
Fabric::NumberInterfaces()
{
    const Topology& topology = m_scenario.topology;
    const auto nodes = static_cast<uint32_t>(topology.nodes.size());
    m_split = topology;
    m_interfacesOfNode.resize(nodes);
    m_flowsOfNode.resize(nodes);
    m_interfaceOfSplitNode.assign(nodes, NONE);

    const auto ports = ComputePorts(topology);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        const bool isHost = topology.nodes[node].kind == NodeKind::HOST;
        for (uint32_t rank = 0; isHost && rank < ports[node].size(); ++rank)
        {
            AddInterface(node, rank, ports[node][rank].link);
        }
    }
    m_routes = std::make_unique<RoutingTables>(m_split);
}

void
Fabric::AddInterface(uint32_t node, uint32_t rank, uint32_t link)
{
    // The first cable keeps the host's node; each further one gets a node of its own.
    uint32_t splitNode = node;
    if (rank > 0)
    {
        splitNode = static_cast<uint32_t>(m_split.nodes.size());
        m_split.nodes.push_back(
            {NodeKind::HOST, m_split.nodes[node].name + "/" + std::to_string(rank)});
        TopologyLink& cable = m_split.links[link];
        (cable.a == node ? cable.a : cable.b) = splitNode;
        m_interfaceOfSplitNode.push_back(NONE);
    }
    const auto interface = static_cast<uint32_t>(m_splitNodeOfInterface.size());
    m_interfacesOfNode[node].push_back(interface);
    m_interfaceOfSplitNode[splitNode] = interface;
    m_splitNodeOfInterface.push_back(splitNode);
}

void
Fabric::MakeNodes()
{
    const Topology& topology = m_scenario.topology;
    m_switchOfNode.assign(topology.nodes.size(), NONE);
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        if (topology.nodes[node].kind != NodeKind::SWITCH)
        {
            continue;
        }
        m_switchOfNode[node] = static_cast<uint32_t>(m_switches.size());
        const auto device = m_scenario.switchNode.Create<RdmaSwitch>();
        device->SetUp({.events = &m_events,
                       .ledger = &m_ledger,
                       .id = node,
                       .name = topology.nodes[node].name,
                       .seed = m_scenario.seed,
                       .buffer = m_scenario.buffer.Create<BufferPolicy>(),
                       .marker = m_scenario.marker.Create<Marker>(),
                       .path = m_scenario.path.Create<PathPolicy>(),
                       .watchdog = m_scenario.watchdog.Create<WatchdogSettings>()->GetConfig(),
                       .marks = m_marks});
        m_switches.push_back(device);
    }
    m_interfaces.resize(m_splitNodeOfInterface.size());
}

PortConfig
Fabric::MakePortConfig(uint32_t link, uint32_t side) const
{
    const TopologyLink& cable = m_scenario.topology.links[link];
    // A retransmission timer shorter than the cable could fire before a lazy sender has told of
    // the packet that started it.
    const bool isTimerShort = LocalAckTimeout(m_connection.attributes.timeout) <= 2 * cable.delay;
    return {.id = 2 * uint64_t{link} + side,
            .rate = cable.rate,
            .delay = cable.delay,
            .lossRate = cable.lossRate,
            .pfc = m_pfc,
            .isEager = m_scenario.engine.eagerPorts || isTimerShort};
}

EthernetPort&
Fabric::AddSwitchPort(uint32_t node, uint32_t link, uint32_t side, Diagnostics& errors)
{
    const auto scheduler = m_scenario.scheduler.Create<EgressScheduler>();
    const Diagnostics found = scheduler->SetUp(m_maxFrameBytes);
    if (errors.empty())
    {
        errors = found;
    }
    return m_switches[m_switchOfNode[node]]->AddPort(MakePortConfig(link, side), scheduler);
}

Ptr<Rnic>
Fabric::MakeInterface(uint32_t interface, uint32_t link, uint32_t side, Diagnostics& errors)
{
    const auto device = m_scenario.nic.Create<Rnic>();
    const auto receive =
        PlanReceive(*device, m_scenario.topology.links[link], m_pfc, m_maxFrameBytes);
    if (!receive && errors.empty())
    {
        errors = receive.Errors();
    }
    const std::string warning = receive && *receive ? (*receive)->warning : "";
    if (!warning.empty() && std::ranges::find(m_warnings, warning) == m_warnings.end())
    {
        m_warnings.push_back(warning);
    }
    device->SetUp({.events = &m_events,
                   .ledger = &m_ledger,
                   .id = INTERFACE_TIMER_BASE + interface,
                   .address = interface,
                   .name = m_split.nodes[m_splitNodeOfInterface[interface]].name,
                   .seed = m_scenario.seed,
                   .port = MakePortConfig(link, side),
                   .policy = m_connection.policy,
                   .hasRealPayload = m_connection.hasRealPayload,
                   .windowBytes = m_connection.windowBytes,
                   .congestion = m_congestion,
                   .receive = receive ? *receive : std::nullopt,
                   .profile = &m_profile});
    return device;
}

Diagnostics
Fabric::MakePorts()
{
    const Topology& topology = m_scenario.topology;
    Diagnostics errors;
    for (uint32_t link = 0; link < topology.links.size(); ++link)
    {
        std::array<EthernetPort*, 2> ports{};
        for (uint32_t side = 0; side < 2; ++side)
        {
            const uint32_t node = side == 0 ? topology.links[link].a : topology.links[link].b;
            if (m_switchOfNode[node] != NONE)
            {
                ports[side] = &AddSwitchPort(node, link, side, errors);
                continue;
            }
            const TopologyLink& split = m_split.links[link];
            const uint32_t interface = m_interfaceOfSplitNode[side == 0 ? split.a : split.b];
            m_interfaces[interface] = MakeInterface(interface, link, side, errors);
            ports[side] = &m_interfaces[interface]->GetPort();
        }
        EthernetPort::Connect(*ports[0], *ports[1]);
        for (uint32_t side = 0; side < 2; ++side)
        {
            const uint32_t from = side == 0 ? topology.links[link].a : topology.links[link].b;
            const uint32_t to = side == 0 ? topology.links[link].b : topology.links[link].a;
            const uint32_t device = m_switchOfNode[from];
            m_links.push_back({link,
                               ports[side],
                               topology.nodes[from].name,
                               0,
                               topology.nodes[to].name,
                               0,
                               device == NONE ? nullptr : PeekPointer(m_switches[device])});
        }
    }
    const auto nodePorts = ComputePorts(topology);
    for (uint32_t node = 0; node < nodePorts.size(); ++node)
    {
        for (uint16_t port = 0; port < nodePorts[node].size(); ++port)
        {
            const uint32_t link = nodePorts[node][port].link;
            const uint32_t side = topology.links[link].a == node ? 0 : 1;
            m_links[2 * link + side].fromPort = port;
            m_links[2 * link + 1 - side].toPort = port;
        }
    }
    return errors;
}

Diagnostics
Fabric::SetUpSwitches()
{
    Diagnostics errors;
    for (uint32_t node = 0; node < m_switchOfNode.size() && errors.empty(); ++node)
    {
        if (m_switchOfNode[node] == NONE)
        {
            continue;
        }
        RdmaSwitch& device = *m_switches[m_switchOfNode[node]];
        BufferSetup setup{.ports = {}, .pfc = m_pfc, .maxFrameBytes = m_maxFrameBytes};
        for (const TopologyPort& port : m_routes->Ports()[node])
        {
            const TopologyLink& link = m_scenario.topology.links[port.link];
            setup.ports.push_back({device.GetName() + "/" + std::to_string(setup.ports.size()) +
                                       " to " + m_split.nodes[port.peer].name,
                                   link.rate,
                                   link.delay});
        }
        errors = device.Start(setup, m_notes, m_warnings);
    }
    return errors;
}

FaultInjector&
Fabric::GetInjector(std::size_t direction)
{
    m_injectors.resize(m_links.size());
    std::unique_ptr<FaultInjector>& injector = m_injectors[direction];
    if (!injector)
    {
        const std::string name = "faults/" + std::to_string(direction);
        EthernetPort& receiver = *m_links[direction ^ 1].port;
        injector = std::make_unique<FaultInjector>(m_ledger, receiver.GetConfig().id);
        injector->SetStream(RandomStream{m_scenario.seed, name});
        // Directions of a cable come in pairs; frames are harmed where they arrive.
        receiver.SetFaultInjector(injector.get());
    }
    return *injector;
}

Diagnostics
Fabric::SetUpFaults()
{
    Diagnostics errors;
    m_faults.resize(m_scenario.faults.size());
    for (std::size_t fault = 0; fault < m_scenario.faults.size(); ++fault)
    {
        const auto settings = m_scenario.faults[fault].Create<FaultSettings>();
        bool hasLink = false;
        for (std::size_t direction = 0; direction < m_links.size(); ++direction)
        {
            const FabricLink& link = m_links[direction];
            if (settings->IsOn(link.from, link.to, link.link))
            {
                FaultInjector& injector = GetInjector(direction);
                m_faults[fault].push_back({&injector, injector.AddRule(settings->GetRule())});
                hasLink = true;
            }
        }
        SetFaultActive(static_cast<uint32_t>(fault), settings->IsActive());
        if (!hasLink)
        {
            errors.push_back({"",
                              0,
                              "faults." + std::to_string(fault) + ".action",
                              "the fault is on no cable",
                              settings->GetPlace(),
                              "from and to: names of nodes with a cable between them; link: its "
                              "number in links.csv",
                              "",
                              {}});
        }
    }
    return errors;
}

void
Fabric::SetUpRoutes()
{
    std::vector<RdmaSwitch*> switchOfNode;
    for (uint32_t node = 0; node < m_switchOfNode.size(); ++node)
    {
        if (m_switchOfNode[node] == NONE)
        {
            switchOfNode.push_back(nullptr);
            continue;
        }
        ForwardingTable table{static_cast<uint16_t>(m_routes->Ports()[node].size())};
        for (const uint32_t destination : m_splitNodeOfInterface)
        {
            table.AddDestination(m_routes->NextPorts(node, destination));
        }
        switchOfNode.push_back(PeekPointer(m_switches[m_switchOfNode[node]]));
        switchOfNode.back()->SetForwardingTable(std::move(table));
    }
    m_rerouting = std::make_unique<Rerouting>(
        ReroutingSetup{
            m_events, m_runEvents, m_split, *m_routes, m_splitNodeOfInterface, switchOfNode},
        m_scenario.routing.Create<RoutingSettings>());
}

Expected<InterfacePair>
Fabric::ChooseInterfaces(uint32_t sourceNode, uint32_t destinationNode)
{
    const std::vector<uint32_t>& sources = m_interfacesOfNode[sourceNode];
    const std::vector<uint32_t>& destinations = m_interfacesOfNode[destinationNode];
    const uint64_t turn = m_flowsOfNode[sourceNode]++;
    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const std::size_t rank = (turn + i) % sources.size();
        for (std::size_t j = 0; j < destinations.size(); ++j)
        {
            const uint32_t peer = destinations[(rank + j) % destinations.size()];
            if (m_routes->GroupOf(m_splitNodeOfInterface[sources[rank]],
                                  m_splitNodeOfInterface[peer]) != RoutingTables::NO_ROUTE)
            {
                return InterfacePair{sources[rank], peer};
            }
        }
    }
    Diagnostic diagnostic;
    diagnostic.key = "topology";
    diagnostic.message = "no path from host " + m_scenario.topology.nodes[sourceNode].name +
                         " to host " + m_scenario.topology.nodes[destinationNode].name +
                         "; hosts do not forward";
    return diagnostic;
}

std::vector<PathHop>
Fabric::TracePath(InterfacePair pair, uint32_t flowHash) const
{
    std::vector<PathHop> path;
    const uint32_t end = m_splitNodeOfInterface[pair.destination];
    for (uint32_t node = m_splitNodeOfInterface[pair.source]; node != end;)
    {
        const bool isSwitch = node < m_switchOfNode.size() && m_switchOfNode[node] != NONE;
        int port = 0;
        if (isSwitch)
        {
            const RdmaSwitch& device = *m_switches[m_switchOfNode[node]];
            port = device.ChoosePort(device.GetStartTable(), pair.destination, flowHash);
        }
        const TopologyPort& next = m_routes->Ports()[node][static_cast<std::size_t>(port)];
        const TopologyLink& link = m_split.links[next.link];
        path.push_back({link.rate, link.delay});
        node = next.peer;
    }
    return path;
}

void
Fabric::SetLinkUp(uint32_t link, bool isUp, SimTime now)
{
    m_hasChanged |= m_links[2 * link].port->IsLinkUp() != isUp;
    for (uint32_t side = 0; side < 2; ++side)
    {
        m_links[2 * link + side].port->SetLinkUp(isUp, now);
    }
    m_rerouting->OnLinkChanged(link, isUp, now);
}

void
Fabric::SetFaultActive(uint32_t fault, bool isActive)
{
    for (const FaultPlace& place : m_faults[fault])
    {
        place.injector->SetActive(place.rule, isActive);
    }
}

void
Fabric::ChangeParameters(const std::string& group,
                         const std::function<void(Object&)>& change,
                         SimTime now)
{
    if (group == "congestion")
    {
        for (const Ptr<Rnic>& device : m_interfaces)
        {
            device->BeforeChange(now);
        }
        change(*m_congestion);
        for (const Ptr<Rnic>& device : m_interfaces)
        {
            device->AfterChange(now);
        }
        return;
    }
    const TypeId type =
        (group == "switch.buffer" ? m_scenario.buffer : m_scenario.marker).GetTypeId();
    for (const Ptr<RdmaSwitch>& device : m_switches)
    {
        device->BeforeChange(now);
        for (const Ptr<Object>& part : device->GetParts())
        {
            if (part->GetInstanceTypeId() == type)
            {
                change(*part);
            }
        }
        device->AfterChange();
    }
}

void
Fabric::SetLinkRate(uint32_t link, BitRate rate, SimTime now)
{
    m_hasChanged = true;
    for (uint32_t side = 0; side < 2; ++side)
    {
        m_links[2 * link + side].port->SetRate(rate, now);
    }
}

void
Fabric::Settle(SimTime now)
{
    for (const FabricLink& link : m_links)
    {
        link.port->Advance(now);
    }
}

} // namespace ns3::rdma
