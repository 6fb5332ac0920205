// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/buffer-track.h"

#include "wire/framing.h"

#include <algorithm>
#include <tuple>

namespace ns3::rdma
{

void
BufferTrack::OnStart(uint16_t port, BitRate rate, uint32_t frameBytes, SimTime start)
{
    m_clocks.resize(std::max<std::size_t>(m_clocks.size(), port + std::size_t{1}));
    PortClock& clock = m_clocks[port];
    clock.remainder = clock.freeAt == start ? clock.remainder : 0;
    clock.freeAt =
        start + ByteTime{rate}.Of(PREAMBLE_BYTES + frameBytes + GAP_BYTES, clock.remainder);
    m_steps.push_back({clock.freeAt, -static_cast<int64_t>(frameBytes)});
}

void
BufferTrack::Follow(SimTime time)
{
    std::ranges::sort(m_steps,
                      [](const Step& a, const Step& b)
                      { return std::tie(a.time, a.bytes) < std::tie(b.time, b.bytes); });
    auto step = m_steps.begin();
    for (; step != m_steps.end() && step->time < time; ++step)
    {
        m_held += step->bytes;
        m_watermark = std::max(m_watermark, m_held);
    }
    m_steps.erase(m_steps.begin(), step);
}

uint64_t
BufferTrack::TakeWatermark(SimTime now)
{
    Follow(now + SimTime{1});
    return static_cast<uint64_t>(std::max<int64_t>(m_watermark, 0));
}

} // namespace ns3::rdma
