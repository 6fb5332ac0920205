// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/deadlock-finder.h"

#include <algorithm>

namespace ns3::rdma
{

DeadlockFinder::DeadlockFinder(Fabric& fabric) : m_fabric{fabric}
{
    const std::vector<FabricLink>& links = fabric.GetLinks();
    for (uint32_t direction = 0; direction < links.size(); ++direction)
    {
        const FabricLink& link = links[direction];
        if (link.fromSwitch == nullptr)
        {
            continue;
        }
        m_directionOf[{link.fromSwitch, link.fromPort}] = direction;
        // Directions of a cable come in pairs.
        if (links[direction ^ 1].fromSwitch != nullptr)
        {
            m_between.push_back(direction);
        }
    }
}

Deadlock
DeadlockFinder::Find(SimTime now, SimTime minAge)
{
    Waits waits = FindPaused(now, minAge);
    for (auto& [blocked, queues] : waits)
    {
        queues = FindQueuesOf(blocked, now);
    }
    RemoveMoving(waits);
    return {.cycle = CutCycle(waits), .blocked = waits.size()};
}

DeadlockFinder::Waits
DeadlockFinder::FindPaused(SimTime now, SimTime minAge)
{
    Waits waits;
    for (const uint32_t direction : m_between)
    {
        EthernetPort& port = *m_fabric.GetLinks()[direction].port;
        const PriorityMask lossless = port.GetConfig().pfc.lossless;
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            const PfcPause& pause = port.GetPauses().Get(priority);
            if ((lossless & PriorityBit(priority)) == 0 || !pause.Holds(now) ||
                now < pause.from + minAge)
            {
                continue;
            }
            port.Advance(now);
            if (port.GetQueues().Bytes(priority) != 0)
            {
                waits[{direction, priority}] = {};
            }
        }
    }
    return waits;
}

std::vector<BlockedClass>
DeadlockFinder::FindQueuesOf(const BlockedClass& blocked, SimTime now) const
{
    const FabricLink& link = m_fabric.GetLinks()[blocked.direction];
    const RdmaSwitch* device = m_fabric.GetLinks()[blocked.direction ^ 1].fromSwitch;
    std::vector<BlockedClass> queues;
    for (uint16_t index = 0; index < device->GetPortCount(); ++index)
    {
        EthernetPort& port = device->GetPort(index);
        port.Advance(now);
        const Frame* frame = port.GetQueues().Head(blocked.priority);
        while (frame != nullptr && frame->ingressPort != link.toPort)
        {
            frame = frame->next;
        }
        if (frame != nullptr)
        {
            queues.push_back({m_directionOf.at({device, index}), blocked.priority});
        }
    }
    return queues;
}

void
DeadlockFinder::RemoveMoving(Waits& waits)
{
    const auto isMoving = [&waits](const auto& entry)
    {
        const std::vector<BlockedClass>& queues = entry.second;
        return queues.empty() ||
               std::any_of(queues.begin(),
                           queues.end(),
                           [&waits](const auto& queue) { return !waits.contains(queue); });
    };
    while (std::erase_if(waits, isMoving) != 0)
    {
    }
}

std::vector<BlockedClass>
DeadlockFinder::CutCycle(const Waits& waits)
{
    if (waits.empty())
    {
        return {};
    }
    std::vector<BlockedClass> way{waits.begin()->first};
    for (;;)
    {
        const BlockedClass next = waits.at(way.back()).front();
        const auto again = std::find(way.begin(), way.end(), next);
        if (again != way.end())
        {
            return {again, way.end()};
        }
        way.push_back(next);
    }
}

std::string
DeadlockFinder::Describe(const Deadlock& deadlock) const
{
    std::string text;
    for (const BlockedClass& blocked : deadlock.cycle)
    {
        const FabricLink& link = m_fabric.GetLinks()[blocked.direction];
        text += link.from + " port " + std::to_string(link.fromPort) + " -> ";
    }
    const BlockedClass& first = deadlock.cycle.front();
    const FabricLink& link = m_fabric.GetLinks()[first.direction];
    return text + link.from + " port " + std::to_string(link.fromPort) + ", priority " +
           std::to_string(first.priority);
}

} // namespace ns3::rdma
