// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include <cstdint>

namespace ns3::rdma
{

/** What decides how much still arrives after a PAUSE was triggered. */
struct HeadroomInput
{
    BitRate rate{};
    SimTime delay{};           ///< of the cable, one way
    SimTime responseTime{};    ///< of the peer, from the PAUSE's last bit to its last start
    uint32_t maxFrameBytes{0}; ///< largest frame, destination address to FCS
    uint32_t cellBytes{0};     ///< what a buffer gives out; 0: bytes
};

/**
 * Buffer that a (port, priority) needs beyond its threshold so that nothing is lost.
 *
 * The PAUSE may have to wait for a largest frame on the reverse direction, takes its own time and
 * the cable's; the peer takes its response time and ends the frame it has begun; and what is then
 * on the cable still comes: response + 2 x cable + 2 largest frames + the PAUSE frame itself.
 *
 * A buffer of cells needs more where small frames fill them badly: times the most that a frame of
 * 64 bytes up to the largest takes in cells for each byte that it takes on the wire. (A formula
 * without that factor was not enough at small packets: sonic-net/sonic-mgmt issue 6223.)
 *
 * @spec IEEE 802.1Q-2018 annex O (PFC buffer requirements); the worked value for 100 Gb/s, 1 us and
 * 4200-byte frames is 58 700 bytes
 */
ByteCount ComputeHeadroom(const HeadroomInput& input);

/** A buffer whose ports and priorities all keep a flight's worth of headroom. */
struct BufferShare
{
    ByteCount buffer{};
    uint32_t ports{0};
    ByteCount flight{}; ///< t_flight, of each port and priority
};

/**
 * The largest static PFC threshold with which n ports x 8 priorities never overflow a buffer:
 * (B - 8 n t_flight) / (8 n).
 *
 * @spec Zhu et al., SIGCOMM 2015, section 4 (threshold for PFC)
 */
ByteCount MaxStaticPfcThreshold(const BufferShare& share);

/**
 * The PFC threshold under a dynamic threshold of factor beta: beta (B - 8 n t_flight - s) / 8.
 *
 * @param used bytes of the shared part in use, s
 * @spec Zhu et al., SIGCOMM 2015, section 4
 */
ByteCount DynamicPfcThreshold(const BufferShare& share, uint32_t beta, ByteCount used);

/**
 * The highest ECN threshold that is surely reached before PFC with a dynamic threshold:
 * beta (B - 8 n t_flight) / (8 n (beta + 1)).
 *
 * @spec Zhu et al., SIGCOMM 2015, section 4 (threshold for ECN)
 */
ByteCount MaxEcnThreshold(const BufferShare& share, uint32_t beta);

} // namespace ns3::rdma
