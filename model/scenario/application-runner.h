// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "stack/ip-hosts.h"
#include "workload/application.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What became of an application. */
struct ApplicationOutcome
{
    std::string tag;
    bool hasStarted{false};
    bool hasEnded{false};
    std::string failure; ///< why it could not do what it wanted; empty if it could
    std::string wait;    ///< what it waits for if it has not ended
};

/**
 * Runs a scenario's applications on the interfaces of a fabric, beside its flows.
 *
 * It is the observer of all interfaces: what happens to queue pairs of applications goes to their
 * memory pollers, everything else to the observer that was there before.
 */
class ApplicationRunner : private ApplicationEnvironment, private DeviceObserver
{
  public:
    /**
     * @param fabric    outlives the runner
     * @param scenario  whose applications have passed their checks; outlives the runner
     * @param observer  of the flows, whose marks are below their number; outlives the runner
     */
    ApplicationRunner(Fabric& fabric, const Scenario& scenario, DeviceObserver& observer);

    /** Called when the last application ends. */
    void SetDoneCallback(std::function<void(SimTime)> callback)
    {
        m_onDone = std::move(callback);
    }

    /** How long nothing may arrive anywhere although an application goes on. */
    SimTime GetPatience() const;

    /** Whether one of them will do something later of its own accord. */
    bool HavePlans() const;

    bool HasStartedAll() const;
    bool HasEndedAll() const;

    std::vector<ApplicationOutcome> GetOutcomes() const;

    /** What they have measured; tables of one file are one. In the order of the scenario. */
    std::vector<ResultTable> GetTables() const;

    /** What they say of themselves, for people. */
    std::vector<std::string> GetSummary() const;

  private:
    /** An application and the event that begins it. */
    struct Entry
    {
        ApplicationRunner* runner{nullptr};
        Ptr<Application> application;
        Event start;
        bool hasStarted{false};

        void OnStart(SimTime now);
    };

    EventQueue& GetEvents() override;
    Expected<ApplicationHosts> ChooseHosts(uint32_t sourceNode, uint32_t destinationNode) override;
    std::optional<Diagnostic> Connect(const ConnectionEnd& source,
                                      const ConnectionEnd& destination,
                                      const ConnectionOptions& options,
                                      SimTime now) override;
    uint32_t ReserveMark(MemoryPoller* poller) override;
    std::vector<ApplicationHost> GetInterfaces(uint32_t node) override;
    QueuePairAttributes GetConnectionDefaults() override;
    bool IsChosen(const std::string& key) override;
    std::pair<IpEnd, IpEnd> GetIpEnds(const ApplicationHosts& hosts) override;
    void OnApplicationEnded(SimTime now) override;

    void OnDelivered(uint32_t mark, uint64_t bytes, SimTime now) override;
    void OnAsyncEvent(const AsyncEvent& event, SimTime now) override;

    void OnAlive(SimTime now);
    Psn ChoosePsn(const ConnectionEnd& end) const;

    Fabric& m_fabric;
    const Scenario& m_scenario;
    DeviceObserver& m_flows;
    std::deque<Entry> m_entries;
    std::vector<MemoryPoller*> m_pollers; ///< by mark, behind the flows'
    std::function<void(SimTime)> m_onDone;
    std::unique_ptr<IpHosts> m_ipHosts; ///< null: no application has asked for a stack
    Event m_alive; ///< while stacks have timers that the fabric does not know of
};

} // namespace ns3::rdma
