// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/congestion-control.h"
#include "engine/event-queue.h"
#include "link/ethernet-port.h"
#include "link/port-owner.h"
#include "rnic/deadline-heap.h"
#include "rnic/queue-pair.h"
#include "rnic/send-scheduler.h"
#include "transport/rc-config.h"
#include "verbs/device.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Everything a network interface is built from. */
struct RnicSetup
{
    EventQueue* events{nullptr};
    FrameLedger* ledger{nullptr};
    uint64_t id{0};      ///< stable number; orders simultaneous timers
    uint32_t address{0}; ///< number of the interface in the fabric
    std::string name;
    uint64_t seed{0};
    PortConfig port{};
    RcConfig connection{};
    uint64_t windowBytes{0}; ///< of every connection; 0: none
    Ptr<CongestionControl> congestion;
};

/** What a network interface has counted. */
struct RnicCounters
{
    uint64_t dataFramesSent{0};
    uint64_t ackFramesSent{0};
    uint64_t cnpFramesSent{0};
    uint64_t ceArrivals{0};
    uint64_t bytesAcked{0}; ///< payload of all its queue pairs that was acknowledged
    uint64_t timerEvents{0};
    std::array<uint64_t, DROP_REASON_COUNT> drops{};
};

/**
 * An RDMA network interface of one Ethernet port: queue pairs, their scheduler, and the transport.
 *
 * Sending is a pull: when the wire is free the port asks for the next packet, so no packet is made
 * before its time and nothing is queued but acknowledgements and CNPs. Queue pairs take turns,
 * packet by packet, within a priority. Timers of all queue pairs hang on one event; timers of
 * congestion control are made up for before a queue pair is next asked, and need none.
 *
 * Acknowledgements go at the priority of their connection (@choice: as RoCE, where they travel in
 * the same traffic class), CNPs at one of their own.
 *
 * Not modelled: host costs (profile "ideal": all zero), memory, loopback, a receiver slower than
 * its link.
 */
class Rnic : public Object, public FlowDevice, private PortOwner, private FrameSource
{
  public:
    static TypeId GetTypeId();

    void SetUp(const RnicSetup& setup);

    Qpn CreateQueuePair() override;
    void Connect(Qpn qpn, const ConnectionAttributes& attributes, SimTime now) override;
    bool Post(Qpn qpn, const WorkRequest& request, SimTime now) override;
    const QueuePairCounters& GetCounters(Qpn qpn) const override;

    void SetListener(CompletionListener* listener) override
    {
        m_listener = listener;
    }

    EthernetPort& GetPort() const
    {
        return *m_port;
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    const RnicCounters& GetCounters() const
    {
        return m_counters;
    }

    /** What a queue pair may send at now, congestion control and its own limit together. */
    BitRate GetSendRate(Qpn qpn, SimTime now);

  protected:
    void DoDispose() override;

  private:
    enum class Profile : uint8_t
    {
        IDEAL,
    };

    static constexpr uint32_t FIRST_QPN = 2; ///< 0 and 1 are the management queue pairs

    void OnFrame(uint16_t port, Frame* frame, SimTime now) override;
    void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now) override;
    SimTime NextReady(SimTime from, PriorityMask open) override;
    int ReadyPriority(SimTime start, PriorityMask open) override;
    Frame* Pull(SimTime start, uint8_t priority) override;

    QueuePair* Find(uint32_t qpn) const;
    QueuePair& Get(Qpn qpn) const;
    void OnRequest(QueuePair& pair, Frame* frame, SimTime now);
    void OnAcknowledge(QueuePair& pair, const Frame& frame, SimTime now);
    void OnCnp(QueuePair& pair, SimTime now);
    void OnTimer(SimTime now);
    void OnRetransmissionTimeout(QueuePair& pair, SimTime now);
    Frame* MakeAnswer(const QueuePair& pair, Opcode opcode, uint16_t bytes, uint8_t priority);
    void SendCnp(QueuePair& pair, SimTime now);
    void Complete(QueuePair& pair, SimTime now);
    void ApplyLimits(QueuePair& pair);
    void AdvanceCongestion(QueuePair& pair, SimTime now);
    void ArmTimer(QueuePair& pair);
    void Discard(Frame* frame, DropReason reason);

    std::unique_ptr<EthernetPort> m_port;
    std::vector<std::unique_ptr<QueuePair>> m_pairs;
    SendScheduler m_scheduler;
    DeadlineHeap<QueuePair> m_timers;
    Event m_timer;
    EventQueue* m_events{nullptr};
    FrameLedger* m_ledger{nullptr};
    CompletionListener* m_listener{nullptr};
    Ptr<CongestionControl> m_congestion;
    bool m_isEcnCapable{false};
    SimTime m_cnpInterval{};
    RcConfig m_connection{};
    uint64_t m_windowBytes{SendLimits::NO_WINDOW};
    BitRate m_rate{};
    uint32_t m_address{0};
    std::string m_name;
    Profile m_profile{Profile::IDEAL};
    uint8_t m_cnpPriority{0};
    RnicCounters m_counters;

    TracedCallback<std::string, uint16_t, uint8_t, uint16_t, SimTime> m_pfcTrace;
};

} // namespace ns3::rdma
