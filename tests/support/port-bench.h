// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "link/ethernet-port.h"
#include "wire/framing.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** One thing that happened to a frame at a port. */
struct FrameNote
{
    SimTime time{};
    uint32_t mark{0}; ///< Frame::flow, by which a test knows its frames
    uint8_t priority{0};
    uint16_t bytes{0};

    bool operator==(const FrameNote&) const = default;
};

/** A change of a pause that a port has told its owner of. */
struct PauseNote
{
    SimTime time{};
    uint8_t priority{0};
    uint16_t quanta{0};

    bool operator==(const PauseNote&) const = default;
};

/** Writes down what its port tells it and consumes what arrives. */
class NotingOwner : public PortOwner
{
  public:
    explicit NotingOwner(FrameLedger& ledger) : m_ledger{ledger} {}

    void OnFrame(uint16_t, Frame* frame, SimTime now) override
    {
        arrivals.push_back({now, frame->flow, frame->priority, frame->frameBytes});
        m_ledger.Consume(frame);
    }

    void OnStart(uint16_t, Frame& frame, uint64_t queueBytes, SimTime start) override
    {
        starts.push_back({start, frame.flow, frame.priority, frame.frameBytes});
        queueBytesAtStart.push_back(queueBytes);
    }

    void OnDeparted(uint16_t, const Departure& departure, SimTime when) override
    {
        departures.push_back({when, 0, departure.priority, departure.frameBytes});
    }

    void OnFlushed(uint16_t, const Departure& flushed, SimTime now) override
    {
        this->flushed.push_back({now, 0, flushed.priority, flushed.frameBytes});
    }

    void OnPause(uint16_t, uint8_t priority, uint16_t quanta, SimTime now) override
    {
        pauses.push_back({now, priority, quanta});
    }

    std::vector<FrameNote> arrivals;
    std::vector<FrameNote> starts;
    std::vector<uint64_t> queueBytesAtStart;
    std::vector<FrameNote> departures;
    std::vector<FrameNote> flushed;
    std::vector<PauseNote> pauses;

  private:
    FrameLedger& m_ledger;
};

/** Always has a frame of each of its priorities, from a time on. */
class SaturatingSource : public FrameSource
{
  public:
    SaturatingSource(FrameLedger& ledger, PriorityMask priorities, uint16_t frameBytes)
        : m_ledger{ledger},
          m_priorities{priorities},
          m_frameBytes{frameBytes}
    {
    }

    SimTime NextReady(SimTime from, PriorityMask open) override
    {
        return (m_priorities & open) != 0 ? from : SimTime::Never();
    }

    int ReadyPriority(SimTime, PriorityMask open) override
    {
        return std::bit_width(static_cast<unsigned>(m_priorities & open)) - 1;
    }

    Frame* Pull(SimTime start, uint8_t priority) override
    {
        Frame* frame = m_ledger.Create(FrameKind::ROCE, m_frameBytes);
        frame->priority = priority;
        frame->flow = static_cast<uint32_t>(pulls.size());
        pulls.push_back({start, frame->flow, priority, m_frameBytes});
        return frame;
    }

    std::vector<FrameNote> pulls;

  private:
    FrameLedger& m_ledger;
    PriorityMask m_priorities;
    uint16_t m_frameBytes;
};

/** Two ports on one cable, alike, each with an owner that takes notes; no simulator. */
class PortBench
{
  public:
    explicit PortBench(const PortConfig& config)
        : ownerA{ledger},
          ownerB{ledger},
          a{{events, ledger, ownerA, 0}, WithId(config, 0), RandomStream{1, "a/loss"}},
          b{{events, ledger, ownerB, 0}, WithId(config, 1), RandomStream{1, "b/loss"}}
    {
        EthernetPort::Connect(a, b);
        a.SetStartFloor(0);
        b.SetStartFloor(0);
    }

    /** Runs everything before a time; the time is then now. */
    void RunTo(SimTime time)
    {
        while (!events.RunBefore(time))
        {
        }
        events.AdvanceTo(time);
    }

    /** Runs until nothing is left to happen. */
    void RunToEnd()
    {
        while (events.RunNext())
        {
        }
        a.Advance(SimTime::Seconds(1'000'000));
        b.Advance(SimTime::Seconds(1'000'000));
    }

    /** Puts a frame into port a's queue now. */
    void Enqueue(uint8_t priority, uint16_t bytes, uint32_t mark = 0)
    {
        Frame* frame = ledger.Create(FrameKind::ROCE, bytes);
        frame->priority = priority;
        frame->flow = mark;
        a.Advance(events.Now());
        a.Enqueue(frame, events.Now());
    }

    /** Port a sends what the source has, from now on. */
    void Attach(FrameSource& source)
    {
        a.SetSource(&source);
        a.OnSourceChanged(events.Now());
    }

    EventQueue events;
    FrameLedger ledger;
    NotingOwner ownerA;
    NotingOwner ownerB;
    EthernetPort a;
    EthernetPort b;

  private:
    static PortConfig WithId(PortConfig config, uint64_t id)
    {
        config.id = id;
        return config;
    }
};

} // namespace ns3::rdma
