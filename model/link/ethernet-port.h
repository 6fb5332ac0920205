// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"
#include "engine/event-queue.h"
#include "engine/event.h"
#include "engine/random-stream.h"
#include "link/egress-queues.h"
#include "link/egress-scheduler.h"
#include "link/fault-injector.h"
#include "link/frame-ledger.h"
#include "link/port-config.h"
#include "link/port-owner.h"
#include "link/port-pauses.h"
#include "wire/frame-tap.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/**
 * A full-duplex Ethernet port: transmitter, priorities, pause, and the receiver of its cable.
 *
 * The transmitter is lazy. Nothing happens at the end of a frame; whoever is about to read or
 * change the port first calls Advance(now), which makes up for all starts until now. Between two
 * such touches nothing can alter the order of frames, so the late decision is the one that would
 * have been taken in time. A direction keeps its frames in flight in a FIFO and has one pending
 * event, the arrival of its head: one event per packet-hop.
 *
 * A second event fires when the transmitter gets free; it is pending only while somebody must act
 * then: nothing is in flight but something waits (the frame's arrival would come too late to arm),
 * the owner watches departures, or the port is eager. Results are the same.
 *
 * Pause times count from the reception of the PAUSE (@spec IEEE 802.3-2018 annex 31B.3); the class
 * stops after the response time, between frames. PAUSE(0) resumes at once. With link pause (802.3x)
 * all of that holds for all classes together.
 *
 * Not modelled: half duplex, cut-through.
 */
class alignas(64) EthernetPort
{
  public:
    /** @param lossStream decides which arriving frames are corrupted */
    EthernetPort(const PortPlace& place, const PortConfig& config, RandomStream lossStream);

    EthernetPort(const EthernetPort&) = delete;
    EthernetPort& operator=(const EthernetPort&) = delete;

    /** Ties two ports together; before the run. */
    static void Connect(EthernetPort& a, EthernetPort& b);

    /** Frames are made by a source when the wire is free; queued frames go first. */
    void SetSource(FrameSource* source)
    {
        m_source = source;
    }

    /** The owner is told of starts whose queue still holds at least this; by default of none. */
    void SetStartFloor(uint64_t queueBytes)
    {
        m_startFloor = queueBytes;
    }

    /** Before the run: frames that arrive here pass through the injector; null: none. */
    void SetFaultInjector(FaultInjector* injector);

    /**
     * A tap is told of all frames that pass here from now on. Frames that the cable loses go out
     * and do not come in; those on it when the run ends have not been told of. Before the run.
     */
    void AddTap(FrameTap& tap);

    void SetScheduler(Ptr<EgressScheduler> scheduler)
    {
        m_scheduler = scheduler;
    }

    /** Makes up for all that the transmitter did until now; call it before any change. */
    void Advance(SimTime now);

    /** Has what Enqueue touches fetched into the cache, while the caller does other things. */
    void PrefetchQueue(uint8_t priority) const;

    /** Puts a frame behind others of its priority. The caller has advanced the port. */
    void Enqueue(Frame* frame, SimTime now);

    /** The source has, or may have, something new; the caller has advanced the port. */
    void OnSourceChanged(SimTime now);

    /** Sends a PFC or PAUSE frame before all else, after the frame on the wire. */
    void SendPfc(PriorityMask classes, uint16_t quanta, SimTime now);

    /**
     * The cable of this direction goes down or comes back; either way the frames on it are lost.
     *
     * Going down also loses what waits, and ends pauses. What is sent while it is down takes its
     * time and is lost, as from a transmitter that nobody listens to. Before all else of its time.
     */
    void SetLinkUp(bool isUp, SimTime now);

    bool IsLinkUp() const
    {
        return !m_isCut;
    }

    /** Frames that start from now on take another rate's time. Before all else of its time. */
    void SetRate(BitRate rate, SimTime now);

    /** The time that everything sent takes on the wire, preambles and gaps included. */
    SimTime GetBusyTime() const;

    /** The slowest of all rates that there were. */
    BitRate GetSlowestRate() const
    {
        return m_slowestRate;
    }

    /** Departures must be told in time from now on, or need not any more. */
    void WatchDepartures(bool isWatched, SimTime now);

    const EgressQueues& GetQueues() const
    {
        return m_queues;
    }

    uint16_t GetIndex() const
    {
        return m_index;
    }

    const PortConfig& GetConfig() const
    {
        return m_config;
    }

    PortCounters GetCounters() const;

    const EthernetPort* GetPeer() const
    {
        return m_peer;
    }

    /** Takes the oldest waiting frame of a priority out, to be dropped; null without one. */
    Frame* TakeQueued(uint8_t priority);

    /** Whoever changes them advances the port before, and calls OnSourceChanged after. */
    PortPauses& GetPauses();

    /** Total time that a priority was paused until now. */
    SimTime GetPausedTime(uint8_t priority, SimTime now) const;

    /** What this direction holds: waiting, on the wire and on the cable. */
    HeldFrames CountHeld() const;

    /** Bytes that the owner still has here: waiting, or on the wire, without PFC frames. */
    uint64_t GetOwnedBytes() const
    {
        return m_queuedBytes + (m_hasDeparting ? m_departing.frameBytes : 0);
    }

    /** When the last frame of this direction arrived at the peer, if none is in flight. */
    SimTime GetLastArrival() const
    {
        return m_arrival.GetLastTime();
    }

  private:
    void AdvanceTo(SimTime now);
    SimTime NextStart();
    Frame* TakeNext(SimTime start);
    Frame* TakeWaiting(uint8_t priority, SimTime start);
    uint8_t SelectWaiting(PriorityMask eligible);
    void Start(Frame* frame, SimTime start);

    /** Tells the owner of a start if it wants to know of such queues. */
    void TellStart(Frame& frame, uint64_t queueBytes, SimTime start);

    void ArmDeparture();

    /** Sets the second event if somebody must act when the transmitter gets free. */
    void Arm();

    void OnArrival(SimTime now);
    void PrepareArrival() const;
    void OnDeparture(SimTime now);
    void Receive(Frame* frame, SimTime now);
    void Deliver(Frame* frame, SimTime now);
    void AdvanceBefore(SimTime now);
    void ContinueAt(SimTime now);
    void Cut(Frame* frame);
    void CutFlight(SimTime now);
    void CutWaiting(SimTime now);
    void EndPauses(SimTime now);
    void SetPeer(EthernetPort& peer);
    void LookAtPeer();
    void ReceivePfc(const Frame& frame, SimTime now);

    // Read or written for every frame, in as few cache lines as they need.
    SimTime m_freeAt{}; ///< when the next frame may start
    Frame* m_flightHead{nullptr};
    Frame* m_flightTail{nullptr};
    Frame* m_control{nullptr}; ///< pause frames that wait, oldest first
    FrameSource* m_source{nullptr};
    PortOwner& m_owner;
    bool m_hasDeparting{false};
    bool m_watchesDepartures{false};
    bool m_hasPause{false};   ///< some pause is not over yet
    bool m_isPeerPlain{true}; ///< nothing looks at frames on their way, or harms them
    uint16_t m_index;
    uint16_t m_peerIndex{0};
    Departure m_departing{};
    ByteTime m_byteTime;
    uint64_t m_remainder{0}; ///< of the last transmission time, for rates without whole ps
    SimTime m_delay;
    EventQueue& m_events;
    PortOwner* m_peerOwner{nullptr};
    uint64_t m_queuedBytes{0};
    uint64_t m_startFloor{UINT64_MAX};
    Event m_arrival;
    uint64_t m_frames{0};
    uint64_t m_wireBytes{0};
    uint64_t m_maxQueueBytes{0};
    EgressQueues m_queues;

    PortCounters m_counters{}; ///< the rest begins; but for the three above
    Event m_departure;
    EthernetPort* m_peer{nullptr};
    FrameLedger& m_ledger;
    PortConfig m_config;
    Ptr<EgressScheduler> m_scheduler;
    PortPauses m_pauses;
    PriorityMask m_stopped{0}; ///< classes for which link pause holds the peer
    FaultInjector* m_injector{nullptr};
    FrameTap* m_taps{nullptr}; ///< in the order in which they were added
    RandomStream m_lossStream;
    bool m_isCut{false};     ///< the cable is down
    SimTime m_earlierBusy{}; ///< busy time at rates before the present one
    uint64_t m_earlierBytes{0};
    BitRate m_slowestRate{};
};

} // namespace ns3::rdma

#include "link/ethernet-port-inline.h" // what is called for each frame
