// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "stack/rdma-net-device.h"
#include "workload/application.h"

#include <cstdint>
#include <map>

namespace ns3::rdma
{

/**
 * ns-3 nodes with its IPv4 stack on interfaces of a fabric, made when they are asked for.
 *
 * A node per interface, also where a host has several (@choice: an interface is a network of its
 * own, and packets leave by the one that they are addressed from). Addresses are those of RoCE:
 * InterfaceIpv4, in 10.0.0.0/8. Each priority has a FIFO of its own above the device; checksums are
 * computed and verified. Random streams of a stack are numbered by its interface, so that results
 * do not depend on who was made first.
 */
class IpHosts
{
  public:
    /** @param seed of the run, for ns-3's random streams; sets ns-3's global seed */
    explicit IpHosts(uint64_t seed);

    IpHosts(const IpHosts&) = delete;
    IpHosts& operator=(const IpHosts&) = delete;

    /** The stack of an interface; its packets may be sent in ns-3 events from now on. */
    IpEnd Get(Ptr<Rnic> interface);

    /** The device of an interface whose stack was made; null without one. */
    Ptr<RdmaNetDevice> FindDevice(uint32_t interface) const;

    /** Two stacks get to know each other's address of the link, without ARP. */
    void Introduce(const IpEnd& a, const IpEnd& b);

  private:
    Ptr<RdmaNetDevice> Make(Ptr<Rnic> interface);

    Ptr<RdmaChannel> m_channel;
    std::map<uint32_t, Ptr<RdmaNetDevice>> m_devices; ///< by number of the interface
};

} // namespace ns3::rdma
