// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/choice-attribute.h"
#include "base/live-parameters.h"
#include "base/parameter-set.h"
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
 * Headroom is one pool of the switch (over-subscribed: each queue may take its own headroom as long
 * as the pool has some), a pool of each port, or each queue's own.
 *
 * A lossy frame that fits the reserve is taken. Beyond it a frame takes from the same pool, or from
 * one of lossy frames, as long as its egress queue is below its limit: a fixed one, or egress
 * alpha x (free part of the egress pool of lossy frames, or of the pool that it takes from); else
 * it is dropped. A lossy class never pauses.
 *
 * With a size of cells a frame takes whole cells. Egress queues are measured in bytes all the same.
 *
 * @spec Broadcom's memory management as published by: Zhu et al., SIGCOMM 2015, section 4; Bai et
 * al., NSDI 2023, appendix B (thresholds, xon, xon offset, shared headroom)
 * @choice a resume waits for an empty headroom: with a dynamic threshold that falls again, the next
 * pause would find it partly used and frames would be lost
 * @choice a lossless frame beyond the limit of its egress queue is dropped and pauses nobody: the
 * ingress side alone sends PAUSE
 */
class SharedBuffer : public BufferPolicy, public HasParameterSets, public LiveParameters
{
  public:
    static TypeId GetTypeId();

    Expected<std::vector<std::string>> SetUp(const BufferSetup& setup) override;
    bool TryAccept(BufferArrival arrival) override;
    void Prefetch(uint16_t ingress, uint8_t priority) const override;
    Admission Admit(const BufferArrival& arrival) override;
    void Release(uint16_t ingress, uint8_t priority, uint32_t bytes) override;
    bool MayResume(uint16_t ingress, uint8_t priority) const override;
    uint64_t GetHeldBytes() const override;
    std::span<const std::string_view> GetLiveAttributes() const override;
    void OnParametersChanged() override;
    std::span<const ParameterSet> GetParameterSets() const override;

    BufferUse GetUse() const override;

    /** Size of the shared pool, after reserve, headroom and the pool of lossy frames. */
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
    /** Who shares a pool of headroom. */
    enum class HeadroomSharing : uint8_t
    {
        SWITCH,
        PORT,
        QUEUE,
    };

    /** Where reserves lie. */
    enum class ReserveSource : uint8_t
    {
        MEMORY,
        POOL,
    };

    /** What an (ingress, priority) holds. */
    struct Group
    {
        uint64_t bytes{0};           ///< in reserve and pool
        uint64_t headroom : 62 {0};  ///< in headroom
        uint64_t isOver : 1 {0};     ///< it has paused its sender, who may not resume yet
        uint64_t hasOptions : 1 {0}; ///< of the buffer, to be seen at the same glance

        bool IsPlain() const
        {
            return headroom == 0 && isOver == 0 && hasOptions == 0;
        }
    };

    struct Pool
    {
        uint64_t size{0};
        uint64_t used{0};
    };

    /** What the pool would come to with a frame. */
    struct Outcome
    {
        uint32_t charge{0};      ///< what the frame takes
        uint64_t before{0};      ///< share of its group without it
        uint64_t after{0};       ///< and with it
        uint64_t used{0};        ///< of the pool, with it
        bool fitsReserve{false}; ///< it stays within what its group is sure of
    };

    Group& At(uint16_t ingress, uint8_t priority)
    {
        return m_groups[ingress * std::size_t{PRIORITY_COUNT} + priority];
    }

    const Group& At(uint16_t ingress, uint8_t priority) const
    {
        return m_groups[ingress * std::size_t{PRIORITY_COUNT} + priority];
    }

    bool IsLossless(uint8_t priority) const
    {
        return (m_lossless & PriorityBit(priority)) != 0;
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

    Pool& HeadroomPoolOf(uint16_t ingress)
    {
        return m_headroomPools[m_headroomSharing == HeadroomSharing::PORT ? ingress : 0];
    }

    uint64_t& UsedOf(uint8_t priority)
    {
        return m_lossyPool.size != 0 && !IsLossless(priority) ? m_lossyPool.used : m_sharedUsed;
    }

    uint64_t PoolSizeOf(uint8_t priority) const
    {
        return m_lossyPool.size != 0 && !IsLossless(priority) ? m_lossyPool.size : m_sharedSize;
    }

    static TypeId AddMemory(TypeId tid);
    static TypeId AddIngress(TypeId tid);
    static TypeId AddEgress(TypeId tid);

    uint32_t Charge(uint32_t bytes) const;
    Outcome Foresee(const BufferArrival& arrival, const Group& group);
    void Take(const BufferArrival& arrival, Group& group, const Outcome& outcome);
    void ReleaseFrom(Group& group, const BufferArrival& frame);
    bool TryWithOptions(const BufferArrival& arrival, Group& group);
    bool IsBelowLimits(const BufferArrival& arrival, uint64_t share, uint64_t used) const;
    bool ReachesThreshold(uint64_t share, uint64_t used) const;
    uint64_t Threshold(uint64_t used) const;
    Admission AdmitLossless(const BufferArrival& arrival, Group& group);
    Admission AdmitLossy(const BufferArrival& arrival, Group& group);
    bool FitsEgress(const BufferArrival& arrival) const;
    void ComputeHeadrooms(const BufferSetup& setup, std::vector<std::string>& warnings);
    void MakeHeadroomPools(const BufferSetup& setup,
                           uint64_t needed,
                           std::vector<std::string>& warnings);
    Diagnostics CheckSizes(const BufferSetup& setup) const;

    ByteCount m_size;
    ByteCount m_cell;
    ByteCount m_reserveAttribute;
    ReserveSource m_reserveSource{ReserveSource::MEMORY};
    ByteCount m_headroomAttribute;
    HeadroomSharing m_headroomSharing{HeadroomSharing::SWITCH};
    ByteCount m_headroomPoolAttribute;
    ByteCount m_staticThreshold;
    ByteCount m_xon;
    ByteCount m_xonOffset;
    Fraction m_alpha;
    Fraction m_egressAlpha;
    ByteCount m_lossyPoolAttribute;
    ByteCount m_egressLossyPool;
    ByteCount m_egressLossyLimit;
    ByteCount m_egressLosslessLimit;

    std::vector<Group> m_groups;
    std::vector<uint64_t> m_headroom; ///< by port
    PriorityMask m_lossless{0};
    bool m_hasOptions{false};  ///< something of what follows below is set
    uint64_t m_reserve{0};     ///< beside the pool
    uint64_t m_poolReserve{0}; ///< within the pool
    uint64_t m_sharedSize{0};
    uint64_t m_sharedUsed{0};
    std::vector<Pool> m_headroomPools; ///< one, or one for each port
    uint64_t m_headroomSize{0};        ///< of all pools together
    uint64_t m_resumeOffset{0};
    uint64_t m_maxFrameBytes{0};

    // Options: cells, a reserve within the pool, pools of lossy frames, fixed limits at the egress.
    Pool m_lossyPool{};      ///< size 0: lossy frames take from the shared pool
    uint64_t m_lossyHeld{0}; ///< all that lossy frames take
    uint64_t m_padding{0};   ///< what cells take beyond the bytes of their frames

    // While no more than half of the pool is used, nothing below these can reach a threshold.
    uint64_t m_calmBelow{0};       ///< one more than that half; 0 with options: never
    uint64_t m_calmShare{0};       ///< of a lossless group
    uint64_t m_calmEgressBytes{0}; ///< of a lossy egress queue
};

} // namespace ns3::rdma
