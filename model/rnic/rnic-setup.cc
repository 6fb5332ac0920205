// SPDX-License-Identifier: GPL-2.0-only
/*
 * How an interface is made, what it does with a profile of costs, and with another stack.
 */
#include "rnic/rnic.h"

#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Rnic);

TypeId
Rnic::GetTypeId()
{
    static TypeId tid =
        AddRnicAttributes(TypeId("ns3::rdma::Rnic")
                              .SetParent<Object>()
                              .SetGroupName("Rdma")
                              .AddConstructor<Rnic>())
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
    const auto marks = MakeMarks(*this); // CheckSettings has looked at it
    m_maker = std::make_unique<FrameMaker>(
        *m_ledger,
        FrameMaker::Style{setup.hasRealPayload, isTagged, marks ? *marks : MarkOfPriority{}});
    NotificationUser& user = *this;
    m_notifications = std::make_unique<NotificationSender>(*m_events, setup.id, user);
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
    PortOwner* owner = &GetFrameOwner();
    if (setup.receive)
    {
        uint64_t& overflows = m_counters.drops[static_cast<std::size_t>(DropReason::RX_OVERFLOW)];
        m_receive = std::make_unique<ReceivePath>(
            *setup.receive, ReceivePath::Setup{m_events, m_ledger, setup.id, owner, &overflows});
        owner = m_receive.get();
    }
    m_wire = std::make_unique<Transmitter>(*this,
                                           PortPlace{*m_events, *m_ledger, *owner, 0},
                                           port,
                                           RandomStream{setup.seed, m_name + "/port0/loss"});
    if (m_receive)
    {
        m_receive->SetPort(m_wire->GetPort());
    }
    const auto shares = ParseClassWeights(weights);
    if (shares && *shares != ClassWeights{})
    {
        m_wire->Share(*shares);
    }
    m_foreign = std::make_unique<ForeignPort>(ForeignPort::Setup{.events = m_events,
                                                                 .ledger = m_ledger,
                                                                 .wire = m_wire.get(),
                                                                 .counters = &m_counters,
                                                                 .address = m_address,
                                                                 .mtu = ipMtu,
                                                                 .queueBytes = ipQueue.value});
}

void
Rnic::DoDispose()
{
    m_foreign.reset();
    m_wire.reset();
    m_loopback.reset();
    m_host.reset();
    m_receive.reset();
    m_notifications.reset();
    m_pairs.clear();
    m_congestion = nullptr;
    Object::DoDispose();
}

Expected<NicProfile>
Rnic::GetProfile() const
{
    auto found = FindNicProfile(profile);
    if (found)
    {
        return found;
    }
    Diagnostics errors = found.Errors();
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
    const auto costs = GetProfile();
    Diagnostics errors = costs ? Diagnostics{} : costs.Errors();
    const auto marks = MakeMarks(*this);
    if (!marks)
    {
        errors.insert(errors.end(), marks.Errors().begin(), marks.Errors().end());
    }
    const auto shares = ParseClassWeights(weights);
    if (!shares)
    {
        errors.push_back(shares.Errors().front());
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
    for (const HeldFrames& arrived : {m_host ? m_host->CountHeld() : HeldFrames{},
                                      m_receive ? m_receive->CountHeld() : HeldFrames{}})
    {
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
