// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "transport/responder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** A request packet of a script. */
struct ScriptPacket
{
    Opcode opcode{};
    uint64_t psn{0};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    bool isSolicited{false};
    Reth reth{};
    AtomicEth atomic{};
    uint32_t immediate{0};

    ScriptPacket AckReq() const
    {
        ScriptPacket packet = *this;
        packet.ackRequest = true;
        return packet;
    }

    ScriptPacket Solicited() const
    {
        ScriptPacket packet = *this;
        packet.isSolicited = true;
        return packet;
    }

    ScriptPacket At(uint64_t address) const
    {
        ScriptPacket packet = *this;
        packet.reth.virtualAddress = address;
        packet.atomic.virtualAddress = address;
        return packet;
    }

    ScriptPacket Key(uint32_t rkey) const
    {
        ScriptPacket packet = *this;
        packet.reth.rkey = rkey;
        packet.atomic.rkey = rkey;
        return packet;
    }

    ScriptPacket Immediate(uint32_t value) const
    {
        ScriptPacket packet = *this;
        packet.immediate = value;
        return packet;
    }
};

/**
 * A responder with its memory and receive queue, told as a script: a packet in, one line out.
 *
 * The line says all that the packet did, so that a test compares all of it:
 *
 *     executed, message of 100 B, ACK psn 7 msn 1, wr 1 SUCCESS RECV 100 B
 */
class ResponderScript
{
  public:
    static constexpr uint32_t MTU = 1024;
    static constexpr uint32_t DOMAIN = 1;
    static constexpr uint64_t REMOTE = 0x10000; ///< a region with all rights
    static constexpr uint64_t REMOTE_BYTES = 64 * MTU;
    static constexpr uint64_t BUFFER = 0x80000; ///< where receives point
    static constexpr uint64_t BUFFER_BYTES = 16 * MTU;

    explicit ResponderScript(uint64_t firstPsn = 0, RcPolicy policyOfScript = {})
        : policy{policyOfScript},
          bytes(REMOTE_BYTES),
          buffer(BUFFER_BYTES)
    {
        attributes.pathMtu = MTU;
        attributes.accessFlags = ACCESS_ALL;
        attributes.minRnrTimer = 12;
        attributes.maxDestReadAtomic = 4;
        rkey = Register({DOMAIN, REMOTE, REMOTE_BYTES, ACCESS_ALL, bytes.data(), true}).rkey;
        lkey = Register({DOMAIN, BUFFER, BUFFER_BYTES, ACCESS_LOCAL_WRITE, buffer.data()}).lkey;
        Start(firstPsn);
    }

    MemoryRegion Register(const MemoryRegionSpec& spec)
    {
        MemoryRegion region;
        EXPECT_EQ(memory.Register(spec, region), VerbsError::NONE);
        return region;
    }

    /** After policy, attributes or sharing have been changed. */
    void Start(uint64_t firstPsn)
    {
        responder.emplace(ResponderContext{
            &policy, &attributes, &memory, &receives, DOMAIN, Qpn{17}, isReceiveQueueShared});
        responder->Start(Psn{firstPsn});
    }

    /** Posts a receive into the buffer. */
    void PostReceive(uint64_t wrId, uint32_t length)
    {
        PostReceive(wrId, {{BUFFER, length, lkey}});
    }

    void PostReceive(uint64_t wrId, std::vector<ScatterGatherElement> list)
    {
        ASSERT_EQ(receives.Post({wrId, list}), VerbsError::NONE);
    }

    /** The packet arrives; what it did. */
    std::string Receive(const ScriptPacket& packet)
    {
        std::ostringstream line;
        Tell(Deliver(packet), line);
        return line.str();
    }

    /** The packet arrives, completions are taken; all answers that it draws. */
    std::vector<OutgoingResponse> Answers(const ScriptPacket& packet)
    {
        std::vector<OutgoingResponse> answers;
        if (const ResponderOutcome outcome = Deliver(packet); outcome.answer)
        {
            answers.push_back(*outcome.answer);
        }
        while (responder->HasResponse())
        {
            answers.push_back(responder->NextResponse());
        }
        Completions();
        return answers;
    }

    /** The port pulls one answer. */
    std::string Pull()
    {
        std::ostringstream line;
        const OutgoingResponse response = responder->NextResponse();
        Tell(response, line);
        line << (response.fails ? ", fails" : "");
        return line.str();
    }

    /** All completions that are there, one after the other. */
    std::string Completions()
    {
        std::ostringstream line;
        const char* separator = "";
        while (const std::optional<WorkCompletion> completion = responder->PopCompletion())
        {
            line << std::exchange(separator, ", ");
            Tell(*completion, line);
        }
        return line.str();
    }

    uint64_t Word(uint64_t address) const
    {
        return memory.LoadWord(rkey, address);
    }

    RcPolicy policy;
    QueuePairAttributes attributes;
    MemoryTable memory;
    ReceiveQueue receives{16, 4};
    bool isReceiveQueueShared{false};
    std::vector<std::byte> bytes;  ///< at REMOTE
    std::vector<std::byte> buffer; ///< at BUFFER
    uint32_t rkey{0};
    uint32_t lkey{0};
    bool hasPayload{false}; ///< packets bring bytes
    std::byte fill{0x5a};   ///< each of them
    std::optional<Responder> responder;

  private:
    ResponderOutcome Deliver(const ScriptPacket& packet)
    {
        Frame frame;
        FrameExtension extension;
        frame.opcode = packet.opcode;
        frame.psn = Psn{packet.psn};
        frame.payloadBytes = static_cast<uint16_t>(packet.payloadBytes);
        frame.ackRequest = packet.ackRequest;
        frame.isSolicited = packet.isSolicited;
        frame.isExtended = true;
        frame.extension = &extension;
        extension.reth = packet.reth;
        extension.atomic = packet.atomic;
        extension.immediate = packet.immediate;
        const std::vector<std::byte> payload(hasPayload ? packet.payloadBytes : 0, fill);
        return responder->OnRequest(frame, payload);
    }

    void Tell(const ResponderOutcome& outcome, std::ostream& out)
    {
        static constexpr const char* NAMES[]{
            "executed", "duplicate", "out of sequence", "not ready", "invalid", "ignored"};
        out << NAMES[static_cast<int>(outcome.verdict)];
        if (outcome.completesMessage)
        {
            out << ", message of " << outcome.deliveredMessageBytes << " B";
        }
        if (outcome.answer)
        {
            out << ", ";
            Tell(*outcome.answer, out);
        }
        out << (outcome.hasResponses ? ", responses wait" : "") << (outcome.fails ? ", fails" : "");
        EXPECT_EQ(outcome.hasResponses && !responder->HasResponse(), false);
        if (outcome.completes)
        {
            out << ", " << Completions();
        }
        out << (outcome.isSolicited ? ", solicited" : "");
        EXPECT_EQ(responder->PopCompletion().has_value(), false) << "not announced";
    }

    static void Tell(const OutgoingResponse& response, std::ostream& out)
    {
        const bool isAtomic = response.opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE;
        if (response.opcode == Opcode::RC_ACKNOWLEDGE)
        {
            const uint8_t type = response.aeth.syndrome & SYNDROME_TYPE_MASK;
            out << (type == SYNDROME_TYPE_ACK ? "ACK" : type == SYNDROME_TYPE_RNR ? "RNR" : "NAK");
        }
        else
        {
            out << GetOpcodeInfo(response.opcode).name;
        }
        out << " psn " << response.psn.Get();
        if (GetOpcodeInfo(response.opcode).Has(HEADER_AETH))
        {
            if (response.aeth.syndrome != SYNDROME_ACK_UNLIMITED)
            {
                out << std::hex << " syndrome 0x" << int{response.aeth.syndrome} << std::dec;
            }
            out << " msn " << response.aeth.msn;
        }
        if (isAtomic)
        {
            out << " original " << response.atomicOriginal;
        }
        if (response.opcode != Opcode::RC_ACKNOWLEDGE && !isAtomic)
        {
            out << ' ' << response.payloadBytes << " B from +" << response.address - REMOTE;
        }
    }

    static void Tell(const WorkCompletion& completion, std::ostream& out)
    {
        EXPECT_EQ(completion.qpn.value, 17U);
        out << "wr " << completion.wrId << ' ' << ToString(completion.status);
        if (completion.status == CompletionStatus::SUCCESS)
        {
            out << ' ' << ToString(completion.opcode) << ' ' << completion.byteLength << " B";
        }
        if (completion.flags != 0)
        {
            out << (completion.flags == WC_WITH_IMM ? " imm 0x" : " inv 0x") << std::hex
                << completion.immediate << std::dec;
        }
    }
};

/** A packet of a SEND, or of the middle or the end of a WRITE. */
inline ScriptPacket
Part(Opcode opcode, uint64_t psn, uint32_t payloadBytes = ResponderScript::MTU)
{
    return {.opcode = opcode, .psn = psn, .payloadBytes = payloadBytes};
}

/** The first packet of a WRITE. */
inline ScriptPacket
WriteFirst(uint32_t rkey, uint64_t psn, uint32_t messageBytes)
{
    return {.opcode = Opcode::RC_RDMA_WRITE_FIRST,
            .psn = psn,
            .payloadBytes = ResponderScript::MTU,
            .reth = {ResponderScript::REMOTE, rkey, messageBytes}};
}

inline ScriptPacket
WriteOnly(uint32_t rkey, uint64_t psn, uint32_t messageBytes)
{
    return {.opcode = Opcode::RC_RDMA_WRITE_ONLY,
            .psn = psn,
            .payloadBytes = messageBytes,
            .ackRequest = true,
            .reth = {ResponderScript::REMOTE, rkey, messageBytes}};
}

inline ScriptPacket
SendOnly(uint64_t psn, uint32_t bytes)
{
    return Part(Opcode::RC_SEND_ONLY, psn, bytes).AckReq();
}

inline ScriptPacket
ReadRequest(uint32_t rkey, uint64_t psn, uint32_t bytes)
{
    return {.opcode = Opcode::RC_RDMA_READ_REQUEST,
            .psn = psn,
            .ackRequest = true,
            .reth = {ResponderScript::REMOTE, rkey, bytes}};
}

inline ScriptPacket
FetchAdd(uint32_t rkey, uint64_t psn, uint64_t summand)
{
    return {.opcode = Opcode::RC_FETCH_ADD,
            .psn = psn,
            .ackRequest = true,
            .atomic = {ResponderScript::REMOTE, rkey, summand, 0}};
}

inline ScriptPacket
CompareSwap(uint32_t rkey, uint64_t psn, uint64_t compare, uint64_t swap)
{
    return {.opcode = Opcode::RC_COMPARE_SWAP,
            .psn = psn,
            .ackRequest = true,
            .atomic = {ResponderScript::REMOTE, rkey, swap, compare}};
}

} // namespace ns3::rdma
