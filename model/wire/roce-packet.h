// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/aeth.h"
#include "wire/atomic-ack-eth.h"
#include "wire/atomic-eth.h"
#include "wire/bth.h"
#include "wire/cnp.h"
#include "wire/deth.h"
#include "wire/ethernet.h"
#include "wire/grh.h"
#include "wire/ieth.h"
#include "wire/immediate.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/opcode.h"
#include "wire/reth.h"
#include "wire/udp.h"
#include "wire/xrceth.h"

#include <string_view>
#include <variant>

namespace ns3::rdma
{

/** Why a frame is no RoCE packet, or not a whole one. */
enum class RoceError : uint8_t
{
    NOT_ROCE,           ///< another EtherType, protocol, next header or UDP port
    TRUNCATED,          ///< ends inside a header, or before the datagram's length
    IPV4_OPTIONS,       ///< not IPv4 of five words: options, or another version
    IPV4_CHECKSUM,      ///< the header's checksum does not fit
    FRAGMENT,           ///< of an IPv4 datagram
    LENGTH_MISMATCH,    ///< the lengths of IP and UDP contradict each other
    UNKNOWN_OPCODE,     ///< not in the opcode table
    PAD_COUNT,          ///< more pad than bytes, or payload and pad no multiple of four
    UNEXPECTED_PAYLOAD, ///< bytes where the opcode has none
};

/** "truncated", "unknown opcode", ... */
std::string_view ToString(RoceError error);

/** The extended transport headers; the opcode says which of them are there. */
struct ExtendedHeaders
{
    /** Those of an opcode without payload or reserved bytes: XRCETH and AtomicETH. */
    static constexpr std::size_t MAX_SIZE = XRCETH_BYTES + ATOMIC_ETH_BYTES;

    Xrceth xrceth{};
    Deth deth{};
    Reth reth{};
    AtomicEth atomicEth{};
    Aeth aeth{};
    AtomicAckEth atomicAckEth{};
    Immediate immediate{};
    Ieth ieth{};
    CnpReserved cnpReserved{};

    bool operator==(const ExtendedHeaders&) const = default;
};

/**
 * Reads the extended headers of an opcode and goes on behind them.
 *
 * @return false: the bytes end before; some may have been read
 */
bool TakeExtendedHeaders(const OpcodeInfo& info,
                         std::span<const std::byte>& bytes,
                         ExtendedHeaders& headers);

/**
 * A RoCE packet by its fields: RoCEv2 over IPv4 or IPv6, or RoCEv1; with or without VLAN tag.
 *
 * Payload, pad and trailer are seen where they lie: the bytes must outlive the value. Fields that
 * the standard forbids, as another transport version, are shown and not judged.
 *
 * @spec IBTA Vol 1 Annex A16 (RoCEv1), Annex A17 (RoCEv2), Rel 1.7 section 9.2
 */
struct RocePacket
{
    /** Upper bound of all that stands before the payload. */
    static constexpr std::size_t MAX_HEADER_BYTES = EthernetFields::SIZE + VlanTag::SIZE +
                                                    Ipv6Fields::SIZE + UdpFields::SIZE + Bth::SIZE +
                                                    ExtendedHeaders::MAX_SIZE;

    EthernetFields ethernet{};
    std::optional<VlanTag> vlan{};
    std::variant<Ipv4Fields, Ipv6Fields, Grh> network; ///< a Grh makes it RoCEv1
    UdpFields udp{};                                   ///< RoCEv2 only
    Bth bth{};
    ExtendedHeaders extended{};
    std::span<const std::byte> payload{}; ///< without pad
    std::span<const std::byte> pad{};     ///< bth.padCount bytes, by the standard zeros
    uint32_t icrc{0};
    bool isIcrcGood{true};                ///< of a parsed packet
    std::span<const std::byte> trailer{}; ///< after the datagram: Ethernet's padding, or an FCS

    /**
     * Reads a frame from the destination address on.
     *
     * @return the packet, whether its ICRC fits or not; or the first thing that keeps it from
     *         being one
     */
    static std::variant<RocePacket, RoceError> Parse(std::span<const std::byte> frame);

    /** The row of the opcode; only if the opcode table knows it, as it does after Parse. */
    const OpcodeInfo& GetInfo() const
    {
        return GetOpcodeInfo(static_cast<Opcode>(bth.opcode));
    }

    /** Bytes that Emit writes. */
    std::size_t GetSize() const;

    /**
     * Sets what follows from the rest: EtherTypes, protocol, lengths, pad count and pad, UDP
     * destination port, checksums (that of UDP is 0) and ICRC.
     *
     * @choice no UDP checksum: the ICRC covers more, and Linux sends none
     */
    void Complete();

    /** Writes the packet as its fields say, into GetSize() bytes at least. */
    void Emit(std::span<std::byte> bytes) const;

  private:
    std::size_t EmitHeaders(std::span<std::byte> bytes) const;
    std::size_t GetNetworkOffset() const;
};

} // namespace ns3::rdma
