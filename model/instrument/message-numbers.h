// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/frame.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** Tells which message of a connection a request packet belongs to, from the packets as they go. */
class MessageNumbers
{
  public:
    /**
     * A request packet leaves; new ones come in the order of their PSNs.
     *
     * @return the number of its message, from 0; nothing for one from before the first that was
     * seen
     */
    std::optional<uint64_t> OnRequest(const Frame& frame);

  private:
    std::optional<uint64_t> m_newest; ///< packet number of the newest, from the first one's PSN on
    std::vector<uint64_t> m_starts;   ///< packet numbers at which messages begin, ascending
};

} // namespace ns3::rdma
