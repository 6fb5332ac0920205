// SPDX-License-Identifier: GPL-2.0-only
/*
 * How an interface is made, and what it does with a profile of costs.
 */
#include "rnic/rnic.h"

#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

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
            .AddTraceSource("Pfc",
                            "The port has received a PFC frame: interface, port, priority, quanta, "
                            "time",
                            MakeTraceSourceAccessor(&Rnic::m_pfcTrace),
                            "ns3::rdma::Rnic::PfcTracedCallback");
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
}

void
Rnic::DoDispose()
{
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
    return profile ? Diagnostics{} : profile.Errors();
}

PortOwner&
Rnic::GetFrameOwner()
{
    return m_host ? static_cast<PortOwner&>(*m_host) : *this;
}

HeldFrames
Rnic::CountHeld() const
{
    return m_host ? m_host->CountHeld() : HeldFrames{};
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
