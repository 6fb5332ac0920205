// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/responder-script.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ResponderScript::MTU;
using enum Opcode;

ScriptPacket
WriteOnlyImmediate(uint32_t rkey, uint64_t psn, uint32_t bytes)
{
    ScriptPacket packet = WriteOnly(rkey, psn, bytes).Immediate(0xbeef);
    packet.opcode = RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE;
    return packet;
}

// ---- SEND and immediates

TEST(ResponderReceive, SendFillsTheReceive)
{
    ResponderScript r;
    r.hasPayload = true;
    r.PostReceive(1, 4 * MTU);
    EXPECT_EQ(r.Receive(Part(RC_SEND_FIRST, 0)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_SEND_MIDDLE, 1)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_SEND_LAST, 2, 5).AckReq()),
              "executed, message of 2053 B, ACK psn 2 msn 1, wr 1 SUCCESS RECV 2053 B");
    EXPECT_EQ(std::ranges::count(r.buffer, r.fill), 2053);
}

TEST(ResponderReceive, SendIsScatteredOverThePieces)
{
    ResponderScript r;
    r.hasPayload = true;
    const uint64_t base = ResponderScript::BUFFER;
    r.PostReceive(1, {{base + 100, 10, r.lkey}, {base, 0, r.lkey}, {base + 5000, 4000, r.lkey}});
    r.Receive(Part(RC_SEND_FIRST, 0));
    r.Receive(Part(RC_SEND_LAST, 1, 1));
    std::vector<std::byte> expected(ResponderScript::BUFFER_BYTES);
    std::fill_n(expected.begin() + 100, 10, r.fill);
    std::fill_n(expected.begin() + 5000, MTU + 1 - 10, r.fill);
    EXPECT_EQ(r.buffer, expected);
}

TEST(ResponderReceive, EveryEndOfASend)
{
    ResponderScript r;
    for (uint64_t wrId = 1; wrId <= 6; ++wrId)
    {
        r.PostReceive(wrId, 2 * MTU);
    }
    EXPECT_EQ(r.Receive(Part(RC_SEND_ONLY, 0, 0)),
              "executed, message of 0 B, wr 1 SUCCESS RECV 0 B");
    EXPECT_EQ(r.Receive(Part(RC_SEND_ONLY_WITH_IMMEDIATE, 1, MTU).Immediate(0x12).AckReq()),
              "executed, message of 1024 B, ACK psn 1 msn 2, wr 2 SUCCESS RECV 1024 B imm 0x12");
    EXPECT_EQ(r.Receive(Part(RC_SEND_ONLY, 2, 1).Solicited()),
              "executed, message of 1 B, wr 3 SUCCESS RECV 1 B, solicited");
    r.Receive(Part(RC_SEND_FIRST, 3));
    EXPECT_EQ(r.Receive(Part(RC_SEND_LAST_WITH_IMMEDIATE, 4, MTU).Immediate(0x34).Solicited()),
              "executed, message of 2048 B, wr 4 SUCCESS RECV 2048 B imm 0x34, solicited");
    EXPECT_EQ(r.Receive(Part(RC_SEND_ONLY_WITH_INVALIDATE, 5, 9).Immediate(r.rkey)),
              "executed, message of 9 B, wr 5 SUCCESS RECV 9 B inv 0x" +
                  (std::ostringstream{} << std::hex << r.rkey).str());
    EXPECT_FALSE(r.memory.CanInvalidate(r.rkey, ResponderScript::DOMAIN));
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 6, 8)),
              "invalid, NAK psn 6 syndrome 0x62 msn 5, fails, wr 6 WR_FLUSH_ERR")
        << "the key is of no use any more";
}

TEST(ResponderReceive, ImmediateOfAWriteTakesAReceive)
{
    ResponderScript r;
    r.hasPayload = true;
    r.PostReceive(1, 0);
    r.PostReceive(2, 0);
    EXPECT_EQ(r.Receive(WriteOnlyImmediate(r.rkey, 0, 100).Solicited()),
              "executed, message of 100 B, ACK psn 0 msn 1, "
              "wr 1 SUCCESS RECV_RDMA_WITH_IMM 100 B imm 0xbeef, solicited");
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 1, MTU + 1)), "executed");
    EXPECT_EQ(r.receives.GetCount(), 1U) << "not before the packet with the immediate";
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, 2, 1).Immediate(1)),
              "executed, message of 1025 B, wr 2 SUCCESS RECV_RDMA_WITH_IMM 1025 B imm 0x1");
    EXPECT_EQ(std::ranges::count(r.buffer, r.fill), 0);
    EXPECT_EQ(std::ranges::count(r.bytes, r.fill), 1025);
}

// ---- No receive: RNR NAK = 0x20 | min_rnr_timer, nothing changes. IBTA section 9.7.5.2.

TEST(ResponderReceive, NotReady)
{
    ResponderScript r;
    EXPECT_EQ(r.Receive(SendOnly(0, 8)), "not ready, RNR psn 0 syndrome 0x2c msn 0");
    EXPECT_EQ(r.Receive(SendOnly(1, 8)), "out of sequence") << "behind it: silence";
    EXPECT_EQ(r.Receive(SendOnly(0, 8)), "not ready, RNR psn 0 syndrome 0x2c msn 0");
    EXPECT_FALSE(r.responder->IsInError());
    r.PostReceive(1, 8);
    EXPECT_EQ(r.Receive(SendOnly(0, 8)),
              "executed, message of 8 B, ACK psn 0 msn 1, wr 1 SUCCESS RECV 8 B");
    r.attributes.minRnrTimer = 31;
    EXPECT_EQ(r.Receive(Part(RC_SEND_FIRST, 1)), "not ready, RNR psn 1 syndrome 0x3f msn 1");
    r.attributes.minRnrTimer = 0;
    EXPECT_EQ(r.Receive(WriteOnlyImmediate(r.rkey, 1, 8)),
              "not ready, RNR psn 1 syndrome 0x20 msn 1");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)), "executed, message of 8 B, ACK psn 1 msn 2")
        << "a WRITE needs none";
}

// Linux rxe: one NAK of sequence with the PSN of the refused packet.
TEST(ResponderReceive, NotReadyAndAnsweredBehind)
{
    ResponderScript r{0, {.answersBehindRnr = true}};
    EXPECT_EQ(r.Receive(SendOnly(0, 8)), "not ready, RNR psn 0 syndrome 0x2c msn 0");
    EXPECT_EQ(r.Receive(SendOnly(1, 8)), "out of sequence, NAK psn 0 syndrome 0x60 msn 0");
    EXPECT_EQ(r.Receive(SendOnly(2, 8)), "out of sequence");
}

TEST(ResponderReceive, NotReadyAtTheImmediateOfALongWrite)
{
    ResponderScript r;
    r.hasPayload = true;
    r.Receive(WriteFirst(r.rkey, 0, MTU + 7));
    const ScriptPacket last = Part(RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, 1, 7).Immediate(3).AckReq();
    EXPECT_EQ(r.Receive(last), "not ready, RNR psn 1 syndrome 0x2c msn 0");
    EXPECT_EQ(std::ranges::count(r.bytes, r.fill), MTU);
    r.PostReceive(1, 0);
    EXPECT_EQ(r.Receive(last),
              "executed, message of 1031 B, ACK psn 1 msn 1, "
              "wr 1 SUCCESS RECV_RDMA_WITH_IMM 1031 B imm 0x3");
}

// ---- Errors of a message with a receive

TEST(ResponderReceive, SendTooLong)
{
    // Facts 6.6: the standard's pair, and Linux rxe's.
    ResponderScript r;
    r.PostReceive(1, 8);
    r.PostReceive(2, 8);
    EXPECT_EQ(r.Receive(SendOnly(0, 9)),
              "invalid, NAK psn 0 syndrome 0x61 msn 0, fails, "
              "wr 1 LOC_LEN_ERR, wr 2 WR_FLUSH_ERR");

    ResponderScript rxe{0,
                        {.tooLongSyndrome = SYNDROME_NAK_REMOTE_OPERATION,
                         .tooLongStatus = CompletionStatus::LOC_QP_OP_ERR}};
    rxe.PostReceive(1, MTU + 1);
    EXPECT_EQ(rxe.Receive(Part(RC_SEND_FIRST, 0)), "executed");
    EXPECT_EQ(rxe.Receive(Part(RC_SEND_LAST, 1, 2)),
              "invalid, NAK psn 1 syndrome 0x63 msn 0, fails, wr 1 LOC_QP_OP_ERR");

    ResponderScript exact;
    exact.PostReceive(
        1, {{ResponderScript::BUFFER, MTU, exact.lkey}, {ResponderScript::BUFFER, 1, exact.lkey}});
    exact.Receive(Part(RC_SEND_FIRST, 0));
    EXPECT_EQ(exact.Receive(Part(RC_SEND_LAST, 1, 1)),
              "executed, message of 1025 B, wr 1 SUCCESS RECV 1025 B");
}

TEST(ResponderReceive, LengthOfASendsPackets)
{
    const auto after = [](Opcode opcode, uint32_t payload)
    {
        ResponderScript r;
        r.PostReceive(1, 4 * MTU);
        r.Receive(Part(RC_SEND_FIRST, 0));
        return r.Receive(Part(opcode, 1, payload));
    };
    const std::string refused =
        "invalid, NAK psn 1 syndrome 0x61 msn 0, fails, wr 1 REM_INV_REQ_ERR";
    EXPECT_EQ(after(RC_SEND_MIDDLE, MTU - 1), refused);
    EXPECT_EQ(after(RC_SEND_MIDDLE, MTU + 1), refused);
    EXPECT_EQ(after(RC_SEND_LAST, 0), refused);
    EXPECT_EQ(after(RC_SEND_LAST, MTU + 1), refused);
    EXPECT_EQ(after(RC_SEND_LAST, MTU), "executed, message of 2048 B, wr 1 SUCCESS RECV 2048 B");
    for (const ScriptPacket& packet :
         {Part(RC_SEND_FIRST, 0, MTU - 1), Part(RC_SEND_ONLY, 0, MTU + 1)})
    {
        ResponderScript r;
        r.PostReceive(1, 4 * MTU);
        EXPECT_EQ(r.Receive(packet),
                  "invalid, NAK psn 0 syndrome 0x61 msn 0, fails, wr 1 REM_INV_REQ_ERR");
    }
}

TEST(ResponderReceive, ProtectionOfTheReceivesPieces)
{
    constexpr const char* REFUSED =
        "invalid, NAK psn 0 syndrome 0x63 msn 0, fails, wr 1 LOC_PROT_ERR";
    const uint64_t base = ResponderScript::BUFFER;
    const uint64_t end = base + ResponderScript::BUFFER_BYTES;
    ResponderScript badKey;
    badKey.PostReceive(1, {{base, 64, badKey.lkey + 1}});
    EXPECT_EQ(badKey.Receive(SendOnly(0, 1)), REFUSED);

    ResponderScript beyond;
    beyond.PostReceive(1, {{end - 8, 64, beyond.lkey}});
    EXPECT_EQ(beyond.Receive(SendOnly(0, 9)), REFUSED);

    ResponderScript readOnly;
    const uint32_t key =
        readOnly.Register({ResponderScript::DOMAIN, end, 64, ACCESS_REMOTE_READ, nullptr}).lkey;
    readOnly.PostReceive(1, {{end, 64, key}});
    EXPECT_EQ(readOnly.Receive(SendOnly(0, 1)), REFUSED);

    // What no packet reaches is not looked at.
    ResponderScript unused;
    unused.PostReceive(1, {{end - 8, 64, unused.lkey}, {base, 64, unused.lkey + 1}});
    EXPECT_EQ(unused.Receive(SendOnly(0, 8)),
              "executed, message of 8 B, ACK psn 0 msn 1, wr 1 SUCCESS RECV 8 B");
    unused.PostReceive(2, {{base, 64, unused.lkey + 1}});
    EXPECT_EQ(unused.Receive(SendOnly(1, 0)),
              "executed, message of 0 B, ACK psn 1 msn 2, wr 2 SUCCESS RECV 0 B");
}

TEST(ResponderReceive, ReceiveOfAnImmediateWhoseWriteIsRefused)
{
    ResponderScript r;
    r.PostReceive(1, 8);
    EXPECT_EQ(r.Receive(WriteOnlyImmediate(r.rkey + 1, 0, 8)),
              "invalid, NAK psn 0 syndrome 0x62 msn 0, fails, wr 1 REM_ACCESS_ERR");
}

TEST(ResponderReceive, InvalidationThatIsNotAllowed)
{
    ResponderScript r;
    r.PostReceive(1, 8);
    EXPECT_EQ(r.Receive(Part(RC_SEND_ONLY_WITH_INVALIDATE, 0, 8).Immediate(r.lkey)),
              "invalid, NAK psn 0 syndrome 0x62 msn 0, fails, wr 1 LOC_QP_OP_ERR");
}

// ---- End-to-end credits. IBTA section 9.7.7.2; codes: facts 6.4.

TEST(ResponderReceive, CreditsOfTheReceivesThatAreLeft)
{
    ResponderScript r{0, {.hasEndToEndCredits = true}};
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, 8)),
              "executed, message of 8 B, ACK psn 0 syndrome 0x0 msn 1");
    for (uint64_t wrId = 1; wrId <= 7; ++wrId)
    {
        r.PostReceive(wrId, 8);
    }
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)),
              "executed, message of 8 B, ACK psn 1 syndrome 0x5 msn 2")
        << "7 receives: code 5 grants 6, code 6 would grant 8";
    EXPECT_EQ(r.Receive(SendOnly(2, 8)),
              "executed, message of 8 B, ACK psn 2 syndrome 0x5 msn 3, wr 1 SUCCESS RECV 8 B");
    EXPECT_EQ(
        r.Receive(FetchAdd(r.rkey, 3, 1)),
        "executed, message of 8 B, RC Atomic Acknowledge psn 3 syndrome 0x5 msn 4 original 0");
    r.isReceiveQueueShared = true;
    r.Start(0);
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, 8)), "executed, message of 8 B, ACK psn 0 msn 1")
        << "a shared queue grants no number: code 31";
}

} // namespace
} // namespace ns3::rdma
