// SPDX-License-Identifier: GPL-2.0-only
#include "switch/shared-buffer.h"

#include "switch/headroom.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace ns3::rdma
{

Expected<std::vector<std::string>>
SharedBuffer::SetUp(const BufferSetup& setup)
{
    std::vector<std::string> warnings;
    m_lossless = setup.pfc.lossless;
    m_maxFrameBytes = setup.maxFrameBytes;
    const bool isInPool = m_reserveSource == ReserveSource::POOL;
    (isInPool ? m_poolReserve : m_reserve) = m_reserveAttribute.value;
    m_lossyPool.size = m_lossyPoolAttribute.value;
    m_hasOptions = m_cell.value != 0 || m_poolReserve != 0 || m_lossyPool.size != 0 ||
                   m_egressLossyPool.value != 0 || m_egressLossyLimit.value != 0 ||
                   m_egressLosslessLimit.value != 0;
    m_groups.assign(setup.ports.size() * PRIORITY_COUNT, Group{.hasOptions = m_hasOptions});
    ComputeHeadrooms(setup, warnings);
    if (Diagnostics errors = CheckSizes(setup); !errors.empty())
    {
        return errors;
    }
    m_sharedSize = m_size.value - m_reserve * m_groups.size() - m_headroomSize - m_lossyPool.size;
    OnParametersChanged();
    return warnings;
}

std::span<const std::string_view>
SharedBuffer::GetLiveAttributes() const
{
    // Memory is divided at the start.
    static constexpr std::array<std::string_view, 5> NAMES{
        "Alpha", "Xoff", "Xon", "XonOffset", "EgressAlpha"};
    return NAMES;
}

void
SharedBuffer::OnParametersChanged()
{
    m_resumeOffset = m_xonOffset.value != 0 ? m_xonOffset.value : 2 * m_maxFrameBytes;
    const uint64_t half = m_sharedSize / 2;
    m_calmBelow = m_hasOptions ? 0 : half + 1;
    m_calmShare = Threshold(half);
    const uint64_t calmEgress =
        (m_sharedSize - half) * m_egressAlpha.numerator / m_egressAlpha.denominator;
    m_calmEgressBytes = calmEgress > m_maxFrameBytes ? calmEgress - m_maxFrameBytes : 0;
}

Diagnostics
SharedBuffer::CheckSizes(const BufferSetup& setup) const
{
    Diagnostic diagnostic;
    const std::string owner = setup.ports.front().name + "'s switch";
    const uint64_t reserved = m_reserve * m_groups.size();
    if (reserved + m_headroomSize + m_lossyPool.size + setup.maxFrameBytes > m_size.value)
    {
        diagnostic.key = "switch.buffer.size";
        diagnostic.message =
            "the buffer of " + owner + " leaves no room for a frame beside reserve and headroom";
        diagnostic.got = ToString(m_size);
        diagnostic.expected =
            "at least " + ToString(ByteCount{reserved}) + " of reserve + " +
            ToString(ByteCount{m_headroomSize}) + " of headroom + " +
            (m_lossyPool.size == 0 ? "" : ToString(m_lossyPoolAttribute) + " of lossy pool + ") +
            ToString(ByteCount{setup.maxFrameBytes}) + " for a largest frame";
        return {diagnostic};
    }
    if (m_headroomSharing == HeadroomSharing::QUEUE && m_headroomPoolAttribute.value != 0)
    {
        diagnostic.key = "switch.buffer.headroom_pool";
        diagnostic.message = "there is no pool of headroom: each queue has its own";
        diagnostic.got = ToString(m_headroomPoolAttribute);
        diagnostic.expected = "0B, or switch.buffer.headroom_shared_by: switch or port";
        return {diagnostic};
    }
    return {};
}

void
SharedBuffer::ComputeHeadrooms(const BufferSetup& setup, std::vector<std::string>& warnings)
{
    const auto priorities = static_cast<uint64_t>(std::popcount(m_lossless));
    uint64_t needed = 0;
    m_headroom.clear();
    for (const BufferPort& port : setup.ports)
    {
        const uint64_t need = ComputeHeadroom({port.rate,
                                               port.delay,
                                               setup.pfc.GetResponseTime(port.rate),
                                               setup.maxFrameBytes,
                                               static_cast<uint32_t>(m_cell.value)})
                                  .value;
        const uint64_t own = m_headroomAttribute.value != 0 ? m_headroomAttribute.value : need;
        if (priorities != 0 && own < need)
        {
            warnings.push_back("headroom too small at " + port.name + ": " +
                               ToString(ByteCount{own}) + ", but " + ToString(ByteCount{need}) +
                               " may still arrive after a pause; lossless frames may be dropped");
        }
        m_headroom.push_back(own);
        needed += need * priorities;
    }
    MakeHeadroomPools(setup, needed, warnings);
}

void
SharedBuffer::MakeHeadroomPools(const BufferSetup& setup,
                                uint64_t needed,
                                std::vector<std::string>& warnings)
{
    const auto priorities = static_cast<uint64_t>(std::popcount(m_lossless));
    const uint64_t configured =
        priorities * std::accumulate(m_headroom.begin(), m_headroom.end(), uint64_t{0});
    const uint64_t given = m_headroomPoolAttribute.value;
    m_headroomPools.clear();
    if (m_headroomSharing == HeadroomSharing::PORT)
    {
        for (std::size_t port = 0; port < m_headroom.size(); ++port)
        {
            const uint64_t own = m_headroom[port] * priorities;
            m_headroomPools.push_back({given != 0 ? given : own, 0});
            if (m_headroomPools.back().size < own)
            {
                warnings.push_back("headroom pool too small at " + setup.ports[port].name + ": " +
                                   ToString(ByteCount{given}) + " for " + ToString(ByteCount{own}) +
                                   " if all its priorities pause at "
                                   "once");
            }
        }
        m_headroomSize = given != 0 ? given * m_headroom.size() : configured;
        return;
    }
    const bool isShared = m_headroomSharing == HeadroomSharing::SWITCH;
    m_headroomSize = isShared ? std::min(configured, m_size.value / 2) : configured;
    m_headroomSize = isShared && given != 0 ? given : m_headroomSize;
    m_headroomPools.push_back({m_headroomSize, 0});
    if (m_headroomSize < needed && m_headroomSize < configured)
    {
        const uint64_t perPort = needed / std::max<uint64_t>(setup.ports.size(), 1);
        warnings.push_back(
            "headroom pool too small at " + setup.ports.front().name + " and " +
            std::to_string(setup.ports.size() - 1) +
            " more ports of its switch: " + ToString(ByteCount{m_headroomSize}) +
            " for a need of " + ToString(ByteCount{needed}) + " if all pause at once; it serves " +
            std::to_string(m_headroomSize / std::max<uint64_t>(perPort, 1)) + " of them");
    }
}

uint64_t
SharedBuffer::Threshold(uint64_t used) const
{
    if (m_staticThreshold.value != 0)
    {
        return m_staticThreshold.value;
    }
    const uint64_t free = m_sharedSize > used ? m_sharedSize - used : 0;
    return free * m_alpha.numerator / m_alpha.denominator;
}

bool
SharedBuffer::ReachesThreshold(uint64_t share, uint64_t used) const
{
    if (m_staticThreshold.value != 0)
    {
        return share >= m_staticThreshold.value;
    }
    const uint64_t free = m_sharedSize > used ? m_sharedSize - used : 0;
    return share * m_alpha.denominator >= free * m_alpha.numerator;
}

bool
SharedBuffer::TryAccept(BufferArrival arrival)
{
    Group& group = At(arrival.ingress, arrival.priority);
    const uint64_t bytes = group.bytes + arrival.bytes;
    const uint64_t share = SharedPart(bytes);
    const uint64_t used = m_sharedUsed + SharedGrowth(group.bytes, bytes);
    const bool isCalm = used < m_calmBelow && (IsLossless(arrival.priority)
                                                   ? share < m_calmShare
                                                   : arrival.egressQueueBytes < m_calmEgressBytes);
    if (!isCalm) [[unlikely]]
    {
        if (m_hasOptions)
        {
            return TryWithOptions(arrival, group); // It is never calm with them.
        }
        if (!IsBelowLimits(arrival, share, used))
        {
            return false;
        }
    }
    if (group.headroom != 0) [[unlikely]]
    {
        return false;
    }
    group.bytes = bytes;
    m_sharedUsed = used;
    return true;
}

void
SharedBuffer::Prefetch(uint16_t ingress, uint8_t priority) const
{
    __builtin_prefetch(&At(ingress, priority));
}

bool
SharedBuffer::IsBelowLimits(const BufferArrival& arrival, uint64_t share, uint64_t used) const
{
    if (share == 0)
    {
        return true;
    }
    if (used > m_sharedSize)
    {
        return false;
    }
    if (IsLossless(arrival.priority))
    {
        return !ReachesThreshold(share, used);
    }
    return (arrival.egressQueueBytes + arrival.bytes) * m_egressAlpha.denominator <=
           (m_sharedSize - used) * m_egressAlpha.numerator;
}

uint32_t
SharedBuffer::Charge(uint32_t bytes) const
{
    const auto cell = static_cast<uint32_t>(m_cell.value);
    return cell == 0 ? bytes : (bytes + cell - 1) / cell * cell;
}

SharedBuffer::Outcome
SharedBuffer::Foresee(const BufferArrival& arrival, const Group& group)
{
    Outcome outcome;
    outcome.charge = Charge(arrival.bytes);
    outcome.before = SharedPart(group.bytes);
    outcome.after = SharedPart(group.bytes + outcome.charge);
    outcome.used = UsedOf(arrival.priority) + outcome.after - outcome.before;
    outcome.fitsReserve = outcome.after == 0 || (group.bytes + outcome.charge <= m_poolReserve &&
                                                 outcome.used <= PoolSizeOf(arrival.priority));
    return outcome;
}

void
SharedBuffer::Take(const BufferArrival& arrival, Group& group, const Outcome& outcome)
{
    group.bytes += outcome.charge;
    UsedOf(arrival.priority) = outcome.used;
    m_lossyHeld += m_hasOptions && !IsLossless(arrival.priority) ? outcome.charge : 0;
    m_padding += outcome.charge - arrival.bytes;
}

bool
SharedBuffer::TryWithOptions(const BufferArrival& arrival, Group& group)
{
    // Each limit is easier to keep with the exact counters, which are lower.
    const Outcome outcome = Foresee(arrival, group);
    if (!IsLossless(arrival.priority))
    {
        return AdmitLossy(arrival, group).isAccepted;
    }
    const bool isSure = group.headroom == 0 && FitsEgress(arrival) &&
                        (outcome.fitsReserve || (outcome.used <= m_sharedSize &&
                                                 !ReachesThreshold(outcome.after, outcome.used)));
    if (isSure)
    {
        Take(arrival, group, outcome);
    }
    return isSure;
}

Admission
SharedBuffer::Admit(const BufferArrival& arrival)
{
    Group& group = At(arrival.ingress, arrival.priority);
    return IsLossless(arrival.priority) ? AdmitLossless(arrival, group)
                                        : AdmitLossy(arrival, group);
}

Admission
SharedBuffer::AdmitLossless(const BufferArrival& arrival, Group& group)
{
    if (!FitsEgress(arrival))
    {
        return {.isAccepted = false, .reason = DropReason::EGRESS_THRESHOLD};
    }
    const Outcome outcome = Foresee(arrival, group);
    // A threshold that fell below the share has paused nobody yet: headroom is for what comes after
    // the PAUSE.
    const bool isOpen = group.isOver == 0 || !ReachesThreshold(outcome.before, m_sharedUsed);
    if (outcome.fitsReserve || (outcome.used <= m_sharedSize && isOpen))
    {
        Take(arrival, group, outcome);
        const bool pauses = !outcome.fitsReserve && ReachesThreshold(outcome.after, outcome.used);
        group.isOver |= pauses ? 1 : 0;
        return {.pauses = pauses};
    }
    group.isOver = 1;
    Pool& pool = HeadroomPoolOf(arrival.ingress);
    if (group.headroom + outcome.charge <= m_headroom[arrival.ingress] &&
        pool.used + outcome.charge <= pool.size)
    {
        group.headroom += outcome.charge;
        pool.used += outcome.charge;
        m_padding += outcome.charge - arrival.bytes;
        return {.pauses = true};
    }
    return {.isAccepted = false, .pauses = true, .reason = DropReason::HEADROOM_FULL};
}

Admission
SharedBuffer::AdmitLossy(const BufferArrival& arrival, Group& group)
{
    const Outcome outcome = Foresee(arrival, group);
    const uint64_t egressPool = m_egressLossyPool.value;
    const bool isEgressFull = egressPool != 0 && m_lossyHeld + outcome.charge > egressPool;
    if (!outcome.fitsReserve && (outcome.used > PoolSizeOf(arrival.priority) || isEgressFull))
    {
        return {.isAccepted = false, .reason = DropReason::BUFFER_FULL};
    }
    if (!outcome.fitsReserve && !FitsEgress(arrival))
    {
        return {.isAccepted = false, .reason = DropReason::EGRESS_THRESHOLD};
    }
    Take(arrival, group, outcome);
    return {};
}

bool
SharedBuffer::FitsEgress(const BufferArrival& arrival) const
{
    const uint64_t queue = arrival.egressQueueBytes + arrival.bytes;
    if (IsLossless(arrival.priority))
    {
        return m_egressLosslessLimit.value == 0 || queue <= m_egressLosslessLimit.value;
    }
    if (m_egressLossyLimit.value != 0)
    {
        return queue <= m_egressLossyLimit.value;
    }
    uint64_t free = m_sharedSize - m_sharedUsed;
    if (m_egressLossyPool.value != 0)
    {
        free = m_egressLossyPool.value - std::min(m_lossyHeld, m_egressLossyPool.value);
    }
    else if (m_lossyPool.size != 0)
    {
        free = m_lossyPool.size - m_lossyPool.used;
    }
    return queue * m_egressAlpha.denominator <= free * m_egressAlpha.numerator;
}

void
SharedBuffer::Release(uint16_t ingress, uint8_t priority, uint32_t bytes)
{
    Group& group = At(ingress, priority);
    if (!group.IsPlain()) [[unlikely]]
    {
        ReleaseFrom(group, {ingress, priority, bytes});
        return;
    }
    m_sharedUsed -= SharedGrowth(group.bytes - bytes, group.bytes);
    group.bytes -= bytes;
}

void
SharedBuffer::ReleaseFrom(Group& group, const BufferArrival& frame)
{
    uint64_t charge = Charge(frame.bytes);
    m_padding -= charge - frame.bytes;
    m_lossyHeld -= m_hasOptions && !IsLossless(frame.priority) ? charge : 0;
    const uint64_t fromHeadroom = std::min<uint64_t>(group.headroom, charge);
    group.headroom -= fromHeadroom;
    HeadroomPoolOf(frame.ingress).used -= fromHeadroom;
    charge -= fromHeadroom;
    UsedOf(frame.priority) -= SharedGrowth(group.bytes - charge, group.bytes);
    group.bytes -= charge;
    if (group.isOver != 0 && MayResume(frame.ingress, frame.priority))
    {
        group.isOver = 0;
    }
}

bool
SharedBuffer::MayResume(uint16_t ingress, uint8_t priority) const
{
    const Group& group = At(ingress, priority);
    const uint64_t threshold = Threshold(m_sharedUsed);
    const uint64_t below = threshold > m_resumeOffset ? threshold - m_resumeOffset : 0;
    return group.headroom == 0 && SharedPart(group.bytes) <= std::max(m_xon.value, below);
}

uint64_t
SharedBuffer::GetHeldBytes() const
{
    uint64_t held = 0;
    for (const Group& group : m_groups)
    {
        held += group.bytes + group.headroom;
    }
    return held - m_padding;
}

BufferUse
SharedBuffer::GetUse() const
{
    uint64_t headroom = 0;
    for (const Pool& pool : m_headroomPools)
    {
        headroom += pool.used;
    }
    return {GetHeldBytes(), m_sharedUsed + m_lossyPool.used, headroom};
}

} // namespace ns3::rdma
