// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/frame-ledger.h"
#include "rnic/queue-pair.h"
#include "rnic/rnic-attributes.h"

namespace ns3::rdma
{

/**
 * Makes the frames of a device's queue pairs from what their machines want sent.
 *
 * A frame gets an extension only if its extended headers do not fit into it, or if it carries real
 * bytes; those are copied from the application's memory here, and nowhere else on this side.
 */
class FrameMaker
{
  public:
    /** What all frames of a device have in common. */
    struct Style
    {
        bool hasRealPayload{false}; ///< they carry the bytes of the memory that they come from
        bool isTagged{false};       ///< they have a VLAN tag
        MarkOfPriority marks{};
    };

    FrameMaker(FrameLedger& ledger, const Style& style) : m_ledger{ledger}, m_style{style} {}

    Frame* MakeRequest(const QueuePair& pair, const OutgoingRequest& packet);
    Frame* MakeResponse(const QueuePair& pair, const OutgoingResponse& packet);

    /** An ACK or NAK, the most frequent response. */
    Frame* MakeAcknowledge(const QueuePair& pair, Psn psn, const Aeth& aeth);

    Frame* MakeNotification(const QueuePair& pair, uint8_t priority);

  private:
    /** What a frame of an opcode looks like. */
    struct Shape
    {
        Opcode opcode;
        uint8_t headerBytes; ///< extended headers
    };

    static Shape ShapeOf(const OpcodeInfo& info)
    {
        return {info.opcode, info.extendedHeaderBytes};
    }

    void SetPriority(Frame& frame, uint8_t priority) const
    {
        frame.priority = priority;
        frame.mark = m_style.marks[priority];
    }

    Frame* Make(const QueuePair& pair, Shape shape, uint32_t payloadBytes);
    std::span<std::byte> AddPayload(Frame& frame, uint32_t payloadBytes);

    FrameLedger& m_ledger;
    Style m_style;
};

} // namespace ns3::rdma
