// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "transport/rc-requester.h"
#include "transport/rc-responder.h"
#include "wire/aeth.h"

#include <functional>
#include <gmock/gmock.h>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{
inline namespace rc
{

inline void
PrintTo(const Psn& psn, std::ostream* out)
{
    *out << std::hex << std::setw(6) << std::setfill('0') << psn.Get() << std::dec;
}

inline void
PrintTo(const RequestPacket& packet, std::ostream* out)
{
    *out << GetOpcodeInfo(packet.opcode).name << " psn ";
    PrintTo(packet.psn, out);
    *out << " payload " << packet.payloadBytes << (packet.ackRequest ? " A" : "")
         << (packet.isRetransmission ? " again" : "") << " reth " << packet.reth.virtualAddress
         << ' ' << packet.reth.rkey << ' ' << packet.reth.dmaLength;
}

inline void
PrintTo(const AckPacket& ack, std::ostream* out)
{
    *out << (ack.aeth.syndrome == SYNDROME_NAK_SEQUENCE ? "NAK " : "ACK ");
    PrintTo(ack.psn, out);
    *out << " syndrome " << int{ack.aeth.syndrome} << " msn " << ack.aeth.msn;
}

inline void
PrintTo(const WorkCompletion& completion, std::ostream* out)
{
    *out << "wr " << completion.wrId << ' ' << ToString(completion.status) << ' '
         << completion.byteLength << " B";
}

inline void
PrintTo(const RequesterOutcome& outcome, std::ostream* out)
{
    *out << "acked " << outcome.ackedBytes << (outcome.goesBack ? " back" : "")
         << (outcome.completes ? " completes" : "") << (outcome.isDuplicate ? " duplicate" : "");
}

inline AckPacket
Ack(uint64_t psn, uint32_t msn)
{
    return {Psn{psn}, Aeth{SYNDROME_ACK_UNLIMITED, msn}};
}

inline AckPacket
Nak(uint64_t psn, uint32_t msn)
{
    return {Psn{psn}, Aeth{SYNDROME_NAK_SEQUENCE, msn}};
}

inline ArrivedRequest
Arrive(const RequestPacket& packet)
{
    return {packet.opcode, packet.psn, packet.payloadBytes, packet.ackRequest, packet.reth};
}

/** A requester under test with the time of the script. */
class RequesterScript
{
  public:
    static constexpr uint32_t RKEY = 0x63;
    static constexpr uint64_t ADDRESS = 0x7f0000001000;

    RequesterScript(const RcConfig& config, uint64_t initialPsn)
        : m_config{config},
          m_requester{m_config, Qpn{0x11}, Psn{initialPsn}}
    {
    }

    RequesterScript(const RequesterScript&) = delete;

    RequesterScript& At(SimTime now)
    {
        m_now = now;
        return *this;
    }

    RequesterScript& Post(uint64_t wrId, uint64_t bytes)
    {
        EXPECT_TRUE(m_requester.Post(
            {.wrId = wrId, .bytes = bytes, .remoteAddress = ADDRESS, .rkey = RKEY}));
        return *this;
    }

    /** Everything that may be sent now. */
    std::vector<RequestPacket> Send(uint64_t windowBytes = RcRequester::NO_WINDOW)
    {
        std::vector<RequestPacket> sent;
        while (m_requester.CanSend(windowBytes))
        {
            sent.push_back(m_requester.Next(m_now, windowBytes));
        }
        return sent;
    }

    RequesterOutcome Receive(const AckPacket& ack)
    {
        return m_requester.OnAcknowledge(ack.aeth, ack.psn, m_now);
    }

    /** Goes to the deadline and lets the timer run out. */
    RequesterOutcome TimeOut()
    {
        m_now = m_requester.GetDeadline();
        return m_requester.OnTimeout(m_now);
    }

    std::vector<WorkCompletion> Completions()
    {
        std::vector<WorkCompletion> completions;
        while (const auto completion = m_requester.PopCompletion())
        {
            completions.push_back(*completion);
        }
        return completions;
    }

    SimTime Now() const
    {
        return m_now;
    }

    RcRequester& Get()
    {
        return m_requester;
    }

  private:
    RcConfig m_config;
    RcRequester m_requester;
    SimTime m_now{};
};

/** The completion of a request of a RequesterScript. */
inline WorkCompletion
Success(uint64_t wrId, uint64_t bytes)
{
    return {wrId, CompletionStatus::SUCCESS, Qpn{0x11}, static_cast<uint32_t>(bytes)};
}

inline WorkCompletion
Failure(uint64_t wrId, CompletionStatus status)
{
    return {wrId, status, Qpn{0x11}, 0};
}

/** The PSNs of packets, in order. */
inline std::vector<uint32_t>
PsnsOf(const std::vector<RequestPacket>& packets)
{
    std::vector<uint32_t> psns;
    for (const RequestPacket& packet : packets)
    {
        psns.push_back(packet.psn.Get());
    }
    return psns;
}

/** first, first + 1, .. modulo 2^24. */
inline std::vector<uint32_t>
PsnsFrom(uint64_t first, uint32_t count)
{
    std::vector<uint32_t> psns;
    for (uint32_t i = 0; i < count; ++i)
    {
        psns.push_back(Psn{first + i}.Get());
    }
    return psns;
}

} // namespace rc
} // namespace ns3::rdma
