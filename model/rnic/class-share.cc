// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/class-share.h"

#include <algorithm>
#include <bit>
#include <sstream>

namespace ns3::rdma
{

namespace
{

constexpr int64_t MAX_WEIGHT = 1'000'000; ///< credits are far from 64 bits

/** Bytes of a turn at weight 1: about a frame, so that turns are short. */
constexpr int64_t TURN_BYTES = 1024;

} // namespace

Expected<ClassWeights>
ParseClassWeights(const std::string& text)
{
    ClassWeights weights{};
    std::istringstream words{text};
    std::string rest;
    if (!(words >> rest))
    {
        return weights;
    }
    words = std::istringstream{text};
    bool isInRange = true;
    for (uint32_t& weight : weights)
    {
        int64_t number = 0;
        words >> number;
        isInRange &= number >= 1 && number <= MAX_WEIGHT;
        weight = static_cast<uint32_t>(number);
    }
    if (!words || words >> rest || !isInRange)
    {
        Diagnostic diagnostic;
        diagnostic.key = "weights";
        diagnostic.message = "not a weight for each priority";
        diagnostic.got = text;
        diagnostic.expected = "8 whole numbers from 1 to 1000000, for priorities 0 to 7";
        return diagnostic;
    }
    return weights;
}

ClassShare::ClassShare(const ClassWeights& weights) : m_isStrict{weights == ClassWeights{}}
{
    std::ranges::transform(
        weights, m_quantum.begin(), [](uint32_t weight) { return int64_t{weight} * TURN_BYTES; });
}

int
ClassShare::Choose(PriorityMask ready)
{
    if (m_isStrict || ready == 0)
    {
        return std::bit_width(static_cast<unsigned>(ready)) - 1;
    }
    while ((ready & PriorityBit(m_turn)) == 0 || m_credit[m_turn] <= 0)
    {
        if ((ready & PriorityBit(m_turn)) == 0)
        {
            m_credit[m_turn] = std::min<int64_t>(m_credit[m_turn], 0);
        }
        m_turn = static_cast<uint8_t>((m_turn + 1) % PRIORITY_COUNT);
        m_credit[m_turn] += m_quantum[m_turn];
    }
    return m_turn;
}

void
ClassShare::OnSent(uint8_t priority, uint32_t wireBytes, bool isForeign, bool isShared)
{
    if (!m_isStrict)
    {
        m_credit[priority] -= wireBytes;
    }
    m_ahead[priority] += isForeign ? int64_t{wireBytes} : -int64_t{wireBytes};
    if (!isShared)
    {
        m_ahead[priority] = 0;
    }
}

} // namespace ns3::rdma
