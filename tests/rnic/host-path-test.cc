// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/host-path.h"
#include "tests/host/round-figures.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;

constexpr Qpn QP{2};
constexpr Qpn OTHER{3};

/** A device that writes down what it is told: "ready 2 at 325". */
class Diary : public PortOwner, public HostPathUser
{
  public:
    void OnFrame(uint16_t port, Frame* frame, SimTime now) override
    {
        Write("frame " + std::to_string(port) + " for " + std::to_string(frame->destinationQp),
              now);
        if (m_path != nullptr)
        {
            m_path->OnMessage(7, frame->payloadBytes);
        }
    }

    void OnPause(uint16_t, uint8_t priority, uint16_t, SimTime now) override
    {
        Write("pause " + std::to_string(priority), now);
    }

    uint16_t GetPathMtu(Qpn qpn) const override
    {
        return qpn == QP || qpn == OTHER ? 1024 : 0;
    }

    void OnRequestReady(Qpn qpn, SimTime now) override
    {
        Write("ready " + std::to_string(qpn.value), now);
    }

    void OnCompletionVisible(const HostCompletion& completion, SimTime now) override
    {
        Write("completion " + std::to_string(completion.completion.wrId), now);
    }

    void OnMessageVisible(uint32_t mark, uint64_t bytes, SimTime now) override
    {
        Write("message " + std::to_string(mark) + " of " + std::to_string(bytes), now);
    }

    /** Has each frame told of as a message of mark 7. */
    void TellMessages(HostPath& path)
    {
        m_path = &path;
    }

    std::vector<std::string> lines;

  private:
    void Write(const std::string& what, SimTime now)
    {
        lines.push_back(what + " at " + std::to_string(now.ps / 1000));
    }

    HostPath* m_path{nullptr};
};

/** A path with round figures (tests/host/round-figures.h), and its diary in nanoseconds. */
class HostPathTest : public testing::Test
{
  protected:
    std::vector<std::string> Run()
    {
        while (m_events.RunNext())
        {
        }
        return m_diary.lines;
    }

    /** A request of so many bytes. */
    SendRequest Request(uint32_t bytes, uint8_t flags = 0)
    {
        m_pieces.push_back({.address = 0, .length = bytes, .lkey = 0});
        SendRequest request;
        request.flags = flags;
        request.sgList = {&m_pieces.back(), 1};
        return request;
    }

    Frame MakeFrame(Opcode opcode, uint16_t payloadBytes, Qpn qpn = QP)
    {
        Frame frame;
        frame.opcode = opcode;
        frame.payloadBytes = payloadBytes;
        frame.destinationQp = qpn.value;
        return frame;
    }

    EventQueue m_events;
    Diary m_diary;
    HostPath m_path{RoundFigures(), {&m_events, 1, &m_diary, &m_diary}};
    std::deque<ScatterGatherElement> m_pieces;
};

TEST_F(HostPathTest, AnInlineRequestIsReadyAfterPostDoorbellAndPass)
{
    const SendRequest request = Request(8, SEND_INLINE);
    m_path.OnPost(QP, {&request, 1}, SimTime{});
    EXPECT_THAT(Run(), ElementsAre("ready 2 at 295")); // 70 + 100 + 5 + 120
}

TEST_F(HostPathTest, PayloadComesFromMemory)
{
    const SendRequest request = Request(128);
    m_path.OnPost(QP, {&request, 1}, SimTime{});
    // 170 + 5 + round trip 500 + (128 + 20) x 4 + 120
    EXPECT_THAT(Run(), ElementsAre("ready 2 at 1387"));
}

TEST_F(HostPathTest, ReadsAndAtomicsFetchNothing)
{
    SendRequest request = Request(128);
    request.opcode = SendOpcode::RDMA_READ;
    m_path.OnPost(QP, {&request, 1}, SimTime{});
    EXPECT_THAT(Run(), ElementsAre("ready 2 at 295"));
}

TEST_F(HostPathTest, OnlyTheFirstPacketsPayloadIsWaitedFor)
{
    const SendRequest request = Request(1'000'000);
    m_path.OnPost(QP, {&request, 1}, SimTime{});
    // 1024 B in 8 completions: 170 + 5 + 500 + (1024 + 160) x 4 + 120
    EXPECT_THAT(Run(), ElementsAre("ready 2 at 5531"));
}

TEST_F(HostPathTest, RequestsOfAQueuePairKeepTheirOrder)
{
    const SendRequest slow = Request(128);
    const SendRequest quick = Request(8, SEND_INLINE);
    m_path.OnPost(QP, {&slow, 1}, SimTime{});
    m_path.OnPost(QP, {&quick, 1}, SimTime{});
    m_path.OnPost(OTHER, {&quick, 1}, SimTime{});
    // The third post ends at 310; its queue pair waits for nobody: 310 + 5 + 120.
    EXPECT_THAT(Run(), ElementsAre("ready 3 at 435", "ready 2 at 1387", "ready 2 at 1387"));
}

TEST_F(HostPathTest, AFramePassesAndItsDataAreSeen)
{
    Frame frame = MakeFrame(Opcode::RC_RDMA_WRITE_ONLY, 128);
    m_diary.TellMessages(m_path);
    m_path.OnFrame(0, &frame, SimTime{});
    // Unit 3 and pass 110; then (128 + 24) x 4 over the link, 200 until visible, 50 to poll.
    EXPECT_THAT(Run(), ElementsAre("frame 0 for 2 at 113", "message 7 of 128 at 971"));
}

TEST_F(HostPathTest, AReadIsHandledWhenItsDataAreThere)
{
    Frame frame = MakeFrame(Opcode::RC_RDMA_READ_REQUEST, 0);
    frame.reth = {.virtualAddress = 0, .rkey = 0, .dmaLength = 128};
    Frame behind = MakeFrame(Opcode::RC_RDMA_WRITE_ONLY, 0);
    Frame other = MakeFrame(Opcode::RC_RDMA_WRITE_ONLY, 0, OTHER);
    m_path.OnFrame(0, &frame, SimTime{});
    m_path.OnFrame(0, &behind, SimTime{});
    m_path.OnFrame(0, &other, SimTime{});
    // 113 + 500 + 592 + 120; a frame behind it waits, one of another queue pair does not.
    EXPECT_THAT(
        Run(),
        ElementsAre("frame 0 for 3 at 119", "frame 0 for 2 at 1325", "frame 0 for 2 at 1325"));
}

TEST_F(HostPathTest, AtomicsWaitForTheirUnit)
{
    Frame first = MakeFrame(Opcode::RC_FETCH_ADD, 0);
    Frame second = MakeFrame(Opcode::RC_COMPARE_SWAP, 0, OTHER);
    m_path.OnFrame(0, &first, SimTime{});
    m_path.OnFrame(0, &second, SimTime{});
    // 113 + 600 + 120, and 600 later
    EXPECT_THAT(Run(), ElementsAre("frame 0 for 2 at 833", "frame 0 for 3 at 1433"));
}

TEST_F(HostPathTest, AFrameForNobodyIsHandledToo)
{
    Frame frame = MakeFrame(Opcode::RC_RDMA_WRITE_ONLY, 0, Qpn{0xFFFFFF});
    m_path.OnFrame(0, &frame, SimTime{});
    EXPECT_THAT(Run(), ElementsAre("frame 0 for 16777215 at 110"));
}

TEST_F(HostPathTest, ACompletionIsWrittenAndPolled)
{
    m_path.OnCompletion({.qpn = QP, .completion = {.wrId = 5}}, SimTime{});
    EXPECT_THAT(Run(), ElementsAre("completion 5 at 602")); // (64 + 24) x 4 + 200 + 50
}

TEST_F(HostPathTest, ForgetsAQueuePair)
{
    const SendRequest request = Request(8, SEND_INLINE);
    m_path.OnPost(QP, {&request, 1}, SimTime{});
    m_path.OnPost(OTHER, {&request, 1}, SimTime{});
    m_path.OnCompletion({.qpn = QP, .completion = {.wrId = 5}}, SimTime{});
    m_path.Forget(QP);
    EXPECT_THAT(Run(), ElementsAre("ready 3 at 365"));
}

TEST_F(HostPathTest, CountsTheFramesThatWait)
{
    Frame frame = MakeFrame(Opcode::RC_RDMA_WRITE_ONLY, 100);
    frame.frameBytes = 182;
    frame.ecn = Ecn::CE;
    m_path.OnFrame(0, &frame, SimTime{});
    EXPECT_EQ(m_path.CountHeld().all.frames, 1U);
    EXPECT_EQ(m_path.CountHeld().all.bytes, 182U);
    EXPECT_EQ(m_path.CountHeld().marked, 1U);
    Run();
    EXPECT_EQ(m_path.CountHeld().all.frames, 0U);
}

TEST_F(HostPathTest, PausesPassAtOnce)
{
    m_path.OnPause(0, 3, 65535, SimTime::Nanoseconds(9));
    EXPECT_THAT(m_diary.lines, ElementsAre("pause 3 at 9"));
}

} // namespace

} // namespace ns3::rdma
