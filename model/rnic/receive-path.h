// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "link/ethernet-port.h"
#include "link/frame-ledger.h"
#include "link/pause-keeper.h"
#include "link/port-owner.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/** How an interface's receive buffer is used. */
struct ReceiveLimits
{
    BitRate rate{};      ///< of payload on its way to the host
    uint64_t part{0};    ///< bytes of a lossless priority that may wait, or of all lossy ones
    uint64_t xoff{0};    ///< waiting bytes of a lossless priority that pause it
    uint64_t xon{0};     ///< waiting bytes at which it resumes
    std::string warning; ///< what may drop lossless frames; empty if nothing
};

/** What the limits are made from. */
struct ReceivePlan
{
    BitRate rate{};
    uint64_t buffer{0};
    uint64_t xoff{0};     ///< 0: the priority's part of the buffer, less the headroom
    uint64_t xon{0};      ///< 0: two largest frames below xoff
    uint64_t headroom{0}; ///< what may still arrive after a pause
    uint32_t lossless{0}; ///< number of lossless priorities
    uint32_t maxFrameBytes{0};
};

/** Fills in what the plan leaves open. @error thresholds that do not fit; keys of the nic group */
Expected<ReceiveLimits> MakeReceiveLimits(const ReceivePlan& plan);

/**
 * The way from the port of an interface to its host where that is slower than the wire.
 *
 * Frames wait in order, and are handed on when their payload has passed at the host's rate;
 * headers, acknowledgements and CNPs take no time there. Each lossless priority has a part of the
 * buffer, and all lossy ones together have one; the parts are equal. A lossless priority whose
 * waiting frames reach xoff pauses its sender, by PFC or 802.3x as the port has it, until they have
 * fallen to xon. A frame that finds no room in its part is dropped.
 *
 * An interface that is as fast as its link has none.
 *
 * @choice only payload takes time: it is what crosses PCIe, and the rate is then the goodput
 */
class ReceivePath : public PortOwner
{
  public:
    /** What it works with; all of it outlives the path. */
    struct Setup
    {
        EventQueue* events{nullptr};
        FrameLedger* ledger{nullptr};
        uint64_t id{0};               ///< of its device
        PortOwner* device{nullptr};   ///< receives frames and pauses
        uint64_t* overflows{nullptr}; ///< counts what is dropped
    };

    ReceivePath(const ReceiveLimits& limits, const Setup& setup);

    /** The port whose frames it takes, and whose peer it pauses. */
    void SetPort(EthernetPort& port);

    /** Frames that wait. */
    HeldFrames CountHeld() const;

    void OnFrame(uint16_t port, Frame* frame, SimTime now) override;
    void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now) override;
    void OnLinkChanged(uint16_t port, SimTime now) override;

  private:
    /** The part of the buffer that a priority has; the last is that of lossy ones. */
    std::size_t PartOf(uint8_t priority) const
    {
        return m_port->GetConfig().pfc.IsLossless(priority) ? priority : PRIORITY_COUNT;
    }

    void HandOn(SimTime now);
    void StartNext(SimTime now);
    void OnPassed(SimTime now);
    void OnRefresh(SimTime now);

    ReceiveLimits m_limits;
    Setup m_setup;
    EthernetPort* m_port{nullptr};
    ByteTime m_byteTime;
    uint64_t m_remainder{0};
    Frame* m_head{nullptr};
    Frame** m_tail{&m_head};
    std::array<uint64_t, PRIORITY_COUNT + 1> m_bytesOf{}; ///< by part
    PauseKeeper m_pauses;
    Event m_passed;
    Event m_refresh;
};

} // namespace ns3::rdma
