// SPDX-License-Identifier: GPL-2.0-only
#include "live/thread-log.h"

#include "live/recorder.h"

#include <algorithm>
#include <sys/mman.h>

namespace ns3::rdma
{

std::atomic<bool> ThreadLog::g_writesAtOnce{false};

namespace
{

constexpr std::size_t RING_BYTES = ThreadLog::SLOTS * sizeof(RawOperation);

} // namespace

RawOperation*
ThreadLog::MakeSlots()
{
    void* memory = mmap(nullptr,
                        RING_BYTES,
                        PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                        -1,
                        0);
    return memory == MAP_FAILED ? nullptr : static_cast<RawOperation*>(memory);
}

void
ThreadLog::FreeSlots(RawOperation* slots)
{
    munmap(slots, RING_BYTES);
}

ThreadLog::ThreadLog(RawOperation* slots) : m_slots{slots} {}

ThreadLog::~ThreadLog()
{
    FreeSlots(m_slots);
}

RawOperation*
ThreadLog::Reserve(uint32_t count)
{
    // What lies behind the first slot is read as one piece of memory: it may not wrap.
    const uint64_t untilWrap = SLOTS - (m_reserved & MASK);
    const uint64_t padding = untilWrap < count ? untilWrap : 0;
    if (m_limit - m_reserved < padding + count && !MakeRoom(static_cast<uint32_t>(padding) + count))
    {
        return Lose();
    }
    for (uint64_t filled = 0; filled < padding; ++filled)
    {
        Reserve();
    }
    RawOperation* slot = Reserve();
    slot->slots = static_cast<uint8_t>(count);
    m_reserved += count - 1;
    return slot;
}

bool
ThreadLog::MakeRoom(uint32_t count)
{
    m_limit = m_taken.load(std::memory_order_acquire) + SLOTS;
    if (m_limit - m_reserved < count)
    {
        Recorder::Get().WriteNow(Recorder::Flush::NO);
        m_limit = m_taken.load(std::memory_order_acquire) + SLOTS;
    }
    return m_limit - m_reserved >= count;
}

RawOperation*
ThreadLog::Lose()
{
    m_lost.fetch_add(1, std::memory_order_relaxed);
    return m_scratch.data();
}

void
ThreadLog::WriteAtOnce()
{
    Recorder::Get().WriteNow(Recorder::Flush::YES);
}

void
ThreadLog::StartRun(EmptyRun& run, ObjectId queue)
{
    if (run.count != 0)
    {
        Open();
        Close();
    }
    run = {.queue = queue, .count = 1, .ticks = ReadTicks()};
    m_hasRuns = true;
}

void
ThreadLog::CloseRuns()
{
    m_hasRuns = false;
    std::array<EmptyRun, RUNS> runs = m_runs;
    std::sort(runs.begin(),
              runs.end(),
              [](const EmptyRun& left, const EmptyRun& right) { return left.ticks < right.ticks; });
    for (const EmptyRun& run : runs)
    {
        if (run.count == 0)
        {
            continue;
        }
        RawOperation* slot = Reserve();
        *slot = {};
        slot->ticks = run.ticks;
        slot->object = run.queue;
        slot->bytes = std::min<uint64_t>(run.count, UINT32_MAX);
        slot->kind = OperationKind::EMPTY_POLLS;
    }
    m_runs = {};
}

void
ThreadLog::End()
{
    if (m_hasRuns)
    {
        CloseRuns();
    }
    m_published.store(m_reserved, std::memory_order_release);
    m_hasEnded.store(true, std::memory_order_release);
}

} // namespace ns3::rdma
