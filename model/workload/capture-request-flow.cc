// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-request-flow.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

/** The low 24 bits are PSNs; there is room below for what comes before the first. */
constexpr uint64_t FIRST_PACKET = uint64_t{1} << 40;

/** Bounds of memory; more than any queue pair has outstanding. */
constexpr std::size_t MAX_HELD = 65536;
constexpr std::size_t MAX_OUTSTANDING = 65536;

constexpr uint32_t MIN_PATH_MTU = 256;
constexpr uint32_t MAX_PATH_MTU = 4096;

uint64_t
CountPackets(uint64_t bytes, uint32_t pathMtu)
{
    return std::max<uint64_t>(1, (bytes + pathMtu - 1) / pathMtu);
}

uint8_t
FindRequestOpcode(const OpcodeInfo& info)
{
    const bool isSend = info.operation == Operation::SEND;
    if (info.Has(HEADER_IMMEDIATE))
    {
        return isSend ? WR_SEND_WITH_IMM : WR_RDMA_WRITE_WITH_IMM;
    }
    return !isSend ? WR_RDMA_WRITE : info.Has(HEADER_IETH) ? WR_SEND_WITH_INV : WR_SEND;
}

} // namespace

CaptureRequestFlow::CaptureRequestFlow(const Setup& setup)
    : m_setup{setup},
      m_pathMtu{setup.pathMtu},
      m_expected{FIRST_PACKET | setup.firstPsn}
{
}

uint64_t
CaptureRequestFlow::Extend(Psn psn) const
{
    return m_expected +
           static_cast<uint64_t>(static_cast<int64_t>(Psn::Distance(Psn{m_expected}, psn)));
}

void
CaptureRequestFlow::OnRequest(const CapturedPacket& packet, int64_t timeNs)
{
    m_hasStarted = true;
    const uint64_t number = Extend(packet.bth.psn);
    const OpcodeInfo& info = packet.GetInfo();
    if (number < m_expected)
    {
        OnRepeat(number, info, timeNs);
        return;
    }
    const Request request{.info = &info,
                          .payloadBytes = packet.payloadBytes,
                          .isSolicited = packet.bth.isSolicited,
                          .headers = packet.extended,
                          .timeNs = timeNs};
    if (number > m_expected && !LearnReadSpan(number))
    {
        if (m_setup.isReliable)
        {
            const bool isNew = m_held.emplace(number, request).second;
            m_setup.counters->repeatedPackets += isNew ? 0 : 1;
            if (m_held.size() > MAX_HELD)
            {
                SkipTo(m_held.begin()->first);
                AcceptHeld(timeNs);
            }
            return;
        }
        SkipTo(number);
    }
    Accept(number, request, timeNs);
    AcceptHeld(timeNs);
}

void
CaptureRequestFlow::AcceptHeld(int64_t now)
{
    while (!m_held.empty() && m_held.begin()->first <= m_expected)
    {
        const auto held = m_held.extract(m_held.begin());
        if (held.key() == m_expected)
        {
            Accept(held.key(), held.mapped(), now);
        }
    }
}

void
CaptureRequestFlow::SkipTo(uint64_t packet)
{
    m_setup.counters->missingPackets += packet - m_expected;
    if (m_open)
    {
        m_open->missingPackets += packet - m_expected;
    }
    m_expected = packet;
}

bool
CaptureRequestFlow::LearnReadSpan(uint64_t next)
{
    if (m_pathMtu != 0 || m_outstanding.empty() || m_open)
    {
        return false;
    }
    Message& read = m_outstanding.back();
    for (uint32_t mtu = MIN_PATH_MTU; mtu <= MAX_PATH_MTU; mtu *= 2)
    {
        if (read.opcode == WR_RDMA_READ && read.last + 1 == m_expected &&
            read.first + CountPackets(read.bytes, mtu) == next)
        {
            m_pathMtu = mtu;
            read.last = next - 1;
            m_expected = next;
            return true;
        }
    }
    return false;
}

void
CaptureRequestFlow::Accept(uint64_t packet, const Request& request, int64_t now)
{
    m_expected = packet + 1;
    switch (request.info->operation)
    {
    case Operation::RDMA_READ_REQUEST:
        CloseOpen();
        AddRead(packet, request, now);
        break;
    case Operation::COMPARE_SWAP:
    case Operation::FETCH_ADD:
        CloseOpen();
        AddAtomic(packet, request, now);
        break;
    default:
        AddPart(packet, request, now);
        break;
    }
}

void
CaptureRequestFlow::AddRead(uint64_t packet, const Request& request, int64_t now)
{
    const Reth& reth = request.headers.reth;
    TraceOperation post = MakeCapturedPost(request.timeNs, WR_RDMA_READ);
    post.bytes = reth.dmaLength;
    post.remoteAddress = reth.virtualAddress;
    post.rkey = reth.rkey;
    m_setup.requester->Add(post);
    // Without a path MTU no response of several packets was seen, or none at all.
    const uint64_t packets = m_pathMtu == 0 ? 1 : CountPackets(reth.dmaLength, m_pathMtu);
    m_expected = packet + packets;
    AddMessage({.first = packet,
                .last = packet + packets - 1,
                .nextResponse = packet,
                .bytes = reth.dmaLength,
                .opcode = WR_RDMA_READ,
                .needsResponse = true},
               now);
}

void
CaptureRequestFlow::AddAtomic(uint64_t packet, const Request& request, int64_t now)
{
    constexpr uint64_t ATOMIC_BYTES = 8;
    const bool isSwap = request.info->operation == Operation::COMPARE_SWAP;
    const AtomicEth& atomic = request.headers.atomicEth;
    TraceOperation post =
        MakeCapturedPost(request.timeNs, isSwap ? WR_ATOMIC_CMP_AND_SWP : WR_ATOMIC_FETCH_AND_ADD);
    post.bytes = ATOMIC_BYTES;
    post.remoteAddress = atomic.virtualAddress;
    post.rkey = atomic.rkey;
    post.compareAdd = isSwap ? atomic.compare : atomic.swapOrAdd;
    post.swap = isSwap ? atomic.swapOrAdd : 0;
    m_setup.requester->Add(post);
    AddMessage({.first = packet,
                .last = packet,
                .nextResponse = packet,
                .bytes = ATOMIC_BYTES,
                .opcode = post.opcode,
                .needsResponse = true},
               now);
}

void
CaptureRequestFlow::AddPart(uint64_t packet, const Request& request, int64_t now)
{
    const OpcodeInfo& info = *request.info;
    if (info.startsMessage)
    {
        CloseOpen();
        const bool isWrite = info.operation == Operation::RDMA_WRITE;
        m_open = Open{.post = m_setup.requester->Reserve(MakeCapturedPost(request.timeNs, 0)),
                      .firstPacket = packet,
                      .firstBytes = request.payloadBytes,
                      .operation = info.operation,
                      .reth = isWrite ? request.headers.reth : Reth{}};
    }
    else if (m_open && m_open->operation != info.operation)
    {
        CloseOpen();
    }
    if (!m_open)
    {
        m_setup.counters->missingBeginnings += info.endsMessage ? 1 : 0;
        return;
    }
    m_open->bytes += request.payloadBytes;
    if (!info.endsMessage && m_pathMtu == 0)
    {
        m_pathMtu = request.payloadBytes;
    }
    if (info.endsMessage)
    {
        EndMessage(packet, request, now);
    }
}

void
CaptureRequestFlow::EndMessage(uint64_t packet, const Request& request, int64_t now)
{
    const Open open = *m_open;
    m_open.reset();
    const OpcodeInfo& info = *request.info;
    const bool isWrite = open.operation == Operation::RDMA_WRITE;
    m_setup.counters->incompleteMessages += open.missingPackets > 0 ? 1 : 0;
    TraceOperation& post = m_setup.requester->At(open.post);
    post.opcode = FindRequestOpcode(info);
    // What is missing lies between first and last packet, where packets are full.
    post.bytes = isWrite ? open.reth.dmaLength : open.bytes + open.missingPackets * open.firstBytes;
    post.remoteAddress = open.reth.virtualAddress;
    post.rkey = info.Has(HEADER_IETH) ? request.headers.ieth.rkey : open.reth.rkey;
    post.immediate = info.Has(HEADER_IMMEDIATE) ? request.headers.immediate.data : 0;
    post.flags |= request.isSolicited ? SEND_SOLICITED : 0;
    const Message message{
        .first = open.firstPacket, .last = packet, .bytes = post.bytes, .opcode = post.opcode};

    TraceOperation receive =
        MakeCapturedCompletion(now, isWrite ? WC_RECV_RDMA_WITH_IMM : WC_RECV, post.bytes);
    receive.immediate = post.immediate;
    receive.flags = info.Has(HEADER_IMMEDIATE) ? WC_WITH_IMM : 0;
    if (info.Has(HEADER_IETH))
    {
        receive.flags = WC_WITH_INV;
        receive.rkey = post.rkey;
    }
    m_setup.requester->Release(open.post);
    if (!isWrite || info.Has(HEADER_IMMEDIATE))
    {
        AddArrival(packet, receive);
    }
    AddMessage(message, now);
}

void
CaptureRequestFlow::CloseOpen()
{
    if (m_open)
    {
        ++m_setup.counters->missingEnds;
        m_setup.requester->Drop(m_open->post);
        m_open.reset();
    }
}

void
CaptureRequestFlow::AddMessage(const Message& message, int64_t now)
{
    ++m_setup.counters->messages;
    if (!m_setup.isReliable)
    {
        Complete(message, 0, now);
    }
    else if (!m_setup.hasResponses)
    {
        ++m_setup.counters->unacknowledged;
    }
    else
    {
        m_outstanding.push_back(message);
        if (m_outstanding.size() > MAX_OUTSTANDING)
        {
            ++m_setup.counters->unacknowledged;
            m_outstanding.pop_front();
        }
    }
}

void
CaptureRequestFlow::AddArrival(uint64_t last, const TraceOperation& completion)
{
    if (!m_setup.isReliable || !m_setup.hasResponses)
    {
        m_setup.responder->Add(completion);
        return;
    }
    m_arrivals.push_back({last, m_setup.responder->Reserve(completion), completion, false});
    if (m_arrivals.size() > MAX_OUTSTANDING)
    {
        if (!m_arrivals.front().isRefused)
        {
            m_setup.responder->Release(m_arrivals.front().place);
        }
        m_arrivals.pop_front();
    }
}

void
CaptureRequestFlow::Finish()
{
    while (!m_held.empty())
    {
        const int64_t timeNs = m_held.begin()->second.timeNs;
        SkipTo(m_held.begin()->first);
        AcceptHeld(timeNs);
    }
    CloseOpen();
    m_setup.counters->unacknowledged += m_outstanding.size();
    m_outstanding.clear();
    for (const Arrival& arrival : m_arrivals)
    {
        if (!arrival.isRefused)
        {
            m_setup.responder->Release(arrival.place);
        }
    }
    m_arrivals.clear();
}

} // namespace ns3::rdma
