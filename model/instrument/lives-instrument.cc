// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "instrument/message-numbers.h"
#include "instrument/packet-lives.h"
#include "scenario/instrument.h"
#include "wire/framing.h"

#include "ns3/callback.h"
#include "ns3/string.h"

#include <memory>

namespace ns3::rdma
{
namespace
{

class LivesInstrument;

/** Listens to the port of an interface, where packets begin and end. */
class InterfaceTap : public FrameTap
{
  public:
    InterfaceTap(LivesInstrument& owner, const EthernetPort& port) : m_owner{owner}, m_port{port} {}

    void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) override;

  private:
    LivesInstrument& m_owner;
    const EthernetPort& m_port;
};

/**
 * Writes where chosen packets were: a row for each port that they left by, and one for the end of
 * their way. Requests, responses and acknowledgements are packets of their flow alike.
 *
 * Packets are chosen by flow, PSN, message, priority and the time at which they leave the sender.
 * Rows of a packet stand together; packets are in the order in which their ways ended, those that
 * were still on the way behind them.
 */
class LivesInstrument : public Instrument
{
  public:
    static TypeId GetTypeId();

    Diagnostics CheckSettings() const override;

    void OnSent(const EthernetPort& port, const Frame& frame, SimTime departure);
    void OnReceived(const EthernetPort& port, const Frame& frame, SimTime now);

  private:
    InstrumentTraits DoGetTraits() const override;
    double DoEstimateRows(const RunEstimate& run) const override;
    void DoStart() override;
    void DoFinish(SimTime) override;

    void Watch(RdmaSwitch& device);
    bool IsChosen(const Frame& frame);
    bool IsFollowed(const Frame& frame) const;
    void OnQueue(const EthernetPort& port, const Frame& frame, uint64_t queueBytes, SimTime now);
    void OnStart(const EthernetPort& port, const Frame& frame, SimTime start);
    void OnDrop(const Frame& frame, DropReason reason, uint64_t port);
    SimTime DepartureBefore(const LifeHop* hop, SimTime arrival) const;
    void Write(const PacketLife& life);
    void WriteHop(const PacketLife& life, std::size_t index);

    std::string m_psnText;
    std::string m_messageText;
    NumberRanges m_psns;
    NumberRanges m_messages;
    std::map<uint32_t, MessageNumbers> m_numbers; ///< by flow
    PacketLives m_lives{[this](const PacketLife& life) { Write(life); }};
    std::vector<std::unique_ptr<InterfaceTap>> m_taps;
};

void
InterfaceTap::OnFrame(FrameDirection direction, const Frame& frame, SimTime when)
{
    if (frame.kind == FrameKind::ROCE)
    {
        direction == FrameDirection::OUT ? m_owner.OnSent(m_port, frame, when)
                                         : m_owner.OnReceived(m_port, frame, when);
    }
}

TypeId
LivesInstrument::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::LivesInstrument")
            .SetParent<Instrument>()
            .SetGroupName("Rdma")
            .AddConstructor<LivesInstrument>()
            .AddAttribute("Psns",
                          "Packets, by PSN as it is on the wire: \"5 7-9\"; empty: all",
                          StringValue(""),
                          MakeStringAccessor(&LivesInstrument::m_psnText),
                          MakeStringChecker())
            .AddAttribute("Messages",
                          "Request packets of messages, by their number in the flow from 0; "
                          "empty: all packets",
                          StringValue(""),
                          MakeStringAccessor(&LivesInstrument::m_messageText),
                          MakeStringChecker());
    return tid;
}

Diagnostics
LivesInstrument::CheckSettings() const
{
    Diagnostics errors = Instrument::CheckSettings();
    const auto check = [&errors](const char* key, const std::string& text, uint64_t most)
    {
        const auto ranges = NumberRanges::Parse(text, most);
        for (Diagnostic error : ranges ? Diagnostics{} : ranges.Errors())
        {
            error.key = key;
            errors.push_back(error);
        }
    };
    check("psns", m_psnText, Psn::MASK);
    check("messages", m_messageText, UINT32_MAX);
    return errors;
}

InstrumentTraits
LivesInstrument::DoGetTraits() const
{
    return {.file = "lives.csv",
            .header = "flow,psn,opcode,attempt,hop,node,port,arrival_ns,start_ns,departure_ns,"
                      "queued_ns,paused_ns,queue_bytes,marked,drop_reason",
            .filters = FILTER_PRIORITIES | FILTER_FLOWS,
            .rowBytes = 100};
}

/** Each packet and its acknowledgement, at both ends and at each switch. */
double
LivesInstrument::DoEstimateRows(const RunEstimate& run) const
{
    const bool isSmall = !m_psnText.empty() || !m_messageText.empty();
    return isSmall ? 0 : 2 * (run.packetHops + 2 * run.packets);
}

void
LivesInstrument::DoStart()
{
    m_psns = *NumberRanges::Parse(m_psnText, Psn::MASK);
    m_messages = *NumberRanges::Parse(m_messageText, UINT32_MAX);
    for (const Ptr<Rnic>& device : Context().fabric.GetInterfaces())
    {
        m_taps.push_back(std::make_unique<InterfaceTap>(*this, device->GetPort()));
        device->GetPort().AddTap(*m_taps.back());
    }
    for (const Ptr<RdmaSwitch>& device : Context().fabric.GetSwitches())
    {
        Watch(*device);
    }
    Context().fabric.GetLedger().TraceDrops(
        FrameLedger::DropCallback{[this](const Frame& frame, DropReason reason, uint64_t port)
                                  { OnDrop(frame, reason, port); }});
}

void
LivesInstrument::Watch(RdmaSwitch& device)
{
    using Sink = Callback<void, uint16_t, const Frame&, uint64_t, SimTime>;
    device.WatchQueues();
    device.TraceConnectWithoutContext(
        "Queue",
        Sink{[this, &device](uint16_t port, const Frame& frame, uint64_t bytes, SimTime now)
             { OnQueue(device.GetPort(port), frame, bytes, now); }});
    device.TraceConnectWithoutContext(
        "Start", Sink{[this, &device](uint16_t port, const Frame& frame, uint64_t, SimTime start) {
            OnStart(device.GetPort(port), frame, start);
        }});
    device.TraceConnectWithoutContext(
        "Mark",
        Sink{[this](uint16_t, const Frame& frame, uint64_t, SimTime)
             {
                 if (LifeHop* hop = IsFollowed(frame) ? m_lives.FindHop(frame) : nullptr)
                 {
                     hop->isMarked = true;
                 }
             }});
}

/** Whether a packet that leaves its sender is to be followed. */
bool
LivesInstrument::IsChosen(const Frame& frame)
{
    if (!Filter().HasFlow(frame.flow) || !Filter().HasPriority(frame.priority))
    {
        return false;
    }
    if (!m_messages.IsAll())
    {
        const auto message =
            IsRcRequest(frame.opcode) ? m_numbers[frame.flow].OnRequest(frame) : std::nullopt;
        if (!message || !m_messages.Has(*message))
        {
            return false;
        }
    }
    return m_psns.Has(frame.psn.Get());
}

/** Whether a packet on its way may be one that was chosen; quick for those that cannot. */
bool
LivesInstrument::IsFollowed(const Frame& frame) const
{
    return frame.kind == FrameKind::ROCE && Filter().HasFlow(frame.flow) &&
           m_psns.Has(frame.psn.Get());
}

void
LivesInstrument::OnSent(const EthernetPort& port, const Frame& frame, SimTime departure)
{
    const PortConfig& config = port.GetConfig();
    const SimTime start =
        departure - ByteTime{config.rate}.Of(PREAMBLE_BYTES + uint64_t{frame.frameBytes});
    if (IsChosen(frame))
    {
        m_lives.OnBirth(frame, {.place = config.id, .start = start, .departure = departure});
    }
}

/** A frame that arrives left the port before it as long ago as the cable takes. */
SimTime
LivesInstrument::DepartureBefore(const LifeHop* hop, SimTime arrival) const
{
    const auto& links = Context().fabric.GetLinks();
    return hop == nullptr ? arrival : arrival - links[hop->place].port->GetConfig().delay;
}

void
LivesInstrument::OnQueue(const EthernetPort& port,
                         const Frame& frame,
                         uint64_t queueBytes,
                         SimTime now)
{
    if (IsFollowed(frame) && m_lives.Knows(frame))
    {
        m_lives.OnArrival(frame,
                          {.place = port.GetConfig().id,
                           .arrival = now,
                           .pausedBefore = port.GetPausedTime(frame.priority, now),
                           .queueBytes = queueBytes},
                          DepartureBefore(m_lives.FindHop(frame), now));
    }
}

void
LivesInstrument::OnStart(const EthernetPort& port, const Frame& frame, SimTime start)
{
    LifeHop* hop = IsFollowed(frame) ? m_lives.FindHop(frame) : nullptr;
    if (hop != nullptr)
    {
        hop->start = start;
        hop->paused = port.GetPausedTime(frame.priority, start) - hop->pausedBefore;
    }
}

void
LivesInstrument::OnReceived(const EthernetPort& port, const Frame& frame, SimTime now)
{
    if (IsFollowed(frame) && m_lives.Knows(frame))
    {
        m_lives.OnArrival(frame,
                          {.place = port.GetConfig().id, .arrival = now},
                          DepartureBefore(m_lives.FindHop(frame), now));
        m_lives.OnEnd(frame);
    }
}

void
LivesInstrument::OnDrop(const Frame& frame, DropReason reason, uint64_t port)
{
    const auto& links = Context().fabric.GetLinks();
    if (port >= links.size() || !IsFollowed(frame))
    {
        return;
    }
    const SimTime now = Context().fabric.GetEvents().Now();
    const LifeHop end{.place = port, .arrival = now, .dropReason = reason};
    // A first cable that is down: nobody was told that the packet left.
    const bool isUnborn = reason == DropReason::LINK_DOWN && links[port].fromSwitch == nullptr;
    if (isUnborn && m_lives.FindHop(frame) == nullptr)
    {
        if (IsChosen(frame))
        {
            m_lives.OnBirth(frame, end);
            m_lives.OnEnd(frame);
        }
    }
    else if (m_lives.Knows(frame))
    {
        m_lives.OnDrop(frame, end, DepartureBefore(m_lives.FindHop(frame), now));
    }
}

void
LivesInstrument::DoFinish(SimTime)
{
    m_lives.Finish();
}

void
LivesInstrument::Write(const PacketLife& life)
{
    const LifeHop& first = life.hops.front();
    const bool isWanted = HasTime(first.arrival ? *first.arrival : *first.start);
    for (std::size_t index = 0; isWanted && index < life.hops.size(); ++index)
    {
        WriteHop(life, index);
    }
}

void
LivesInstrument::WriteHop(const PacketLife& life, std::size_t index)
{
    const LifeHop& hop = life.hops[index];
    const FabricLink& link = Context().fabric.GetLinks()[hop.place];
    CsvTable& row = Row(hop.arrival.value_or(hop.start.value_or(SimTime{})));
    const auto time = [&row](const std::optional<SimTime>& value)
    { value ? row.Time(*value) : row.Empty(); };
    row.Integer(life.flow)
        .Integer(life.psn.Get())
        .Text(GetOpcodeInfo(life.opcode).name)
        .Integer(life.attempt)
        .Integer(life.firstHop + index)
        .Text(link.from)
        .Integer(link.fromPort);
    time(hop.arrival);
    time(hop.start);
    time(hop.departure);
    time(hop.arrival && hop.start ? std::optional{*hop.start - *hop.arrival} : std::nullopt);
    time(hop.paused);
    hop.queueBytes ? row.Integer(*hop.queueBytes) : row.Empty();
    row.Integer(hop.isMarked ? 1 : 0);
    hop.dropReason ? row.Text(ToString(*hop.dropReason)) : row.Empty();
    row.EndRow();
}

NS_OBJECT_ENSURE_REGISTERED(LivesInstrument);

const ComponentHelp HELP{"ns3::rdma::LivesInstrument",
                         "Chosen packets from port to port: waits, pauses, marks and drops"};

} // namespace
} // namespace ns3::rdma
