// SPDX-License-Identifier: GPL-2.0-only
#include "switch/headroom.h"

#include "base/traffic-class.h"
#include "wire/framing.h"

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
BytesBesideFlight(ByteCount buffer, uint32_t ports, ByteCount flight)
{
    const uint64_t reserved = PRIORITY_COUNT * ports * flight.value;
    return buffer.value > reserved ? buffer.value - reserved : 0;
}

} // namespace

ByteCount
ComputeHeadroom(const HeadroomInput& input)
{
    constexpr uint32_t PAUSE_BYTES = PREAMBLE_BYTES + PFC_FRAME_BYTES + GAP_BYTES;
    return {BytesIn(input.responseTime, input.rate) + BytesIn(2 * input.delay, input.rate) +
            2 * uint64_t{input.maxFrameBytes} + PAUSE_BYTES};
}

ByteCount
MaxStaticPfcThreshold(ByteCount buffer, uint32_t ports, ByteCount flight)
{
    return {BytesBesideFlight(buffer, ports, flight) / (PRIORITY_COUNT * ports)};
}

ByteCount
DynamicPfcThreshold(ByteCount buffer,
                    uint32_t ports,
                    ByteCount flight,
                    uint32_t beta,
                    ByteCount used)
{
    const uint64_t room = BytesBesideFlight(buffer, ports, flight);
    return {room > used.value ? beta * (room - used.value) / PRIORITY_COUNT : 0};
}

ByteCount
MaxEcnThreshold(ByteCount buffer, uint32_t ports, ByteCount flight, uint32_t beta)
{
    return {beta * BytesBesideFlight(buffer, ports, flight) /
            (PRIORITY_COUNT * ports * (beta + 1))};
}

} // namespace ns3::rdma
