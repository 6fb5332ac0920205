// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/run-flows.h"

#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What one direction of a cable has carried. */
struct LinkBooks
{
    std::string name;
    BitRate rate{}; ///< the slowest, if it has changed
    uint64_t wireBytes{0};
    SimTime busy{}; ///< what they take, each frame at the rate of its time
};

/** What a switch's buffer believes to hold, and what its ports hold. */
struct SwitchBooks
{
    std::string name;
    uint64_t chargedBytes{0};
    uint64_t heldBytes{0};
};

/** Frames with the Congestion Experienced mark. */
struct MarkBooks
{
    uint64_t marked{0};  ///< by switches, or by a stack that sends them so
    uint64_t arrived{0}; ///< at hosts
    uint64_t held{0};    ///< in flight at the end
};

/** Everything that must agree at the end of a run. */
struct RunBooks
{
    SimTime end{};
    FrameCount created{};
    FrameCount consumed{};
    FrameCount dropped{};
    FrameCount held{}; ///< waiting, on the wire or on a cable at the end
    uint64_t maxFrameBytes{0};
    std::vector<LinkBooks> links{};
    std::vector<SwitchBooks> switches{};
    MarkBooks marks{};
    uint64_t endedFlows{0}; ///< as the runner counted them
    std::span<const FlowOutcome> flows{};
    bool hasIdeals{true}; ///< the fabric stayed as it was, so that ideal times bind
};

/** Reads the books of a fabric that has settled at the end. */
RunBooks GatherBooks(Fabric& fabric,
                     const FlowRunner& runner,
                     std::span<const FlowOutcome> flows,
                     SimTime end);

/**
 * Checks what must hold at the end of every run, whatever was simulated.
 *
 * - Frames and their bytes: created = consumed + dropped + held.
 * - A switch's buffer is charged for exactly what its ports hold.
 * - No cable carried more than its rate allows, but for the frame on the wire.
 * - Marked frames: arrived + held <= marked <= arrived + held + dropped.
 * - No flow beats its ideal times unless the fabric has changed, nothing is acknowledged that was
 * not delivered, a finished flow has delivered everything, and the flows that ended are those that
 * finished or failed.
 *
 * @return a line for each broken rule and object; empty if all is well
 */
std::vector<std::string> CheckBooks(const RunBooks& books);

} // namespace ns3::rdma
