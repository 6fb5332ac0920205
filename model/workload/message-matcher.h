// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace ns3::rdma
{

/** A message, or a receive of one, as a schedule has it. */
struct MessageSide
{
    uint32_t receiver{0}; ///< process
    uint32_t sender{0};   ///< process
    uint32_t tag{0};
    bool isReceive{false};
    uint64_t place{0}; ///< line or offset in the file; ascending among those of one side
    uint64_t bytes{0}; ///< ANY_SIZE: the receive does not say

    static constexpr uint64_t ANY_SIZE = std::numeric_limits<uint64_t>::max();

    auto operator<=>(const MessageSide&) const = default;
};

/** Puts messages and receives of a schedule together, to find what has no other side. */
class MessageMatcher
{
  public:
    void Add(const MessageSide& side)
    {
        m_sides.push_back(side);
    }

    /** A receive without a message; how many messages and receives there are of its kind. */
    using OnLonely =
        std::function<void(const MessageSide& receive, uint64_t messages, uint64_t receives)>;

    /**
     * Matches messages and receives of a pair of processes and a tag in their order; what was added
     * is given up.
     */
    void Match(const OnLonely& onLonely);

    /** Messages that no receive waits for; after Match. */
    uint64_t CountUnreceived() const
    {
        return m_unreceived;
    }

    /** Receives that name another size than their message; after Match. */
    uint64_t CountOtherSizes() const
    {
        return m_otherSizes;
    }

  private:
    std::vector<MessageSide> m_sides;
    uint64_t m_unreceived{0};
    uint64_t m_otherSizes{0};
};

} // namespace ns3::rdma
