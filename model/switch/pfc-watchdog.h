// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "base/units.h"
#include "link/frame-ledger.h"
#include "link/pfc.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** What a switch does about a queue that its peer pauses without end. */
enum class WatchdogAction : uint8_t
{
    OFF,  ///< nothing looks
    DROP, ///< ignores pauses; what waits, and what comes for or from the peer's class, is dropped
    FORWARD, ///< ignores pauses and sends on
    ALERT,   ///< tells of it and goes on obeying
};

/** How a watchdog looks. */
struct WatchdogConfig
{
    WatchdogAction action{WatchdogAction::OFF};
    SimTime detection{};   ///< a queue that was blocked for as long is in a storm
    SimTime restoration{}; ///< a storm is over when no pause was asked for as long
    SimTime poll{};        ///< between two looks, at multiples of it
};

/** What a look at a queue shows. */
struct WatchedQueue
{
    uint16_t port{0};
    uint8_t priority{0};
    bool isWaiting{false}; ///< a frame waits; the port has advanced
    PfcPause pause{};      ///< as the port obeys it
};

enum class WatchdogVerdict : uint8_t
{
    NOTHING,
    DETECTED,
    RESTORED,
};

/** What a switch tells when a storm begins or ends. */
struct WatchdogReport
{
    uint16_t port{0};
    uint8_t priority{0};
    WatchdogVerdict verdict{WatchdogVerdict::NOTHING};
    WatchdogAction action{WatchdogAction::OFF};
    SimTime since{}; ///< detected: the first look at the blocked queue; restored: the detection
    FrameCount dropped{}; ///< since the detection, with what waited then
};

/**
 * Decides for each (port, lossless priority) whether its peer's pauses are a storm.
 *
 * A queue is blocked while frames wait in it and one pause holds without a gap, so that nothing is
 * sent; a class that is paused and resumed, or that has nothing to send, never is. It is in a storm
 * when looks show it blocked over the detection time, and comes out of it when no pause has been
 * asked for over the restoration time. Pauses count while they are ignored, so that a storm that
 * lasts is one storm.
 *
 * @spec SONiC, PFC watchdog: detection, restoration and poll times, actions drop, forward and alert
 * @choice all switches look at the same instants, multiples of the poll interval; the restoration
 * time counts from the end of the last pause, not from its frame: at 10 Mb/s a pause can last 3 s
 *
 * A plain value: the switch drops and forwards.
 */
class PfcWatchdog
{
  public:
    void SetUp(const WatchdogConfig& config, uint16_t portCount);

    bool IsOn() const
    {
        return m_config.action != WatchdogAction::OFF;
    }

    const WatchdogConfig& GetConfig() const
    {
        return m_config;
    }

    /** The first look after a time. */
    SimTime GetNextPoll(SimTime now) const;

    /** A pause of a priority was asked for, ignored or not; a resume ends at once. */
    void OnPause(uint16_t port, uint8_t priority, SimTime until);

    /**
     * Looks at one queue.
     *
     * @return DETECTED and RESTORED once for each storm
     */
    WatchdogVerdict Look(const WatchedQueue& queue, SimTime now);

    bool IsInStorm(uint16_t port, uint8_t priority) const
    {
        return IsOn() && At(port, priority).isInStorm;
    }

    /** Whether frames for or from any port are dropped; asked for every frame. */
    bool IsDropping() const
    {
        return m_dropping != 0;
    }

    /** Whether frames of a priority that come for a port, or from it, are dropped. */
    bool Drops(uint16_t port, uint8_t priority) const
    {
        return m_dropping != 0 && At(port, priority).isInStorm;
    }

    /** A frame was dropped for a storm at a port. */
    void CountDrop(uint16_t port, const Frame& frame)
    {
        At(port, frame.priority).dropped.Add(frame);
    }

    /** What to tell of the storm that is, or that has just ended. */
    WatchdogReport MakeReport(const WatchedQueue& queue, WatchdogVerdict verdict) const;

  private:
    struct Queue
    {
        SimTime since{SimTime::Never()}; ///< first look at it blocked, or its storm's detection
        SimTime blockedSince{};          ///< of the storm: the first look
        SimTime pausedUntil{};           ///< as the peer asked
        FrameCount dropped{};
        bool isInStorm{false};
    };

    WatchdogVerdict LookAtStorm(Queue& queue, SimTime now);

    Queue& At(uint16_t port, uint8_t priority)
    {
        return m_queues[port * std::size_t{PRIORITY_COUNT} + priority];
    }

    const Queue& At(uint16_t port, uint8_t priority) const
    {
        return m_queues[port * std::size_t{PRIORITY_COUNT} + priority];
    }

    uint32_t m_dropping{0}; ///< storms whose frames are dropped
    WatchdogConfig m_config;
    std::vector<Queue> m_queues; ///< by (port, priority); empty without a watchdog
};

} // namespace ns3::rdma
