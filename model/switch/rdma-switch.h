// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/settings-check.h"
#include "engine/random-stream.h"
#include "link/ethernet-port.h"
#include "link/pause-keeper.h"
#include "link/port-owner.h"
#include "switch/forwarding-table.h"
#include "switch/pfc-watchdog.h"
#include "switch/switch-setup.h"
#include "switch/traffic-classifier.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A (port, priority) that a switch has begun to pause, and the frame that made it do so. */
struct PauseDecision
{
    uint16_t ingress{0}; ///< the port whose peer is paused
    uint8_t priority{0};
    uint16_t egress{0};     ///< where the frame was to leave
    uint32_t frameBytes{0}; ///< of the frame, which is in no queue yet
};

/**
 * An Ethernet switch: trust and priority, ingress admission, shared buffer with PFC, path choice,
 * egress queues, scheduling and ECN marking. Store and forward, no latency of its own.
 *
 * Ports are lazy, so the buffer's counters may be too high between touches. An arrival that would
 * be accepted even so is accepted; otherwise all ports make up for their departures and the buffer
 * is asked again. While an ingress is paused, or arrivals keep coming near a limit, the switch
 * watches departures: XON must leave on time, and a full buffer shall not cost a walk over all
 * ports for each packet. Results are the same either way.
 *
 * A watchdog, if there is one, looks at queues while any is paused or in a storm.
 *
 * Not modelled: cut-through, forwarding latency, TTL, multicast, MAC learning.
 */
class RdmaSwitch : public Object, public SettingsCheck, public TrustAttributes, private PortOwner
{
  public:
    static TypeId GetTypeId();

    /** Whether its maps can be read. */
    Diagnostics CheckSettings() const override;

    /** Gives the switch its parts. Ports are added next, then Start is called. */
    void SetUp(const SwitchSetup& setup);

    /** Adds a port; its number is the count of ports before. */
    EthernetPort& AddPort(const PortConfig& config, Ptr<EgressScheduler> scheduler);

    /**
     * Fixes buffer and marking for the ports that there are.
     *
     * @param notes    receives what was derived, once per line
     * @param warnings receives what runs, but may drop lossless frames
     * @return what cannot work; empty if all is well
     */
    Diagnostics Start(const BufferSetup& setup,
                      std::vector<std::string>& notes,
                      std::vector<std::string>& warnings);

    void SetForwardingTable(ForwardingTable table)
    {
        m_table = std::move(table);
    }

    /** The ways that there are from now on; GetStartTable keeps those of the run's start. */
    void Reroute(ForwardingTable table);

    const ForwardingTable& GetStartTable() const
    {
        return m_startTable ? *m_startTable : m_table;
    }

    EthernetPort& GetPort(uint16_t index) const
    {
        return *m_ports[index];
    }

    uint16_t GetPortCount() const
    {
        return static_cast<uint16_t>(m_ports.size());
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    const SwitchCounters& GetCounters() const
    {
        return m_counters;
    }

    /** Frames that were marked when they left by a port. */
    uint64_t GetMarkedFrames(uint16_t port) const
    {
        return m_marked[port];
    }

    /** Frames that were to leave by a port and found no room. */
    uint64_t GetDroppedFrames(uint16_t port) const
    {
        return m_dropped[port];
    }

    const BufferPolicy& GetBuffer() const
    {
        return *m_buffer;
    }

    /** Whether the watchdog takes the pauses of a queue for a storm. */
    const PfcWatchdog& GetWatchdog() const
    {
        return m_watchdog;
    }

    /** The switch's own parts whose attributes may be set between the two calls below. */
    std::vector<Ptr<Object>> GetParts() const
    {
        return {m_buffer, m_marker};
    }

    /** Everything before now has happened by the parameters as they are. */
    void BeforeChange(SimTime now);

    /** Attributes of the buffer or the marker have been set. */
    void AfterChange();

    /** The port that a frame of this hash leaves by. @return -1 without a way */
    int ChoosePort(uint32_t destination, uint32_t flowHash) const
    {
        return ChoosePort(m_table, destination, flowHash);
    }

    /** The same by another table of this switch. */
    int ChoosePort(const ForwardingTable& table, uint32_t destination, uint32_t flowHash) const;

    /** All ports make up for their departures until now. */
    void Settle(SimTime now);

    /** From now on the trace sources Queue, Start and Flush tell of every frame; else of none. */
    void WatchQueues();

  protected:
    void DoDispose() override;

  private:
    /** Arrivals near a limit, of the last WINDOW, that make the switch watch departures. */
    static constexpr uint32_t NEAR_ARRIVALS = 16;
    /** Arrivals without one, and without a pause, that make it lazy again. */
    static constexpr uint32_t WINDOW = 1024;

    void OnFrame(uint16_t port, Frame* frame, SimTime now) override;
    void PrepareFrame(uint16_t port, const Frame& frame) const override;
    void OnStart(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime start) override;
    void OnDeparted(uint16_t port, const Departure& departure, SimTime when) override;
    void OnFlushed(uint16_t port, const Departure& flushed, SimTime now) override;
    void OnLinkChanged(uint16_t port, SimTime now) override;
    void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now) override;

    bool AdmitNearLimit(const BufferArrival& arrival,
                        uint16_t egress,
                        SimTime now,
                        DropReason& reason);
    void Drop(Frame* frame, DropReason reason, uint16_t port, SimTime now);
    void OnQueue(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime now);
    void Mark(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime when);
    void Watch(bool isWatching, SimTime now);
    void NoteCalm(SimTime now);
    void OnRefresh(SimTime now);
    bool DropsByWatchdog(uint16_t ingress, uint16_t egress, Frame* frame, SimTime now);
    void OnPoll(SimTime now);
    bool PollQueue(EthernetPort& port, uint8_t priority, SimTime now);
    void Act(const WatchedQueue& queue, WatchdogVerdict verdict, SimTime now);

    std::vector<std::unique_ptr<EthernetPort>> m_ports;
    ForwardingTable m_table;
    std::optional<ForwardingTable> m_startTable; ///< if another has replaced it
    Ptr<BufferPolicy> m_buffer;
    Ptr<Marker> m_marker;
    Ptr<PathPolicy> m_path;
    FrameLedger* m_ledger{nullptr};
    EventQueue* m_events{nullptr};
    PauseKeeper m_pauses;
    Event m_refresh;
    WatchdogConfig m_watchdogConfig;
    PfcWatchdog m_watchdog;
    Event m_poll;
    bool m_isWatching{false};
    bool m_marksAtEnqueue{false};
    bool m_looksAtQueues{false}; ///< for marking, or because somebody watches them
    bool m_tellsOfQueues{false}; ///< somebody watches them
    bool m_classifies{false};    ///< some frames of hosts do not keep their priority
    uint32_t m_nearArrivals{0};  ///< since the last calm
    uint32_t m_calmArrivals{0};  ///< since the last near one; counted while there is any
    TrafficClassifier m_classifier;
    uint64_t m_pathSeed{0};
    uint64_t m_seed{0};
    std::string m_name;
    std::vector<RandomStream> m_markStreams; ///< by port
    std::vector<uint64_t> m_marked;          ///< by port
    std::vector<uint64_t> m_dropped;         ///< by port
    SwitchCounters m_counters;

    TracedCallback<std::string, uint16_t, uint8_t, uint16_t, SimTime> m_pfcTrace;
    TracedCallback<std::string, DropReason, SimTime> m_dropTrace;
    TracedCallback<std::string, const WatchdogReport&, SimTime> m_watchdogTrace;
    TracedCallback<uint16_t, const Frame&, uint64_t, SimTime> m_queueTrace;
    TracedCallback<uint16_t, const Frame&, uint64_t, SimTime> m_startTrace;
    TracedCallback<uint16_t, const Frame&, uint64_t, SimTime> m_markTrace;
    TracedCallback<uint16_t, const Departure&, SimTime> m_flushTrace;
    TracedCallback<const PauseDecision&, SimTime> m_pauseTrace;
};

} // namespace ns3::rdma
