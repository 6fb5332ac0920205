// SPDX-License-Identifier: GPL-2.0-only
#include "switch/headroom.h"

#include "base/traffic-class.h"
#include "wire/framing.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Bytes that a link carries in a time, rounded up. */
uint64_t
BytesIn(SimTime time, BitRate rate)
{
    constexpr unsigned __int128 BITS_PER_BYTE_PS = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    const auto bits = static_cast<unsigned __int128>(time.ps) * rate.bps;
    return static_cast<uint64_t>((bits + BITS_PER_BYTE_PS - 1) / BITS_PER_BYTE_PS);
}

/** What headroom for every port and priority leaves of a buffer. */
uint64_t
BytesBesideFlight(const BufferShare& share)
{
    const uint64_t reserved = PRIORITY_COUNT * share.ports * share.flight.value;
    return share.buffer.value > reserved ? share.buffer.value - reserved : 0;
}

/** Bytes that arrive, as a buffer of cells takes them when all frames are of the worst size. */
uint64_t
InWorstCells(uint64_t bytes, const HeadroomInput& input)
{
    const uint64_t cell = input.cellBytes;
    uint64_t taken = bytes;
    for (uint64_t frame = MIN_FRAME_BYTES; cell != 0 && frame <= input.maxFrameBytes; ++frame)
    {
        const uint64_t wire = PREAMBLE_BYTES + frame + GAP_BYTES;
        const uint64_t cells = (frame + cell - 1) / cell * cell;
        taken = std::max(taken, (bytes * cells + wire - 1) / wire);
    }
    return taken;
}

} // namespace

ByteCount
ComputeHeadroom(const HeadroomInput& input)
{
    constexpr uint32_t PAUSE_BYTES = PREAMBLE_BYTES + PFC_FRAME_BYTES + GAP_BYTES;
    const uint64_t bytes = BytesIn(input.responseTime, input.rate) +
                           BytesIn(2 * input.delay, input.rate) +
                           2 * uint64_t{input.maxFrameBytes} + PAUSE_BYTES;
    return {InWorstCells(bytes, input)};
}

ByteCount
MaxStaticPfcThreshold(const BufferShare& share)
{
    return {BytesBesideFlight(share) / (PRIORITY_COUNT * share.ports)};
}

ByteCount
DynamicPfcThreshold(const BufferShare& share, uint32_t beta, ByteCount used)
{
    const uint64_t room = BytesBesideFlight(share);
    return {room > used.value ? beta * (room - used.value) / PRIORITY_COUNT : 0};
}

ByteCount
MaxEcnThreshold(const BufferShare& share, uint32_t beta)
{
    return {beta * BytesBesideFlight(share) / (PRIORITY_COUNT * share.ports * (beta + 1))};
}

} // namespace ns3::rdma
