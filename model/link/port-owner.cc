// SPDX-License-Identifier: GPL-2.0-only
#include "link/port-owner.h"

namespace ns3::rdma
{

void
PortOwner::PrepareFrame(uint16_t, const Frame&) const
{
}

void
PortOwner::OnStart(uint16_t, Frame&, uint64_t, SimTime)
{
}

void
PortOwner::OnDeparted(uint16_t, const Departure&, SimTime)
{
}

void
PortOwner::OnFlushed(uint16_t, const Departure&, SimTime)
{
}

void
PortOwner::OnLinkChanged(uint16_t, SimTime)
{
}

void
PortOwner::OnPause(uint16_t, uint8_t, uint16_t, SimTime)
{
}

} // namespace ns3::rdma
