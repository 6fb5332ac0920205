// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/frame-tap.h"

#include <vector>

namespace ns3::rdma
{

/** A frame as it passed a port. */
struct LoggedFrame
{
    FrameDirection direction{};
    Opcode opcode{};
    Psn psn{};
    uint8_t syndrome{0}; ///< of frames with an AETH
    SimTime time{};      ///< of the last bit
};

/** Writes down the RoCE frames that pass a port. */
class FrameLog : public FrameTap
{
  public:
    void OnFrame(FrameDirection direction, const Frame& frame, SimTime when) override
    {
        if (frame.kind == FrameKind::ROCE)
        {
            const bool hasAeth = GetOpcodeInfo(frame.opcode).Has(HEADER_AETH);
            frames.push_back({direction,
                              frame.opcode,
                              frame.psn,
                              hasAeth ? frame.GetAeth().syndrome : uint8_t{0},
                              when});
        }
    }

    /** Frames that went out, all or those of one PSN. */
    std::vector<LoggedFrame> Sent() const
    {
        return Select([](const LoggedFrame& frame)
                      { return frame.direction == FrameDirection::OUT; });
    }

    std::vector<LoggedFrame> Sent(Psn psn) const
    {
        return Select([psn](const LoggedFrame& frame)
                      { return frame.direction == FrameDirection::OUT && frame.psn == psn; });
    }

    /** Frames that came in and have a bit pattern in the syndrome: SYNDROME_TYPE_RNR, ..._NAK. */
    std::vector<LoggedFrame> Received(uint8_t syndromeType) const
    {
        return Select(
            [syndromeType](const LoggedFrame& frame)
            {
                return frame.direction == FrameDirection::IN &&
                       GetOpcodeInfo(frame.opcode).Has(HEADER_AETH) &&
                       (frame.syndrome & SYNDROME_TYPE_MASK) == syndromeType;
            });
    }

    std::vector<LoggedFrame> frames;

  private:
    template <class Predicate>
    std::vector<LoggedFrame> Select(Predicate isWanted) const
    {
        std::vector<LoggedFrame> selected;
        for (const LoggedFrame& frame : frames)
        {
            if (isWanted(frame))
            {
                selected.push_back(frame);
            }
        }
        return selected;
    }
};

} // namespace ns3::rdma
