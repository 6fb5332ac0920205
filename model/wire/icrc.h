// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/crc32.h"

namespace ns3::rdma
{

/**
 * The invariant CRC of a RoCE packet: of all that no switch or router may change.
 *
 * Eight bytes of ones stand for the local route header. Traffic class, flow label, time to live or
 * hop limit, the checksums of IPv4 and UDP, and the BTH byte with FECN and BECN count as ones.
 *
 * @spec IBTA Vol 1 Annex A17 (RoCEv2); Vol 1 Rel 1.7 section 7.8.1 (global packet: RoCEv1)
 * @choice Annex A16 was not at hand: RoCEv1 is taken to follow the rule of a global packet.
 */
class Icrc
{
  public:
    /**
     * @param packet the packet's start, from the IPv4, IPv6 or global route header (told apart by
     *               version and next header): at least that header, UDP if it is there, and BTH;
     *               what is missing of these counts for nothing
     */
    explicit Icrc(std::span<const std::byte> packet);

    /** Adds what follows, up to the ICRC. */
    void Update(std::span<const std::byte> bytes)
    {
        m_crc.Update(bytes);
    }

    /** The CRC of all so far; on the wire least significant byte first. */
    uint32_t Get() const
    {
        return m_crc.Get();
    }

  private:
    Crc32 m_crc;
};

} // namespace ns3::rdma
