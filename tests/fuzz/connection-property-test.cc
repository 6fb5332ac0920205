// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Random lists of all operations through a channel that loses, repeats, delays and damages.
 *
 * Of every list must hold: each request completes once, in the order posted; none succeeds that the
 * responder has not executed; what was executed was executed once, so each memory holds what the
 * executed requests, one after the other, leave there; all ends, with success or with a status that
 * has a cause. A list that fails is shrunk and printed.
 */
#include "tests/fuzz/connection-run.h"

#include <algorithm>
#include <cstdlib>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ConnectionCase::MTU;
constexpr uint32_t SLOT = ConnectionRun::SLOT;

/** Judges a run that has ended. */
class Judgement
{
  public:
    Judgement(const ConnectionCase& judgedCase, ConnectionRun& judgedRun)
        : m_case{judgedCase},
          m_run{judgedRun},
          m_script{judgedRun.script},
          m_executed{static_cast<std::size_t>(judgedRun.script.executedMessages)}
    {
    }

    std::string Judge()
    {
        m_wrong = m_run.wrong;
        Expect(m_script.responder.GetMsn() == m_executed, "the MSN is not what was executed");
        Expect(m_case.IsRefused() || !m_script.responder.IsInError(), "nothing was to be refused");
        JudgeSent();
        JudgeReceived();
        for (std::size_t index = 0; index < m_case.operations.size(); ++index)
        {
            JudgeRequest(index);
        }
        for (std::size_t word = 0; word < ConnectionRun::ATOMIC_WORDS; ++word)
        {
            Expect(WordAt(m_run.words, word * ATOMIC_BYTES) == m_run.Word(word, m_executed),
                   "word " + std::to_string(word) + " is wrong");
        }
        return m_wrong.empty() ? "" : m_wrong.front();
    }

  private:
    void Expect(bool holds, const std::string& what)
    {
        if (!holds)
        {
            m_wrong.push_back(what);
        }
    }

    static uint64_t WordAt(const std::vector<std::byte>& bytes, std::size_t offset)
    {
        uint64_t word = 0;
        std::copy_n(bytes.begin() + offset, sizeof(word), reinterpret_cast<std::byte*>(&word));
        return word;
    }

    void JudgeSent()
    {
        const std::vector<WorkCompletion>& sent = m_script.sent;
        const auto failure =
            std::ranges::find_if(sent,
                                 [](const WorkCompletion& completion)
                                 { return completion.status != CompletionStatus::SUCCESS; });
        m_succeeded.assign(m_case.operations.size(), false);
        for (const WorkCompletion& completion : sent)
        {
            m_succeeded[completion.wrId] = completion.status == CompletionStatus::SUCCESS;
        }
        Expect(m_script.requester.IsInError() == (failure != sent.end()),
               "the error state has no completion");
        Expect(!sent.empty() && sent.back().wrId + 1 == m_case.operations.size(),
               "the last request, which is signalled, does not complete");
        if (failure == sent.end())
        {
            Expect(m_executed == m_case.operations.size(), "not all were executed");
            Expect(m_script.requester.IsDrained(), "something is left in the queue");
            Expect(!m_case.IsRefused(), "a bad key was accepted");
            return;
        }
        JudgeFailure(*failure);
        Expect(std::all_of(failure + 1,
                           sent.end(),
                           [](const WorkCompletion& completion)
                           { return completion.status == CompletionStatus::WR_FLUSH_ERR; }),
               "behind a failed request all are flushed");
    }

    void JudgeFailure(const WorkCompletion& failure)
    {
        const std::string name{ToString(failure.status)};
        switch (failure.status)
        {
        case CompletionStatus::REM_ACCESS_ERR:
            Expect(m_case.operations[failure.wrId].IsRefused(), "refused without a cause");
            return;
        case CompletionStatus::RETRY_EXC_ERR:
            Expect(m_case.lossPermille + m_case.latePermille > 0, "retries without a loss");
            return;
        case CompletionStatus::RNR_RETRY_EXC_ERR:
            Expect(m_case.settings.client.rnrRetry < 7, "RNR retries have no end");
            Expect(m_case.operations[failure.wrId].TakesReceive(), "it takes no receive");
            return;
        default:
            Expect(false, "no cause for " + name);
        }
    }

    void JudgeReceived()
    {
        const std::vector<WorkCompletion>& received = m_script.received;
        std::size_t taken = 0;
        for (; taken < m_run.takers.size() && m_run.takers[taken] < m_executed; ++taken)
        {
            const std::string name = "receive " + std::to_string(taken);
            Expect(taken < received.size(), name + " does not complete");
            Expect(taken >= received.size() || received[taken] == ExpectedReceive(taken),
                   name + " is wrong");
        }
        for (std::size_t index = taken; index < received.size(); ++index)
        {
            Expect(received[index].status != CompletionStatus::SUCCESS, "received twice");
            Expect(m_script.responder.IsInError(), "an error without the error state");
        }
    }

    WorkCompletion ExpectedReceive(std::size_t number) const
    {
        const std::size_t index = m_run.takers[number];
        const CaseOperation& operation = m_case.operations[index];
        WorkCompletion expected{.wrId = number, .qpn = Qpn{2}, .byteLength = operation.bytes};
        expected.opcode =
            operation.IsWrite() ? CompletionOpcode::RECV_RDMA_WITH_IMM : CompletionOpcode::RECV;
        if (operation.opcode == SendOpcode::SEND_WITH_INV)
        {
            expected.flags = WC_WITH_INV;
            expected.immediate = m_run.invalidated[index];
        }
        else if (operation.opcode != SendOpcode::SEND)
        {
            expected.flags = WC_WITH_IMM;
            expected.immediate = static_cast<uint32_t>(1000 + index);
        }
        return expected;
    }

    /** What a request left behind: all of its bytes, none, or the first packets of the one at work.
     */
    void JudgeRequest(std::size_t index)
    {
        const CaseOperation& operation = m_case.operations[index];
        const std::string name = "request " + std::to_string(index);
        const std::size_t sent = operation.IsWrite() ? operation.bytes : 0;
        JudgeSlot(m_run.remote, index, {index, sent}, name + " WRITE");
        if (operation.opcode == SendOpcode::SEND_WITH_INV)
        {
            Expect(m_script.serverMemory.CanInvalidate(
                       m_run.invalidated[index], ConnectionScript::DOMAIN) == (index >= m_executed),
                   name + ": its region");
        }
        if (operation.TakesReceive())
        {
            const auto number = std::ranges::find(m_run.takers, index) - m_run.takers.begin();
            const std::size_t bytes = operation.IsWrite() ? 0 : operation.bytes;
            JudgeSlot(m_run.buffer, number, {index, bytes}, name + " SEND");
        }
        if (operation.IsRead() && m_succeeded[index])
        {
            Expect(std::equal(m_run.local.begin() + index * SLOT,
                              m_run.local.begin() + index * SLOT + operation.bytes,
                              m_run.source.begin() + index * SLOT),
                   name + " has read wrong bytes");
        }
        if (operation.IsAtomic() && m_succeeded[index])
        {
            Expect(WordAt(m_run.local, index * SLOT) ==
                       m_run.Word(index % ConnectionRun::ATOMIC_WORDS, index),
                   name + " returned a wrong value");
        }
    }

    void JudgeSlot(const std::vector<std::byte>& memory,
                   std::size_t slot,
                   std::pair<std::size_t, std::size_t> message,
                   const std::string& name)
    {
        const auto [index, bytes] = message;
        const auto begin = memory.begin() + slot * SLOT;
        const auto source = m_run.local.begin() + index * SLOT;
        const auto right =
            static_cast<std::size_t>(std::mismatch(begin, begin + bytes, source).first - begin);
        const bool isClean = std::all_of(
            begin + right, begin + SLOT, [](std::byte byte) { return byte == std::byte{0}; });
        Expect(isClean, name + " left bytes that are not its own");
        if (index < m_executed)
        {
            Expect(right == bytes, name + " is not complete");
        }
        else
        {
            Expect(right == 0 || (index == m_executed && right % MTU == 0),
                   name + " left bytes before its time");
        }
    }

    const ConnectionCase& m_case;
    ConnectionRun& m_run;
    ConnectionScript& m_script;
    std::size_t m_executed;
    std::vector<bool> m_succeeded;
    std::vector<std::string> m_wrong;
};

struct Verdict
{
    std::string wrong; ///< empty: nothing
    uint64_t packets{0};
    bool hasFailed{false}; ///< ended with an error status
};

Verdict
RunCase(const ConnectionCase& caseToRun, std::vector<std::string>* log = nullptr)
{
    ConnectionRun run{caseToRun};
    run.script.log = log;
    Verdict verdict;
    verdict.wrong = run.Run() ? Judgement{caseToRun, run}.Judge() : "it never ends";
    verdict.packets = uint64_t{run.script.packets[0]} + run.script.packets[1];
    verdict.hasFailed = run.script.requester.IsInError();
    return verdict;
}

/** Leaves out what is not needed for a failure. */
ConnectionCase
Shrink(ConnectionCase failing)
{
    bool hasShrunk = true;
    while (hasShrunk)
    {
        hasShrunk = false;
        for (std::size_t index = failing.operations.size(); index-- > 0;)
        {
            ConnectionCase smaller = failing;
            smaller.operations.erase(smaller.operations.begin() + index);
            if (!smaller.operations.empty() && !RunCase(smaller).wrong.empty())
            {
                failing = smaller;
                hasShrunk = true;
            }
        }
    }
    return failing;
}

std::string
Explain(const ConnectionCase& failing)
{
    const ConnectionCase small = Shrink(failing);
    std::vector<std::string> log;
    std::string text = RunCase(small, &log).wrong + "\n" + small.Describe();
    constexpr std::size_t LINES = 150; // the last ones
    for (std::size_t line = log.size() - std::min(log.size(), LINES); line < log.size(); ++line)
    {
        text += log[line] + "\n";
    }
    return text;
}

uint64_t
FromEnvironment(const char* name, uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(ConnectionProperty, RandomListsThroughABadChannel)
{
    const uint64_t first = FromEnvironment("RDMASIM_FUZZ_SEED", 1);
    const uint64_t lists = FromEnvironment("RDMASIM_FUZZ_LISTS", 50'000);
    uint64_t packets = 0;
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + lists; ++seed)
    {
        const ConnectionCase drawn = DrawCase(seed);
        const Verdict verdict = RunCase(drawn);
        ASSERT_EQ(verdict.wrong, "") << Explain(drawn);
        packets += verdict.packets;
        failed += verdict.hasFailed ? 1 : 0;
    }
    RecordProperty("packets", std::to_string(packets));
    RecordProperty("failed", std::to_string(failed));
    // Both ends of a list must have been tried: few fail, but some do.
    EXPECT_GT(failed, lists / 100);
    EXPECT_LT(failed, lists / 4);
}

} // namespace
} // namespace ns3::rdma
