// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** Operations that a send queue takes; the values are those of rdma-core's ibv_wr_opcode. */
enum class WorkRequestOpcode : uint8_t
{
    RDMA_WRITE = 0,
};

/**
 * The longest message of a reliable connection, in bytes.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.2 (message length: 0 to 2^31 bytes)
 */
constexpr uint64_t MAX_MESSAGE_BYTES = uint64_t{1} << 31;

/** One entry of a send queue, as the application posts it. */
struct WorkRequest
{
    uint64_t wrId{0}; ///< the application's own mark, returned in the completion
    WorkRequestOpcode opcode{WorkRequestOpcode::RDMA_WRITE};
    uint64_t bytes{0};         ///< length of the message, 0 .. MAX_MESSAGE_BYTES
    uint64_t remoteAddress{0}; ///< where the message goes in the peer's memory
    uint32_t rkey{0};

    bool operator==(const WorkRequest&) const = default;
};

} // namespace ns3::rdma
