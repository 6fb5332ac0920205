// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/transport/connection-packet.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * A requester and a responder with memories of their own, joined by a channel in virtual time.
 *
 * A packet takes 1 us, and each end sends one in 100 ns.
 */
class ConnectionScript
{
  public:
    static constexpr uint32_t DOMAIN = 1;
    static constexpr SimTime CABLE = SimTime::Microseconds(1);
    static constexpr SimTime GAP = SimTime::Nanoseconds(100);

    using Judge = std::function<Fate(const ConnectionPacket&)>;

    explicit ConnectionScript(const ConnectionSettings& settingsOfScript)
        : settings{settingsOfScript},
          receives{settings.capabilities.maxReceiveRequests,
                   settings.capabilities.maxReceiveElements},
          requester{{.policy = &settings.policy,
                     .attributes = &settings.client,
                     .memory = &clientMemory,
                     .protectionDomain = DOMAIN,
                     .qpn = Qpn{1},
                     .capabilities = settings.capabilities}},
          responder{{.policy = &settings.policy,
                     .attributes = &settings.server,
                     .memory = &serverMemory,
                     .receives = &receives,
                     .protectionDomain = DOMAIN,
                     .qpn = Qpn{2}}}
    {
        requester.Start(settings.firstPsn);
        responder.Start(settings.firstPsn);
    }

    ConnectionScript(const ConnectionScript&) = delete;
    ConnectionScript& operator=(const ConnectionScript&) = delete;

    /** Posted as soon as the send queue has room; the list is copied. */
    void Post(const SendRequest& request)
    {
        const std::vector<ScatterGatherElement> list(request.sgList.begin(), request.sgList.end());
        m_backlog.push_back({request, list});
        PostBacklog();
    }

    /** Something else happens at a time. */
    void At(SimTime time, std::function<void()> action)
    {
        m_actions.emplace(time, std::move(action));
    }

    /** The next thing that happens. @return false: nothing will ever happen again */
    bool Step()
    {
        const SimTime arrival = FirstOf(m_flying);
        const SimTime action = FirstOf(m_actions);
        const SimTime deadline = std::max(now, requester.GetDeadline());
        const SimTime answer =
            responder.HasResponse() ? std::max(now, m_nextAnswer) : SimTime::Never();
        const SimTime request = requester.CanSend(settings.windowBytes)
                                    ? std::max(now, m_nextRequest)
                                    : SimTime::Never();
        const SimTime next = std::min({arrival, action, deadline, answer, request});
        if (next.IsNever())
        {
            return false;
        }
        now = next;
        if (next == arrival)
        {
            Arrive();
        }
        else if (next == action)
        {
            auto node = m_actions.extract(m_actions.begin());
            node.mapped()();
        }
        else if (next == deadline)
        {
            requester.OnTimeout(now);
        }
        else if (next == answer)
        {
            m_nextAnswer = now + GAP;
            Send(MakePacket(responder.NextResponse(), serverMemory));
        }
        else
        {
            m_nextRequest = now + GAP;
            Send(MakePacket(requester.Next(now, settings.windowBytes), requester));
        }
        TakeCompletions();
        PostBacklog();
        return true;
    }

    /** @return whether nothing is left to happen after so many steps */
    bool Run(uint32_t steps = 100'000)
    {
        while (steps > 0 && Step())
        {
            --steps;
        }
        return steps > 0;
    }

    /** The responder's queue pair is in error: what is posted to it completes. */
    void FlushReceives()
    {
        responder.Flush();
        TakeCompletions();
    }

    ConnectionSettings settings;
    MemoryTable clientMemory;
    MemoryTable serverMemory;
    ReceiveQueue receives;
    Requester requester;
    Responder responder;
    SimTime now{};
    Judge judge; ///< none: every packet arrives
    std::function<void(const WorkCompletion&)> onSent;
    std::vector<WorkCompletion> sent;     ///< completions of the send queue
    std::vector<WorkCompletion> received; ///< of the receive queue
    uint64_t executedMessages{0};         ///< by the responder
    std::vector<std::string>* log{nullptr};
    std::array<uint32_t, 2> packets{}; ///< sent: responses, requests

  private:
    struct Posted
    {
        SendRequest request;
        std::vector<ScatterGatherElement> list;
    };

    template <typename Timeline>
    static SimTime FirstOf(const Timeline& timeline)
    {
        return timeline.empty() ? SimTime::Never() : timeline.begin()->first;
    }

    void PostBacklog()
    {
        while (!m_backlog.empty())
        {
            Posted& next = m_backlog.front();
            next.request.sgList = next.list;
            const PostResult result = requester.Post({&next.request, 1});
            if (result.error == VerbsError::QUEUE_FULL)
            {
                return;
            }
            EXPECT_EQ(result.error, VerbsError::NONE) << "wr " << next.request.wrId;
            m_backlog.pop_front();
            TakeCompletions();
        }
    }

    void Send(ConnectionPacket packet)
    {
        packet.index = packets[packet.isRequest]++;
        const Fate fate = judge ? judge(packet) : Fate{};
        if (log)
        {
            log->push_back(std::to_string(now.ps / 1000) + " ns " + packet.Describe() +
                           (fate.copies == 0  ? " lost"
                            : fate.copies > 1 ? " twice"
                                              : "") +
                           (fate.delay.ps > 0 ? " late" : ""));
        }
        for (uint32_t copy = 0; copy < fate.copies; ++copy)
        {
            m_flying.emplace(now + CABLE + fate.delay, packet);
        }
    }

    void Arrive()
    {
        auto node = m_flying.extract(m_flying.begin());
        ConnectionPacket& packet = node.mapped();
        const Frame frame = packet.ToFrame();
        const Aeth& aeth = packet.headers.aeth;
        if (packet.isRequest)
        {
            const ResponderOutcome outcome = responder.OnRequest(frame, packet.payload);
            executedMessages += outcome.completesMessage ? 1 : 0;
            if (outcome.answer)
            {
                Send(MakePacket(*outcome.answer, serverMemory));
            }
        }
        else if (packet.opcode == Opcode::RC_ACKNOWLEDGE)
        {
            requester.OnAcknowledge(aeth, packet.psn, now);
        }
        else if (packet.opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE)
        {
            requester.OnAtomicAcknowledge(aeth, packet.psn, packet.headers.atomicOriginal, now);
        }
        else
        {
            requester.OnReadResponse(frame, packet.payload, now);
        }
    }

    void TakeCompletions()
    {
        while (const auto completion = requester.PopCompletion())
        {
            sent.push_back(*completion);
            if (onSent)
            {
                onSent(*completion);
            }
        }
        while (const auto completion = responder.PopCompletion())
        {
            received.push_back(*completion);
        }
    }

    std::multimap<SimTime, ConnectionPacket> m_flying;
    std::multimap<SimTime, std::function<void()>> m_actions;
    std::deque<Posted> m_backlog;
    SimTime m_nextRequest{};
    SimTime m_nextAnswer{};
};

} // namespace ns3::rdma
