// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/traffic-class.h"
#include "link/egress-queues.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::rdma
{

/** Weights of priorities 0 to 7; all 0: the highest goes first. */
using ClassWeights = std::array<uint32_t, PRIORITY_COUNT>;

/**
 * Reads weights.
 *
 * @param text eight whole numbers from 1 to 1000000; empty: strict priority
 * @error another count, numbers out of range; key "weights"
 */
Expected<ClassWeights> ParseClassWeights(const std::string& text);

/**
 * How the connections of an interface and the frames of another stack share its wire.
 *
 * Between priorities: the highest that has something first, or round robin in which each turn adds
 * to a priority's credit, and it sends while it has some. What a packet takes is only known when
 * it has been made, so a priority may end its turn in debt, and pays in the next: over time each
 * gets its weight's share of the bytes on the wire, preamble and gap included. Within a priority
 * both sides get the same bytes while both have something to send.
 *
 * @spec surplus round robin: Adiseshu, Parulkar, Varghese, SIGCOMM 1996
 * @choice a priority that has nothing when its turn comes loses its credit, but not its debt
 */
class ClassShare
{
  public:
    explicit ClassShare(const ClassWeights& weights);

    /** Frames of the other stack that wait. */
    EgressQueues& GetForeign()
    {
        return m_foreign;
    }

    const EgressQueues& GetForeign() const
    {
        return m_foreign;
    }

    /** Of some priorities the one whose turn it is; -1 of none. Nothing is taken by asking. */
    int Choose(PriorityMask ready);

    /** Whether a waiting frame of the other stack goes before a ready connection. */
    bool IsForeignTurn(uint8_t priority, bool isConnectionReady) const
    {
        return !isConnectionReady || m_ahead[priority] <= 0;
    }

    /**
     * A frame was sent.
     *
     * @param wireBytes with preamble and gap
     * @param isShared  whether both sides had something of this priority to send
     */
    void OnSent(uint8_t priority, uint32_t wireBytes, bool isForeign, bool isShared);

  private:
    bool m_isStrict;
    uint8_t m_turn{0};
    std::array<int64_t, PRIORITY_COUNT> m_quantum{}; ///< bytes that a turn is worth
    std::array<int64_t, PRIORITY_COUNT> m_credit{};  ///< in bytes; below 0: debt
    std::array<int64_t, PRIORITY_COUNT> m_ahead{};   ///< bytes of the other stack more than its own
    EgressQueues m_foreign;
};

} // namespace ns3::rdma
