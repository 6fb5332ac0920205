// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** @name AETH syndromes. @spec IBTA Vol 1 Rel 1.7 section 9.3.5, AETH syndrome field @{ */
constexpr uint8_t SYNDROME_TYPE_MASK = 0xe0;     ///< upper bits: 000 ACK, 001 RNR NAK, 011 NAK
constexpr uint8_t SYNDROME_TYPE_ACK = 0x00;      ///< lower five bits: credit code
constexpr uint8_t SYNDROME_ACK_UNLIMITED = 0x1f; ///< ACK, credit code 31: no end-to-end credits
constexpr uint8_t SYNDROME_NAK_SEQUENCE = 0x60;  ///< NAK, code 0: PSN sequence error
/** @} */

} // namespace ns3::rdma
