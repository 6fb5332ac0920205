// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"
#include "scenario/late-rows.h"

#include "ns3/callback.h"

namespace ns3::rdma
{
namespace
{

/** A queue holds something else from a time on. */
struct QueueChange
{
    SimTime time{};
    uint64_t place{0}; ///< direction x PRIORITY_COUNT + priority
    uint64_t bytes{0};
};

/**
 * Writes what waits at egress ports of switches.
 *
 * Sampled: the queues that are not empty, and the first sample at which they are again. With
 * interval 0: the bytes of a queue whenever they have changed, once for each instant.
 *
 * @choice a frame that finds its port idle goes straight to the wire and never waits
 */
class QueuesInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::QueuesInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<QueuesInstrument>();
        return tid;
    }

  private:
    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "queues.csv",
                .header = "time_ns,node,port,priority,queue_bytes",
                .filters = FILTER_NODES | FILTER_PORTS | FILTER_PRIORITIES,
                .interval = IntervalUse::OPTIONAL,
                .rowBytes = 34};
    }

    /** At most: one priority of each port waits at each sample; each hop of a packet changes one.
     */
    double DoEstimateRows(const RunEstimate& run) const override
    {
        return run.samples != 0 ? run.samples * run.switchPorts : 2 * run.packetHops;
    }

    void DoStart() override
    {
        const std::size_t directions = Context().fabric.GetLinks().size();
        if (GetInterval().ps != 0)
        {
            m_told.resize(directions);
            return;
        }
        m_written.resize(directions * PRIORITY_COUNT);
        for (const Ptr<RdmaSwitch>& device : Context().fabric.GetSwitches())
        {
            Watch(*device);
        }
    }

    void Watch(RdmaSwitch& device)
    {
        using Sink = Callback<void, uint16_t, const Frame&, uint64_t, SimTime>;
        device.WatchQueues();
        device.TraceConnectWithoutContext(
            "Queue",
            Sink{[this, &device](uint16_t port, const Frame& frame, uint64_t bytes, SimTime when) {
                Note(device, {port, frame.priority}, bytes + frame.frameBytes, when);
            }});
        device.TraceConnectWithoutContext(
            "Start",
            Sink{[this, &device](uint16_t port, const Frame& frame, uint64_t bytes, SimTime when) {
                Note(device, {port, frame.priority}, bytes, when);
            }});
        using FlushSink = Callback<void, uint16_t, const Departure&, SimTime>;
        device.TraceConnectWithoutContext(
            "Flush",
            FlushSink{
                [this, &device](uint16_t port, const Departure& flushed, SimTime when)
                {
                    const EgressQueues& queues = device.GetPort(port).GetQueues();
                    Note(device, {port, flushed.priority}, queues.Bytes(flushed.priority), when);
                }});
    }

    /** A queue of a switch. */
    struct Queue
    {
        uint16_t port{0};
        uint8_t priority{0};
    };

    void Note(const RdmaSwitch& device, Queue queue, uint64_t bytes, SimTime when)
    {
        const uint64_t direction = device.GetPort(queue.port).GetConfig().id;
        if (HasPlace(direction) && HasTime(when) && Filter().HasPriority(queue.priority))
        {
            m_changes.Add({when, direction * PRIORITY_COUNT + queue.priority, bytes});
            SettleIfMany(m_changes.GetCount());
        }
    }

    void DoSample(SimTime now) override
    {
        for (const uint32_t direction : GetSwitchPlaces())
        {
            EthernetPort& port = *Context().fabric.GetLinks()[direction].port;
            port.Advance(now);
            const EgressQueues& queues = port.GetQueues();
            const PriorityMask waiting = queues.Waiting();
            const PriorityMask told = waiting | m_told[direction];
            m_told[direction] = waiting;
            for (uint8_t priority = 0; told >> priority != 0; ++priority)
            {
                if ((told & PriorityBit(priority)) != 0 && Filter().HasPriority(priority))
                {
                    Write({now,
                           direction * uint64_t{PRIORITY_COUNT} + priority,
                           queues.Bytes(priority)});
                }
            }
        }
    }

    void DoSettle(SimTime now) override
    {
        // Of one instant the last change counts.
        std::optional<QueueChange> last;
        const auto release = [this, &last]()
        {
            if (last && m_written[last->place] != last->bytes)
            {
                m_written[last->place] = last->bytes;
                Write(*last);
            }
        };
        m_changes.TakeBefore(now,
                             [&](const QueueChange& change)
                             {
                                 if (last &&
                                     (last->time != change.time || last->place != change.place))
                                 {
                                     release();
                                 }
                                 last = change;
                             });
        release();
    }

    void Write(const QueueChange& change)
    {
        const FabricLink& link = Context().fabric.GetLinks()[change.place / PRIORITY_COUNT];
        Row(change.time)
            .Time(change.time)
            .Text(link.from)
            .Integer(link.fromPort)
            .Integer(change.place % PRIORITY_COUNT)
            .Integer(change.bytes)
            .EndRow();
    }

    std::vector<PriorityMask> m_told; ///< not empty at the last sample, by direction
    LateRows<QueueChange> m_changes;
    std::vector<uint64_t> m_written; ///< bytes of the last row, by place of a change
};

NS_OBJECT_ENSURE_REGISTERED(QueuesInstrument);

const ComponentHelp HELP{"ns3::rdma::QueuesInstrument",
                         "What waits in the egress queues of switches"};

} // namespace
} // namespace ns3::rdma
