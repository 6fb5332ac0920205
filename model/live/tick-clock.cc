// SPDX-License-Identifier: GPL-2.0-only
#include "live/tick-clock.h"

#include <algorithm>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ns3::rdma
{

bool g_usesCycleCounter = false;

namespace
{

/** Both clocks at once: the closest of a few attempts, in case one is interrupted in between. */
TickClock::Reading
ReadBoth()
{
    constexpr int ATTEMPTS = 5;
    TickClock::Reading best;
    uint64_t bestSpan = UINT64_MAX;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt)
    {
        const uint64_t before = ReadTicks();
        const int64_t ns = ReadSystemClock(CLOCK_MONOTONIC);
        const uint64_t span = ReadTicks() - before;
        if (span < bestSpan)
        {
            bestSpan = span;
            best = {before + span / 2, ns};
        }
    }
    return best;
}

/** The point of a line through two readings; `from` is the earlier one. */
int64_t
Interpolate(const TickClock::Reading& from, const TickClock::Reading& to, uint64_t ticks)
{
    const auto span = static_cast<__int128>(to.ticks - from.ticks);
    const auto part = static_cast<__int128>(static_cast<int64_t>(ticks - from.ticks));
    return span == 0 ? from.ns : from.ns + static_cast<int64_t>(part * (to.ns - from.ns) / span);
}

} // namespace

void
ChooseTickSource()
{
#if defined(__x86_64__)
    // Leaf 0x80000007, EDX bit 8: the counter runs at one rate in all states of the processor.
    constexpr unsigned POWER_LEAF = 0x80000007;
    constexpr unsigned INVARIANT = 1U << 8;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    g_usesCycleCounter =
        __get_cpuid(POWER_LEAF, &eax, &ebx, &ecx, &edx) != 0 && (edx & INVARIANT) != 0;
#endif
}

TickClock::TickClock() : TickClock{ReadBoth()}
{
    m_realOriginNs =
        ReadSystemClock(CLOCK_REALTIME) - (ReadSystemClock(CLOCK_MONOTONIC) - m_origin.ns);
}

TickClock::TickClock(const Reading& origin) : m_origin{origin}, m_realOriginNs{0}
{
    m_readings[0] = origin;
}

uint64_t
TickClock::Advance()
{
    const Reading reading = ReadBoth();
    Advance(reading);
    return reading.ticks;
}

void
TickClock::Advance(const Reading& reading)
{
    const Reading& last = At(m_count - 1);
    if (reading.ticks > last.ticks && reading.ns >= last.ns)
    {
        m_readings[m_count++ % KEPT_READINGS] = reading;
    }
}

int64_t
TickClock::ToNs(uint64_t ticks) const
{
    if (m_count == 1)
    {
        return 0;
    }
    const uint64_t oldest = m_count > KEPT_READINGS ? m_count - KEPT_READINGS : 0;
    uint64_t next = m_count - 1;
    while (next > oldest + 1 && At(next - 1).ticks > ticks)
    {
        --next;
    }
    const bool isOlder = ticks < At(oldest).ticks;
    const int64_t ns = isOlder ? Interpolate(m_origin, At(oldest), ticks)
                               : Interpolate(At(next - 1), At(next), ticks);
    return ns - m_origin.ns;
}

int64_t
TickClock::DurationNs(uint64_t ticks) const
{
    return Interpolate(m_origin, At(m_count - 1), m_origin.ticks + ticks) - m_origin.ns;
}

double
TickClock::GetRate() const
{
    constexpr double NS_PER_S = 1e9;
    const Reading& last = At(m_count - 1);
    const int64_t span = last.ns - m_origin.ns;
    return span == 0 ? 0.0 : static_cast<double>(last.ticks - m_origin.ticks) * NS_PER_S / span;
}

} // namespace ns3::rdma
