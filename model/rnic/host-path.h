// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "host/nic-pipeline.h"
#include "link/ethernet-port.h"
#include "link/port-owner.h"
#include "rnic/timed-queue.h"
#include "verbs/completion-queue.h"
#include "verbs/send-request.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace ns3::rdma
{

/** A completion on its way from the NIC to the application. */
struct HostCompletion
{
    Qpn qpn{};
    CompletionQueue* queue{nullptr};
    WorkCompletion completion{};
    bool isSolicited{false};
};

/** The device whose host path it is. */
class HostPathUser
{
  public:
    virtual ~HostPathUser() = default;

    /** Payload of a full packet of a queue pair; 0 if there is none of the number. */
    virtual uint16_t GetPathMtu(Qpn qpn) const = 0;

    /** The oldest held request of a queue pair may be sent. */
    virtual void OnRequestReady(Qpn qpn, SimTime now) = 0;

    /** The application has a completion. */
    virtual void OnCompletionVisible(const HostCompletion& completion, SimTime now) = 0;

    /** The application has seen a message in memory. */
    virtual void OnMessageVisible(uint32_t mark, uint64_t bytes, SimTime now) = 0;
};

/**
 * The way between an application and the transport of an interface that costs time.
 *
 * It stands at both ends of the device: requests that are posted wait in it until the NIC has them
 * and their payload, frames that arrive until the NIC has taken them up, completions and news of
 * memory until an application that polls would see them. An ideal interface has none.
 *
 * Of a queue pair requests, and frames, keep their order, even where a later one needs less time.
 */
class HostPath : public PortOwner
{
  public:
    /** What a host path works with; all of it outlives the path. */
    struct Setup
    {
        EventQueue* events{nullptr};
        uint64_t id{0};             ///< of its device
        PortOwner* device{nullptr}; ///< receives frames and pauses
        HostPathUser* user{nullptr};
    };

    HostPath(const NicProfile& profile, const Setup& setup);

    /** Requests were posted by one call, and are held. */
    void OnPost(Qpn qpn, std::span<const SendRequest> requests, SimTime now);

    /**
     * A packet has gone to the wire.
     *
     * @return when the queue pair's next packet may go
     */
    SimTime OnPacketSent(Qpn qpn, uint64_t payloadBytes, SimTime start)
    {
        return m_pipeline.OnPacketSent(qpn, payloadBytes, start);
    }

    /** The transport has completed a request. */
    void OnCompletion(const HostCompletion& completion, SimTime now);

    /** The frame that is being handled was the last of a message. */
    void OnMessage(uint32_t mark, uint64_t bytes);

    /** A queue pair goes away, or begins anew. */
    void Forget(Qpn qpn);

    /** Frames that wait to be handled. */
    HeldFrames CountHeld() const;

    void OnFrame(uint16_t port, Frame* frame, SimTime now) override;
    void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now) override;
    void OnLinkChanged(uint16_t port, SimTime now) override;

  private:
    /** The NIC has a request. */
    struct Arrival
    {
        Qpn qpn{};
        uint64_t fetchedBytes{0};
    };

    /** The first packet of a request may go. */
    struct Ready
    {
        Qpn qpn{};
    };

    struct Handled
    {
        uint16_t port{0};
        Frame* frame{nullptr};
    };

    struct Message
    {
        uint32_t mark{0};
        uint64_t bytes{0};
    };

    using Step = std::variant<Arrival, Ready, Handled, HostCompletion, Message>;

    /** Until when the last of a queue pair's requests and frames were delayed. */
    struct Order
    {
        SimTime ready{};
        SimTime handled{};
    };

    void OnStep(SimTime now);
    void Do(const Arrival& arrival, SimTime now);
    void Do(const Ready& ready, SimTime now);
    void Do(const Handled& handled, SimTime now);
    void Do(const HostCompletion& completion, SimTime now);
    void Do(const Message& message, SimTime now);
    void Push(SimTime time, const Step& step);
    SimTime GetHandledTime(const Frame& frame, SimTime now);
    Order& OrderOf(Qpn qpn);
    uint64_t GetFirstFetch(Qpn qpn, const SendRequest& request) const;

    NicPipeline m_pipeline;
    Setup m_setup;
    TimedQueue<Step> m_steps;
    Event m_step;
    std::vector<Order> m_orders; ///< by queue pair number
    SimTime m_memoryVisible{};   ///< when the data of the frame that is being handled are seen
};

} // namespace ns3::rdma
