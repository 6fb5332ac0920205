// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/control.h"
#include "workload/message-end.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

class ReplayEngine;

/**
 * Messages of schedules on queue pairs: connections, and who has received what.
 *
 * Queue pairs are made when the first message of a connection is sent. The k-th connection from a
 * process to another and the k-th in the other direction are the two ends of one.
 */
class MessageFabric
{
  public:
    explicit MessageFabric(ReplayEngine& engine);

    /** The schedule of a process names a connection. */
    void Connect(uint32_t process, ObjectId object, const ConnectionDetail& detail);

    /** The end of a connection; nullptr, and the replay fails, if it cannot be made. */
    MessageEnd* FindEnd(uint32_t process, ObjectId object, SimTime now);

    /**
     * Takes the oldest message of a sender and tag.
     *
     * @return whether it has arrived; if not, the user is told when it has
     */
    bool Receive(uint32_t process, ObjectId object, uint32_t tag, const MessageUser& user);

    /** Whether a process has a connection of that number. */
    bool HasConnection(uint32_t process, ObjectId object) const
    {
        return m_connections[process].contains(object);
    }

    /** A message is in memory. */
    void OnArrived(uint32_t receiver, uint32_t sender, uint32_t tag, SimTime now);

    /** The device does not take a request of a message. */
    void OnRefused(VerbsError error, SimTime now);

    /** A request of a message has failed. */
    void OnFailed(const MessageEnd& end, CompletionStatus status, SimTime now);

  private:
    struct Connection
    {
        uint32_t peer{0};
        uint32_t rank{0}; ///< among those of the process to the same peer
        uint8_t priority{0};
        MessageEnd* end{nullptr}; ///< null: no message yet
    };

    /** Of the messages of one receiver, sender and tag. */
    struct Key
    {
        uint32_t receiver{0};
        uint32_t sender{0};
        uint32_t tag{0};

        bool operator==(const Key&) const = default;
    };

    struct KeyHash
    {
        std::size_t operator()(const Key& key) const;
    };

    /** Messages that nobody has taken, or who waits for them. */
    struct Match
    {
        uint64_t arrived{0};
        GrowingRing<MessageUser> waiting;
    };

    using Matches = std::unordered_map<Key, Match, KeyHash>;

    /** The connection that a message was sent on last. */
    struct Last
    {
        uint32_t process{UINT32_MAX};
        ObjectId object{NO_OBJECT};
        MessageEnd* end{nullptr};
    };

    std::string MakeEnds(uint32_t process, Connection& connection, SimTime now);
    Match& Find(const Key& key);
    void Forget(const Key& key);

    ReplayEngine& m_engine;
    std::vector<std::unordered_map<ObjectId, Connection>> m_connections; ///< by process
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_counts; ///< connections from one to another
    /** By lower and higher process, and rank: that of the lower process first. */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::array<std::unique_ptr<MessageEnd>, 2>>
        m_ends;
    Last m_last;
    Matches m_matches;
    std::vector<Matches::node_type> m_spare; ///< used again, with what they own
};

} // namespace ns3::rdma
