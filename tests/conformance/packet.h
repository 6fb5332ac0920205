// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "wire/aeth.h"
#include "wire/atomic-eth.h"
#include "wire/opcode.h"
#include "wire/reth.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** One packet of a reliable connection, as a capture shows it or as the model sent it. */
struct Packet
{
    uint32_t number{0}; ///< of the frame in its capture, from 1
    double time{0};     ///< seconds from the capture's first frame
    uint32_t sender{0}; ///< host 0 (the client) or 1
    uint32_t destinationQp{0};
    Opcode opcode{Opcode::RC_ACKNOWLEDGE};
    Psn psn{};
    bool ackRequest{false};
    bool isSolicited{false};
    bool isDamaged{false}; ///< its ICRC does not fit
    uint32_t padBytes{0};
    uint32_t payloadBytes{0};
    Reth reth{}; ///< this and the following: where the opcode carries one, else zero
    AtomicEth atomic{};
    Aeth aeth{};
    uint64_t atomicOriginal{0};
    uint32_t immediate{0}; ///< ImmDt or the R_Key of an IETH

    bool IsRequest() const
    {
        return GetOpcodeInfo(opcode).isRequest;
    }
};

using Packets = std::vector<Packet>;

/**
 * A packet as text, all that is compared: "SEND_ONLY psn=123456 A-- pad=3 plen=1".
 *
 * The names are those of the captures' decoded text.
 */
std::string ToString(const Packet& packet);

/** A packet as a line of decoded text. */
std::string ToDecodedLine(const Packet& packet);

/** NAK codes by their value, as decoded text names them. @spec IBTA Vol 1 Rel 1.7 section 9.3.5 */
constexpr std::array<std::string_view, 5> NAK_NAMES{"PSN_SEQ_ERR",
                                                    "INVALID_REQUEST",
                                                    "REMOTE_ACCESS_ERR",
                                                    "REMOTE_OP_ERR",
                                                    "INVALID_RD_REQUEST"};

/** The short name of an opcode of a reliable connection; "" for another. */
std::string ShortName(Opcode opcode);

} // namespace ns3::rdma
