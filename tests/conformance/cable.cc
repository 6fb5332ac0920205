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

/** Makes a copy of an earlier request what the timer repeated. */
void
Advance(Frame& frame, const RepeatedRequest& request)
{
    frame.ackRequest = request.ackRequest;
    if (request.skippedPackets > 0)
    {
        Reth& reth = frame.isExtended ? frame.extension->reth : frame.reth;
        frame.psn = frame.psn.Plus(static_cast<uint64_t>(request.skippedPackets));
        reth.virtualAddress += request.skippedBytes;
        reth.dmaLength -= static_cast<uint32_t>(request.skippedBytes);
    }
}

} // namespace

Cable::Side::Side(Cable& cable, uint16_t host, BitRate rate)
    : port{{cable.m_setup.events, cable.m_setup.ledger, cable, host},
           {.id = FIRST_PORT_ID + host, .rate = rate},
           RandomStream{1, "cable"}},
      injector{cable.m_setup.ledger}
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

Cable::Cable(const Setup& setup)
    : m_setup{setup},
      m_sides{Side{*this, 0, setup.rate}, Side{*this, 1, setup.rate}}
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
        m_sides[host].requests[connection].push_back(m_setup.ledger.Clone(*frame));
    }
    Accept(host, frame);
    if (isRequest)
    {
        RepeatAfter(host, connection);
    }
    if (!m_sides[host].forward.IsPending())
    {
        m_setup.events.Schedule(m_sides[host].forward, now + m_setup.delay);
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
        for (std::size_t n = 0; isHere && n < repeat.requests.size(); ++n)
        {
            const RepeatedRequest& request = repeat.requests[n];
            Frame* again = m_setup.ledger.Clone(*requests[request.source]);
            Advance(*again, request);
            requests.push_back(m_setup.ledger.Clone(*again));
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
    Side& source = m_sides[from];
    const bool isTogether = m_setup.spacing == SimTime{};
    do
    {
        ForwardOne(from, now);
    } while (isTogether && !source.sent.empty());
    if (!source.sent.empty())
    {
        m_setup.events.Schedule(source.forward, now + m_setup.spacing);
    }
}

void
Cable::ForwardOne(uint32_t from, SimTime now)
{
    Side& target = m_sides[1 - from];
    target.injector.Put(m_sides[from].sent.front());
    m_sides[from].sent.pop_front();
    while (Frame* passed = target.injector.Take())
    {
        Note(1 - from, from, *passed);
        m_setup.listener->OnForwarded(1 - from, FindConnection(1 - from, *passed));
        target.port.Advance(now);
        target.port.Enqueue(passed, now);
    }
}

} // namespace ns3::rdma
