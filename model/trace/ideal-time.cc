// SPDX-License-Identifier: GPL-2.0-only
#include "trace/ideal-time.h"

#include "wire/framing.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

namespace
{

/** A run of packets of one size, as they follow each other. */
struct PacketRun
{
    uint64_t count{0};
    uint32_t frameBytes{0};
};

/** The packets of one message: a first, equal middle ones, a last. */
void
AppendMessage(std::vector<PacketRun>& runs, uint64_t bytes, uint32_t mtu)
{
    const uint64_t packets = std::max<uint64_t>(1, (bytes + mtu - 1) / mtu);
    const auto lastPayload = static_cast<uint32_t>(bytes - (packets - 1) * mtu);
    if (packets == 1)
    {
        runs.push_back({1, RoceFrameBytes(RETH_BYTES, lastPayload)});
        return;
    }
    runs.push_back({1, RoceFrameBytes(RETH_BYTES, mtu)});
    if (packets > 2)
    {
        runs.push_back({packets - 2, RoceFrameBytes(0, mtu)});
    }
    runs.push_back({1, RoceFrameBytes(0, lastPayload)});
}

std::vector<PacketRun>
CutIntoPackets(const IdealInput& input)
{
    std::vector<PacketRun> runs;
    uint64_t left = input.bytes;
    const uint64_t most = input.maxMessageBytes == 0 ? left : input.maxMessageBytes;
    while (left > most)
    {
        AppendMessage(runs, most, input.pathMtu);
        left -= most;
    }
    AppendMessage(runs, left, input.pathMtu);
    for (PacketRun& run : runs)
    {
        run.frameBytes += input.tagBytes;
    }
    return runs;
}

/**
 * The transmitters of a path, and when each is free for the next packet.
 *
 * Packet i starts at hop h at S(i, h) = max(S(i - 1, h) + w(h), S(i, h - 1) + l(h - 1)), where w is
 * the time of the frame with preamble and gap and l that of its last bit plus the cable. For a run
 * of k equal packets the recursion has the closed form
 *   S(k, h) = max over a <= h of F(a) + sum of l from a to h - 1 + (k - 1) x max of w from a to h,
 * F(a) being the time from which hop a is free.
 */
class Pipeline
{
  public:
    explicit Pipeline(std::span<const PathHop> path) : m_path{path}, m_freeAt(path.size()) {}

    /** A run passes all hops. @return the last bit of its last packet at the receiver */
    SimTime Pass(const PacketRun& run)
    {
        std::vector<SimTime> next(m_path.size());
        SimTime arrived{};
        for (std::size_t hop = 0; hop < m_path.size(); ++hop)
        {
            const SimTime start = LastStart(run, hop);
            next[hop] = start + Occupied(run.frameBytes, hop);
            arrived = start + Passed(run.frameBytes, hop);
        }
        m_freeAt = next;
        return arrived;
    }

  private:
    /** When the last packet of a run starts at a hop. */
    SimTime LastStart(const PacketRun& run, std::size_t hop) const
    {
        SimTime latest{};
        SimTime slowest{};
        SimTime between{};
        for (std::size_t entry = hop + 1; entry-- > 0;)
        {
            slowest = std::max(slowest, Occupied(run.frameBytes, entry));
            between += entry < hop ? Passed(run.frameBytes, entry) : SimTime{};
            latest = std::max(latest, m_freeAt[entry] + between + slowest * (run.count - 1));
        }
        return latest;
    }

    /** Transmitter time of a frame. */
    SimTime Occupied(uint32_t frameBytes, std::size_t hop) const
    {
        return ByteTime{m_path[hop].rate}.Of(PREAMBLE_BYTES + frameBytes + GAP_BYTES);
    }

    /** From the start of a frame to its last bit at the far end. */
    SimTime Passed(uint32_t frameBytes, std::size_t hop) const
    {
        return ByteTime{m_path[hop].rate}.Of(PREAMBLE_BYTES + frameBytes) + m_path[hop].delay;
    }

    std::span<const PathHop> m_path;
    std::vector<SimTime> m_freeAt;
};

} // namespace

SimTime
IdealDeliveredTime(const IdealInput& input, std::span<const PathHop> path)
{
    Pipeline pipeline{path};
    SimTime arrived{};
    for (const PacketRun& run : CutIntoPackets(input))
    {
        arrived = pipeline.Pass(run);
    }
    return arrived;
}

SimTime
FrameTime(uint32_t frameBytes, std::span<const PathHop> path)
{
    return Pipeline{path}.Pass({1, frameBytes});
}

} // namespace ns3::rdma
