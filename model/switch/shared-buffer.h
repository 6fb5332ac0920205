// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/live-parameters.h"
#include "switch/buffer-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * One memory for all ports: a reserve per (ingress, priority), a shared pool, and headroom.
 *
 * A lossless (ingress, priority) takes from its reserve, then from the shared pool while its share
 * is below the threshold; the frame that reaches the threshold, or finds that it has fallen below
 * the share, still goes to the pool and pauses the sender; what comes after that goes to the
 * headroom. The threshold is a fixed size, or alpha x (free part of the pool). The sender may
 * resume when its headroom is empty and its share is at most max(xon, threshold - xon offset).
 *
 * A lossy frame that fits the reserve is taken. Beyond it a frame takes from the same pool, as long
 * as its egress queue is below egress alpha x (free part of the pool); else it is dropped. A lossy
 * class never pauses.
 *
 * @spec Broadcom's memory management as published by: Zhu et al., SIGCOMM 2015, section 4; Bai et
 * al., NSDI 2023, appendix B (thresholds, xon, xon offset, shared headroom)
 * @choice bytes are counted as frame bytes with FCS, not in cells
 * @choice a resume waits for an empty headroom: with a dynamic threshold that falls again, the next
 * pause would find it partly used and frames would be lost
 *
 * Not modelled: cells, egress pools of lossless classes (they never drop there).
 */
class SharedBuffer : public BufferPolicy, public LiveParameters
{
  public:
    static TypeId GetTypeId();

    Expected<std::vector<std::string>> SetUp(const BufferSetup& setup) override;
    bool TryAccept(BufferArrival arrival) override;
    Admission Admit(const BufferArrival& arrival) override;
    void Release(uint16_t ingress, uint8_t priority, uint32_t bytes) override;
    bool MayResume(uint16_t ingress, uint8_t priority) const override;
    uint64_t GetHeldBytes() const override;
    std::span<const std::string_view> GetLiveAttributes() const override;
    void OnParametersChanged() override;

    BufferUse GetUse() const override
    {
        return {GetHeldBytes(), m_sharedUsed, m_headroomUsed};
    }

    /** Size of the shared pool, after reserve and headroom are taken off. */
    ByteCount GetSharedSize() const
    {
        return {m_sharedSize};
    }

    /** Headroom of each priority of a port. */
    ByteCount GetHeadroom(uint16_t port) const
    {
        return {m_headroom[port]};
    }

  private:
    /** What an (ingress, priority) holds. */
    struct Group
    {
        uint64_t bytes{0};          ///< in reserve and pool
        uint64_t headroom : 63 {0}; ///< in headroom
        bool isOver : 1 {false};    ///< it has paused its sender, who may not resume yet
    };

    Group& At(uint16_t ingress, uint8_t priority)
    {
        return m_groups[ingress * std::size_t{PRIORITY_COUNT} + priority];
    }

    const Group& At(uint16_t ingress, uint8_t priority) const
    {
        return m_groups[ingress * std::size_t{PRIORITY_COUNT} + priority];
    }

    /** The part of a group's bytes that lies in the pool. */
    uint64_t SharedPart(uint64_t bytes) const
    {
        return bytes > m_reserve ? bytes - m_reserve : 0;
    }

    /** What a group takes from the pool when its bytes grow, or gives back when they shrink. */
    uint64_t SharedGrowth(uint64_t smaller, uint64_t larger) const
    {
        return m_reserve == 0 ? larger - smaller : SharedPart(larger) - SharedPart(smaller);
    }

    bool IsBelowLimits(const BufferArrival& arrival, uint64_t share, uint64_t used) const;
    bool ReachesThreshold(uint64_t share, uint64_t used) const;
    uint64_t Threshold(uint64_t used) const;
    Admission AdmitLossless(const BufferArrival& arrival, Group& group);
    Admission AdmitLossy(const BufferArrival& arrival, Group& group);
    void ComputeHeadrooms(const BufferSetup& setup, std::vector<std::string>& warnings);

    ByteCount m_size;
    ByteCount m_reserveAttribute;
    ByteCount m_headroomAttribute;
    ByteCount m_headroomPoolAttribute;
    ByteCount m_staticThreshold;
    ByteCount m_xon;
    ByteCount m_xonOffset;
    Fraction m_alpha;
    Fraction m_egressAlpha;

    std::vector<Group> m_groups;
    std::vector<uint64_t> m_headroom; ///< by port
    PriorityMask m_lossless{0};
    uint64_t m_reserve{0};
    uint64_t m_sharedSize{0};
    uint64_t m_sharedUsed{0};
    uint64_t m_headroomPool{0};
    uint64_t m_headroomUsed{0};
    uint64_t m_resumeOffset{0};
    uint64_t m_maxFrameBytes{0};

    // While no more than half of the pool is used, nothing below these can reach a threshold.
    uint64_t m_calmUsed{0};
    uint64_t m_calmShare{0};       ///< of a lossless group
    uint64_t m_calmEgressBytes{0}; ///< of a lossy egress queue
};

} // namespace ns3::rdma
