// SPDX-License-Identifier: GPL-2.0-only
/*
 * How an interface is made, what it does with a profile of costs, and with another stack.
 */
#include "base/attributes.h"
#include "rnic/rnic.h"
#include "wire/foreign-frame.h"

#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The smallest that any IPv4 link has to carry. @spec RFC 791 section 3.2 (68 octets) */
constexpr uint16_t MIN_IP_MTU = 68;

/** @choice as much as keeps a port of 100 Gb/s busy for 10 us, which the stack needs to react */
constexpr uint64_t DEFAULT_IP_QUEUE = 125'000;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Rnic);

TypeId
Rnic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::Rnic")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<Rnic>()
            .AddAttribute("Profile",
                          "What NIC and host cost: ideal (nothing), generic-100g, or the path of a "
                          "file of the same kind (./mine.yaml)",
                          StringValue("ideal"),
                          MakeStringAccessor(&Rnic::m_profile),
                          MakeStringChecker())
            .AddAttribute("CnpPriority",
                          "Priority of congestion notification packets, 0 to 7 (mlx5 default: 6)",
                          UintegerValue(6),
                          MakeUintegerAccessor(&Rnic::m_cnpPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1))
            .AddAttribute("Weights",
                          "Weights of priorities 0 to 7 in what the interface sends, 1 to 1000000 "
                          "each; empty: the highest first",
                          StringValue(""),
                          MakeStringAccessor(&Rnic::m_weights),
                          MakeStringChecker())
            .AddAttribute("IpMtu",
                          "Largest IP packet of TCP and UDP, in bytes (Ethernet's 1500)",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&Rnic::m_ipMtu),
                          MakeUintegerChecker<uint16_t>(MIN_IP_MTU, MAX_FOREIGN_MTU))
            .AddAttribute("IpQueue",
                          "Frames of TCP and UDP that wait at the interface, of each priority; "
                          "more wait in the stack",
                          ByteCountValue(ByteCount{DEFAULT_IP_QUEUE}),
                          MakeByteCountAccessor(&Rnic::m_ipQueue),
                          MakeByteCountChecker(ByteCount{2 * PayloadBlock::BYTES}))
            .AddTraceSource("Pfc",
                            "The port has received a PFC frame: interface, port, priority, quanta, "
                            "time",
                            MakeTraceSourceAccessor(&Rnic::m_pfcTrace),
                            "ns3::rdma::Rnic::PfcTracedCallback")
            .AddTraceSource("Transport",
                            "What a connection does when not all goes well: retransmissions, "
                            "NAKs, timeouts, completions in error",
                            MakeTraceSourceAccessor(&Rnic::m_transportTrace),
                            "ns3::rdma::Rnic::TransportTracedCallback");
    return tid;
}

void
Rnic::SetUp(const RnicSetup& setup)
{
    m_events = setup.events;
    m_ledger = setup.ledger;
    m_name = setup.name;
    m_address = setup.address;
    m_policy = setup.policy;
    m_windowBytes = setup.windowBytes == 0 ? SendLimits::NO_WINDOW : setup.windowBytes;
    m_rate = setup.port.rate;
    m_congestion = setup.congestion;
    m_isEcnCapable = m_congestion->GetFeedback() == Feedback::ECN;
    m_cnpInterval = m_congestion->GetCnpInterval();
    m_timer.Bind<&Rnic::OnTimer>(this, EventOrder::Of(EventPhase::TIMER, setup.id));
    m_maker = std::make_unique<FrameMaker>(*m_ledger, setup.hasRealPayload);
    PortConfig port = setup.port;
    if (setup.profile != nullptr && !setup.profile->IsIdeal())
    {
        m_host = std::make_unique<HostPath>(*setup.profile,
                                            HostPath::Setup{m_events, setup.id, this, this});
        DeviceLimits limits;
        limits.maxInlineBytes = static_cast<uint32_t>(
            std::min<uint64_t>(setup.profile->nicInlineLimit.value, UINT32_MAX));
        m_objects = VerbsObjects{limits};
        // The host path is told of departures in the order of time, among all else that it does.
        port.isEager = true;
    }
    m_wire = std::make_unique<Transmitter>(*this,
                                           PortPlace{*m_events, *m_ledger, GetFrameOwner(), 0},
                                           port,
                                           RandomStream{setup.seed, m_name + "/port0/loss"});
    const auto weights = ParseClassWeights(m_weights);
    if (weights && *weights != ClassWeights{})
    {
        m_wire->Share(*weights);
    }
    m_foreign = std::make_unique<ForeignPort>(ForeignPort::Setup{.events = m_events,
                                                                 .ledger = m_ledger,
                                                                 .wire = m_wire.get(),
                                                                 .counters = &m_counters,
                                                                 .address = m_address,
                                                                 .mtu = m_ipMtu,
                                                                 .queueBytes = m_ipQueue.value});
}

void
Rnic::DoDispose()
{
    m_foreign.reset();
    m_wire.reset();
    m_loopback.reset();
    m_host.reset();
    m_pairs.clear();
    m_congestion = nullptr;
    Object::DoDispose();
}

Expected<NicProfile>
Rnic::GetProfile() const
{
    auto profile = FindNicProfile(m_profile);
    if (profile)
    {
        return profile;
    }
    Diagnostics errors = profile.Errors();
    for (Diagnostic& error : errors)
    {
        // What is wrong inside a file has its own place.
        error.key = error.file.empty() ? "profile" : error.key;
    }
    return errors;
}

Diagnostics
Rnic::CheckSettings() const
{
    const auto profile = GetProfile();
    const auto weights = ParseClassWeights(m_weights);
    Diagnostics errors = profile ? Diagnostics{} : profile.Errors();
    if (!weights)
    {
        errors.push_back(weights.Errors().front());
    }
    return errors;
}

PortOwner&
Rnic::GetFrameOwner()
{
    return m_host ? static_cast<PortOwner&>(*m_host) : *this;
}

HeldFrames
Rnic::CountHeld() const
{
    HeldFrames held = m_foreign->CountHeld();
    if (m_host)
    {
        const HeldFrames arrived = m_host->CountHeld();
        held.all.frames += arrived.all.frames;
        held.all.bytes += arrived.all.bytes;
        held.marked += arrived.marked;
    }
    return held;
}

uint16_t
Rnic::GetPathMtu(Qpn qpn) const
{
    const QueuePair* pair = Find(qpn.value);
    return pair == nullptr ? 0 : pair->attributes.pathMtu;
}

void
Rnic::OnRequestReady(Qpn qpn, SimTime now)
{
    QueuePair& pair = Get(qpn);
    pair.transmitter->GetPort().Advance(now);
    pair.requester.Release(1);
    CompleteSends(pair, now);
    pair.transmitter->Update(pair, now);
}

void
Rnic::DelayNext(QueuePair& pair, const Frame& frame, SimTime start)
{
    pair.nextSend =
        std::max(pair.nextSend, m_host->OnPacketSent(pair.qpn, frame.payloadBytes, start));
}

void
Rnic::TellDelivered(uint32_t mark, uint64_t bytes, SimTime now)
{
    if (m_host) [[unlikely]]
    {
        m_host->OnMessage(mark, bytes);
        return;
    }
    m_observer->OnDelivered(mark, bytes, now);
}

void
Rnic::OnMessageVisible(uint32_t mark, uint64_t bytes, SimTime now)
{
    m_observer->OnDelivered(mark, bytes, now);
}

} // namespace ns3::rdma
