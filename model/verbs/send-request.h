// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/scatter-gather.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/** Operations that a send queue takes; the values are those of rdma-core's ibv_wr_opcode. */
enum class SendOpcode : uint8_t
{
    RDMA_WRITE = 0,
    RDMA_WRITE_WITH_IMM = 1,
    SEND = 2,
    SEND_WITH_IMM = 3,
    RDMA_READ = 4,
    ATOMIC_CMP_AND_SWP = 5,
    ATOMIC_FETCH_AND_ADD = 6,
    LOCAL_INV = 7,
    SEND_WITH_INV = 9,
};

/** Send flags; the values are those of rdma-core's ibv_send_flags. */
enum SendFlag : uint8_t
{
    SEND_FENCE = 1 << 0,     ///< waits until no READ and no atomic operation is outstanding
    SEND_SIGNALED = 1 << 1,  ///< completes with an entry in the completion queue
    SEND_SOLICITED = 1 << 2, ///< the receiver's completion is a solicited event
    SEND_INLINE = 1 << 3,    ///< payload is copied when posted; local keys are not checked
};

/**
 * The longest message of a reliable connection, in bytes.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.2 (message length: 0 to 2^31 bytes)
 */
constexpr uint64_t MAX_MESSAGE_BYTES = uint64_t{1} << 31;

/** Bytes on which an atomic operation works; its address is a multiple of this. */
constexpr uint32_t ATOMIC_BYTES = 8;

/** One entry of a send queue, as the application posts it (ibv_send_wr). */
struct SendRequest
{
    uint64_t wrId{0}; ///< the application's own mark, returned in the completion
    SendOpcode opcode{SendOpcode::RDMA_WRITE};
    uint8_t flags{SEND_SIGNALED};
    ScatterGatherList sgList{}; ///< read by SEND and WRITE, filled by READ and atomics
    uint32_t immediate{0};      ///< host order; ..._WITH_IMM
    uint32_t invalidateRkey{0}; ///< SEND_WITH_INV and LOCAL_INV
    uint64_t remoteAddress{0};  ///< WRITE, READ and atomics
    uint32_t rkey{0};           ///< likewise
    uint64_t compareAdd{0};     ///< value to compare with, or summand
    uint64_t swap{0};           ///< new value of a compare and swap
    /**
     * SEND_INLINE: the payload itself, as many bytes as sgList has, read when posted. Null: the
     * bytes are those behind the pieces' local keys, zeros where there are none.
     */
    const std::byte* inlineData{nullptr};
};

/** One entry of a receive queue (ibv_recv_wr). */
struct ReceiveRequest
{
    uint64_t wrId{0};
    ScatterGatherList sgList{};
};

} // namespace ns3::rdma
