// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/capture-survey.h"

#include <span>

namespace ns3::rdma
{

/** Finds the conversations that a packet belongs to. */
class CaptureRouter
{
  public:
    /** A conversation, and which of its ends a packet is from. */
    struct Route
    {
        std::size_t conversation{0};
        unsigned sender{0};
    };

    void Add(const ConversationPlan& plan, std::size_t conversation);

    /** @return at most two; valid until the next call */
    std::span<const Route> Find(CapturedKind kind, const CapturedPacket& packet);

  private:
    std::map<CaptureFlowKey, Route> m_flows;
    std::map<CaptureEndpoint, std::size_t> m_datagramEnds;
    std::vector<Route> m_found;
};

} // namespace ns3::rdma
