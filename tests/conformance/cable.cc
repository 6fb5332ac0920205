// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/cable.h"

#include "wire/framing.h"

namespace ns3::rdma
{

namespace
{

/** Ids of the cable's ports; the hosts' are small. */
constexpr uint64_t FIRST_PORT_ID = 100;

uint32_t
PadOf(const Frame& frame, const OpcodeInfo& info)
{
    const uint32_t used = ROCE_V2_OVERHEAD_BYTES + info.extendedHeaderBytes + frame.payloadBytes;
    return frame.frameBytes > MIN_FRAME_BYTES ? frame.frameBytes - used : 0;
}

Packet
ToPacket(const Frame& frame)
{
    const OpcodeInfo& info = GetOpcodeInfo(frame.opcode);
    Packet packet;
    packet.time = frame.time.ToSeconds();
    packet.destinationQp = frame.destinationQp;
    packet.opcode = frame.opcode;
    packet.psn = frame.psn;
    packet.ackRequest = frame.ackRequest;
    packet.isSolicited = frame.isSolicited;
    packet.isDamaged = frame.isDamaged;
    packet.padBytes = PadOf(frame, info);
    packet.payloadBytes = frame.payloadBytes;
    if (info.Has(HEADER_RETH))
    {
        packet.reth = frame.GetReth();
    }
    if (info.Has(HEADER_AETH))
    {
        packet.aeth = frame.GetAeth();
    }
    if (info.Has(HEADER_IMMEDIATE) || info.Has(HEADER_IETH))
    {
        packet.immediate = frame.GetImmediate();
    }
    if (info.Has(HEADER_ATOMIC_ETH))
    {
        packet.atomic = frame.extension->atomic;
    }
    if (info.Has(HEADER_ATOMIC_ACK_ETH))
    {
        packet.atomicOriginal = frame.extension->atomicOriginal;
    }
    return packet;
}

} // namespace

Cable::Side::Side(Cable& cable, uint16_t host, BitRate rate)
    : port{{cable.m_events, cable.m_ledger, cable, host},
           {.id = FIRST_PORT_ID + host, .rate = rate},
           RandomStream{1, "cable"}},
      injector{cable.m_ledger}
{
    const auto order = EventOrder::Of(EventPhase::TIMER, FIRST_PORT_ID + host);
    if (host == 0)
    {
        forward.Bind<&Cable::ForwardFromClient>(&cable, order);
    }
    else
    {
        forward.Bind<&Cable::ForwardFromServer>(&cable, order);
    }
}

Cable::Cable(EventQueue& events, FrameLedger& ledger, BitRate rate)
    : m_events{events},
      m_ledger{ledger},
      m_sides{Side{*this, 0, rate}, Side{*this, 1, rate}}
{
}

Cable::~Cable() = default;

void
Cable::AddQueuePair(uint32_t host, uint32_t qpn, uint32_t connection)
{
    m_connections.emplace(std::pair{host, qpn}, connection);
    for (Side& side : m_sides)
    {
        side.view.resize(std::max<std::size_t>(side.view.size(), connection + 1));
        side.requests.resize(side.view.size());
    }
}

uint32_t
Cable::FindConnection(uint32_t to, const Frame& frame) const
{
    return m_connections.at({to, frame.destinationQp});
}

void
Cable::Note(uint32_t viewer, uint32_t sender, const Frame& frame)
{
    Packet packet = ToPacket(frame);
    packet.sender = sender;
    packet.number = static_cast<uint32_t>(++m_frames);
    m_sides[viewer].view[FindConnection(1 - sender, frame)].Add(packet);
}

void
Cable::OnFrame(uint16_t host, Frame* frame, SimTime now)
{
    const uint32_t connection = FindConnection(1 - host, *frame);
    const bool isRequest = GetOpcodeInfo(frame->opcode).isRequest;
    if (isRequest && !m_repeats.empty())
    {
        m_sides[host].requests[connection].push_back(m_ledger.Clone(*frame));
    }
    Accept(host, frame);
    if (isRequest)
    {
        RepeatAfter(host, connection);
    }
    if (!m_sides[host].forward.IsPending())
    {
        m_events.Schedule(m_sides[host].forward, now + DELAY);
    }
}

void
Cable::Accept(uint32_t host, Frame* frame)
{
    Note(host, host, *frame);
    m_sides[host].sent.push_back(frame);
}

void
Cable::RepeatAfter(uint32_t host, uint32_t connection)
{
    std::vector<Frame*>& requests = m_sides[host].requests[connection];
    for (const TimerRepeat& repeat : m_repeats)
    {
        const bool isHere =
            repeat.stream == StreamName{connection, host, true} && repeat.index == requests.size();
        for (std::size_t n = 0; isHere && n < repeat.count; ++n)
        {
            Frame* again = m_ledger.Clone(*requests[repeat.source + n]);
            requests.push_back(m_ledger.Clone(*again));
            Accept(host, again);
        }
    }
}

void
Cable::ForwardFromClient(SimTime now)
{
    Forward(0, now);
}

void
Cable::ForwardFromServer(SimTime now)
{
    Forward(1, now);
}

void
Cable::Forward(uint32_t from, SimTime now)
{
    Side& target = m_sides[1 - from];
    std::vector<Frame*> frames;
    frames.swap(m_sides[from].sent);
    for (Frame* frame : frames)
    {
        target.injector.Put(frame);
        while (Frame* passed = target.injector.Take())
        {
            Note(1 - from, from, *passed);
            target.port.Advance(now);
            target.port.Enqueue(passed, now);
        }
    }
}

} // namespace ns3::rdma
