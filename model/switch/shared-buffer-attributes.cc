// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a scenario can say of the shared buffer, and the named configurations.
 */
#include "base/component-help.h"
#include "switch/shared-buffer.h"

#include <array>

namespace ns3::rdma
{

namespace
{

using Entry = ParameterSet::Entry;

/**
 * 32 ports of 40 Gb/s with 8 priorities, all of which may pause. The threshold is
 * beta (B - 8 n t_flight - s) / 8 with beta 8: alpha is 8 / 8. Headroom is t_flight = 22.4 KB for
 * each port and priority, 8 x 32 of them. RESUME is sent two MTU below: two largest frames.
 */
constexpr std::array<Entry, 9> TRIDENT2{{
    {"Size", "12MB"},
    {"Reserve", "0B"},
    {"Headroom", "22.4KB"},
    {"HeadroomSharedBy", "switch"},
    {"HeadroomPool", "5734400B"},
    {"Alpha", "1"},
    {"Xoff", "0B"},
    {"Xon", "0B"},
    {"XonOffset", "0B"},
}};

/**
 * One ingress pool of 18 MB with dynamic thresholds, and 6 MB of headroom that all share: together
 * the 24 MB of the switch, so that the profile's size of 1248 B lies within the pool.
 */
constexpr std::array<Entry, 14> AZURE{{
    {"Size", "24MB"},
    {"Reserve", "1248B"},
    {"ReserveFrom", "pool"},
    {"Headroom", "96928B"},
    {"HeadroomSharedBy", "switch"},
    {"HeadroomPool", "6MB"},
    {"Alpha", "1/8"},
    {"Xoff", "0B"},
    {"Xon", "1248B"},
    {"XonOffset", "2496B"},
    {"IngressLossyPool", "0B"},
    {"EgressAlpha", "1/2"},
    {"EgressLossyPool", "14MB"},
    {"EgressLosslessLimit", "24MB"},
}};

constexpr std::array<ParameterSet, 2> SETS{{
    {"trident2", "Zhu et al., SIGCOMM 2015, section 4 (Trident II, 32 x 40 Gb/s)", TRIDENT2},
    {"azure", "Bai et al., NSDI 2023, appendix B", AZURE},
}};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

const ComponentHelp HELP{"ns3::rdma::SharedBuffer",
                         "Reserve, shared pool with dynamic or fixed thresholds, headroom per port "
                         "and priority"};

std::span<const ParameterSet>
SharedBuffer::GetParameterSets() const
{
    return SETS;
}

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid = AddEgress(AddIngress(AddMemory(TypeId("ns3::rdma::SharedBuffer")
                                                           .SetParent<BufferPolicy>()
                                                           .SetGroupName("Rdma")
                                                           .AddConstructor<SharedBuffer>())));
    return tid;
}

TypeId
SharedBuffer::AddMemory(TypeId tid)
{
    return tid
        .AddAttribute("Size",
                      "Packet memory of the switch",
                      ByteCountValue(ByteCount{32ULL << 20}),
                      MakeByteCountAccessor(&SharedBuffer::m_size),
                      MakeByteCountChecker(ByteCount{1024}, ByteCount{1ULL << 40}))
        .AddAttribute("Cell",
                      "A frame takes whole cells of this size (Broadcom Trident II: 208B, Trident "
                      "3: 256B; Mellanox Spectrum: 96B); 0B: it takes its bytes",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_cell),
                      MakeByteCountChecker(ByteCount{0}, ByteCount{16384}))
        .AddAttribute("Reserve",
                      "Guaranteed bytes of each (ingress port, priority)",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_reserveAttribute),
                      MakeByteCountChecker())
        .AddAttribute("ReserveFrom",
                      "memory: reserves are set aside for each. pool: they lie within the shared "
                      "pool, of which they are a part as far as they are used",
                      ChoiceValue<ReserveSource>(ReserveSource::MEMORY),
                      MakeChoiceAccessor<ReserveSource>(&SharedBuffer::m_reserveSource),
                      MakeChoiceChecker<ReserveSource>(
                          {{ReserveSource::MEMORY, "memory"}, {ReserveSource::POOL, "pool"}}))
        .AddAttribute("Headroom",
                      "Headroom of each (port, lossless priority); 0B: computed from rate, cable, "
                      "largest frame and response time",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_headroomAttribute),
                      MakeByteCountChecker())
        .AddAttribute("HeadroomSharedBy",
                      "switch: all ports share one pool of headroom. port: the priorities of a "
                      "port share one. queue: each (port, priority) has its own, unshared",
                      ChoiceValue<HeadroomSharing>(HeadroomSharing::SWITCH),
                      MakeChoiceAccessor<HeadroomSharing>(&SharedBuffer::m_headroomSharing),
                      MakeChoiceChecker<HeadroomSharing>({{HeadroomSharing::SWITCH, "switch"},
                                                          {HeadroomSharing::PORT, "port"},
                                                          {HeadroomSharing::QUEUE, "queue"}}))
        .AddAttribute("HeadroomPool",
                      "Headroom that all ports share, or that each port has for its priorities; "
                      "0B: the sum of the headrooms, for a switch at most half of the memory",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_headroomPoolAttribute),
                      MakeByteCountChecker());
}

TypeId
SharedBuffer::AddIngress(TypeId tid)
{
    return tid
        .AddAttribute("Alpha",
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
        .AddAttribute("IngressLossyPool",
                      "Part of the shared pool that only lossy frames take from, and nothing else "
                      "do they; 0B: they take from the same as lossless ones",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_lossyPoolAttribute),
                      MakeByteCountChecker());
}

TypeId
SharedBuffer::AddEgress(TypeId tid)
{
    return tid
        .AddAttribute("EgressAlpha",
                      "Dynamic limit of a lossy egress queue: this part of the free pool",
                      FractionValue(Fraction{1, 1}),
                      MakeFractionAccessor(&SharedBuffer::m_egressAlpha),
                      MakeFractionChecker(Fraction{1, 1024}, Fraction{128, 1}))
        .AddAttribute("EgressLossyPool",
                      "All lossy frames of the switch take at most this, and EgressAlpha counts "
                      "of what is free of it; 0B: only the ingress pool limits them",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_egressLossyPool),
                      MakeByteCountChecker())
        .AddAttribute("EgressLossyLimit",
                      "Fixed limit of a lossy egress queue; 0B: dynamic, by EgressAlpha",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_egressLossyLimit),
                      MakeByteCountChecker())
        .AddAttribute("EgressLosslessLimit",
                      "Fixed limit of a lossless egress queue: what would exceed it is dropped; "
                      "0B: none",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(&SharedBuffer::m_egressLosslessLimit),
                      MakeByteCountChecker());
}

} // namespace ns3::rdma
