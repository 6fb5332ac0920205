// SPDX-License-Identifier: GPL-2.0-only
#include "switch/shared-buffer.h"

#include "base/component-help.h"
#include "switch/headroom.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

const ComponentHelp HELP{
    "ns3::rdma::SharedBuffer",
    "Reserve, shared pool with dynamic or fixed thresholds, headroom per port and priority"};

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::SharedBuffer")
            .SetParent<BufferPolicy>()
            .SetGroupName("Rdma")
            .AddConstructor<SharedBuffer>()
            .AddAttribute("Size",
                          "Packet memory of the switch",
                          ByteCountValue(ByteCount{32ULL << 20}),
                          MakeByteCountAccessor(&SharedBuffer::m_size),
                          MakeByteCountChecker(ByteCount{1024}, ByteCount{1ULL << 40}))
            .AddAttribute("Reserve",
                          "Guaranteed bytes of each (ingress port, priority)",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&SharedBuffer::m_reserveAttribute),
                          MakeByteCountChecker())
            .AddAttribute(
                "Headroom",
                "Headroom of each (port, lossless priority); 0B: computed from rate, cable, "
                "largest frame and response time",
                ByteCountValue(ByteCount{0}),
                MakeByteCountAccessor(&SharedBuffer::m_headroomAttribute),
                MakeByteCountChecker())
            .AddAttribute(
                "HeadroomPool",
                "Headroom that all ports share; 0B: the sum of all headrooms, at most half "
                "of the memory",
                ByteCountValue(ByteCount{0}),
                MakeByteCountAccessor(&SharedBuffer::m_headroomPoolAttribute),
                MakeByteCountChecker())
            .AddAttribute(
                "Alpha",
                "Dynamic PFC threshold: this part of the free pool (Bai et al., NSDI 2023, "
                "appendix B: 1/8)",
                FractionValue(Fraction{1, 8}),
                MakeFractionAccessor(&SharedBuffer::m_alpha),
                MakeFractionChecker(Fraction{1, 1024}, Fraction{128, 1}))
            .AddAttribute("Xoff",
                          "Fixed PFC threshold of each (ingress port, priority); 0B: dynamic",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&SharedBuffer::m_staticThreshold),
                          MakeByteCountChecker())
            .AddAttribute("Xon",
                          "A paused sender always resumes at this fill",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&SharedBuffer::m_xon),
                          MakeByteCountChecker())
            .AddAttribute("XonOffset",
                          "A paused sender resumes this far below the threshold; 0B: two largest "
                          "frames (Zhu et al., SIGCOMM 2015, section 4)",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&SharedBuffer::m_xonOffset),
                          MakeByteCountChecker())
            .AddAttribute("EgressAlpha",
                          "Dynamic limit of a lossy egress queue: this part of the free pool",
                          FractionValue(Fraction{1, 1}),
                          MakeFractionAccessor(&SharedBuffer::m_egressAlpha),
                          MakeFractionChecker(Fraction{1, 1024}, Fraction{128, 1}));
    return tid;
}

Expected<std::vector<std::string>>
SharedBuffer::SetUp(const BufferSetup& setup)
{
    std::vector<std::string> warnings;
    m_groups.assign(setup.ports.size() * PRIORITY_COUNT, Group{});
    m_lossless = setup.pfc.lossless;
    m_reserve = m_reserveAttribute.value;
    m_maxFrameBytes = setup.maxFrameBytes;
    ComputeHeadrooms(setup, warnings);

    const uint64_t reserved = m_reserve * m_groups.size();
    if (reserved + m_headroomPool + setup.maxFrameBytes > m_size.value)
    {
        Diagnostic diagnostic;
        diagnostic.key = "switch.buffer.size";
        diagnostic.message = "the buffer of " + setup.ports.front().name +
                             "'s switch leaves no room for a frame beside reserve and headroom";
        diagnostic.got = ToString(m_size);
        diagnostic.expected = "at least " + ToString(ByteCount{reserved}) + " of reserve + " +
                              ToString(ByteCount{m_headroomPool}) + " of headroom + " +
                              ToString(ByteCount{setup.maxFrameBytes}) + " for a largest frame";
        return diagnostic;
    }
    m_sharedSize = m_size.value - reserved - m_headroomPool;
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
    m_calmUsed = m_sharedSize / 2;
    m_calmShare = Threshold(m_calmUsed);
    const uint64_t calmEgress =
        (m_sharedSize - m_calmUsed) * m_egressAlpha.numerator / m_egressAlpha.denominator;
    m_calmEgressBytes = calmEgress > m_maxFrameBytes ? calmEgress - m_maxFrameBytes : 0;
}

void
SharedBuffer::ComputeHeadrooms(const BufferSetup& setup, std::vector<std::string>& warnings)
{
    const auto priorities = static_cast<uint64_t>(std::popcount(m_lossless));
    uint64_t configured = 0;
    uint64_t needed = 0;
    m_headroom.clear();
    for (const BufferPort& port : setup.ports)
    {
        const uint64_t need =
            ComputeHeadroom(
                {port.rate, port.delay, setup.pfc.GetResponseTime(port.rate), setup.maxFrameBytes})
                .value;
        const uint64_t own = m_headroomAttribute.value != 0 ? m_headroomAttribute.value : need;
        if (priorities != 0 && own < need)
        {
            warnings.push_back("headroom too small at " + port.name + ": " +
                               ToString(ByteCount{own}) + ", but " + ToString(ByteCount{need}) +
                               " may still arrive after a pause; lossless frames may be dropped");
        }
        m_headroom.push_back(own);
        configured += own * priorities;
        needed += need * priorities;
    }
    m_headroomPool = m_headroomPoolAttribute.value != 0 ? m_headroomPoolAttribute.value
                                                        : std::min(configured, m_size.value / 2);
    if (m_headroomPool < needed && m_headroomPool < configured)
    {
        const uint64_t perPort = needed / std::max<uint64_t>(setup.ports.size(), 1);
        warnings.push_back(
            "headroom pool too small at " + setup.ports.front().name + " and " +
            std::to_string(setup.ports.size() - 1) +
            " more ports of its switch: " + ToString(ByteCount{m_headroomPool}) +
            " for a need of " + ToString(ByteCount{needed}) + " if all pause at once; it serves " +
            std::to_string(m_headroomPool / std::max<uint64_t>(perPort, 1)) + " of them");
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
    if (group.headroom != 0 || !IsBelowLimits(arrival, share, used))
    {
        return false;
    }
    group.bytes = bytes;
    m_sharedUsed = used;
    return true;
}

bool
SharedBuffer::IsBelowLimits(const BufferArrival& arrival, uint64_t share, uint64_t used) const
{
    const bool isLossless = (m_lossless & PriorityBit(arrival.priority)) != 0;
    if (used <= m_calmUsed &&
        (isLossless ? share < m_calmShare : arrival.egressQueueBytes < m_calmEgressBytes))
        [[likely]]
    {
        return true;
    }
    if (share == 0)
    {
        return true;
    }
    if (used > m_sharedSize)
    {
        return false;
    }
    if (isLossless)
    {
        return !ReachesThreshold(share, used);
    }
    return (arrival.egressQueueBytes + arrival.bytes) * m_egressAlpha.denominator <=
           (m_sharedSize - used) * m_egressAlpha.numerator;
}

Admission
SharedBuffer::Admit(const BufferArrival& arrival)
{
    Group& group = At(arrival.ingress, arrival.priority);
    return (m_lossless & PriorityBit(arrival.priority)) != 0 ? AdmitLossless(arrival, group)
                                                             : AdmitLossy(arrival, group);
}

Admission
SharedBuffer::AdmitLossless(const BufferArrival& arrival, Group& group)
{
    const uint64_t before = SharedPart(group.bytes);
    const uint64_t after = SharedPart(group.bytes + arrival.bytes);
    const uint64_t used = m_sharedUsed + after - before;
    const bool fitsReserve = after == 0;
    // A threshold that fell below the share has paused nobody yet: headroom is for what comes after
    // the PAUSE.
    const bool isOpen = !group.isOver || !ReachesThreshold(before, m_sharedUsed);
    if (fitsReserve || (used <= m_sharedSize && isOpen))
    {
        group.bytes += arrival.bytes;
        m_sharedUsed = used;
        const bool pauses = !fitsReserve && ReachesThreshold(after, used);
        group.isOver |= pauses;
        return {.pauses = pauses};
    }
    group.isOver = true;
    if (group.headroom + arrival.bytes <= m_headroom[arrival.ingress] &&
        m_headroomUsed + arrival.bytes <= m_headroomPool)
    {
        group.headroom += arrival.bytes;
        m_headroomUsed += arrival.bytes;
        return {.pauses = true};
    }
    return {.isAccepted = false, .pauses = true, .reason = DropReason::HEADROOM_FULL};
}

Admission
SharedBuffer::AdmitLossy(const BufferArrival& arrival, Group& group)
{
    const uint64_t after = SharedPart(group.bytes + arrival.bytes);
    const uint64_t used = m_sharedUsed + after - SharedPart(group.bytes);
    const bool fitsReserve = after == 0;
    if (!fitsReserve && used > m_sharedSize)
    {
        return {.isAccepted = false, .reason = DropReason::BUFFER_FULL};
    }
    if (!fitsReserve && (arrival.egressQueueBytes + arrival.bytes) * m_egressAlpha.denominator >
                            (m_sharedSize - m_sharedUsed) * m_egressAlpha.numerator)
    {
        return {.isAccepted = false, .reason = DropReason::EGRESS_THRESHOLD};
    }
    group.bytes += arrival.bytes;
    m_sharedUsed = used;
    return {};
}

void
SharedBuffer::Release(uint16_t ingress, uint8_t priority, uint32_t bytes)
{
    Group& group = At(ingress, priority);
    if (group.headroom != 0) [[unlikely]]
    {
        const uint64_t fromHeadroom = std::min<uint64_t>(group.headroom, bytes);
        group.headroom -= fromHeadroom;
        m_headroomUsed -= fromHeadroom;
        bytes -= static_cast<uint32_t>(fromHeadroom);
    }
    m_sharedUsed -= SharedGrowth(group.bytes - bytes, group.bytes);
    group.bytes -= bytes;
    if (group.isOver && MayResume(ingress, priority))
    {
        group.isOver = false;
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
    return held;
}

} // namespace ns3::rdma
