// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/sim-time.h"
#include "base/traffic-class.h"
#include "wire/opcode.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** ECN field of the IP header. @spec RFC 3168 section 5 */
enum class Ecn : uint8_t
{
    NOT_ECT = 0,
    ECT_1 = 1,
    ECT_0 = 2,
    CE = 3,
};

/** What a frame is, as far as a device must know before it parses further. */
enum class FrameKind : uint8_t
{
    ROCE, ///< IPv4, UDP, BTH and what follows
    PFC,  ///< MAC control frame of IEEE 802.1Qbb; never leaves the link
};

/** RDMA extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.3 */
struct Reth
{
    uint64_t virtualAddress;
    uint32_t rkey;
    uint32_t dmaLength;

    bool operator==(const Reth&) const = default;
};

/** ACK extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.5 */
struct Aeth
{
    uint8_t syndrome;
    uint32_t msn; ///< message sequence number, 24 bits

    bool operator==(const Aeth&) const = default;
};

/** Pause times of a PFC frame, in units of 512 bit times; 0 resumes. @spec IEEE 802.3 annex 31D */
using PfcQuanta = std::array<uint16_t, PRIORITY_COUNT>;

/**
 * A packet inside the fabric: parsed headers, no bytes.
 *
 * One cache line. Addresses stand for themselves by number (the flow's index finds them); bytes
 * are made only where somebody wants them. Frames come from a FramePool and are handed on by
 * pointer: whoever holds the pointer owns the frame.
 */
struct alignas(64) Frame
{
    Frame* next{nullptr};    ///< link of the one queue that holds the frame
    SimTime time{};          ///< in flight: arrival of the last bit at the far end
    uint32_t flow{0};        ///< index of the connection's direction: addresses, ports
    uint32_t flowHash{0};    ///< hash of addresses, protocol and ports
    uint32_t destination{0}; ///< number of the destination host interface
    uint32_t destinationQp{0};
    Psn psn{};
    uint16_t frameBytes{0}; ///< destination address to FCS, at least 64; no preamble, no gap
    uint16_t payloadBytes{0};
    uint16_t ingressPort{0}; ///< port of the device that holds the frame now
    Opcode opcode{Opcode::RC_ACKNOWLEDGE};
    uint8_t priority{0}; ///< 0 .. 7, from PCP or DSCP
    Ecn ecn : 2 {Ecn::NOT_ECT};
    FrameKind kind : 2 {FrameKind::ROCE};
    bool ackRequest : 1 {false};    ///< BTH AckReq
    uint8_t bufferClaim{0};         ///< how the holding switch charged it; the switch's business
    PriorityMask pfcClassEnable{0}; ///< PFC only: which quanta are valid

    union
    {
        Reth reth;
        Aeth aeth;
        PfcQuanta pfcQuanta;
    };

    Frame() : reth{} {}
};

static_assert(sizeof(Frame) == 64, "a frame is one cache line");

} // namespace ns3::rdma
