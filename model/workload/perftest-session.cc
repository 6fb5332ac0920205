// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-session.h"

#include "base/quantity.h"

#include <algorithm>

namespace ns3::rdma
{

PerftestSession::PerftestSession(const PerftestPlan& plan, const ApplicationHosts& hosts)
    : m_plan{plan},
      m_client{plan, hosts.source, *this},
      m_server{plan, hosts.destination, *this}
{
}

Diagnostics
PerftestSession::Start(ApplicationEnvironment& environment,
                       const ConnectionOptions& options,
                       std::function<void(SimTime, const std::string&)> onDone,
                       SimTime now)
{
    m_onDone = std::move(onDone);
    for (PerftestSide* side : {&m_client, &m_server})
    {
        const std::string failure = side->SetUp(environment);
        if (!failure.empty())
        {
            Diagnostic diagnostic;
            diagnostic.message = "the device refuses a " + failure;
            return {diagnostic};
        }
    }
    m_client.SetPeer(m_server.GetMemory());
    m_server.SetPeer(m_client.GetMemory());
    for (uint32_t pair = 0; pair < m_plan.queuePairs; ++pair)
    {
        const auto wrong = environment.Connect({m_client.GetHost(), m_client.GetQpn(pair)},
                                               {m_server.GetHost(), m_server.GetQpn(pair)},
                                               options,
                                               now);
        if (wrong)
        {
            return {*wrong};
        }
    }
    if (m_plan.verb == PerftestVerb::SEND)
    {
        for (PerftestSide* side : {&m_client, &m_server})
        {
            const std::string failure = side->PostReceives(now);
            if (!failure.empty())
            {
                Finish(now, failure);
                return {};
            }
        }
    }
    BeginSize(now);
    return {};
}

void
PerftestSession::BeginSize(SimTime now)
{
    m_progress = {};
    m_pairs.assign(m_plan.queuePairs, {});
    m_posts.clear();
    m_samples = {.messageBytes = GetBytes(), .posted = {}, .completed = {}};
    if (m_plan.kind == PerftestKind::LATENCY)
    {
        m_posts.reserve(m_plan.iterations);
        AdvanceLatency(m_client, now);
    }
    else
    {
        const std::size_t messages = std::size_t{m_plan.iterations} * m_plan.queuePairs;
        m_samples.posted.reserve(messages);
        m_samples.completed.reserve(messages);
        AdvanceBandwidth(now);
    }
}

void
PerftestSession::EndSize(SimTime now)
{
    PerftestResult result{.bytes = GetBytes(),
                          .messages = uint64_t{m_plan.iterations} * m_plan.queuePairs,
                          .latency = {},
                          .bandwidth = {}};
    if (m_plan.kind == PerftestKind::LATENCY)
    {
        result.latency = SummarizeLatency(m_posts, IsPingPong(m_plan.verb) ? 2 : 1);
    }
    else
    {
        result.bandwidth = SummarizeBandwidth(m_samples);
    }
    m_results.push_back(result);
    if (m_results.size() < m_plan.sizes.size())
    {
        BeginSize(now);
    }
    else
    {
        Finish(now, "");
    }
}

bool
PerftestSession::MayPing(PerftestSide& side)
{
    const Progress& progress = Of(side);
    if (!IsPingPong(m_plan.verb))
    {
        return &side == &m_client && progress.completed == progress.sent;
    }
    // The client has the first word.
    const uint32_t due = progress.received + (&side == &m_client ? 1 : 0);
    const bool isQueueFree =
        m_plan.verb != PerftestVerb::WRITE || progress.completed == progress.sent;
    return progress.sent < due && isQueueFree;
}

void
PerftestSession::AdvanceLatency(PerftestSide& side, SimTime now)
{
    Progress& progress = Of(side);
    if (progress.sent < m_plan.iterations && MayPing(side))
    {
        if (&side == &m_client)
        {
            m_posts.push_back(now);
        }
        const uint32_t index = progress.sent++;
        Post(side, {.first = index, .bytes = GetBytes(), .total = m_plan.iterations}, now);
    }
    if (!m_isDone && IsLatencyDone())
    {
        EndSize(now);
    }
}

bool
PerftestSession::IsLatencyDone() const
{
    const Progress& client = m_progress[0];
    const Progress& server = m_progress[1];
    const uint32_t all = m_plan.iterations;
    const bool isClientDone = client.sent == all && client.completed == all;
    return isClientDone &&
           (!IsPingPong(m_plan.verb) || (client.received == all && server.completed == all));
}

void
PerftestSession::AdvanceBandwidth(SimTime now)
{
    for (uint32_t number = 0; number < m_pairs.size(); ++number)
    {
        PairProgress& pair = m_pairs[number];
        while (!m_isDone && pair.sent < m_plan.iterations)
        {
            const uint32_t count = std::min(m_plan.postList, m_plan.iterations - pair.sent);
            if (pair.sent + count - pair.completed > m_plan.txDepth)
            {
                break;
            }
            m_samples.posted.insert(m_samples.posted.end(), count, now);
            const uint32_t first = pair.sent;
            pair.sent += count;
            Post(m_client,
                 {.pair = number,
                  .first = first,
                  .count = count,
                  .bytes = GetBytes(),
                  .signalsAll = false,
                  .total = m_plan.iterations},
                 now);
        }
    }
    if (!m_isDone && IsBandwidthDone())
    {
        EndSize(now);
    }
}

bool
PerftestSession::IsBandwidthDone() const
{
    return std::all_of(m_pairs.begin(),
                       m_pairs.end(),
                       [this](const PairProgress& pair)
                       { return pair.completed == m_plan.iterations; });
}

void
PerftestSession::Post(PerftestSide& side, const PerftestPost& post, SimTime now)
{
    const std::string failure = side.Post(post, now);
    if (!failure.empty())
    {
        Finish(now, failure);
    }
}

void
PerftestSession::OnSent(PerftestSide& side, uint32_t pair, uint32_t index, SimTime now)
{
    if (m_isDone)
    {
        return;
    }
    if (m_plan.kind == PerftestKind::LATENCY)
    {
        Of(side).completed = index + 1;
        return;
    }
    const uint32_t count = index + 1 - m_pairs[pair].completed;
    m_samples.completed.insert(m_samples.completed.end(), count, now);
    m_pairs[pair].completed = index + 1;
}

void
PerftestSession::OnReceived(PerftestSide& side, SimTime)
{
    ++Of(side).received;
}

void
PerftestSession::OnMemory(PerftestSide& side, SimTime)
{
    if (m_plan.verb == PerftestVerb::WRITE)
    {
        ++Of(side).received;
    }
}

void
PerftestSession::OnIdle(PerftestSide& side, SimTime now)
{
    if (m_isDone)
    {
        return;
    }
    if (m_plan.kind == PerftestKind::LATENCY)
    {
        AdvanceLatency(side, now);
    }
    else if (&side == &m_client)
    {
        AdvanceBandwidth(now);
    }
}

void
PerftestSession::OnFailure(PerftestSide&, const WorkCompletion& completion, SimTime now)
{
    if (!m_isDone)
    {
        Finish(now,
               ToString(ByteCount{GetBytes()}) +
                   " messages: " + std::string{ToString(completion.status)});
    }
}

void
PerftestSession::Finish(SimTime now, const std::string& failure)
{
    m_isDone = true;
    m_onDone(now, failure);
}

} // namespace ns3::rdma
