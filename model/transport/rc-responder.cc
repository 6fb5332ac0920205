// SPDX-License-Identifier: GPL-2.0-only
#include "transport/rc-responder.h"

#include "wire/aeth.h"
#include "wire/opcode.h"

namespace ns3::rdma
{
namespace
{

/** @spec IBTA Vol 1 Rel 1.7 section 9.3.5 (MSN, 24 bits) */
constexpr uint32_t MSN_MASK = (1U << 24) - 1;

} // namespace

ResponderOutcome
RcResponder::OnExpected(const ArrivedRequest& request)
{
    const OpcodeInfo& info = GetOpcodeInfo(request.opcode);
    if (!Accept(request, info)) [[unlikely]]
    {
        return {.verdict = RequestVerdict::INVALID};
    }
    m_hasSentNak = false;
    m_expected = m_expected.Plus(1);
    ResponderOutcome outcome;
    if (info.endsMessage)
    {
        // The MSN counts completed messages and stands already raised in their acknowledgement.
        m_msn = (m_msn + 1) & MSN_MASK;
        outcome.completesMessage = true;
        outcome.deliveredMessageBytes = m_messageBytes;
    }
    if (request.ackRequest)
    {
        outcome.answer = MakeAck();
    }
    return outcome;
}

ResponderOutcome
RcResponder::OnDuplicate() const
{
    // The acknowledgement names the last packet in order, not the duplicate.
    return {.verdict = RequestVerdict::DUPLICATE, .answer = MakeAck()};
}

ResponderOutcome
RcResponder::OnGap()
{
    ResponderOutcome outcome{.verdict = RequestVerdict::OUT_OF_SEQUENCE};
    if (!m_hasSentNak)
    {
        // One NAK a gap: silence until the expected packet comes (section 9.7.5.2.8).
        m_hasSentNak = true;
        outcome.answer = AckPacket{m_expected, Aeth{SYNDROME_NAK_SEQUENCE, m_msn}};
    }
    return outcome;
}

bool
RcResponder::Accept(const ArrivedRequest& request, const OpcodeInfo& info)
{
    if (!info.hasPayload || info.startsMessage == m_isInMessage)
    {
        return false;
    }
    const uint32_t expectedBytes = info.startsMessage ? request.reth.dmaLength : m_remainingBytes;
    const bool isLengthRight = info.endsMessage ? request.payloadBytes == expectedBytes
                                                : request.payloadBytes < expectedBytes;
    if (!isLengthRight)
    {
        return false;
    }
    if (info.startsMessage)
    {
        m_messageBytes = request.reth.dmaLength;
    }
    m_remainingBytes = expectedBytes - request.payloadBytes;
    m_isInMessage = !info.endsMessage;
    return true;
}

AckPacket
RcResponder::MakeAck() const
{
    return {m_expected.Plus(Psn::MASK), Aeth{SYNDROME_ACK_UNLIMITED, m_msn}};
}

} // namespace ns3::rdma
