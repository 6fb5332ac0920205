// SPDX-License-Identifier: GPL-2.0-only
#include "engine/wheel-tuner.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

// Thresholds by tests/engine/event-queue-benchmark. A bucket of one event is cheapest, because the
// processor guesses it right; a width below that only makes the wheel longer than a cache.
constexpr uint64_t CROWDED_SHARE = 2; ///< 1 bucket in 2 with a second time: too wide
constexpr uint64_t SPARSE_SHARE = 8;  ///< less than 1 in 8: needlessly narrow
constexpr uint64_t LATE_SHARE = 32;   ///< above 1 insertion in 32 into the current bucket: no wider
constexpr uint64_t FAR_SHARE = 16;    ///< 1 insertion in 16 beyond the wheel is tolerated
constexpr uint64_t LONGEST_EPOCH = uint64_t{1} << 22;
constexpr uint64_t EPOCH_PER_PENDING = 2; ///< a change of geometry touches each pending event

} // namespace

uint32_t
WheelTuner::ChooseWidth(uint32_t widthBits) const
{
    if (m_moreTimes * CROWDED_SHARE > m_epoch)
    {
        const uint64_t excess = m_moreTimes / m_epoch;
        const auto narrower = static_cast<uint32_t>(std::bit_width(excess));
        return widthBits - std::min(widthBits, std::max(narrower, 1U));
    }
    const bool late = m_late * LATE_SHARE > m_samples * SAMPLE_PERIOD;
    if (!late && m_moreTimes * SPARSE_SHARE < m_epoch)
    {
        return widthBits + 1;
    }
    return widthBits;
}

uint32_t
WheelTuner::ChooseSpan() const
{
    uint64_t beyond = 0;
    uint32_t bits = static_cast<uint32_t>(m_delays.size()) - 1;
    while (bits > 0 && (beyond + m_delays[bits]) * FAR_SHARE <= m_samples)
    {
        beyond += m_delays[bits];
        --bits;
    }
    return bits;
}

WheelGeometry
WheelTuner::Decide(WheelGeometry current, size_t pending)
{
    using G = WheelGeometry;
    WheelGeometry next = current;
    const bool informed = m_samples >= FAR_SHARE;
    if (informed)
    {
        const uint32_t span = ChooseSpan();
        const uint32_t least = span > G::MAX_SLOT_BITS ? span - G::MAX_SLOT_BITS : 0;
        const uint32_t most = span > G::MIN_SLOT_BITS ? span - G::MIN_SLOT_BITS : 0;
        next.widthBits = std::clamp(ChooseWidth(current.widthBits), least, most);
        next.widthBits = std::min(next.widthBits, G::MAX_WIDTH_BITS);
        next.slotBits =
            std::clamp(span - std::min(span, next.widthBits), G::MIN_SLOT_BITS, G::MAX_SLOT_BITS);
    }
    const uint64_t shortest = std::max(SHORTEST_EPOCH, EPOCH_PER_PENDING * pending);
    m_epoch = next == current ? m_epoch / 2 : m_epoch * 2;
    m_epoch = std::clamp(m_epoch, shortest, std::max(shortest, LONGEST_EPOCH));
    if (informed)
    {
        m_delays.fill(0);
        m_samples = 0;
    }
    m_late = 0;
    m_bucketsLeft = m_epoch;
    m_moreTimes = 0;
    return next;
}

} // namespace ns3::rdma
