// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/settings-check.h"
#include "congestion/congestion-control.h"
#include "rnic/deadline-heap.h"
#include "rnic/foreign-port.h"
#include "rnic/frame-maker.h"
#include "rnic/host-path.h"
#include "rnic/queue-pair.h"
#include "rnic/receive-path.h"
#include "rnic/rnic-attributes.h"
#include "rnic/rnic-counters.h"
#include "rnic/rnic-setup.h"
#include "rnic/transmitter.h"
#include "rnic/transport-event.h"
#include "verbs/verbs-device.h"
#include "verbs/verbs-objects.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * An RDMA network interface of one Ethernet port: verbs objects, queue pairs, their scheduler, and
 * the transport.
 *
 * Sending is a pull: when the wire is free the port asks for the next packet, so no packet is made
 * before its time and nothing is queued but acknowledgements and CNPs. Queue pairs take turns,
 * packet by packet, within a priority; a queue pair that has both requests and READ responses to
 * send alternates (@choice). Timers of all queue pairs hang on one event; timers of congestion
 * control are made up for before a queue pair is next asked, and need none.
 *
 * READ responses are paced and limited like requests, by the congestion control of the queue pair
 * that sends them; CNPs for them come from the requester. Acknowledgements go at the priority of
 * their connection (@choice: as RoCE, where they travel in the same traffic class), CNPs at one of
 * their own.
 *
 * Connections between queue pairs of the same interface never touch the wire: their packets take a
 * way of the port's rate and no length (@choice).
 *
 * With a profile of costs a HostPath stands between the application, the machines and the wire, and
 * with a rate of the receiver a ReceivePath before that; without, nothing is on a packet's way.
 * Another stack may share the port (ForeignPort).
 */
class Rnic : public Object,
             public VerbsDevice,
             public SettingsCheck,
             public RnicAttributes,
             private PortOwner,
             private HostPathUser,
             private NotificationUser
{
  public:
    static TypeId GetTypeId();

    /** Whether the profile can be had. */
    Diagnostics CheckSettings() const override;

    /** The costs that the attribute Profile names. @error as FindNicProfile; key "profile" */
    Expected<NicProfile> GetProfile() const;

    void SetUp(const RnicSetup& setup);

    const DeviceLimits& GetLimits() const override;
    VerbsError AllocateProtectionDomain(ProtectionDomainId& domain) override;
    VerbsError DeallocateProtectionDomain(ProtectionDomainId domain) override;
    VerbsError RegisterMemory(const MemoryRegionSpec& spec, MemoryRegion& region) override;
    VerbsError DeregisterMemory(const MemoryRegion& region) override;
    VerbsError CreateCompletionQueue(uint32_t capacity,
                                     CompletionChannel* channel,
                                     CompletionQueueId& queue) override;
    VerbsError DestroyCompletionQueue(CompletionQueueId queue) override;
    CompletionQueue& GetCompletionQueue(CompletionQueueId queue) override;
    VerbsError CreateSharedReceiveQueue(const SharedReceiveQueueInit& init,
                                        SharedReceiveQueueId& queue) override;
    VerbsError DestroySharedReceiveQueue(SharedReceiveQueueId queue) override;
    VerbsError SetSharedReceiveLimit(SharedReceiveQueueId queue, uint32_t limit) override;
    PostResult PostSharedReceive(SharedReceiveQueueId queue,
                                 std::span<const ReceiveRequest> requests) override;
    VerbsError CreateQueuePair(const QueuePairInit& init, Qpn& qpn) override;
    VerbsError DestroyQueuePair(Qpn qpn, SimTime now) override;
    std::optional<Diagnostic> ModifyQueuePair(Qpn qpn,
                                              const QueuePairAttributes& attributes,
                                              uint32_t mask,
                                              SimTime now) override;
    QueuePairInfo QueryQueuePair(Qpn qpn) const override;
    PostResult PostSend(Qpn qpn, std::span<const SendRequest> requests, SimTime now) override;
    PostResult PostReceive(Qpn qpn, std::span<const ReceiveRequest> requests, SimTime now) override;
    const QueuePairStatistics& GetStatistics(Qpn qpn) const override;

    void SetObserver(DeviceObserver* observer) override
    {
        m_observer = observer;
    }

    /** The port of its cable. */
    EthernetPort& GetPort() const
    {
        return m_wire->GetPort();
    }

    /** The way back to itself; null as long as no connection needs it. */
    const EthernetPort* GetLoopback() const;

    /** Frames that have arrived and not been handled, and those of another stack that wait. */
    HeldFrames CountHeld() const;

    /** What another stack uses of the interface; null when that is disposed of. */
    ForeignPort* GetForeignPort() const
    {
        return m_foreign.get();
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    const RnicCounters& GetCounters() const
    {
        return m_counters;
    }

    /** The attributes of a queue pair as they are; nullptr if there is none. */
    const QueuePairAttributes* FindAttributes(Qpn qpn) const;

    /** What a queue pair may send at now, congestion control and its own limit together. */
    BitRate GetSendRate(Qpn qpn, SimTime now);

    /** Puts "window_bytes" if limited, "in_flight_bytes", "cnps", and congestion control's own. */
    void Describe(Qpn qpn, SimTime now, StateSink& sink);

    /** Called before and after attributes of the congestion control are set, at now. */
    void BeforeChange(SimTime now);
    void AfterChange(SimTime now);

    /** Makes the next packet of a queue pair that CanSend; for its transmitter. */
    Frame* MakeNext(QueuePair& pair, SimTime start);

  protected:
    void DoDispose() override;

  private:
    static constexpr uint32_t FIRST_QPN = 2; ///< 0 and 1 are the management queue pairs

    void OnFrame(uint16_t port, Frame* frame, SimTime now) override;
    void PrepareFrame(uint16_t port, const Frame& frame) const override;
    void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now) override;
    void OnLinkChanged(uint16_t port, SimTime now) override;

    uint16_t GetPathMtu(Qpn qpn) const override;
    void OnRequestReady(Qpn qpn, SimTime now) override;
    void OnCompletionVisible(const HostCompletion& completion, SimTime now) override;
    void OnMessageVisible(uint32_t mark, uint64_t bytes, SimTime now) override;

    QueuePair* Find(uint32_t qpn) const
    {
        const uint32_t index = qpn - FIRST_QPN;
        return index < m_pairs.size() ? m_pairs[index].get() : nullptr;
    }

    QueuePair& Get(Qpn qpn) const;

    // Packets (rnic.cc)
    void OnRequest(QueuePair& pair, Frame* frame, SimTime now);
    void OnAcknowledge(QueuePair& pair, Frame* frame, SimTime now);
    void OnResponse(QueuePair& pair, Frame* frame, SimTime now);
    void OnAnswered(QueuePair& pair, const RequesterOutcome& outcome, bool isLoss, SimTime now);
    void OnCnp(QueuePair& pair, SimTime now);
    void NoteMark(QueuePair& pair, const Frame& frame, SimTime now);
    void DrawCnp(QueuePair& pair, SimTime now);
    void SendCnp(QueuePair& pair, SimTime now);
    void SendDelayedCnp(Qpn qpn, SimTime now) override;
    void SendAnswer(QueuePair& pair, const OutgoingResponse& answer, SimTime now);
    void DiscardUnfit(QueuePair* pair, Frame* frame);
    void Discard(Frame* frame, DropReason reason);

    // With costs (rnic-setup.cc)
    PortOwner& GetFrameOwner();
    void DelayNext(QueuePair& pair, const Frame& frame, SimTime start);
    void TellDelivered(uint32_t mark, uint64_t bytes, SimTime now);

    // Timers and limits (rnic.cc)
    void OnTimer(SimTime now);
    void OnRetransmissionTimeout(QueuePair& pair, SimTime now);
    void OnQueueTimers(SimTime now);
    void ArmTimer(QueuePair& pair);
    void FailSoon(QueuePair& pair);
    void WakeAt(SimTime time);
    void ApplyLimits(QueuePair& pair);

    void AdvanceCongestion(QueuePair& pair, SimTime now)
    {
        if (pair.congestion && pair.congestion->NextTimer() <= now)
        {
            pair.congestion->OnTimer(now);
            ApplyLimits(pair);
        }
    }

    // Completions and states (rnic-verbs.cc)
    void CompleteSends(QueuePair& pair, SimTime now);
    void CompleteReceives(QueuePair& pair, bool isSolicited, SimTime now);
    void Complete(const HostCompletion& completion, SimTime now);
    void EnterError(QueuePair& pair, SimTime now);
    void EnterState(QueuePair& pair, QueuePairState from, SimTime now);
    void Connect(QueuePair& pair, SimTime now);
    void Tell(AsyncEventType type, const QueuePair& pair, SimTime now);
    void Forget(QueuePair& pair);
    Transmitter& GetTransmitter(uint32_t destination);
    std::unique_ptr<QueuePair> NewQueuePair(Qpn qpn, const QueuePairInit& init);

    std::unique_ptr<Transmitter> m_wire;
    std::unique_ptr<ForeignPort> m_foreign;
    std::vector<std::unique_ptr<QueuePair>> m_pairs;
    std::unique_ptr<FrameMaker> m_maker;
    DeadlineHeap<QueuePair> m_timers;
    Event m_timer;
    EventQueue* m_events{nullptr};
    FrameLedger* m_ledger{nullptr};
    DeviceObserver* m_observer{nullptr};
    Ptr<CongestionControl> m_congestion;
    bool m_isEcnCapable{false};
    SimTime m_cnpInterval{};
    uint64_t m_windowBytes{SendLimits::NO_WINDOW};
    BitRate m_rate{};
    uint32_t m_address{0};
    std::string m_name;
    RnicCounters m_counters;

    VerbsObjects m_objects;
    DeadlineHeap<CompletionQueue> m_queueTimers; ///< ends of moderation periods
    RcPolicy m_policy{};
    std::unique_ptr<Transmitter> m_loopback;
    std::unique_ptr<HostPath> m_host;       ///< null: nothing costs anything
    std::unique_ptr<ReceivePath> m_receive; ///< null: the host is as fast as the link
    std::unique_ptr<NotificationSender> m_notifications;

    TracedCallback<std::string, uint16_t, uint8_t, uint16_t, SimTime> m_pfcTrace;
    TransportTrace m_transportTrace;
};

} // namespace ns3::rdma
