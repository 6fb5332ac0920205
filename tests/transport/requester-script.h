// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "transport/requester.h"

#include <array>
#include <gmock/gmock.h>
#include <iomanip>
#include <ostream>
#include <vector>

namespace ns3::rdma
{

inline void
PrintTo(const OutgoingRequest& packet, std::ostream* out)
{
    *out << GetOpcodeInfo(packet.opcode).name << " psn " << std::hex << packet.psn.Get() << std::dec
         << " payload " << packet.payloadBytes << (packet.ackRequest ? " A" : "")
         << (packet.isSolicited ? " SE" : "") << (packet.isRetransmission ? " again" : "")
         << " reth " << packet.reth.virtualAddress << ' ' << packet.reth.rkey << ' '
         << packet.reth.dmaLength << " imm " << packet.immediate << " entry " << packet.entry
         << " offset " << packet.offset;
}

inline void
PrintTo(const WorkCompletion& completion, std::ostream* out)
{
    *out << "wr " << completion.wrId << ' ' << ToString(completion.status) << ' '
         << ToString(completion.opcode) << ' ' << completion.byteLength << " B";
}

inline void
PrintTo(const RequesterOutcome& outcome, std::ostream* out)
{
    *out << "acked " << outcome.ackedBytes << (outcome.goesBack ? " back" : "")
         << (outcome.completes ? " completes" : "") << (outcome.isDuplicate ? " duplicate" : "")
         << (outcome.fails ? " fails" : "");
}

/** What a requester under test is made with. */
struct RequesterSettings
{
    RcPolicy policy{.ackEvery = RcPolicy::ACK_LAST_OF_MESSAGE};
    QueuePairAttributes attributes{.state = QueuePairState::RTS,
                                   .pathMtu = 1024,
                                   .timeout = 14,
                                   .retryCount = 7,
                                   .rnrRetry = 7,
                                   .maxReadAtomic = 16};
    QueuePairCapabilities capabilities{.maxSendRequests = 128,
                                       .maxSendElements = 4,
                                       .maxInlineBytes = 64};
    bool signalsAll{false};
};

/** A requester under test, its memory, and the time of the script. */
class RequesterTestbed
{
  public:
    static constexpr uint32_t MTU = 1024;
    static constexpr uint32_t RKEY = 0x63;
    static constexpr uint64_t REMOTE = 0x7f0000001000;
    static constexpr uint64_t LOCAL = 0x100000;
    static constexpr uint32_t DOMAIN = 5;
    static constexpr Qpn QPN{0x11};

    explicit RequesterTestbed(uint64_t initialPsn, const RequesterSettings& settings = {})
        : settings{settings},
          requester{{.policy = &this->settings.policy,
                     .attributes = &this->settings.attributes,
                     .memory = &memory,
                     .protectionDomain = DOMAIN,
                     .qpn = QPN,
                     .capabilities = settings.capabilities,
                     .signalsAll = settings.signalsAll}}
    {
        EXPECT_EQ(memory.Register({.protectionDomain = DOMAIN,
                                   .address = LOCAL,
                                   .length = uint64_t{1} << 32,
                                   .access = ACCESS_LOCAL_WRITE},
                                  region),
                  VerbsError::NONE);
        requester.Start(Psn{initialPsn});
    }

    RequesterTestbed(const RequesterTestbed&) = delete;

    /** A request with one piece of local memory that is allowed. */
    SendRequest Make(SendOpcode opcode, uint64_t wrId, uint32_t bytes)
    {
        element = {LOCAL, bytes, region.lkey};
        return {.wrId = wrId,
                .opcode = opcode,
                .sgList = {&element, 1},
                .immediate = 0x1234,
                .invalidateRkey = 0x5678,
                .remoteAddress = REMOTE,
                .rkey = RKEY,
                .compareAdd = 3,
                .swap = 4};
    }

    RequesterTestbed& Post(const SendRequest& request, bool isHeld = false)
    {
        EXPECT_TRUE(requester.Post({&request, 1}, isHeld).IsOk());
        return *this;
    }

    RequesterTestbed& Post(SendOpcode opcode, uint64_t wrId, uint32_t bytes, uint8_t flags = 2)
    {
        SendRequest request = Make(opcode, wrId, bytes);
        request.flags = flags;
        return Post(request);
    }

    RequesterTestbed& Write(uint64_t wrId, uint32_t bytes, uint8_t flags = SEND_SIGNALED)
    {
        return Post(SendOpcode::RDMA_WRITE, wrId, bytes, flags);
    }

    RequesterTestbed& Send(uint64_t wrId, uint32_t bytes, uint8_t flags = SEND_SIGNALED)
    {
        return Post(SendOpcode::SEND, wrId, bytes, flags);
    }

    RequesterTestbed& Read(uint64_t wrId, uint32_t bytes, uint8_t flags = SEND_SIGNALED)
    {
        return Post(SendOpcode::RDMA_READ, wrId, bytes, flags);
    }

    RequesterTestbed& FetchAdd(uint64_t wrId, uint8_t flags = SEND_SIGNALED)
    {
        return Post(SendOpcode::ATOMIC_FETCH_AND_ADD, wrId, ATOMIC_BYTES, flags);
    }

    RequesterTestbed& At(SimTime time)
    {
        now = time;
        return *this;
    }

    /** Everything that may be sent now, without the entries' numbers. */
    std::vector<OutgoingRequest> Drain(uint64_t windowBytes = Requester::NO_WINDOW)
    {
        std::vector<OutgoingRequest> sent;
        while (requester.CanSend(windowBytes))
        {
            sent.push_back(requester.Next(now, windowBytes));
            sent.back().entry = 0;
        }
        return sent;
    }

    /** The PSNs of everything that may be sent now. */
    std::vector<uint32_t> DrainPsns()
    {
        std::vector<uint32_t> psns;
        for (const OutgoingRequest& packet : Drain())
        {
            psns.push_back(packet.psn.Get());
        }
        return psns;
    }

    RequesterOutcome Answer(uint8_t syndrome, uint64_t psn, uint32_t msn = 0)
    {
        return requester.OnAcknowledge({syndrome, msn}, Psn{psn}, now);
    }

    RequesterOutcome Ack(uint64_t psn)
    {
        return Answer(SYNDROME_ACK_UNLIMITED, psn);
    }

    RequesterOutcome Nak(uint64_t psn)
    {
        return Answer(SYNDROME_NAK_SEQUENCE, psn);
    }

    RequesterOutcome Respond(Opcode opcode,
                             uint64_t psn,
                             uint16_t bytes,
                             std::span<const std::byte> payload = {})
    {
        Frame frame;
        frame.opcode = opcode;
        frame.psn = Psn{psn};
        frame.payloadBytes = bytes;
        frame.aeth = {SYNDROME_ACK_UNLIMITED, 0};
        return requester.OnReadResponse(frame, payload, now);
    }

    RequesterOutcome RespondAtomic(uint64_t psn, uint64_t original)
    {
        return requester.OnAtomicAcknowledge({SYNDROME_ACK_UNLIMITED, 0}, Psn{psn}, original, now);
    }

    /** Goes to the deadline and lets the timer run out. */
    RequesterOutcome TimeOut()
    {
        now = requester.GetDeadline();
        return requester.OnTimeout(now);
    }

    std::vector<WorkCompletion> Completions()
    {
        std::vector<WorkCompletion> completions;
        while (requester.HasCompletion())
        {
            const auto completion = requester.PopCompletion();
            if (!completion)
            {
                ADD_FAILURE() << "HasCompletion without one";
                break;
            }
            completions.push_back(*completion);
        }
        EXPECT_FALSE(requester.PopCompletion());
        return completions;
    }

    RequesterSettings settings;
    MemoryTable memory;
    MemoryRegion region;
    ScatterGatherElement element;
    Requester requester;
    SimTime now{};
};

/** @name Completions of a testbed. @{ */
inline WorkCompletion
Done(CompletionOpcode opcode, uint64_t wrId, uint32_t bytes)
{
    return {.wrId = wrId, .qpn = RequesterTestbed::QPN, .byteLength = bytes, .opcode = opcode};
}

inline WorkCompletion
Written(uint64_t wrId, uint32_t bytes)
{
    return Done(CompletionOpcode::RDMA_WRITE, wrId, bytes);
}

inline WorkCompletion
Failed(uint64_t wrId, CompletionStatus status)
{
    return {.wrId = wrId, .status = status, .qpn = RequesterTestbed::QPN};
}

inline WorkCompletion
Flushed(uint64_t wrId)
{
    return Failed(wrId, CompletionStatus::WR_FLUSH_ERR);
}

/** @} */

/** @name Request packets of a testbed, AckReq on the last of a message only. @{ */
inline OutgoingRequest
PacketOf(Opcode opcode, uint64_t psn, uint32_t payloadBytes, uint32_t offset = 0)
{
    const OpcodeInfo& info = GetOpcodeInfo(opcode);
    OutgoingRequest packet{.opcode = opcode,
                           .psn = Psn{psn},
                           .payloadBytes = payloadBytes,
                           .ackRequest = info.endsMessage,
                           .offset = offset};
    if (info.Has(HEADER_IMMEDIATE))
    {
        packet.immediate = 0x1234;
    }
    else if (info.Has(HEADER_IETH))
    {
        packet.immediate = 0x5678;
    }
    return packet;
}

/** One with a RETH for the whole message. */
inline OutgoingRequest
PacketOfMessage(Opcode opcode, uint64_t psn, uint32_t payloadBytes, uint32_t messageBytes)
{
    OutgoingRequest packet = PacketOf(opcode, psn, payloadBytes);
    packet.reth = {RequesterTestbed::REMOTE, RequesterTestbed::RKEY, messageBytes};
    return packet;
}

inline OutgoingRequest
WriteOnly(uint64_t psn, uint32_t bytes)
{
    return PacketOfMessage(Opcode::RC_RDMA_WRITE_ONLY, psn, bytes, bytes);
}

inline OutgoingRequest
WriteFirst(uint64_t psn, uint32_t messageBytes)
{
    return PacketOfMessage(Opcode::RC_RDMA_WRITE_FIRST, psn, RequesterTestbed::MTU, messageBytes);
}

/** @param index of the packet in its message, from 0 */
inline OutgoingRequest
WriteMiddle(uint64_t psn, uint32_t index)
{
    return PacketOf(
        Opcode::RC_RDMA_WRITE_MIDDLE, psn, RequesterTestbed::MTU, index * RequesterTestbed::MTU);
}

inline OutgoingRequest
WriteLast(uint64_t psn, uint32_t index, uint32_t bytes)
{
    return PacketOf(Opcode::RC_RDMA_WRITE_LAST, psn, bytes, index * RequesterTestbed::MTU);
}

/** A READ request from an offset of its message to the end. */
inline OutgoingRequest
ReadRequest(uint64_t psn, uint32_t messageBytes, uint32_t offset = 0)
{
    OutgoingRequest packet = PacketOf(Opcode::RC_RDMA_READ_REQUEST, psn, 0, offset);
    packet.reth = {
        RequesterTestbed::REMOTE + offset, RequesterTestbed::RKEY, messageBytes - offset};
    return packet;
}

inline OutgoingRequest
Asks(OutgoingRequest packet)
{
    packet.ackRequest = true;
    return packet;
}

inline OutgoingRequest
Repeated(OutgoingRequest packet)
{
    packet.isRetransmission = true;
    return packet;
}

/** @} */

/** @name Outcomes. @{ */
inline RequesterOutcome
Progress(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes};
}

inline RequesterOutcome
Completing(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes, .completes = true};
}

inline RequesterOutcome
Back(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes, .goesBack = true};
}

inline RequesterOutcome
Ghost()
{
    return {.isDuplicate = true};
}

inline RequesterOutcome
Failing(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes, .completes = true, .fails = true};
}

/** @} */

} // namespace ns3::rdma
