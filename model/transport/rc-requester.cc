// SPDX-License-Identifier: GPL-2.0-only
#include "transport/rc-requester.h"

#include "wire/aeth.h"

#include <array>

namespace ns3::rdma
{
namespace
{

/** Opcode of a packet, by whether it starts and whether it ends its message. */
constexpr std::array<std::array<Opcode, 2>, 2> WRITE_OPCODE{{
    {Opcode::RC_RDMA_WRITE_MIDDLE, Opcode::RC_RDMA_WRITE_LAST},
    {Opcode::RC_RDMA_WRITE_FIRST, Opcode::RC_RDMA_WRITE_ONLY},
}};

} // namespace

RcRequester::RcRequester(const RcConfig& config, Qpn qpn, Psn initialPsn)
    : m_config{&config},
      m_nextPacket{initialPsn.Get()},
      m_oldestPacket{initialPsn.Get()},
      m_newPacket{initialPsn.Get()},
      m_postedPacket{initialPsn.Get()},
      m_qpn{qpn}
{
}

bool
RcRequester::Post(const WorkRequest& request)
{
    if (request.bytes > MAX_MESSAGE_BYTES)
    {
        return false;
    }
    if (m_posted - m_first == m_ring.size())
    {
        Grow();
    }
    const auto bytes = static_cast<uint32_t>(request.bytes);
    const uint32_t mtu = m_config->pathMtu;
    // A message without payload is one packet all the same (section 9.7.2).
    const uint32_t packetCount = bytes == 0 ? 1 : bytes / mtu + (bytes % mtu != 0 ? 1 : 0);
    At(m_posted) = {.wrId = request.wrId,
                    .remoteAddress = request.remoteAddress,
                    .firstPacket = m_postedPacket,
                    .packetCount = packetCount,
                    .bytes = bytes,
                    .rkey = request.rkey};
    ++m_posted;
    m_postedPacket += packetCount;
    return true;
}

void
RcRequester::Grow()
{
    std::vector<Message> larger(std::max<size_t>(1, 2 * m_ring.size()));
    const auto mask = static_cast<uint32_t>(larger.size() - 1);
    for (uint32_t index = m_first; index != m_posted; ++index)
    {
        larger[index & mask] = At(index);
    }
    m_ring = std::move(larger);
    m_ringMask = mask;
}

RequestPacket
RcRequester::Next(SimTime now, uint64_t windowBytes)
{
    const Message& message = At(m_sending);
    const uint32_t payloadBytes = PayloadAt(message, m_sentBytes);
    const bool isFirst = m_sentBytes == 0;
    const bool isLast = m_sentBytes + payloadBytes == message.bytes;
    RequestPacket packet{.opcode = WRITE_OPCODE[isFirst][isLast],
                         .psn = Psn{m_nextPacket},
                         .payloadBytes = payloadBytes,
                         .isRetransmission = m_nextPacket < m_newPacket};
    if (isFirst)
    {
        packet.reth = {message.remoteAddress, message.rkey, message.bytes};
    }
    m_inFlightBytes += payloadBytes;
    m_sentBytes = isLast ? 0 : m_sentBytes + payloadBytes;
    m_sending += isLast ? 1 : 0;
    ++m_nextPacket;
    m_newPacket = std::max(m_newPacket, m_nextPacket);
    packet.ackRequest = NeedsAck(isLast, windowBytes);
    if (m_deadline.IsNever() && m_config->timeoutCode != 0)
    {
        m_deadline = now + m_config->GetTimeout();
    }
    return packet;
}

bool
RcRequester::NeedsAck(bool isLast, uint64_t windowBytes)
{
    ++m_sinceAckRequest;
    // Without the third condition a QP would wait for an acknowledgement that nobody asked for.
    if (isLast || m_sinceAckRequest == m_config->ackEvery || !HasRoom(windowBytes))
    {
        m_sinceAckRequest = 0;
        return true;
    }
    return false;
}

RequesterOutcome
RcRequester::OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now)
{
    const bool isNak = aeth.syndrome == SYNDROME_NAK_SEQUENCE;
    const bool isAck = (aeth.syndrome & SYNDROME_TYPE_MASK) == SYNDROME_TYPE_ACK;
    const int64_t distance = Psn::Distance(Psn{m_oldestPacket}, psn);
    const auto outstanding = static_cast<int64_t>(m_newPacket - m_oldestPacket);
    const bool isKnown = distance >= 0 && distance < outstanding;
    if (!isKnown || !(isAck || isNak) || IsInError()) [[unlikely]]
    {
        return {.isDuplicate = true};
    }
    // An ACK acknowledges its PSN and all before it; a NAK all before its PSN (section 9.7.5).
    const uint64_t beyond = m_oldestPacket + static_cast<uint64_t>(distance) + (isAck ? 1 : 0);
    const bool isProgress = beyond != m_oldestPacket;
    const uint32_t completedBefore = m_oldest;
    RequesterOutcome outcome{.ackedBytes = AcknowledgeBefore(beyond)};
    outcome.completes = m_oldest != completedBefore;
    if (isProgress)
    {
        m_retries = 0;
        const bool isOnItsWay = m_nextPacket != m_oldestPacket && m_config->timeoutCode != 0;
        m_deadline = isOnItsWay ? now + m_config->GetTimeout() : SimTime::Never();
    }
    // A NAK that finds sending already at its PSN costs nothing: there is nothing to go back over.
    if (isNak && m_nextPacket != m_oldestPacket)
    {
        Retry(outcome);
    }
    outcome.isDuplicate = !isProgress && !outcome.goesBack && !IsInError();
    return outcome;
}

uint64_t
RcRequester::AcknowledgeBefore(uint64_t packet)
{
    uint64_t ackedBytes = 0;
    while (m_oldest != m_posted && At(m_oldest).firstPacket + At(m_oldest).packetCount <= packet)
    {
        ackedBytes += At(m_oldest).bytes - m_ackedBytes;
        m_ackedBytes = 0;
        ++m_oldest;
    }
    if (m_oldest != m_posted && At(m_oldest).firstPacket < packet)
    {
        // Packets before the last of a message are full.
        const uint64_t packets = packet - At(m_oldest).firstPacket;
        const auto offset = static_cast<uint32_t>(packets * m_config->pathMtu);
        ackedBytes += offset - m_ackedBytes;
        m_ackedBytes = offset;
    }
    m_oldestPacket = packet;
    if (packet > m_nextPacket)
    {
        // Sending went back, but what was sent before has arrived: it need not be sent again.
        GoBack();
    }
    else
    {
        m_inFlightBytes -= ackedBytes;
    }
    return ackedBytes;
}

void
RcRequester::GoBack()
{
    m_nextPacket = m_oldestPacket;
    m_sending = m_oldest;
    m_sentBytes = m_ackedBytes;
    m_inFlightBytes = 0;
    m_sinceAckRequest = 0;
    m_deadline = SimTime::Never();
}

RequesterOutcome
RcRequester::OnTimeout(SimTime now)
{
    RequesterOutcome outcome;
    if (now >= m_deadline)
    {
        Retry(outcome);
    }
    return outcome;
}

void
RcRequester::Retry(RequesterOutcome& outcome)
{
    GoBack();
    if (m_retries == m_config->retryCount)
    {
        m_state = State::FAILING;
        outcome.completes = true;
        return;
    }
    ++m_retries;
    outcome.goesBack = true;
}

std::optional<WorkCompletion>
RcRequester::PopCompletion()
{
    if (m_first != m_oldest)
    {
        const Message& message = At(m_first++);
        return WorkCompletion{message.wrId, CompletionStatus::SUCCESS, m_qpn, message.bytes};
    }
    if (m_state == State::READY || m_first == m_posted)
    {
        return std::nullopt;
    }
    const CompletionStatus status = m_state == State::FAILING ? CompletionStatus::RETRY_EXC_ERR
                                                              : CompletionStatus::WR_FLUSH_ERR;
    m_state = State::FLUSHING;
    const Message& message = At(m_first++);
    m_oldest = m_first;
    return WorkCompletion{message.wrId, status, m_qpn, 0};
}

} // namespace ns3::rdma
