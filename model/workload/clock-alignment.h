// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** What a clock shows too much: a number of nanoseconds, and more of them every second. */
struct ClockCorrection
{
    double offsetNs{0.0}; ///< at the reference time
    double drift{0.0};    ///< nanoseconds per nanosecond
    int64_t referenceNs{0};
    double errorNs{0.0};    ///< by how much the offset may be wrong; 0 of the clock compared with
    bool isAligned{true};   ///< false: no message said anything, the clock is taken as it is
    bool isOneSided{false}; ///< messages of one direction only: the error has no bound

    /** The time by the first clock. */
    int64_t Apply(int64_t ns) const
    {
        if (offsetNs == 0.0 && drift == 0.0)
        {
            return ns;
        }
        return ns - static_cast<int64_t>(offsetNs + drift * static_cast<double>(ns - referenceNs));
    }
};

/**
 * Aligns the clocks of several hosts by the messages between them: none arrives before it is sent.
 *
 * Each message bounds how much one clock shows more than the other; the two directions bound it
 * from both sides. The middle is taken, half of what is between is the error. Where no constant
 * fits all bounds, and there are enough of them over time, a line is fitted to the middles of
 * equal parts of the time: clocks that run at different speeds.
 *
 * @choice bounds of a pair of clocks are kept for 16 parts of the time, whose length doubles as
 * needed: memory does not grow with the trace
 */
class ClockAlignment
{
  public:
    explicit ClockAlignment(std::size_t clocks) : m_clocks{clocks} {}

    /**
     * A message was sent at a time of one clock and had been received at a time of another.
     *
     * Nothing is learned if both are the same clock.
     */
    void Add(std::size_t sender, int64_t sentNs, std::size_t receiver, int64_t receivedNs);

    /** How each clock is to be corrected, so that it shows what the first of its kind does. */
    std::vector<ClockCorrection> Solve() const;

    /** Messages that were looked at. */
    uint64_t GetMessages() const
    {
        return m_messages;
    }

  private:
    static constexpr std::size_t PARTS = 16;

    /** Bounds on how much the second clock shows more than the first. */
    struct Bounds
    {
        std::optional<int64_t> least;
        std::optional<int64_t> most;

        bool IsWhole() const
        {
            return least && most;
        }

        void Join(const Bounds& other);
    };

    struct Pair
    {
        int64_t firstNs{0};      ///< by the first clock: where the first part begins
        int64_t partNs{1 << 20}; ///< about a millisecond to begin with
        bool isUsed{false};
        std::array<Bounds, PARTS> parts;

        Bounds& At(int64_t ns);
        Bounds All() const;
    };

    using Step = std::pair<std::pair<std::size_t, std::size_t>, ClockCorrection>;
    using Found = std::vector<std::optional<ClockCorrection>>;

    /** Corrects all clocks that exchanged messages with those found. */
    static void Spread(const std::vector<Step>& steps, Found& found);

    /** How the second clock of a pair is to be corrected to show what the first does. */
    static ClockCorrection SolvePair(const Pair& pair);
    static bool FitLine(const Pair& pair, ClockCorrection& correction);

    std::size_t m_clocks;
    uint64_t m_messages{0};
    std::map<std::pair<std::size_t, std::size_t>, Pair> m_pairs; ///< the lower number first
};

} // namespace ns3::rdma
