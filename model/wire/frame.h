// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/sim-time.h"
#include "base/traffic-class.h"
#include "wire/aeth.h"
#include "wire/atomic-eth.h"
#include "wire/deth.h"
#include "wire/opcode.h"
#include "wire/reth.h"
#include "wire/xrceth.h"

#include <array>
#include <cstddef>
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
    /**
     * An Ethernet frame of another stack. Its bytes, payloadBytes of them, are the payload of its
     * extension: from the destination address on, without padding and FCS. A mark of a switch
     * stands in ecn alone; WriteForeignFrame brings it into the bytes.
     */
    FOREIGN,
    PFC,   ///< MAC control frame of IEEE 802.1Qbb; never leaves the link
    PAUSE, ///< MAC control frame of IEEE 802.3 annex 31B, which stops all priorities; likewise
};

/** Whether a frame is between the two ports of a cable alone. */
constexpr bool
IsMacControl(FrameKind kind)
{
    return kind >= FrameKind::PFC;
}

/** Pause times of a PFC frame, in units of 512 bit times; 0 resumes. @spec IEEE 802.3 annex 31D */
using PfcQuanta = std::array<uint16_t, PRIORITY_COUNT>;

/** Bytes of a packet's payload. Pooled; moved once into it and once out of it. */
struct PayloadBlock
{
    static constexpr uint32_t BYTES = 4096; ///< the largest path MTU of the standard

    PayloadBlock* next{nullptr}; ///< link of the pool
    alignas(8) std::array<std::byte, BYTES> bytes;

    PayloadBlock() {} // leaves the bytes as they are
};

/** Extended headers that a frame has no room for, and payload bytes. Pooled. */
struct FrameExtension
{
    FrameExtension* next{nullptr};  ///< link of the pool
    PayloadBlock* payload{nullptr}; ///< null: the payload is synthetic, it has a length only
    Reth reth{};
    AtomicEth atomic{};
    Aeth aeth{};
    uint64_t atomicOriginal{0}; ///< AtomicAckETH: the value before the operation
    uint32_t immediate{0};      ///< ImmDt in host order, or the R_Key of an IETH
    Deth deth{};                ///< UD
    Xrceth xrceth{};            ///< XRC requests
};

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
    uint8_t priority{0}; ///< 0 .. 7, where it is: each switch may put it elsewhere
    Ecn ecn : 2 {Ecn::NOT_ECT};
    FrameKind kind : 2 {FrameKind::ROCE};
    bool ackRequest : 1 {false};    ///< BTH AckReq
    bool isSolicited : 1 {false};   ///< BTH SE: solicited event
    bool isDamaged : 1 {false};     ///< RoCE: its ICRC does not fit: the interface discards it
    bool isExtended : 1 {false};    ///< all extended headers stand in the extension
    TrafficMark mark{};             ///< DSCP and PCP, by which switches tell its priority
    PriorityMask pfcClassEnable{0}; ///< PFC: which quanta are valid; PAUSE: the first is

    /** Without isExtended the one header that the opcode carries: RETH, AETH, ImmDt or IETH. */
    union
    {
        Reth reth;
        Aeth aeth;
        uint32_t immediate;
        PfcQuanta pfcQuanta;
        FrameExtension* extension; ///< with isExtended; the ledger frees it with the frame
    };

    Frame() : reth{} {}

    const Reth& GetReth() const
    {
        return isExtended ? extension->reth : reth;
    }

    const Aeth& GetAeth() const
    {
        return isExtended ? extension->aeth : aeth;
    }

    uint32_t GetImmediate() const
    {
        return isExtended ? extension->immediate : immediate;
    }

    /** Null where the payload is synthetic. */
    PayloadBlock* GetPayload() const
    {
        return isExtended ? extension->payload : nullptr;
    }
};

static_assert(sizeof(Frame) == 64, "a frame is one cache line");

} // namespace ns3::rdma
