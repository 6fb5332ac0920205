// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Random packets, most of them wrong, into a responder.
 *
 * It must answer nothing after an error, acknowledge nothing that it has not executed, and decide
 * the same whether a payload's bytes are there or only its length.
 */
#include "engine/random-stream.h"
#include "tests/transport/responder-script.h"
#include "transport/rc-policies.h"

#include <array>
#include <cstdlib>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ResponderScript::MTU;

/** A packet that is nearly right: in each of its parts it is wrong with a small chance. */
ScriptPacket
DrawPacket(RandomStream& random, ResponderScript& script)
{
    static constexpr std::array<uint32_t, 8> SIZES{0, 1, 8, MTU - 1, MTU, MTU, MTU, MTU + 1};
    const auto isRare = [&] { return random.NextBelow(30) == 0; };
    ScriptPacket packet;
    // SEND First to FETCH ADD and the SENDs with Invalidate; responses and gaps among them.
    packet.opcode = static_cast<Opcode>(random.NextBelow(0x18));
    packet.psn = script.responder->GetExpectedPsn()
                     .Plus(isRare()   ? random.NextBelow(3)
                           : isRare() ? Psn::MASK - 3
                                      : 0)
                     .Get();
    packet.payloadBytes = SIZES[random.NextBelow(SIZES.size())];
    packet.ackRequest = random.NextBelow(2) == 0;
    packet.isSolicited = random.NextBelow(2) == 0;
    const uint32_t rkey = script.rkey + (isRare() ? 1 : 0);
    const uint64_t address =
        ResponderScript::REMOTE + 8 * random.NextBelow(100) + (isRare() ? 1 : 0);
    const uint32_t length = SIZES[random.NextBelow(SIZES.size())] + MTU * random.NextBelow(3);
    packet.reth = {address, rkey, random.NextBelow(2) == 0 ? packet.payloadBytes : length};
    // Where no WRITE comes: synthetic memory does not know its bytes.
    packet.atomic = {address + 32 * MTU, rkey, random.NextBelow(3), 0};
    packet.immediate = static_cast<uint32_t>(random.NextBelow(9));
    const OpcodeInfo* info = FindOpcode(static_cast<uint8_t>(packet.opcode));
    packet.payloadBytes = info && !info->hasPayload && !isRare() ? 0 : packet.payloadBytes;
    return packet;
}

void
PostSome(uint64_t draw, uint64_t wrId, ResponderScript& script)
{
    if (draw < 3 && !script.responder->IsInError() && script.receives.GetCount() < 16)
    {
        const uint64_t base = ResponderScript::BUFFER;
        script.PostReceive(wrId, {{base, 100, script.lkey}, {base + 100, 3 * MTU, script.lkey}});
    }
}

/** What an answer acknowledges must have been executed. */
void
JudgeAnswer(const OutgoingResponse& answer, const ResponderScript& script)
{
    const bool isNak = answer.opcode == Opcode::RC_ACKNOWLEDGE &&
                       (answer.aeth.syndrome & SYNDROME_TYPE_MASK) != SYNDROME_TYPE_ACK;
    const Psn expected = script.responder->GetExpectedPsn();
    const int32_t distance = Psn::Distance(answer.psn, expected);
    EXPECT_GE(distance, isNak ? 0 : 1);
    EXPECT_LE(answer.aeth.msn, script.responder->GetMsn());
}

void
RunPackets(uint64_t seed)
{
    RandomStream random{seed, "packets"};
    const RcPolicy policy = GetRcPolicies()[seed % GetRcPolicies().size()].policy;
    const uint64_t firstPsn = random.NextBelow(2) == 0 ? 0xfffff0 : 5;
    ResponderScript withBytes{firstPsn, policy};
    ResponderScript synthetic{firstPsn, policy};
    withBytes.hasPayload = true;
    bool hasFailed = false;
    for (uint64_t packets = 0; packets < 60; ++packets)
    {
        const uint64_t draw = random.NextBelow(8);
        PostSome(draw, packets, withBytes);
        PostSome(draw, packets, synthetic);
        const ScriptPacket packet = DrawPacket(random, withBytes);
        const std::string line = withBytes.Receive(packet);
        ASSERT_EQ(line, synthetic.Receive(packet)) << "seed " << seed << " packet " << packets;
        ASSERT_EQ(hasFailed, line == "ignored" && withBytes.responder->IsInError());
        hasFailed = withBytes.responder->IsInError();
        while (withBytes.responder->HasResponse() && random.NextBelow(3) > 0)
        {
            JudgeAnswer(withBytes.responder->NextResponse(), withBytes);
            synthetic.responder->NextResponse();
        }
        if (hasFailed)
        {
            withBytes.Completions();
            synthetic.Completions();
        }
    }
}

TEST(ResponderProperty, RandomPackets)
{
    const char* wanted = std::getenv("RDMASIM_FUZZ_LISTS");
    const uint64_t lists = wanted ? std::strtoull(wanted, nullptr, 10) : 2'000;
    for (uint64_t seed = 1; seed <= lists && !testing::Test::HasFatalFailure(); ++seed)
    {
        RunPackets(seed);
    }
}

} // namespace
} // namespace ns3::rdma
