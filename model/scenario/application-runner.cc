// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/application-runner.h"

#include "base/hash.h"
#include "verbs/bring-up.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Applications begin after the timers of all devices and the flows at the same time. */
constexpr uint64_t APPLICATION_TIMER_ID = (uint64_t{1} << 40) + 1;

/** Apart from observers, which come first. */
constexpr uint64_t ALIVE_ID = uint64_t{1} << 42;

constexpr SimTime ALIVE_INTERVAL = SimTime::Seconds(1);

/** Adds a table, or its rows to one of the same file. */
void
AddTable(ResultTable more, std::vector<ResultTable>& tables)
{
    const auto same = std::ranges::find(tables, more.file, &ResultTable::file);
    if (same == tables.end())
    {
        tables.push_back(std::move(more));
        return;
    }
    same->rows.insert(same->rows.end(), more.rows.begin(), more.rows.end());
}

} // namespace

ApplicationRunner::ApplicationRunner(Fabric& fabric,
                                     const Scenario& scenario,
                                     DeviceObserver& observer)
    : m_fabric{fabric},
      m_scenario{scenario},
      m_flows{observer}
{
    for (const ApplicationEntry& chosen : scenario.applications)
    {
        const uint64_t id = APPLICATION_TIMER_ID + m_entries.size();
        Entry& entry = m_entries.emplace_back();
        entry.runner = this;
        entry.application = chosen.factory.Create<Application>();
        if (chosen.checked)
        {
            entry.application->LearnFrom(*chosen.checked);
        }
        entry.start.Bind<&Entry::OnStart>(&entry, EventOrder::Of(EventPhase::TIMER, id));
        fabric.GetEvents().Schedule(entry.start, entry.application->GetStart());
    }
    m_alive.Bind<&ApplicationRunner::OnAlive>(this, EventOrder::Of(EventPhase::SAMPLE, ALIVE_ID));
    if (std::ranges::any_of(m_entries,
                            [](const Entry& entry) { return entry.application->NeedsIpStack(); }))
    {
        fabric.GetEvents().Schedule(m_alive, ALIVE_INTERVAL);
    }
    if (!m_entries.empty())
    {
        for (const Ptr<Rnic>& device : fabric.GetInterfaces())
        {
            device->SetObserver(this);
        }
    }
}

void
ApplicationRunner::Entry::OnStart(SimTime now)
{
    hasStarted = true;
    // What it says is kept as its failure.
    static_cast<void>(application->Start(runner->m_scenario.topology, *runner, now));
}

/** Observers end with the fabric's events; a stack that waits for a timer of its own has none. */
void
ApplicationRunner::OnAlive(SimTime now)
{
    if (!HasEndedAll())
    {
        m_fabric.GetEvents().Schedule(m_alive, now + ALIVE_INTERVAL);
    }
}

SimTime
ApplicationRunner::GetPatience() const
{
    SimTime patience{};
    for (const Entry& entry : m_entries)
    {
        patience = std::max(patience, entry.application->GetPatience());
    }
    return patience;
}

bool
ApplicationRunner::HavePlans() const
{
    return std::ranges::any_of(m_entries,
                               [](const Entry& entry) { return entry.application->HasPlans(); });
}

bool
ApplicationRunner::HasStartedAll() const
{
    return std::all_of(
        m_entries.begin(), m_entries.end(), [](const Entry& entry) { return entry.hasStarted; });
}

bool
ApplicationRunner::HasEndedAll() const
{
    return std::all_of(m_entries.begin(),
                       m_entries.end(),
                       [](const Entry& entry) { return entry.application->HasEnded(); });
}

std::vector<ApplicationOutcome>
ApplicationRunner::GetOutcomes() const
{
    std::vector<ApplicationOutcome> outcomes;
    for (const Entry& entry : m_entries)
    {
        outcomes.push_back({.tag = entry.application->GetTag(),
                            .hasStarted = entry.hasStarted,
                            .hasEnded = entry.application->HasEnded(),
                            .failure = entry.application->GetFailure(),
                            .wait = entry.application->DescribeWait()});
    }
    return outcomes;
}

std::vector<ResultTable>
ApplicationRunner::GetTables() const
{
    std::vector<ResultTable> tables;
    for (const Entry& entry : m_entries)
    {
        for (ResultTable& more : entry.application->GetResults())
        {
            AddTable(std::move(more), tables);
        }
    }
    return tables;
}

std::vector<std::string>
ApplicationRunner::GetSummary() const
{
    std::vector<std::string> lines;
    for (const Entry& entry : m_entries)
    {
        const std::vector<std::string> more = entry.application->GetSummary();
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

EventQueue&
ApplicationRunner::GetEvents()
{
    return m_fabric.GetEvents();
}

Expected<ApplicationHosts>
ApplicationRunner::ChooseHosts(uint32_t sourceNode, uint32_t destinationNode)
{
    const auto pair = m_fabric.ChooseInterfaces(sourceNode, destinationNode);
    if (!pair)
    {
        return pair.Errors();
    }
    const auto& devices = m_fabric.GetInterfaces();
    return ApplicationHosts{
        .source = {PeekPointer(devices[pair->source]), pair->source},
        .destination = {PeekPointer(devices[pair->destination]), pair->destination}};
}

Psn
ApplicationRunner::ChoosePsn(const ConnectionEnd& end) const
{
    return Psn{Mix64(Mix64(m_scenario.seed ^ end.host.interface) ^ end.qpn.value)};
}

std::optional<Diagnostic>
ApplicationRunner::Connect(const ConnectionEnd& source,
                           const ConnectionEnd& destination,
                           const ConnectionOptions& options,
                           SimTime now)
{
    for (const auto& [own, peer] :
         {std::pair{&source, &destination}, std::pair{&destination, &source}})
    {
        QueuePairAttributes attributes = m_fabric.GetConnectionDefaults().attributes;
        attributes.accessFlags = options.accessFlags;
        attributes.maxReadAtomic = options.maxReadAtomic;
        attributes.maxDestReadAtomic = options.maxReadAtomic;
        attributes.address.destination = peer->host.interface;
        attributes.address.priority = options.priority;
        attributes.destinationQp = peer->qpn;
        attributes.sendPsn = ChoosePsn(*own);
        attributes.receivePsn = ChoosePsn(*peer);
        if (auto refusal = BringToReadyToSend(*own->host.device, own->qpn, attributes, now))
        {
            return refusal;
        }
    }
    return std::nullopt;
}

uint32_t
ApplicationRunner::ReserveMark(MemoryPoller* poller)
{
    m_pollers.push_back(poller);
    return static_cast<uint32_t>(m_scenario.flows.size() + m_pollers.size() - 1);
}

std::vector<ApplicationHost>
ApplicationRunner::GetInterfaces(uint32_t node)
{
    std::vector<ApplicationHost> hosts;
    for (const uint32_t interface : m_fabric.GetInterfacesOf(node))
    {
        hosts.push_back({PeekPointer(m_fabric.GetInterfaces()[interface]), interface});
    }
    return hosts;
}

QueuePairAttributes
ApplicationRunner::GetConnectionDefaults()
{
    return m_fabric.GetConnectionDefaults().attributes;
}

bool
ApplicationRunner::IsChosen(const std::string& key)
{
    const auto found = std::ranges::find(m_scenario.parameters, key, &EffectiveParameter::key);
    return found != m_scenario.parameters.end() && found->origin != "default";
}

std::pair<IpEnd, IpEnd>
ApplicationRunner::GetIpEnds(const ApplicationHosts& hosts)
{
    if (!m_ipHosts)
    {
        m_ipHosts = std::make_unique<IpHosts>(m_scenario.seed);
    }
    const auto& devices = m_fabric.GetInterfaces();
    const IpEnd source = m_ipHosts->Get(devices[hosts.source.interface]);
    const IpEnd destination = m_ipHosts->Get(devices[hosts.destination.interface]);
    m_ipHosts->Introduce(source, destination);
    return {source, destination};
}

void
ApplicationRunner::OnApplicationEnded(SimTime now)
{
    if (m_onDone && HasEndedAll())
    {
        m_onDone(now);
    }
}

void
ApplicationRunner::OnDelivered(uint32_t mark, uint64_t bytes, SimTime now)
{
    const std::size_t flows = m_scenario.flows.size();
    if (mark < flows)
    {
        m_flows.OnDelivered(mark, bytes, now);
    }
    else if (MemoryPoller* poller = m_pollers[mark - flows])
    {
        poller->OnMemoryChanged(mark, bytes, now);
    }
}

void
ApplicationRunner::OnAsyncEvent(const AsyncEvent& event, SimTime now)
{
    m_flows.OnAsyncEvent(event, now);
}

} // namespace ns3::rdma
