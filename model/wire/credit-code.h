// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/aeth.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3::rdma
{

/**
 * Receive requests that an ACK grants, by the credit code in its syndrome; code 31 grants no
 * number, it lifts the limit.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.7.2 (end-to-end flow control, encoding of the credits)
 */
constexpr std::array<uint16_t, SYNDROME_ACK_UNLIMITED> CREDITS_OF_CODE{
    0,   1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,  192,
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};

static_assert(std::ranges::is_sorted(CREDITS_OF_CODE));

/** The largest code, 0 .. 30, that grants no more than this number of receive requests. */
constexpr uint8_t
CreditCode(uint32_t receives)
{
    const auto above = std::ranges::upper_bound(CREDITS_OF_CODE, receives);
    return static_cast<uint8_t>(above - CREDITS_OF_CODE.begin() - 1);
}

} // namespace ns3::rdma
