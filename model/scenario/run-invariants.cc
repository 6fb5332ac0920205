// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-invariants.h"

#include "base/quantity.h"
#include "wire/framing.h"

namespace ns3::rdma
{

namespace
{

using Lines = std::vector<std::string>;

std::string
Number(uint64_t value)
{
    return std::to_string(value);
}

/** @param part frames or bytes */
void
CheckLedger(const RunBooks& books, uint64_t FrameCount::*part, const char* what, Lines& broken)
{
    const uint64_t sum = books.consumed.*part + books.dropped.*part + books.held.*part;
    if (sum != books.created.*part)
    {
        broken.push_back(std::string{what} + ": " + Number(books.created.*part) + " created, but " +
                         Number(books.consumed.*part) + " consumed + " +
                         Number(books.dropped.*part) + " dropped + " + Number(books.held.*part) +
                         " in flight = " + Number(sum));
    }
}

void
CheckSwitches(const RunBooks& books, Lines& broken)
{
    for (const SwitchBooks& device : books.switches)
    {
        if (device.chargedBytes != device.heldBytes)
        {
            broken.push_back("switch " + device.name + ": its buffer is charged for " +
                             Number(device.chargedBytes) + " bytes, its ports hold " +
                             Number(device.heldBytes));
        }
    }
}

void
CheckLinks(const RunBooks& books, Lines& broken)
{
    for (const LinkBooks& link : books.links)
    {
        const SimTime allowed = books.end + ByteTime{link.rate}.Of(books.maxFrameBytes);
        if (link.busy > allowed)
        {
            broken.push_back("link " + link.name + ": " + Number(link.wireBytes) +
                             " bytes do not fit into " + ToString(books.end) + " at " +
                             ToString(link.rate));
        }
    }
}

void
CheckMarks(const RunBooks& books, Lines& broken)
{
    const uint64_t seen = books.marks.arrived + books.marks.held;
    if (books.marks.marked < seen || books.marks.marked > seen + books.dropped.frames)
    {
        broken.push_back("ECN: switches and faults marked " + Number(books.marks.marked) +
                         " frames, but " + Number(books.marks.arrived) + " arrived marked and " +
                         Number(books.marks.held) + " are in flight, with " +
                         Number(books.dropped.frames) + " frames dropped");
    }
}

void
CheckFlow(uint32_t number, const FlowOutcome& flow, bool hasIdeals, Lines& broken)
{
    const std::string name = "flow " + Number(number);
    const auto checkTime = [&](const char* what, SimTime measured, SimTime ideal)
    {
        if (hasIdeals && !measured.IsNever() && measured < ideal)
        {
            broken.push_back(name + ": " + what + " after " + ToString(measured) +
                             ", faster than its ideal of " + ToString(ideal));
        }
    };
    checkTime("delivered", flow.delivered, flow.idealDelivered);
    checkTime("acknowledged", flow.acked, flow.idealAcked);
    if (flow.isDamaged)
    {
        broken.push_back(name + ": other bytes arrived than were sent");
    }
    if (flow.deliveredBytes < flow.ackedBytes)
    {
        broken.push_back(name + ": " + Number(flow.ackedBytes) + " bytes acknowledged, but only " +
                         Number(flow.deliveredBytes) + " delivered");
    }
    if (flow.status == FlowStatus::FINISHED && flow.deliveredBytes != flow.bytes)
    {
        broken.push_back(name + ": finished with " + Number(flow.deliveredBytes) + " of " +
                         Number(flow.bytes) + " bytes delivered");
    }
}

void
CheckFlows(const RunBooks& books, Lines& broken)
{
    uint64_t ended = 0;
    for (uint32_t number = 0; number < books.flows.size(); ++number)
    {
        const FlowOutcome& flow = books.flows[number];
        const bool isOpen =
            flow.status == FlowStatus::RUNNING || flow.status == FlowStatus::NOT_STARTED;
        ended += isOpen ? 0 : 1;
        CheckFlow(number, flow, books.hasIdeals, broken);
    }
    if (ended != books.endedFlows)
    {
        broken.push_back("flows: " + Number(books.endedFlows) + " have ended, but " +
                         Number(ended) + " are finished, failed or stopped");
    }
}

void
Add(FrameCount& sum, const FrameCount& more)
{
    sum.frames += more.frames;
    sum.bytes += more.bytes;
}

} // namespace

RunBooks
GatherBooks(Fabric& fabric,
            const FlowRunner& runner,
            std::span<const FlowOutcome> flows,
            SimTime end)
{
    RunBooks books{.end = end,
                   .created = fabric.GetLedger().GetCreated(),
                   .consumed = fabric.GetLedger().GetConsumed(),
                   .maxFrameBytes = PREAMBLE_BYTES + GAP_BYTES + fabric.GetMaxFrameBytes(),
                   .endedFlows = runner.GetEndedCount(),
                   .flows = flows,
                   .hasIdeals = !fabric.HasChanged()};
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        Add(books.dropped, fabric.GetLedger().GetDropped(static_cast<DropReason>(reason)));
    }
    for (const FabricLink& link : fabric.GetLinks())
    {
        const HeldFrames held = link.port->CountHeld();
        Add(books.held, held.all);
        books.marks.held += held.marked;
        books.links.push_back({link.from + "/" + Number(link.fromPort) + " to " + link.to,
                               link.port->GetSlowestRate(),
                               link.port->GetCounters().wireBytes,
                               link.port->GetBusyTime()});
    }
    books.marks.marked = fabric.GetLedger().GetFaultMarks();
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        SwitchBooks entry{device->GetName(), device->GetBuffer().GetHeldBytes(), 0};
        for (uint16_t port = 0; port < device->GetPortCount(); ++port)
        {
            entry.heldBytes += device->GetPort(port).GetOwnedBytes();
        }
        books.switches.push_back(entry);
        books.marks.marked += device->GetCounters().markedFrames;
    }
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        books.marks.marked += device->GetCounters().ceSent;
        books.marks.arrived += device->GetCounters().ceArrivals;
        const HeldFrames held = device->CountHeld();
        Add(books.held, held.all);
        books.marks.held += held.marked;
        if (const EthernetPort* loopback = device->GetLoopback())
        {
            Add(books.held, loopback->CountHeld().all);
        }
    }
    return books;
}

std::vector<std::string>
CheckBooks(const RunBooks& books)
{
    Lines broken;
    CheckLedger(books, &FrameCount::frames, "frames", broken);
    CheckLedger(books, &FrameCount::bytes, "bytes of frames", broken);
    CheckSwitches(books, broken);
    CheckLinks(books, broken);
    CheckMarks(books, broken);
    CheckFlows(books, broken);
    return broken;
}

} // namespace ns3::rdma
