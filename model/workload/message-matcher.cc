// SPDX-License-Identifier: GPL-2.0-only
#include "workload/message-matcher.h"

#include <algorithm>

namespace ns3::rdma
{

void
MessageMatcher::Match(const OnLonely& onLonely)
{
    std::ranges::sort(m_sides);
    for (auto message = m_sides.begin(); message != m_sides.end();)
    {
        const auto end = std::find_if(message,
                                      m_sides.end(),
                                      [&](const MessageSide& side)
                                      {
                                          return side.receiver != message->receiver ||
                                                 side.sender != message->sender ||
                                                 side.tag != message->tag;
                                      });
        auto receive = std::find_if(message, end, [](const MessageSide& s) { return s.isReceive; });
        const auto messages = static_cast<uint64_t>(receive - message);
        const auto receives = static_cast<uint64_t>(end - receive);
        for (uint64_t i = 0; i < std::min(messages, receives); ++i, ++message, ++receive)
        {
            const bool isEqual =
                receive->bytes == message->bytes || receive->bytes == MessageSide::ANY_SIZE;
            m_otherSizes += isEqual ? 0 : 1;
        }
        m_unreceived += messages - std::min(messages, receives);
        for (; receive != end; ++receive)
        {
            onLonely(*receive, messages, receives);
        }
        message = end;
    }
    m_sides = {};
}

} // namespace ns3::rdma
