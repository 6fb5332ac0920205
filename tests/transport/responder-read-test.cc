// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/responder-script.h"

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ResponderScript::MTU;
constexpr uint64_t REMOTE = ResponderScript::REMOTE;
using enum Opcode;

// ---- READ. IBTA section 9.7.5.1: responses take the PSNs from the request's on.

TEST(ResponderRead, TakesThePsnsOfItsResponses)
{
    ResponderScript r{0xffffff};
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 0xffffff, 2 * MTU + 1)),
              "executed, message of 2049 B, responses wait");
    EXPECT_EQ(r.responder->GetExpectedPsn(), Psn{2});
    EXPECT_EQ(r.responder->GetMsn(), 1U) << "C9-148: raised at the request";
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response First psn 16777215 msn 1 1024 B from +0");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Middle psn 0 1024 B from +1024");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Last psn 1 msn 1 1 B from +2048");
    EXPECT_FALSE(r.responder->HasResponse());
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 2, 8)), "executed, message of 8 B, ACK psn 2 msn 2");
}

TEST(ResponderRead, LaterAnswersWaitBehindIt)
{
    ResponderScript r;
    r.Receive(ReadRequest(r.rkey, 0, MTU));
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)), "executed, message of 8 B, responses wait");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 2, 8)), "executed, message of 8 B, responses wait");
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 3, 1)), "executed, message of 8 B, responses wait");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 5, 8)), "out of sequence, responses wait");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Only psn 0 msn 1 1024 B from +0");
    EXPECT_EQ(r.Pull(), "RC Atomic Acknowledge psn 3 msn 4 original 0")
        << "it acknowledges the WRITEs before it";
    EXPECT_EQ(r.Pull(), "NAK psn 4 syndrome 0x60 msn 4");
    EXPECT_FALSE(r.responder->HasResponse());
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 4, 8)), "executed, message of 8 B, ACK psn 4 msn 5");
}

TEST(ResponderRead, AckInsideALongWriteWaitsToo)
{
    ResponderScript r;
    r.Receive(ReadRequest(r.rkey, 0, MTU));
    r.Receive(WriteFirst(r.rkey, 1, 3 * MTU));
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 2).AckReq()), "executed, responses wait");
    r.Pull();
    EXPECT_EQ(r.Pull(), "ACK psn 2 msn 1");
}

TEST(ResponderRead, NakOfAnErrorWaitsAndIsTheLastAnswer)
{
    ResponderScript r;
    r.Receive(ReadRequest(r.rkey, 0, MTU));
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey + 1, 1, 8)), "invalid, responses wait, fails");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 2, 8)), "ignored");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Only psn 0 msn 1 1024 B from +0");
    EXPECT_EQ(r.Pull(), "NAK psn 1 syndrome 0x62 msn 1");
    EXPECT_FALSE(r.responder->HasResponse());
}

TEST(ResponderRead, FlushDropsWhatWaits)
{
    ResponderScript r;
    r.Receive(ReadRequest(r.rkey, 0, MTU));
    r.responder->Flush();
    EXPECT_FALSE(r.responder->HasResponse());
}

TEST(ResponderRead, RegionGoesBeforeItIsRead)
{
    ResponderScript r;
    r.PostReceive(1, 8);
    r.Receive(ReadRequest(r.rkey, 0, 2 * MTU));
    r.Pull();
    ASSERT_EQ(r.memory.Deregister(r.rkey), VerbsError::NONE);
    EXPECT_EQ(r.Pull(), "NAK psn 1 syndrome 0x62 msn 1, fails");
    EXPECT_FALSE(r.responder->HasResponse());
    EXPECT_TRUE(r.responder->IsInError());
    EXPECT_EQ(r.Completions(), "wr 1 WR_FLUSH_ERR");
}

// ---- max_dest_rd_atomic: facts, "READs beyond the responder's resources: the standard answers
// 0x61"

TEST(ResponderRead, BeyondTheResources)
{
    ResponderScript r;
    r.attributes.maxDestReadAtomic = 2;
    r.Receive(ReadRequest(r.rkey, 0, MTU));
    r.Receive(ReadRequest(r.rkey, 1, MTU));
    r.Pull();
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 2, MTU)),
              "executed, message of 1024 B, responses wait");
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 3, 1)), "invalid, responses wait, fails");
    r.Pull();
    r.Pull();
    EXPECT_EQ(r.Pull(), "NAK psn 3 syndrome 0x61 msn 3");

    ResponderScript none;
    none.attributes.maxDestReadAtomic = 0;
    EXPECT_EQ(none.Receive(ReadRequest(none.rkey, 0, 8)),
              "invalid, NAK psn 0 syndrome 0x61 msn 0, fails");
}

// ---- Repeats of a READ: executed again inside the original range. Section 9.7.5.1.3.

TEST(ResponderRead, IsExecutedAgain)
{
    ResponderScript r;
    r.Receive(ReadRequest(r.rkey, 0, 3 * MTU));
    r.Receive(WriteOnly(r.rkey, 3, 8));
    while (r.responder->HasResponse())
    {
        r.Pull();
    }
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 0, 3 * MTU)), "duplicate, responses wait");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response First psn 0 msn 2 1024 B from +0");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Middle psn 1 1024 B from +1024");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Last psn 2 msn 2 1024 B from +2048");
    // From the first missing packet, address and length moved: a request of its own.
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 2, MTU).At(REMOTE + 2 * MTU)),
              "duplicate, responses wait");
    EXPECT_EQ(r.Pull(), "RC RDMA READ Response Only psn 2 msn 2 1024 B from +2048");
    EXPECT_EQ(r.responder->GetMsn(), 2U);
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey + 1, 0, 3 * MTU)), "ignored") << "another key";
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 2, 2 * MTU).At(REMOTE + 2 * MTU)), "ignored")
        << "beyond the original range";
    EXPECT_EQ(r.Receive(ReadRequest(r.rkey, 0xffffff, MTU)), "ignored") << "never seen";
}

TEST(ResponderRead, DuplicatesWaitBehindItToo)
{
    ResponderScript r;
    r.Receive(WriteOnly(r.rkey, 0, 8));
    r.Receive(ReadRequest(r.rkey, 1, MTU));
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, 8)), "duplicate, responses wait");
    r.Pull();
    EXPECT_EQ(r.Pull(), "ACK psn 1 msn 2");
}

// ---- Atomics

TEST(ResponderAtomic, Operations)
{
    ResponderScript r;
    r.memory.StoreWord(r.rkey, REMOTE, 40);
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 0, 2)),
              "executed, message of 8 B, RC Atomic Acknowledge psn 0 msn 1 original 40");
    EXPECT_EQ(r.Receive(CompareSwap(r.rkey, 1, 41, 7)),
              "executed, message of 8 B, RC Atomic Acknowledge psn 1 msn 2 original 42");
    EXPECT_EQ(r.Word(REMOTE), 42U) << "41 is not there";
    EXPECT_EQ(r.Receive(CompareSwap(r.rkey, 2, 42, 7)),
              "executed, message of 8 B, RC Atomic Acknowledge psn 2 msn 3 original 42");
    EXPECT_EQ(r.Word(REMOTE), 7U);
    r.Receive(FetchAdd(r.rkey, 3, ~uint64_t{0}));
    EXPECT_EQ(r.Word(REMOTE), 6U) << "addition wraps at 2^64";
}

TEST(ResponderAtomic, RepeatIsAnsweredFromTheSavedResult)
{
    ResponderScript r;
    r.attributes.maxDestReadAtomic = 2;
    r.Receive(FetchAdd(r.rkey, 0, 5));
    r.Receive(FetchAdd(r.rkey, 1, 6));
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 0, 5)),
              "duplicate, RC Atomic Acknowledge psn 0 msn 2 original 0");
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 1, 6)),
              "duplicate, RC Atomic Acknowledge psn 1 msn 2 original 5");
    EXPECT_EQ(r.Word(REMOTE), 11U);
    EXPECT_EQ(r.Receive(CompareSwap(r.rkey, 1, 5, 6)), "ignored") << "another operation";
    r.Receive(FetchAdd(r.rkey, 2, 7));
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 0, 5)), "ignored") << "its result is not kept any more";
    EXPECT_EQ(r.Word(REMOTE), 18U);
}

TEST(ResponderAtomic, RepeatWithoutAnyResource)
{
    ResponderScript r;
    r.Receive(WriteOnly(r.rkey, 0, 8));
    EXPECT_EQ(r.Receive(FetchAdd(r.rkey, 0, 5)), "ignored");
    EXPECT_EQ(r.Receive(Part(Opcode{0x15}, 0, 0)), "ignored");
}

// User reports, case 8: 4 queue pairs, 1000 fetch-and-add of 1 each: 4000 in all, each value once.
TEST(ResponderAtomic, FourQueuePairsShareACounter)
{
    ResponderScript r;
    std::vector<Responder> peers;
    for (uint32_t qpn = 1; qpn <= 4; ++qpn)
    {
        peers.emplace_back(ResponderContext{
            &r.policy, &r.attributes, &r.memory, &r.receives, ResponderScript::DOMAIN, Qpn{qpn}});
        peers.back().Start(Psn{0});
    }
    FrameExtension extension{.atomic = {REMOTE, r.rkey, 1, 0}};
    Frame frame;
    frame.opcode = RC_FETCH_ADD;
    frame.isExtended = true;
    frame.extension = &extension;
    std::vector<int> seen(4000);
    for (uint64_t psn = 0; psn < 1000; ++psn)
    {
        frame.psn = Psn{psn};
        for (Responder& peer : peers)
        {
            ++seen.at(peer.OnRequest(frame, {}).answer.value().atomicOriginal);
            if (psn % 10 == 0)
            {
                peer.OnRequest(frame, {}); // its answer was lost: the request comes again
            }
        }
    }
    EXPECT_EQ(seen, std::vector<int>(4000, 1));
    EXPECT_EQ(r.Word(REMOTE), 4000U);
}

} // namespace
} // namespace ns3::rdma
