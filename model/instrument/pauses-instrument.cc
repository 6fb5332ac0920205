// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"

#include "ns3/callback.h"

#include <deque>

namespace ns3::rdma
{
namespace
{

/** What made a switch pause a port: the pause of one of its egress ports, or nothing but load. */
struct PauseCause
{
    std::optional<uint64_t> pause{}; ///< number of the pause that held back its frames
    uint64_t root{0};                ///< direction of the egress port where the chain begins
    uint32_t depth{0};               ///< pauses between that port and the paused one
};

/** A time in which a transmitter was paused. */
struct PauseInterval
{
    SimTime start{};
    SimTime until{}; ///< when it ends by itself
    SimTime end{SimTime::Never()};
    SimTime earlier{}; ///< pauses of the port before it
    uint64_t place{0}; ///< direction of the transmitter
    uint8_t priority{0};
    PauseCause cause{};
};

/**
 * Writes a row for each interval in which a transmitter was paused by its peer, and what made the
 * peer do so: together they are trees of congestion.
 *
 * An interval lasts as long as the transmitter may not start a frame: from the reception of a PAUSE
 * and the response time on, until the resume or the end of the pause time; together they are
 * paused_ns of links.csv. A resume within the response time leaves an interval of no length.
 *
 * When a switch begins to pause an ingress, its frames of that ingress and priority lie in egress
 * queues. The port that holds most bytes of them, the arriving frame included, is what holds them
 * up (@choice; of equals the first). If it is paused itself, its pause is the cause; if not, it is
 * a root: its link is the bottleneck. A device that pauses without queues (a host) is a root.
 */
class PausesInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::PausesInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<PausesInstrument>();
        return tid;
    }

  private:
    static constexpr uint64_t NONE = UINT64_MAX;

    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "pauses.csv",
                .header = "pause,start_ns,end_ns,node,port,priority,by_node,by_port,cause,"
                          "root_node,root_port,depth",
                .filters = FILTER_NODES | FILTER_PORTS | FILTER_PRIORITIES,
                .rowBytes = 70};
    }

    void DoStart() override
    {
        const std::size_t places = Context().fabric.GetLinks().size() * PRIORITY_COUNT;
        m_open.resize(places, NONE);
        m_causes.resize(places);
        for (const Ptr<RdmaSwitch>& device : Context().fabric.GetSwitches())
        {
            RdmaSwitch& pausing = *device;
            device->TraceConnectWithoutContext(
                "Pause",
                Callback<void, const PauseDecision&, SimTime>{
                    [this, &pausing](const PauseDecision& decision, SimTime now)
                    { OnDecision(pausing, decision, now); }});
            Listen(pausing,
                   [&pausing](uint16_t port) { return pausing.GetPort(port).GetConfig().id; });
        }
        for (const Ptr<Rnic>& device : Context().fabric.GetInterfaces())
        {
            Listen(*device, [id = device->GetPort().GetConfig().id](uint16_t) { return id; });
        }
    }

    /** @param place gives the direction of a port of the device */
    void Listen(Object& device, std::function<uint64_t(uint16_t port)> place)
    {
        using Sink = Callback<void, std::string, uint16_t, uint8_t, uint16_t, SimTime>;
        device.TraceConnectWithoutContext(
            "Pfc",
            Sink{[this, place = std::move(place)](
                     std::string, uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
                 { OnPfc(place(port), priority, quanta, now); }});
    }

    static std::size_t Index(uint64_t place, uint8_t priority)
    {
        return place * PRIORITY_COUNT + priority;
    }

    /** A switch begins to pause: what lies in its queues tells why. */
    void OnDecision(const RdmaSwitch& device, const PauseDecision& decision, SimTime now)
    {
        uint16_t fullest = decision.egress;
        uint64_t most = 0;
        for (uint16_t port = 0; port < device.GetPortCount(); ++port)
        {
            const uint64_t arriving = port == decision.egress ? decision.frameBytes : 0;
            const uint64_t bytes = arriving + CountBytes(device.GetPort(port), decision);
            if (bytes > most)
            {
                most = bytes;
                fullest = port;
            }
        }
        EthernetPort& egress = device.GetPort(fullest);
        const PriorityMask sending = egress.GetPauses().OpenPriorities(now);
        PauseCause cause{.root = egress.GetConfig().id};
        const uint64_t open = m_open[Index(cause.root, decision.priority)];
        if (open != NONE && (sending & PriorityBit(decision.priority)) == 0)
        {
            const PauseCause& further = m_intervals[open - m_firstNumber].cause;
            cause = {open, further.root, further.depth + 1};
        }
        m_causes[Index(device.GetPort(decision.ingress).GetConfig().id, decision.priority)] = cause;
    }

    /** Waiting bytes at an egress port that came by the paused ingress. */
    static uint64_t CountBytes(const EthernetPort& port, const PauseDecision& decision)
    {
        uint64_t bytes = 0;
        const Frame* frame = port.GetQueues().Head(decision.priority);
        for (; frame != nullptr; frame = frame->next)
        {
            bytes += frame->ingressPort == decision.ingress ? frame->frameBytes : 0;
        }
        return bytes;
    }

    /** A transmitter has received a PFC frame. */
    void OnPfc(uint64_t place, uint8_t priority, uint16_t quanta, SimTime now)
    {
        EthernetPort& port = *Context().fabric.GetLinks()[place].port;
        const PortConfig& config = port.GetConfig();
        uint64_t& open = m_open[Index(place, priority)];
        const SimTime until = now + QuantaToTime(quanta, config.rate);
        if (open != NONE)
        {
            PauseInterval& interval = m_intervals[open - m_firstNumber];
            if (quanta != 0 && now < interval.until && !WasCut(interval, now))
            {
                interval.until = until; // the same pause goes on
                return;
            }
            Close(interval, now);
            open = NONE;
        }
        if (quanta != 0 && !port.GetPauses().IsIgnored(priority))
        {
            // Directions of a cable come in pairs: that of the sender is the other one.
            const uint64_t sender = place ^ 1;
            const auto& cause = m_causes[Index(sender, priority)];
            open = m_firstNumber + m_intervals.size();
            m_intervals.push_back({.start = now + config.pfc.GetResponseTime(config.rate),
                                   .until = until,
                                   .earlier = port.GetPausedTime(priority, now),
                                   .place = place,
                                   .priority = priority,
                                   .cause = cause.value_or(PauseCause{.root = sender})});
        }
        WriteClosed();
    }

    /** How long the transmitter was paused since a pause began. */
    SimTime GetLength(const PauseInterval& interval, SimTime now) const
    {
        const EthernetPort& port = *Context().fabric.GetLinks()[interval.place].port;
        return port.GetPausedTime(interval.priority, now) - interval.earlier;
    }

    /** Whether the pause ended before now with its cable, of which nobody tells. */
    bool WasCut(const PauseInterval& interval, SimTime now) const
    {
        return interval.start < now && GetLength(interval, now) != now - interval.start;
    }

    /** Ends a pause that is over at now. */
    void Close(PauseInterval& interval, SimTime now) const
    {
        const SimTime end = std::min(now, interval.until);
        interval.start = std::min(interval.start, end);
        interval.end = std::min(end, interval.start + GetLength(interval, now));
    }

    /** Writes rows in the order of their numbers, as far as their ends are known. */
    void WriteClosed()
    {
        while (!m_intervals.empty() && !m_intervals.front().end.IsNever())
        {
            Write(m_intervals.front());
            m_intervals.pop_front();
            ++m_firstNumber;
        }
    }

    void DoFinish(SimTime end) override
    {
        for (PauseInterval& interval : m_intervals)
        {
            if (interval.end.IsNever() && (interval.until <= end || WasCut(interval, end)))
            {
                Close(interval, end);
            }
            Write(interval);
            ++m_firstNumber;
        }
        m_intervals.clear();
    }

    void Write(const PauseInterval& interval)
    {
        if (!HasPlace(interval.place) || !Filter().HasPriority(interval.priority) ||
            !HasTime(interval.start))
        {
            return;
        }
        const auto& links = Context().fabric.GetLinks();
        const FabricLink& link = links[interval.place];
        const FabricLink& root = links[interval.cause.root];
        CsvTable& row = Row(interval.start);
        row.Integer(m_firstNumber).Time(interval.start);
        interval.end.IsNever() ? row.Empty() : row.Time(interval.end);
        row.Text(link.from).Integer(link.fromPort).Integer(interval.priority);
        row.Text(link.to).Integer(link.toPort);
        interval.cause.pause ? row.Integer(*interval.cause.pause) : row.Empty();
        row.Text(root.from).Integer(root.fromPort).Integer(interval.cause.depth).EndRow();
    }

    std::vector<uint64_t> m_open;                    ///< number of the open pause, by Index
    std::vector<std::optional<PauseCause>> m_causes; ///< of the newest pause sent, by Index
    std::deque<PauseInterval> m_intervals;           ///< from m_firstNumber on
    uint64_t m_firstNumber{0};
};

NS_OBJECT_ENSURE_REGISTERED(PausesInstrument);

const ComponentHelp HELP{"ns3::rdma::PausesInstrument",
                         "Who was paused when by whom, and what it began with"};

} // namespace
} // namespace ns3::rdma
