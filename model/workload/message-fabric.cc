// SPDX-License-Identifier: GPL-2.0-only
#include "workload/message-fabric.h"

#include "base/hash.h"
#include "workload/graph-thread.h"
#include "workload/replay-engine.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** Of connections that nothing gives a priority. @choice as flows have it */
constexpr uint8_t USUAL_PRIORITY = 3;
constexpr uint8_t HIGHEST_PRIORITY = 7;

} // namespace

MessageFabric::MessageFabric(ReplayEngine& engine)
    : m_engine{engine},
      m_connections(engine.GetTrace().processes.size())
{
}

std::size_t
MessageFabric::KeyHash::operator()(const Key& key) const
{
    return Mix64((uint64_t{key.receiver} << 32 | key.sender) ^ Mix64(key.tag));
}

void
MessageFabric::Connect(uint32_t process, ObjectId object, const ConnectionDetail& detail)
{
    Connection connection;
    connection.peer = detail.peerProcess;
    connection.rank = m_counts[{process, detail.peerProcess}]++;
    const uint8_t said = detail.priority <= HIGHEST_PRIORITY ? detail.priority : USUAL_PRIORITY;
    connection.priority = m_engine.GetSettings().priority.value_or(said);
    m_connections[process][object] = connection;
}

std::string
MessageFabric::MakeEnds(uint32_t process, Connection& connection, SimTime now)
{
    const auto [low, high] = std::minmax(process, connection.peer);
    auto& ends = m_ends[{low, high, connection.rank}];
    if (!ends[0])
    {
        ends[0] = std::make_unique<MessageEnd>(m_engine, *this, low);
        ends[1] = std::make_unique<MessageEnd>(m_engine, *this, high);
        std::string refusal = ends[0]->Create();
        refusal = refusal.empty() ? ends[1]->Create() : refusal;
        refusal = refusal.empty() ? ends[0]->Connect(*ends[1], connection.priority, now) : refusal;
        refusal = refusal.empty() ? ends[1]->Connect(*ends[0], connection.priority, now) : refusal;
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    connection.end = ends[process == low ? 0 : 1].get();
    return "";
}

MessageEnd*
MessageFabric::FindEnd(uint32_t process, ObjectId object, SimTime now)
{
    if (m_last.process != process || m_last.object != object)
    {
        Connection& connection = m_connections[process].at(object);
        if (connection.end == nullptr)
        {
            const std::string refusal = MakeEnds(process, connection, now);
            if (!refusal.empty())
            {
                m_engine.Fail(now, refusal);
                return nullptr;
            }
        }
        m_last = {process, object, connection.end};
    }
    return m_last.end;
}

MessageFabric::Match&
MessageFabric::Find(const Key& key)
{
    const auto found = m_matches.find(key);
    if (found != m_matches.end())
    {
        return found->second;
    }
    if (m_spare.empty())
    {
        return m_matches[key];
    }
    Matches::node_type node = std::move(m_spare.back());
    m_spare.pop_back();
    node.key() = key;
    return m_matches.insert(std::move(node)).position->second;
}

void
MessageFabric::Forget(const Key& key)
{
    m_spare.push_back(m_matches.extract(key));
}

bool
MessageFabric::Receive(uint32_t process, ObjectId object, uint32_t tag, const MessageUser& user)
{
    const Key key{process, m_connections[process].at(object).peer, tag};
    Match& match = Find(key);
    if (match.arrived == 0)
    {
        match.waiting.PushBack() = user;
        return false;
    }
    if (--match.arrived == 0)
    {
        Forget(key);
    }
    return true;
}

void
MessageFabric::OnArrived(uint32_t receiver, uint32_t sender, uint32_t tag, SimTime)
{
    if (m_engine.GetSurvey().processes[receiver].receives == 0)
    {
        return; // Nobody will ask for it.
    }
    const Key key{receiver, sender, tag};
    Match& match = Find(key);
    if (match.waiting.IsEmpty())
    {
        ++match.arrived;
        return;
    }
    const MessageUser user = match.waiting.Front();
    match.waiting.PopFront();
    if (match.waiting.IsEmpty())
    {
        Forget(key);
    }
    user.thread->OnReceived(user.operation);
}

void
MessageFabric::OnRefused(VerbsError error, SimTime now)
{
    m_engine.Fail(now, "message: " + std::string{ToString(error)});
}

void
MessageFabric::OnFailed(const MessageEnd& end, CompletionStatus status, SimTime now)
{
    const auto& processes = m_engine.GetTrace().processes;
    m_engine.Fail(now,
                  "a message from " + processes[end.GetProcess()].name + " to " +
                      processes[end.GetPeer().GetProcess()].name +
                      " failed: " + std::string{ToString(status)});
}

} // namespace ns3::rdma
