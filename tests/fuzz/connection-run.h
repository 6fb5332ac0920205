// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/fuzz/connection-case.h"

#include <numeric>

namespace ns3::rdma
{

/**
 * A case as it runs: memories, receives, requests; connection-property-test.cc judges what it left.
 *
 * Request i has a slot of its own in each memory, and the ends' slots are filled with bytes that
 * only it has. READs read what nobody writes; atomics share four words, whose history is worked
 * out one request after the other.
 */
class ConnectionRun
{
  public:
    explicit ConnectionRun(const ConnectionCase& caseToRun)
        : script{caseToRun.settings},
          local(SLOT * caseToRun.operations.size()),
          remote(local.size()),
          source(local.size()),
          buffer(local.size()),
          words(ATOMIC_WORDS * ATOMIC_BYTES),
          m_case{caseToRun},
          m_channel{caseToRun.seed, "channel"}
    {
        for (std::size_t byte = 0; byte < local.size(); ++byte)
        {
            source[byte] = Pattern(byte, 3);
        }
        Register(script.clientMemory, LOCAL, local, m_mine);
        Register(script.serverMemory, REMOTE, remote, m_his);
        Register(script.serverMemory, SOURCE, source, m_sourceRegion);
        Register(script.serverMemory, BUFFER, buffer, m_bufferRegion);
        Register(script.serverMemory, WORDS, words, m_wordsRegion);
        script.judge = [this](const ConnectionPacket&) { return DrawFate(); };
        script.onSent = [this](const WorkCompletion& completion) { OnSent(completion); };
    }

    /** @return whether it came to an end */
    bool Run()
    {
        for (std::size_t index = 0; index < m_case.operations.size(); ++index)
        {
            Prepare(index);
        }
        for (std::size_t index = 0; index < m_case.operations.size(); ++index)
        {
            Post(index);
        }
        const bool hasEnded = script.Run(STEPS);
        if (script.responder.IsInError())
        {
            script.FlushReceives();
        }
        return hasEnded;
    }

    /** A word before request upTo, if all before that were executed. */
    uint64_t Word(std::size_t word, std::size_t upTo) const
    {
        uint64_t value = 0;
        for (std::size_t index = word; index < upTo; index += ATOMIC_WORDS)
        {
            const CaseOperation& operation = m_case.operations[index];
            if (operation.opcode == SendOpcode::ATOMIC_FETCH_AND_ADD)
            {
                value += Operand(index);
            }
            else if (operation.IsAtomic() && value == 0)
            {
                value = Operand(index);
            }
        }
        return value;
    }

    /** What a byte of a request's source is; never 0. */
    static std::byte Pattern(std::size_t byte, uint32_t salt)
    {
        return static_cast<std::byte>(1 + (byte * 31 + byte / SLOT * 17 + salt) % 255);
    }

    static uint64_t Operand(std::size_t index)
    {
        return (index + 1) * 0x0101010101ULL;
    }

    static constexpr uint32_t SLOT = 2048;
    static constexpr std::size_t ATOMIC_WORDS = 4;

    ConnectionScript script;
    std::vector<std::byte> local;      ///< the requester's
    std::vector<std::byte> remote;     ///< what WRITEs fill
    std::vector<std::byte> source;     ///< what READs read
    std::vector<std::byte> buffer;     ///< what SENDs fill
    std::vector<std::byte> words;      ///< what atomic operations work on
    std::vector<uint32_t> invalidated; ///< R_Keys, by request
    std::vector<std::size_t> takers;   ///< requests that take a receive
    std::vector<std::string> wrong;    ///< found on the way

  private:
    static constexpr uint32_t STEPS = 100'000;
    static constexpr uint64_t LOCAL = 0x100000;
    static constexpr uint64_t REMOTE = 0x200000;
    static constexpr uint64_t SOURCE = 0x300000;
    static constexpr uint64_t BUFFER = 0x400000;
    static constexpr uint64_t WORDS = 0x500000;
    static constexpr uint64_t INVALIDATED = 0x600000;

    static void Register(MemoryTable& memory,
                         uint64_t address,
                         std::vector<std::byte>& bytes,
                         MemoryRegion& region)
    {
        memory.Register(
            {ConnectionScript::DOMAIN, address, bytes.size(), ACCESS_ALL, bytes.data(), true},
            region);
    }

    Fate DrawFate()
    {
        const auto hits = [this](uint32_t permille)
        { return permille > 0 && m_channel.NextBelow(1000) < permille; };
        Fate fate;
        fate.copies = hits(m_case.lossPermille) ? 0 : hits(m_case.duplicatePermille) ? 2 : 1;
        if (hits(m_case.latePermille))
        {
            fate.delay = SimTime::Nanoseconds(m_channel.NextBelow(3000));
        }
        return fate;
    }

    /** Fills the source of a request, works out what it will do, has its receive posted. */
    void Prepare(std::size_t index)
    {
        const CaseOperation& operation = m_case.operations[index];
        invalidated.push_back(0);
        if (operation.opcode != SendOpcode::RDMA_READ && !operation.IsAtomic())
        {
            for (std::size_t byte = index * SLOT; byte < index * SLOT + operation.bytes; ++byte)
            {
                local[byte] = Pattern(byte, 5);
            }
        }
        if (operation.opcode == SendOpcode::SEND_WITH_INV)
        {
            MemoryRegion region;
            script.serverMemory.Register(
                {ConnectionScript::DOMAIN, INVALIDATED, 8, ACCESS_ALL, nullptr, true}, region);
            invalidated.back() = region.rkey;
        }
        if (operation.TakesReceive())
        {
            const uint64_t number = takers.size();
            takers.push_back(index);
            // Posted in order: not before the one before it.
            m_lastReceive = std::max(m_lastReceive, operation.receiveAt);
            script.At(m_lastReceive, [this, number] { PostReceive(number); });
        }
    }

    void PostReceive(uint64_t number)
    {
        const uint32_t lkey = m_bufferRegion.lkey;
        const uint64_t address = BUFFER + number * SLOT;
        const std::array<ScatterGatherElement, 3> list{
            {{address, 100, lkey}, {address + 100, 0, lkey}, {address + 100, SLOT - 100, lkey}}};
        script.receives.Post({number, list});
    }

    void Post(std::size_t index)
    {
        const CaseOperation& operation = m_case.operations[index];
        std::vector<ScatterGatherElement> list;
        uint32_t done = 0;
        for (uint32_t piece = 0; piece < operation.pieces; ++piece)
        {
            const bool isLast = piece + 1 == operation.pieces;
            const uint32_t bytes =
                isLast ? operation.bytes - done : operation.bytes / operation.pieces;
            list.push_back({LOCAL + index * SLOT + done, bytes, m_mine.lkey});
            done += bytes;
        }
        SendRequest request{.wrId = index,
                            .opcode = operation.opcode,
                            .flags = Flags(index),
                            .sgList = list,
                            .immediate = static_cast<uint32_t>(1000 + index),
                            .invalidateRkey = invalidated[index],
                            .remoteAddress = REMOTE + index * SLOT,
                            .rkey = m_his.rkey};
        if (operation.opcode == SendOpcode::RDMA_READ)
        {
            request.remoteAddress = SOURCE + index * SLOT;
            request.rkey = m_sourceRegion.rkey;
        }
        if (operation.IsAtomic())
        {
            const bool isAdd = operation.opcode == SendOpcode::ATOMIC_FETCH_AND_ADD;
            request.remoteAddress = WORDS + index % ATOMIC_WORDS * ATOMIC_BYTES;
            request.rkey = m_wordsRegion.rkey;
            request.compareAdd = isAdd ? Operand(index) : 0;
            request.swap = Operand(index);
        }
        request.rkey += operation.hasBadKey ? 1 : 0;
        script.Post(request);
    }

    /** A queue full of unsignalled requests would never be freed: each n-th is signalled. */
    uint8_t Flags(std::size_t index) const
    {
        const std::size_t entries = m_case.settings.capabilities.maxSendRequests;
        const bool isForced =
            index % entries == entries - 1 || index + 1 == m_case.operations.size();
        return m_case.operations[index].flags | (isForced ? SEND_SIGNALED : 0);
    }

    void OnSent(const WorkCompletion& completion)
    {
        const std::string name = "request " + std::to_string(completion.wrId);
        if (completion.wrId < m_nextSent)
        {
            wrong.push_back(name + " completes out of order or twice");
        }
        m_nextSent = completion.wrId + 1;
        if (completion.status == CompletionStatus::SUCCESS &&
            script.executedMessages <= completion.wrId)
        {
            wrong.push_back(name + " is acknowledged and was not executed");
        }
    }

    const ConnectionCase& m_case;
    RandomStream m_channel;
    MemoryRegion m_mine;
    MemoryRegion m_his;
    MemoryRegion m_sourceRegion;
    MemoryRegion m_bufferRegion;
    MemoryRegion m_wordsRegion;
    SimTime m_lastReceive{};
    uint64_t m_nextSent{0};
};

} // namespace ns3::rdma
