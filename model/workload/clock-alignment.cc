// SPDX-License-Identifier: GPL-2.0-only
#include "workload/clock-alignment.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{

/** Parts with both bounds that a line must have. @choice fewer cannot show that it is one */
constexpr std::size_t FEWEST_FOR_LINE = 4;

/** The correction of a clock against one that is corrected itself. */
ClockCorrection
Chain(const ClockCorrection& base, const ClockCorrection& step)
{
    ClockCorrection sum = step;
    const auto at = static_cast<double>(step.referenceNs - base.referenceNs);
    sum.offsetNs += base.offsetNs + base.drift * at;
    sum.drift += base.drift;
    sum.errorNs += base.errorNs;
    sum.isOneSided = base.isOneSided || step.isOneSided;
    sum.isAligned = base.isAligned;
    return sum;
}

/** The correction of the first clock of a pair to show what the second does. */
ClockCorrection
Reverse(const ClockCorrection& correction)
{
    ClockCorrection other = correction;
    other.offsetNs = -correction.offsetNs;
    other.drift = -correction.drift;
    return other;
}

} // namespace

void
ClockAlignment::Bounds::Join(const Bounds& other)
{
    if (other.least)
    {
        least = std::max(least.value_or(*other.least), *other.least);
    }
    if (other.most)
    {
        most = std::min(most.value_or(*other.most), *other.most);
    }
}

ClockAlignment::Bounds&
ClockAlignment::Pair::At(int64_t ns)
{
    if (!isUsed)
    {
        isUsed = true;
        firstNs = ns;
    }
    // What is before the first part counts for it.
    while (ns >= firstNs && (ns - firstNs) / partNs >= static_cast<int64_t>(PARTS))
    {
        for (std::size_t i = 0; i < PARTS; ++i)
        {
            Bounds joined = i < PARTS / 2 ? parts[2 * i] : Bounds{};
            if (i < PARTS / 2)
            {
                joined.Join(parts[2 * i + 1]);
            }
            parts[i] = joined;
        }
        partNs *= 2;
    }
    return parts[ns < firstNs ? 0 : static_cast<std::size_t>((ns - firstNs) / partNs)];
}

ClockAlignment::Bounds
ClockAlignment::Pair::All() const
{
    Bounds all;
    for (const Bounds& part : parts)
    {
        all.Join(part);
    }
    return all;
}

void
ClockAlignment::Add(std::size_t sender, int64_t sentNs, std::size_t receiver, int64_t receivedNs)
{
    ++m_messages;
    if (sender == receiver)
    {
        return;
    }
    const bool isForward = sender < receiver;
    Pair& pair = m_pairs[{std::min(sender, receiver), std::max(sender, receiver)}];
    Bounds& part = pair.At(isForward ? sentNs : receivedNs);
    const int64_t bound = isForward ? receivedNs - sentNs : sentNs - receivedNs;
    part.Join(isForward ? Bounds{.least = {}, .most = bound} : Bounds{.least = bound, .most = {}});
}

bool
ClockAlignment::FitLine(const Pair& pair, ClockCorrection& correction)
{
    double count = 0.0;
    double sumX = 0.0;
    double sumY = 0.0;
    double sumXx = 0.0;
    double sumXy = 0.0;
    double width = 0.0;
    for (std::size_t i = 0; i < PARTS; ++i)
    {
        const Bounds& part = pair.parts[i];
        if (!part.IsWhole())
        {
            continue;
        }
        const double x = (static_cast<double>(i) + 1.0 / 2) * static_cast<double>(pair.partNs);
        const double y = (static_cast<double>(*part.least) + static_cast<double>(*part.most)) / 2;
        count += 1;
        sumX += x;
        sumY += y;
        sumXx += x * x;
        sumXy += x * y;
        width = std::max(width, std::abs(static_cast<double>(*part.most - *part.least)) / 2);
    }
    const double spread = count * sumXx - sumX * sumX;
    if (count < static_cast<double>(FEWEST_FOR_LINE) || spread <= 0.0)
    {
        return false;
    }
    correction.drift = (count * sumXy - sumX * sumY) / spread;
    correction.offsetNs = (sumY - correction.drift * sumX) / count;
    correction.referenceNs = pair.firstNs;
    correction.errorNs = width;
    return true;
}

ClockCorrection
ClockAlignment::SolvePair(const Pair& pair)
{
    ClockCorrection correction;
    const Bounds all = pair.All();
    if (!all.IsWhole())
    {
        correction.isOneSided = true;
        correction.offsetNs = static_cast<double>(all.least ? *all.least : *all.most);
        return correction;
    }
    if (*all.least > *all.most && FitLine(pair, correction))
    {
        return correction;
    }
    // The sum of two offsets between times since 1970 does not fit 64 bits of a double.
    correction.offsetNs =
        static_cast<double>(*all.least) + static_cast<double>(*all.most - *all.least) / 2;
    correction.errorNs = std::abs(static_cast<double>(*all.most - *all.least)) / 2;
    return correction;
}

void
ClockAlignment::Spread(const std::vector<Step>& steps, Found& found)
{
    // The best step to a clock that is not known yet, again and again.
    while (true)
    {
        std::optional<std::pair<std::size_t, ClockCorrection>> best;
        for (const auto& [clocks, step] : steps)
        {
            const auto [a, b] = clocks;
            if (found[a].has_value() == found[b].has_value())
            {
                continue;
            }
            const bool isForward = found[a].has_value();
            const ClockCorrection sum =
                isForward ? Chain(*found[a], step) : Chain(*found[b], Reverse(step));
            const auto rank = [](const ClockCorrection& c) {
                return std::pair{c.isOneSided, c.errorNs};
            };
            if (!best || rank(sum) < rank(best->second))
            {
                best = {isForward ? b : a, sum};
            }
        }
        if (!best)
        {
            return;
        }
        found[best->first] = best->second;
    }
}

std::vector<ClockCorrection>
ClockAlignment::Solve() const
{
    std::vector<Step> steps;
    for (const auto& [clocks, pair] : m_pairs)
    {
        steps.emplace_back(clocks, SolvePair(pair));
    }
    Found found(m_clocks);
    std::vector<ClockCorrection> corrections;
    for (std::size_t clock = 0; clock < m_clocks; ++clock)
    {
        if (!found[clock])
        {
            found[clock] = ClockCorrection{};
            found[clock]->isAligned = clock == 0;
            Spread(steps, found);
        }
        corrections.push_back(*found[clock]);
    }
    return corrections;
}

} // namespace ns3::rdma
