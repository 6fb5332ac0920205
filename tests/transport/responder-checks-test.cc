// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/responder-script.h"

#include <functional>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ResponderScript::MTU;
constexpr uint64_t END = ResponderScript::REMOTE + ResponderScript::REMOTE_BYTES;
using enum Opcode;

constexpr const char* INVALID_REQUEST = "invalid, NAK psn 0 syndrome 0x61 msn 0, fails";
constexpr const char* REMOTE_ACCESS = "invalid, NAK psn 0 syndrome 0x62 msn 0, fails";

/** A first packet that may not stand: what is set up, what comes, what is answered. */
struct RefusedPacket
{
    const char* cause;
    std::function<ScriptPacket(ResponderScript&)> packet;
    const char* answer;
};

void
Judge(const RefusedPacket& row)
{
    ResponderScript r;
    const ScriptPacket packet = row.packet(r);
    EXPECT_EQ(r.Receive(packet), row.answer) << row.cause;
    EXPECT_TRUE(r.responder->IsInError()) << row.cause;
    EXPECT_EQ(r.Receive(packet), "ignored") << row.cause;
}

// IBTA section 9.7.4.1 and the status table of ibv_poll_cq(3): NAK 0x61, REM_INV_REQ_ERR.
TEST(ResponderChecks, OpcodeOutOfSequence)
{
    const std::vector<RefusedPacket> rows{
        {"Middle without First",
         [](auto&) { return Part(RC_RDMA_WRITE_MIDDLE, 0); },
         INVALID_REQUEST},
        {"Last without First", [](auto&) { return Part(RC_RDMA_WRITE_LAST, 0); }, INVALID_REQUEST},
        {"SEND Middle without First",
         [](auto&) { return Part(RC_SEND_MIDDLE, 0); },
         INVALID_REQUEST},
        {"SEND Last without First", [](auto&) { return Part(RC_SEND_LAST, 0); }, INVALID_REQUEST},
        {"a response", [](auto&) { return Part(RC_ACKNOWLEDGE, 0, 0); }, INVALID_REQUEST},
        {"another service", [](auto&) { return Part(UC_SEND_ONLY, 0, 0); }, INVALID_REQUEST},
        {"reserved opcode", [](auto&) { return Part(Opcode{0x15}, 0, 0); }, INVALID_REQUEST},
    };
    for (const RefusedPacket& row : rows)
    {
        Judge(row);
    }
}

TEST(ResponderChecks, OpcodeThatMayNotStandInsideAMessage)
{
    for (const Opcode opcode : {RC_RDMA_WRITE_FIRST,
                                RC_RDMA_WRITE_ONLY,
                                RC_SEND_FIRST,
                                RC_SEND_MIDDLE,
                                RC_SEND_LAST,
                                RC_SEND_ONLY,
                                RC_RDMA_READ_REQUEST,
                                RC_FETCH_ADD})
    {
        ResponderScript r;
        r.PostReceive(1, MTU);
        r.Receive(WriteFirst(r.rkey, 0, 3 * MTU));
        EXPECT_EQ(r.Receive(Part(opcode, 1)),
                  "invalid, NAK psn 1 syndrome 0x61 msn 0, fails, wr 1 WR_FLUSH_ERR")
            << GetOpcodeInfo(opcode).name;
    }
    ResponderScript r;
    r.PostReceive(1, 4 * MTU);
    r.PostReceive(2, MTU);
    r.Receive(Part(RC_SEND_FIRST, 0));
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 1)),
              "invalid, NAK psn 1 syndrome 0x61 msn 0, fails, wr 1 REM_INV_REQ_ERR, "
              "wr 2 WR_FLUSH_ERR")
        << "the receive under way has the error, the others are flushed";
}

// Measured on ConnectX: a right that the queue pair lacks is looked at before the R_Key (B05, B10).
TEST(ResponderChecks, AccessFlagsOfTheQueuePair)
{
    const auto without = [](uint8_t right, auto make)
    {
        return [right, make](ResponderScript& r)
        {
            r.attributes.accessFlags = ACCESS_ALL & ~right;
            return make(r.rkey + 1);
        };
    };
    const std::vector<RefusedPacket> rows{
        {"remote write",
         without(ACCESS_REMOTE_WRITE, [](uint32_t key) { return WriteOnly(key, 0, 8); }),
         INVALID_REQUEST},
        {"remote write, zero length",
         without(ACCESS_REMOTE_WRITE, [](uint32_t key) { return WriteOnly(key, 0, 0); }),
         INVALID_REQUEST},
        {"remote read",
         without(ACCESS_REMOTE_READ, [](uint32_t key) { return ReadRequest(key, 0, 8); }),
         INVALID_REQUEST},
        {"fetch and add",
         without(ACCESS_REMOTE_ATOMIC, [](uint32_t key) { return FetchAdd(key, 0, 1); }),
         INVALID_REQUEST},
        {"compare and swap",
         without(ACCESS_REMOTE_ATOMIC, [](uint32_t key) { return CompareSwap(key, 0, 0, 1); }),
         INVALID_REQUEST},
    };
    for (const RefusedPacket& row : rows)
    {
        Judge(row);
    }
}

// B06, B07: bad R_Key and bad range are one error, NAK 0x62; requester's status REM_ACCESS_ERR.
TEST(ResponderChecks, RemoteAccess)
{
    const auto region = [](uint32_t domain, uint8_t access)
    {
        return [domain, access](ResponderScript& r) {
            return r.Register({domain, END, 64, access, nullptr}).lkey;
        };
    };
    const auto readOnly = region(ResponderScript::DOMAIN, ACCESS_REMOTE_READ);
    const auto writable = region(ResponderScript::DOMAIN, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const auto foreign = region(ResponderScript::DOMAIN + 1, ACCESS_ALL);
    const std::vector<RefusedPacket> rows{
        {"bad R_Key", [](auto& r) { return WriteOnly(r.rkey + 1, 0, 8); }, REMOTE_ACCESS},
        {"bad R_Key, READ", [](auto& r) { return ReadRequest(r.rkey + 1, 0, 8); }, REMOTE_ACCESS},
        {"bad R_Key, atomic", [](auto& r) { return FetchAdd(r.rkey + 1, 0, 8); }, REMOTE_ACCESS},
        {"one byte beyond",
         [](auto& r) { return WriteOnly(r.rkey, 0, 8).At(END - 7); },
         REMOTE_ACCESS},
        {"one byte before",
         [](auto& r) { return ReadRequest(r.rkey, 0, 8).At(ResponderScript::REMOTE - 1); },
         REMOTE_ACCESS},
        {"atomic beyond", [](auto& r) { return FetchAdd(r.rkey, 0, 1).At(END); }, REMOTE_ACCESS},
        {"WRITE, region may be read",
         [&](auto& r) { return WriteOnly(readOnly(r), 0, 8).At(END); },
         REMOTE_ACCESS},
        {"READ, region may be written",
         [&](auto& r) { return ReadRequest(writable(r), 0, 8).At(END); },
         REMOTE_ACCESS},
        {"atomic, region may be written",
         [&](auto& r) { return FetchAdd(writable(r), 0, 8).At(END); },
         REMOTE_ACCESS},
        {"another protection domain",
         [&](auto& r) { return WriteOnly(foreign(r), 0, 8).At(END); },
         REMOTE_ACCESS},
    };
    for (const RefusedPacket& row : rows)
    {
        Judge(row);
    }
}

// The whole range counts at the first packet: nothing of the message is written.
TEST(ResponderChecks, RangeOfAWriteAtItsFirstPacket)
{
    ResponderScript r;
    r.hasPayload = true;
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 0, 4 * MTU).At(END - 2 * MTU)), REMOTE_ACCESS);
    EXPECT_EQ(r.bytes.back(), std::byte{0});
}

// B22, B23, B25: 4 KiB with the last 2 KiB outside: 2048 bytes written, the NAK names packet 2.
TEST(ResponderChecks, RangeOfAWriteAPacketAtATime)
{
    ResponderScript r{0, {.checksEachWritePacket = true}};
    r.hasPayload = true;
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 0, 4 * MTU).At(END - 2 * MTU)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 1)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 2)),
              "invalid, NAK psn 2 syndrome 0x62 msn 0, fails");
    EXPECT_EQ(std::ranges::count(r.bytes, r.fill), 2048);

    ResponderScript one{0, {.checksEachWritePacket = true}};
    one.hasPayload = true;
    EXPECT_EQ(one.Receive(WriteOnly(one.rkey, 0, MTU).At(END - MTU + 1)), REMOTE_ACCESS);
    EXPECT_EQ(std::ranges::count(one.bytes, one.fill), 0);
}

// A region that goes while its WRITE is under way: bytes are not dropped in silence.
TEST(ResponderChecks, RegionGoesInsideAWrite)
{
    ResponderScript r;
    r.hasPayload = true;
    r.Receive(WriteFirst(r.rkey, 0, 3 * MTU));
    ASSERT_EQ(r.memory.Deregister(r.rkey), VerbsError::NONE);
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 1)),
              "invalid, NAK psn 1 syndrome 0x62 msn 0, fails");
}

// IBTA section 9.4.5: the address is a multiple of 8; user reports: status REM_INV_REQ_ERR.
TEST(ResponderChecks, MisalignedAtomic)
{
    for (uint64_t offset = 1; offset < 8; ++offset)
    {
        ResponderScript r;
        EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 0, 1).At(ResponderScript::REMOTE + offset)),
                  INVALID_REQUEST);
        EXPECT_EQ(r.Word(ResponderScript::REMOTE), 0U);
    }
}

TEST(ResponderChecks, LengthOfAWrite)
{
    const auto only = [](auto& r, uint32_t payload, uint32_t length)
    {
        ScriptPacket packet = WriteOnly(r.rkey, 0, length);
        packet.payloadBytes = payload;
        return packet;
    };
    const std::vector<RefusedPacket> rows{
        {"First shorter than the MTU",
         [](auto& r)
         {
             ScriptPacket packet = WriteFirst(r.rkey, 0, 3 * MTU);
             packet.payloadBytes = MTU - 4;
             return packet;
         },
         INVALID_REQUEST},
        {"First of a message of one packet",
         [](auto& r) { return WriteFirst(r.rkey, 0, MTU); },
         INVALID_REQUEST},
        {"longer than 2^31",
         [](auto& r) { return WriteFirst(r.rkey, 0, (1U << 31) + 1); },
         INVALID_REQUEST},
        {"Only above the MTU", [&](auto& r) { return only(r, MTU + 1, MTU + 1); }, INVALID_REQUEST},
        {"Only shorter than DMALen", [&](auto& r) { return only(r, 7, 8); }, INVALID_REQUEST},
        {"Only longer than DMALen", [&](auto& r) { return only(r, 9, 8); }, INVALID_REQUEST},
    };
    for (const RefusedPacket& row : rows)
    {
        Judge(row);
    }
    for (const uint32_t bytes : {0U, 1U, MTU - 1, MTU})
    {
        ResponderScript r;
        EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, bytes)),
                  "executed, message of " + std::to_string(bytes) + " B, ACK psn 0 msn 1");
    }
}

// Middle: a full packet and more to come; Last: 1 .. MTU bytes, all that is missing.
TEST(ResponderChecks, LengthInsideAWrite)
{
    const auto after = [](uint32_t messageBytes, Opcode opcode, uint32_t payload)
    {
        ResponderScript r;
        r.Receive(WriteFirst(r.rkey, 0, messageBytes));
        return r.Receive(Part(opcode, 1, payload).AckReq());
    };
    const std::string refused = "invalid, NAK psn 1 syndrome 0x61 msn 0, fails";
    EXPECT_EQ(after(3 * MTU, RC_RDMA_WRITE_MIDDLE, MTU), "executed, ACK psn 1 msn 0");
    EXPECT_EQ(after(3 * MTU, RC_RDMA_WRITE_MIDDLE, MTU - 4), refused);
    EXPECT_EQ(after(3 * MTU, RC_RDMA_WRITE_MIDDLE, MTU + 4), refused);
    EXPECT_EQ(after(2 * MTU, RC_RDMA_WRITE_MIDDLE, MTU), refused) << "that is all of it";
    EXPECT_EQ(after(3 * MTU, RC_RDMA_WRITE_LAST, MTU), refused) << "one packet too early";
    EXPECT_EQ(after(MTU + 1, RC_RDMA_WRITE_LAST, 0), refused);
    EXPECT_EQ(after(MTU + 1, RC_RDMA_WRITE_LAST, 2), refused);
    EXPECT_EQ(after(MTU + 1, RC_RDMA_WRITE_LAST, 1),
              "executed, message of 1025 B, ACK psn 1 msn 1");
}

TEST(ResponderChecks, LengthOfReadAndAtomic)
{
    const std::vector<RefusedPacket> rows{
        {"READ of more than 2^31",
         [](auto& r) { return ReadRequest(r.rkey, 0, (1U << 31) + 1); },
         INVALID_REQUEST},
        {"READ request with payload",
         [](auto& r)
         {
             ScriptPacket packet = ReadRequest(r.rkey, 0, 8);
             packet.payloadBytes = 4;
             return packet;
         },
         INVALID_REQUEST},
        {"atomic with payload",
         [](auto& r)
         {
             ScriptPacket packet = FetchAdd(r.rkey, 0, 8);
             packet.payloadBytes = 4;
             return packet;
         },
         INVALID_REQUEST},
    };
    for (const RefusedPacket& row : rows)
    {
        Judge(row);
    }
}

// Zero length: no key is looked at, one packet, one PSN; with immediate a receive of 0 bytes.
TEST(ResponderChecks, ZeroLengthNeedsNoKey)
{
    ResponderScript r;
    r.PostReceive(1, 0);
    EXPECT_EQ(r.Receive(WriteOnly(999, 0, 0)), "executed, message of 0 B, ACK psn 0 msn 1");
    EXPECT_EQ(r.Receive(ReadRequest(999, 1, 0)), "executed, message of 0 B, responses wait");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Only psn 1 msn 2 0 B from +0");
    ScriptPacket immediate = WriteOnly(999, 2, 0).Immediate(0xfeed);
    immediate.opcode = RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE;
    EXPECT_EQ(r.Receive(immediate),
              "executed, message of 0 B, ACK psn 2 msn 3, "
              "wr 1 SUCCESS RECV_RDMA_WITH_IMM 0 B imm 0xfeed");
}

} // namespace
} // namespace ns3::rdma
