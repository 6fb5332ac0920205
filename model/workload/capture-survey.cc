// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-survey.h"

#include "wire/mpa.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** How many responses of a flow are asked whose they are. */
constexpr uint32_t MAX_VOTES = 16;

/** A response is that far, in packets, from the newest request at most. */
constexpr int32_t MAX_DISTANCE = 65536;

constexpr uint64_t FIRST_PACKET = uint64_t{1} << 40; ///< the low 24 bits are PSNs
constexpr uint32_t MAX_MANAGEMENT_QP = 1;
constexpr uint32_t MULTICAST_QP = 0xffffff;

/**
 * @name Messages of the connection manager, offsets from the MAD's beginning.
 * @spec IBTA Vol 1 Rel 1.7 sections 12.6.5 (REQ), 12.6.8 (REP), 13.4.2 (MAD)
 * @{
 */
constexpr uint8_t CM_CLASS = 7;
constexpr std::size_t MAD_CLASS = 1;
constexpr std::size_t MAD_ATTRIBUTE = 16;
constexpr std::size_t CM_LOCAL_ID = 24;
constexpr std::size_t CM_REMOTE_ID = 28;
constexpr std::size_t REQ_QP = 24 + 32;
constexpr std::size_t REP_QP = 24 + 12;
constexpr uint16_t CM_REQ = 0x10;
constexpr uint16_t CM_REP = 0x13;
constexpr std::size_t CM_BYTES = 60; ///< of which anything is needed
/** @} */

CaptureFlowKey
Reverse(const CaptureFlowKey& key, uint32_t destinationNumber)
{
    return {.source = key.destination,
            .destination = key.source,
            .destinationNumber = destinationNumber,
            .sourceNumber = key.isTcp ? key.destinationNumber : 0,
            .isTcp = key.isTcp};
}

} // namespace

CaptureFlowKey
MakeFlowKey(CapturedKind kind, const CapturedPacket& packet)
{
    const bool isTcp = kind == CapturedKind::TCP;
    return {.source = packet.source,
            .destination = packet.destination,
            .destinationNumber = isTcp ? packet.tcp.destinationPort : packet.bth.destinationQp,
            .sourceNumber = isTcp ? packet.tcp.sourcePort : 0U,
            .isTcp = isTcp};
}

CaptureSurvey::CaptureSurvey(const CaptureFile& file, PacketDissector dissector)
    : m_file{file},
      m_dissector{dissector}
{
}

CaptureOverview
CaptureSurvey::Run()
{
    CaptureRecord record;
    CapturedPacket packet;
    while (m_file.Next(record))
    {
        const CapturedKind kind = m_dissector.Dissect(record, packet);
        if (record.number == 1)
        {
            m_overview.startNs = record.timeNs;
        }
        m_overview.records = record.number;
        m_overview.cutRecords += record.IsCut() ? 1 : 0;
        ++m_overview.frames[kind];
        if (!PacketDissector::IsKnownLink(record.linkType))
        {
            m_overview.unknownLinks.insert(record.linkType);
        }
        if (kind == CapturedKind::RDMA)
        {
            OnRdma(packet, record.number);
        }
        else if (kind == CapturedKind::TCP)
        {
            OnTcp(packet, record.number);
        }
    }
    PairByVotes();
    PairTheRest();
    MakePlans();
    return std::move(m_overview);
}

void
CaptureSurvey::OnRdma(const CapturedPacket& packet, uint64_t record)
{
    const OpcodeInfo& info = packet.GetInfo();
    if (info.service == TransportService::UD)
    {
        OnDatagram(packet, record);
        return;
    }
    if (info.service != TransportService::RC && info.service != TransportService::UC)
    {
        const bool isNotification = info.service == TransportService::CNP;
        ++(isNotification ? m_overview.counters.notifications
                          : m_overview.counters.otherTransports);
        return;
    }
    const CaptureFlowKey key = MakeFlowKey(CapturedKind::RDMA, packet);
    Flow& flow = m_flows[key];
    if (flow.firstRecord == 0) // else there may be an entry since the connection was made
    {
        flow.service = info.service;
        flow.udpSourcePort = packet.udpSourcePort;
        flow.trafficClass = packet.trafficClass;
        flow.serviceLevel = packet.serviceLevel;
        flow.firstRecord = record;
    }
    flow.lastRecord = record;
    const bool isWrong = (info.isRequest || flow.votes < MAX_VOTES) && packet.HasWrongIcrc();
    if (isWrong)
    {
        return;
    }
    if (info.hasPayload && !info.endsMessage)
    {
        flow.pathMtu = std::max(flow.pathMtu, packet.payloadBytes);
    }
    if (info.isRequest)
    {
        NoteRequest(packet, flow);
    }
    else
    {
        flow.hasResponses = true;
        Vote(key, packet, flow);
    }
}

void
CaptureSurvey::NoteRequest(const CapturedPacket& packet, Flow& flow)
{
    if (!flow.hasRequests)
    {
        flow.hasRequests = true;
        flow.lowestPacket = flow.highestPacket = FIRST_PACKET | packet.bth.psn.Get();
        return;
    }
    const int64_t distance = Psn::Distance(Psn{flow.highestPacket}, packet.bth.psn);
    const uint64_t number = flow.highestPacket + static_cast<uint64_t>(distance);
    flow.lowestPacket = std::min(flow.lowestPacket, number);
    flow.highestPacket = std::max(flow.highestPacket, number);
}

void
CaptureSurvey::Vote(const CaptureFlowKey& key, const CapturedPacket& packet, Flow& flow)
{
    if (flow.peer || flow.votes >= MAX_VOTES)
    {
        return;
    }
    int32_t nearest = MAX_DISTANCE;
    std::optional<uint32_t> candidate;
    const CaptureFlowKey first = Reverse(key, 0);
    for (auto other = m_flows.lower_bound(first);
         other != m_flows.end() && other->first.source == first.source &&
         other->first.destination == first.destination;
         ++other)
    {
        const int32_t distance =
            std::abs(Psn::Distance(Psn{other->second.highestPacket}, packet.bth.psn));
        const bool fits = other->second.hasRequests && other->second.service == flow.service &&
                          (other->first != key);
        if (fits && distance < nearest)
        {
            nearest = distance;
            candidate = other->first.destinationNumber;
        }
    }
    if (candidate)
    {
        ++flow.votes;
        ++flow.votesFor[*candidate];
    }
}

void
CaptureSurvey::OnDatagram(const CapturedPacket& packet, uint64_t record)
{
    const uint32_t source = packet.extended.deth.sourceQp;
    if (packet.bth.destinationQp <= MAX_MANAGEMENT_QP || source <= MAX_MANAGEMENT_QP)
    {
        ++m_overview.counters.managementDatagrams;
        OnManagement(packet);
        return;
    }
    NoteEnd({packet.source, source}, record, packet);
    if (packet.bth.destinationQp != MULTICAST_QP)
    {
        NoteEnd({packet.destination, packet.bth.destinationQp}, record, packet);
    }
}

void
CaptureSurvey::NoteEnd(const CaptureEndpoint& end, uint64_t record, const CapturedPacket& packet)
{
    const auto [entry, isNew] = m_datagramEnds.try_emplace(end);
    ConversationPlan& plan = entry->second;
    if (isNew)
    {
        plan.transport = CaptureTransport::UD;
        plan.ends[0] = end;
        plan.firstRecord = record;
        plan.trafficClass = packet.trafficClass;
        plan.serviceLevel = packet.serviceLevel;
    }
    plan.lastRecord = record;
}

void
CaptureSurvey::OnManagement(const CapturedPacket& packet)
{
    const auto bytes = packet.payload;
    if (bytes.size() < CM_BYTES || LoadBigEndian<uint8_t>(bytes, MAD_CLASS) != CM_CLASS)
    {
        return;
    }
    const auto attribute = LoadBigEndian<uint16_t>(bytes, MAD_ATTRIBUTE);
    if (attribute == CM_REQ)
    {
        m_requests[{packet.source, LoadBigEndian<uint32_t>(bytes, CM_LOCAL_ID)}] =
            LoadBigEndian<uint32_t, 3>(bytes, REQ_QP);
    }
    const auto request =
        m_requests.find({packet.destination, LoadBigEndian<uint32_t>(bytes, CM_REMOTE_ID)});
    if (attribute == CM_REP && request != m_requests.end())
    {
        // Flows are known by the queue pair that they go to.
        const CaptureFlowKey toActive{.source = packet.source,
                                      .destination = packet.destination,
                                      .destinationNumber = request->second};
        Pair(toActive, LoadBigEndian<uint32_t, 3>(bytes, REP_QP));
        m_requests.erase(request);
    }
}

void
CaptureSurvey::Pair(const CaptureFlowKey& key, uint32_t peer)
{
    m_flows[key].peer = peer;
    m_flows[Reverse(key, peer)].peer = key.destinationNumber;
}

void
CaptureSurvey::PairByVotes()
{
    for (auto& [key, flow] : m_flows)
    {
        std::optional<uint32_t> best;
        uint32_t most = 0;
        for (const auto& [peer, votes] : flow.votesFor)
        {
            if (votes > most && !m_flows[Reverse(key, peer)].peer)
            {
                most = votes;
                best = peer;
            }
        }
        if (best && !flow.peer)
        {
            Pair(key, *best);
            ++m_overview.inferredPairs;
        }
    }
}

void
CaptureSurvey::PairTheRest()
{
    for (auto& [key, flow] : m_flows)
    {
        if (flow.peer || flow.firstRecord == 0)
        {
            continue;
        }
        std::vector<uint32_t> samePort;
        std::vector<uint32_t> all;
        const CaptureFlowKey first = Reverse(key, 0);
        for (auto other = m_flows.lower_bound(first);
             other != m_flows.end() && other->first.source == first.source &&
             other->first.destination == first.destination;
             ++other)
        {
            const Flow& back = other->second;
            if (back.peer || back.service != flow.service || other->first == key)
            {
                continue;
            }
            all.push_back(other->first.destinationNumber);
            if (back.udpSourcePort == flow.udpSourcePort)
            {
                samePort.push_back(other->first.destinationNumber);
            }
        }
        const auto& candidates = samePort.size() == 1 ? samePort : all;
        if (candidates.size() == 1)
        {
            Pair(key, candidates.front());
            ++m_overview.inferredPairs;
        }
    }
}

void
CaptureSurvey::MakePlans()
{
    std::vector<ConversationPlan>& plans = m_overview.plans;
    for (auto& [key, flow] : m_flows)
    {
        Flow* back = flow.peer ? &m_flows.at(Reverse(key, *flow.peer)) : nullptr;
        if (back != nullptr && back->peer != key.destinationNumber)
        {
            back = nullptr; // its number has gone to another connection since
        }
        const bool isSecond =
            back != nullptr && (back->firstRecord < flow.firstRecord && back->firstRecord != 0);
        if (flow.firstRecord != 0 && !isSecond)
        {
            plans.push_back(MakePlan(key, flow, back));
        }
    }
    for (const auto& [key, plan] : m_datagramEnds)
    {
        plans.push_back(plan);
    }
    for (const auto& [key, plan] : m_streams)
    {
        plans.push_back(plan);
    }
    std::ranges::stable_sort(plans, {}, &ConversationPlan::firstRecord);
}

ConversationPlan
CaptureSurvey::MakePlan(const CaptureFlowKey& key, const Flow& flow, Flow* back)
{
    ConversationPlan plan;
    plan.transport =
        flow.service == TransportService::RC ? CaptureTransport::RC : CaptureTransport::UC;
    plan.ends = {CaptureEndpoint{key.source, flow.peer.value_or(0)},
                 CaptureEndpoint{key.destination, key.destinationNumber}};
    plan.hasRequests = {flow.hasRequests, back != nullptr && back->hasRequests};
    plan.hasResponses = {flow.hasResponses, back != nullptr && back->hasResponses};
    plan.firstPsn[0] = Psn{flow.lowestPacket}.Get();
    plan.pathMtu = flow.pathMtu;
    plan.trafficClass = flow.trafficClass;
    plan.serviceLevel = flow.serviceLevel;
    plan.firstRecord = flow.firstRecord;
    plan.lastRecord = flow.lastRecord;
    if (back != nullptr)
    {
        plan.firstPsn[1] = Psn{back->lowestPacket}.Get();
        plan.pathMtu = std::max(plan.pathMtu, back->pathMtu);
        plan.lastRecord = std::max(plan.lastRecord, back->lastRecord);
    }
    m_overview.unknownEnds += flow.peer ? 0 : 1;
    return plan;
}

void
CaptureSurvey::OnTcp(const CapturedPacket& packet, uint64_t record)
{
    const CaptureFlowKey key = MakeFlowKey(CapturedKind::TCP, packet);
    auto stream = m_streams.find(key);
    if (stream == m_streams.end())
    {
        stream = m_streams.find(Reverse(key, key.sourceNumber));
    }
    if (stream != m_streams.end())
    {
        stream->second.lastRecord = record;
    }
    else if (MpaStart::IsRequest(packet.payload))
    {
        ConversationPlan plan;
        plan.transport = CaptureTransport::IWARP;
        plan.ends = {CaptureEndpoint{packet.source, packet.tcp.sourcePort},
                     CaptureEndpoint{packet.destination, packet.tcp.destinationPort}};
        plan.trafficClass = packet.trafficClass;
        plan.serviceLevel = packet.serviceLevel;
        plan.firstRecord = plan.lastRecord = record;
        m_streams[key] = plan;
    }
}

} // namespace ns3::rdma
