// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * A requester and a responder that meet: what a loss, a repeat or a refusal comes to at both ends.
 */
#include "tests/transport/connection-script.h"

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = 256;
constexpr uint64_t LOCAL = 0x1000;
constexpr uint64_t REMOTE = 0x100000;
constexpr uint64_t BUFFER = 0x200000;
constexpr uint32_t BYTES = 64 * MTU;
using enum Opcode;

/** A connection with a region of real bytes at each place. */
class Connection : public ConnectionScript
{
  public:
    explicit Connection(const ConnectionSettings& with = {})
        : ConnectionScript{WithRights(with)},
          local(BYTES),
          remote(BYTES),
          buffer(BYTES)
    {
        for (uint32_t index = 0; index < BYTES; ++index)
        {
            local[index] = std::byte(index * 7 + index / 256);
            remote[index] = std::byte(index * 11 + index / 256);
        }
        initialRemote = remote;
        EXPECT_EQ(clientMemory.Register({DOMAIN, LOCAL, BYTES, ACCESS_ALL, local.data()}, mine),
                  VerbsError::NONE);
        EXPECT_EQ(serverMemory.Register({DOMAIN, REMOTE, BYTES, ACCESS_ALL, remote.data()}, his),
                  VerbsError::NONE);
        EXPECT_EQ(
            serverMemory.Register({DOMAIN, BUFFER, BYTES, ACCESS_ALL, buffer.data()}, bufferRegion),
            VerbsError::NONE);
        log = &lines;
    }

    /** A request of the whole region's beginning. */
    void Post(SendOpcode opcode, uint32_t bytes, uint32_t rkey)
    {
        const ScatterGatherElement element{LOCAL, bytes, mine.lkey};
        ConnectionScript::Post({.wrId = ++posted,
                                .opcode = opcode,
                                .sgList = {&element, 1},
                                .immediate = 77,
                                .remoteAddress = REMOTE,
                                .rkey = rkey,
                                .compareAdd = 1});
    }

    void Post(SendOpcode opcode, uint32_t bytes)
    {
        Post(opcode, bytes, his.rkey);
    }

    void PostReceive(uint32_t bytes)
    {
        const ScatterGatherElement element{BUFFER, bytes, bufferRegion.lkey};
        EXPECT_EQ(receives.Post({++postedReceives, {&element, 1}}), VerbsError::NONE);
    }

    /** Takes the packets with these numbers of one direction from the wire. */
    void Lose(bool requests, std::vector<uint32_t> indices)
    {
        judge = [requests, indices](const ConnectionPacket& packet)
        {
            const bool isHit =
                packet.isRequest == requests && std::ranges::count(indices, packet.index) > 0;
            return Fate{.copies = isHit ? 0U : 1U};
        };
    }

    /** Statuses in the order of completion: "1 SUCCESS, 2 WR_FLUSH_ERR". */
    static std::string Tell(const std::vector<WorkCompletion>& completions)
    {
        std::string text;
        for (const WorkCompletion& completion : completions)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(completion.wrId) + " " +
                    std::string{ToString(completion.status)};
        }
        return text;
    }

    uint32_t Count(const std::string& what) const
    {
        return static_cast<uint32_t>(std::ranges::count_if(
            lines, [&](const std::string& line) { return line.find(what) != std::string::npos; }));
    }

    std::string Log() const
    {
        std::string text;
        for (const std::string& line : lines)
        {
            text += line + "\n";
        }
        return text;
    }

    std::vector<std::byte> local;
    std::vector<std::byte> remote;
    std::vector<std::byte> initialRemote;
    std::vector<std::byte> buffer;
    MemoryRegion mine;
    MemoryRegion his;
    MemoryRegion bufferRegion;
    uint64_t posted{0};
    uint64_t postedReceives{0};
    std::vector<std::string> lines;

  private:
    static ConnectionSettings WithRights(ConnectionSettings with)
    {
        with.policy.ackEvery = RcPolicy::ACK_LAST_OF_MESSAGE;
        with.client.maxReadAtomic = 4;
        with.server.maxDestReadAtomic = 4;
        with.server.accessFlags = ACCESS_ALL;
        return with;
    }
};

// ---- Losses

// A message of ten packets, the fifth lost once: one NAK, 10 + 6 = 16 packets, one completion. The
// NAK comes back 2 us after the sixth was sent, when the tenth has long gone.
TEST(Connection, OneLossCostsOneNak)
{
    Connection c;
    c.Lose(true, {4});
    c.Post(SendOpcode::RDMA_WRITE, 10 * MTU);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(c.packets[true], 16U) << c.Log();
    EXPECT_EQ(c.Count("syndrome 0x60"), 1U);
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS");
    EXPECT_TRUE(std::equal(c.local.begin(), c.local.begin() + 10 * MTU, c.remote.begin()));
}

// The same packet lost again: no second NAK, so only the timeout finds it. Then it is sent from
// there once more: 10 + 6 + 6.
TEST(Connection, SecondLossOfAPacketCostsATimeout)
{
    Connection c;
    c.Lose(true, {4, 10});
    c.Post(SendOpcode::RDMA_WRITE, 10 * MTU);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(c.packets[true], 22U) << c.Log();
    EXPECT_EQ(c.Count("syndrome 0x60"), 1U);
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS");
    EXPECT_GE(c.now, SimTime{4'096'000ULL << 4}) << "timeout 4 is 65.536 us";
}

TEST(Connection, LostAcknowledgementsAreMadeUpForByOneOfALaterMessage)
{
    Connection c;
    c.Lose(false, {0});
    c.Post(SendOpcode::RDMA_WRITE, 8);
    c.Post(SendOpcode::RDMA_WRITE, 8);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(c.packets[true], 2U) << c.Log();
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS, 2 SUCCESS");
}

// User reports, case 4.
TEST(Connection, PsnWrapsWithoutRetransmission)
{
    Connection c{{.firstPsn = Psn{0xfffffe}}};
    c.Post(SendOpcode::RDMA_WRITE, 4 * MTU);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(c.packets[true], 4U);
    EXPECT_EQ(c.Count("psn 16777214") + c.Count("psn 16777215") + c.Count("psn 0 "), 3U);
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS");
}

TEST(Connection, EachPacketOfAReadLostOnce)
{
    for (uint32_t lost = 0; lost < 5; ++lost)
    {
        Connection c;
        c.Lose(lost == 4, {lost % 4});
        c.Post(SendOpcode::RDMA_READ, 4 * MTU);
        ASSERT_TRUE(c.Run());
        EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS") << c.Log();
        EXPECT_TRUE(std::equal(c.local.begin(), c.local.begin() + 4 * MTU, c.remote.begin()));
        EXPECT_EQ(c.executedMessages, 1U) << "a repeat does not count";
    }
}

// User reports, case 8: the answer of an atomic is lost, memory changes once.
TEST(Connection, LostAtomicAnswer)
{
    Connection c;
    c.remote.assign(BYTES, std::byte{0});
    c.Lose(false, {0});
    for (int request = 0; request < 3; ++request)
    {
        c.Post(SendOpcode::ATOMIC_FETCH_AND_ADD, 8);
    }
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS, 2 SUCCESS, 3 SUCCESS") << c.Log();
    EXPECT_EQ(c.serverMemory.LoadWord(c.his.rkey, REMOTE), 3U);
    EXPECT_EQ(c.clientMemory.LoadWord(c.mine.rkey, LOCAL), 2U) << "the last one's original";
}

TEST(Connection, EveryPacketTwice)
{
    Connection c;
    c.judge = [](const ConnectionPacket&) { return Fate{.copies = 2}; };
    c.PostReceive(MTU);
    c.PostReceive(MTU);
    c.Post(SendOpcode::SEND, 100);
    c.Post(SendOpcode::RDMA_READ, 3 * MTU);
    c.Post(SendOpcode::ATOMIC_FETCH_AND_ADD, 8);
    c.Post(SendOpcode::SEND_WITH_IMM, 100);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS, 2 SUCCESS, 3 SUCCESS, 4 SUCCESS") << c.Log();
    EXPECT_EQ(Connection::Tell(c.received), "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(c.executedMessages, 4U);
}

// ---- Zero length: user reports, case 9. One packet, one PSN, no key.

TEST(Connection, ZeroLength)
{
    Connection c;
    c.PostReceive(0);
    c.PostReceive(0);
    c.Post(SendOpcode::RDMA_WRITE, 0, 999);
    c.Post(SendOpcode::RDMA_WRITE_WITH_IMM, 0, 999);
    c.Post(SendOpcode::RDMA_READ, 0, 999);
    c.Post(SendOpcode::SEND, 0);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(c.packets[true], 4U);
    EXPECT_EQ(c.packets[false], 4U);
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS, 2 SUCCESS, 3 SUCCESS, 4 SUCCESS");
    ASSERT_EQ(c.received.size(), 2U);
    EXPECT_EQ(c.received[0],
              (WorkCompletion{.wrId = 1,
                              .qpn = Qpn{2},
                              .opcode = CompletionOpcode::RECV_RDMA_WITH_IMM,
                              .flags = WC_WITH_IMM,
                              .immediate = 77}));
    EXPECT_EQ(c.received[1],
              (WorkCompletion{.wrId = 2, .qpn = Qpn{2}, .opcode = CompletionOpcode::RECV}));
}

// ---- Receiver not ready: user reports, case 1.

TEST(Connection, NotReadyUntilTheRetriesAreSpent)
{
    ConnectionSettings settings;
    settings.client.rnrRetry = 3;
    settings.server.minRnrTimer = 12; // 0.64 ms
    Connection c{settings};
    c.Post(SendOpcode::SEND, 8);
    c.Post(SendOpcode::RDMA_WRITE, 8);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(Connection::Tell(c.sent), "1 RNR_RETRY_EXC_ERR, 2 WR_FLUSH_ERR") << c.Log();
    EXPECT_EQ(c.Count("RC SEND Only"), 4U);
    EXPECT_EQ(c.Count("syndrome 0x2c"), 4U);
    EXPECT_GE(c.now, SimTime::Microseconds(3 * 640));
    EXPECT_FALSE(c.responder.IsInError());
}

TEST(Connection, NotReadyUntilTheReceiveIsPosted)
{
    ConnectionSettings settings;
    settings.client.rnrRetry = 7; // without end
    settings.server.minRnrTimer = 12;
    Connection c{settings};
    c.Post(SendOpcode::SEND, 8);
    c.At(SimTime::Milliseconds(10), [&] { c.PostReceive(8); });
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(Connection::Tell(c.sent), "1 SUCCESS");
    EXPECT_EQ(Connection::Tell(c.received), "1 SUCCESS");
    EXPECT_LE(c.now, SimTime::Microseconds(10'000 + 640 + 3));
}

// ---- Silence: user reports, case 2. 8 transmissions, 8 periods of 67.108864 ms.

TEST(Connection, SilentPeer)
{
    ConnectionSettings settings;
    settings.client.timeout = 14;
    Connection c{settings};
    c.judge = [](const ConnectionPacket&) { return Fate{.copies = 0}; };
    c.Post(SendOpcode::RDMA_WRITE, 8);
    ASSERT_TRUE(c.Run());
    EXPECT_EQ(Connection::Tell(c.sent), "1 RETRY_EXC_ERR");
    EXPECT_EQ(c.packets[true], 8U);
    EXPECT_EQ(c.now.ps / 1'000'000, 536'870U); // 8 x 4.096 us x 2^14, in us
}

// ---- Refusals: cause -> NAK -> both ends. Facts 1.4 and 6.6.

struct Refusal
{
    const char* cause;
    std::function<void(Connection&)> post;
    const char* syndrome;
    const char* sent;
    const char* received;
};

TEST(Connection, CauseNakAndStatus)
{
    const std::vector<Refusal> rows{
        {"R_Key",
         [](Connection& c) { c.Post(SendOpcode::RDMA_WRITE, 8, c.his.rkey + 1); },
         "syndrome 0x62",
         "1 REM_ACCESS_ERR, 2 WR_FLUSH_ERR",
         "1 WR_FLUSH_ERR"},
        {"range",
         [](Connection& c) { c.Post(SendOpcode::RDMA_READ, BYTES, c.bufferRegion.rkey); },
         "syndrome 0x62",
         "1 REM_ACCESS_ERR, 2 WR_FLUSH_ERR",
         "1 WR_FLUSH_ERR"},
        {"right of the queue pair",
         [](Connection& c)
         {
             c.settings.server.accessFlags = 0;
             c.Post(SendOpcode::RDMA_WRITE, 8);
         },
         "syndrome 0x61",
         "1 REM_INV_REQ_ERR, 2 WR_FLUSH_ERR",
         "1 WR_FLUSH_ERR"},
        {"SEND too long",
         [](Connection& c) { c.Post(SendOpcode::SEND, 9); },
         "syndrome 0x61",
         "1 REM_INV_REQ_ERR, 2 WR_FLUSH_ERR",
         "1 LOC_LEN_ERR"},
        {"SEND too long, rxe",
         [](Connection& c)
         {
             c.settings.policy.tooLongSyndrome = SYNDROME_NAK_REMOTE_OPERATION;
             c.settings.policy.tooLongStatus = CompletionStatus::LOC_QP_OP_ERR;
             c.Post(SendOpcode::SEND, 9);
         },
         "syndrome 0x63",
         "1 REM_OP_ERR, 2 WR_FLUSH_ERR",
         "1 LOC_QP_OP_ERR"},
        {"the receive's memory",
         [](Connection& c)
         {
             EXPECT_EQ(c.serverMemory.Deregister(c.bufferRegion.lkey), VerbsError::NONE);
             c.Post(SendOpcode::SEND, 8);
         },
         "syndrome 0x63",
         "1 REM_OP_ERR, 2 WR_FLUSH_ERR",
         "1 LOC_PROT_ERR"},
        {"invalidation",
         [](Connection& c) { c.Post(SendOpcode::SEND_WITH_INV, 8); },
         "syndrome 0x62",
         "1 REM_ACCESS_ERR, 2 WR_FLUSH_ERR",
         "1 LOC_QP_OP_ERR"},
    };
    for (const Refusal& row : rows)
    {
        Connection c;
        c.PostReceive(8);
        row.post(c);
        c.Post(SendOpcode::RDMA_WRITE, 8);
        ASSERT_TRUE(c.Run()) << row.cause;
        EXPECT_EQ(c.Count(row.syndrome), 1U) << row.cause << '\n' << c.Log();
        EXPECT_EQ(Connection::Tell(c.sent), row.sent) << row.cause;
        c.FlushReceives();
        EXPECT_EQ(Connection::Tell(c.received), row.received) << row.cause;
        EXPECT_TRUE(c.responder.IsInError()) << row.cause;
        EXPECT_EQ(c.remote, c.initialRemote) << row.cause;
    }
}

} // namespace
} // namespace ns3::rdma
