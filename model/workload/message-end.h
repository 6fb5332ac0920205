// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/growing-ring.h"
#include "workload/replay-interface.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

class MessageFabric;
class ReplayEngine;
class GraphThread;

/** The operation of a schedule that a message belongs to. */
struct MessageUser
{
    GraphThread* thread{nullptr};
    uint64_t operation{0};
};

/** What a message is; like the user small enough to be passed in registers. */
struct MessageContent
{
    uint64_t bytes{0};
    uint32_t tag{0};
    uint8_t opcode{0}; ///< ibv_wr_opcode
};

/**
 * One end of a connection of a schedule: a queue pair that carries messages of any length.
 *
 * A message is one request for each 2^31 bytes of it. What the send queue does not take waits. For
 * opcodes that take a receive request one is posted at the other end at the same time.
 */
class MessageEnd : public ReplayEndpoint
{
  public:
    MessageEnd(ReplayEngine& engine, MessageFabric& fabric, uint32_t process);

    /** Makes the queue pair. @return a refusal, or empty */
    std::string Create();

    /** Takes it to RTS. Both ends have been created. @return a refusal, or empty */
    std::string Connect(MessageEnd& peer, uint8_t priority, SimTime now);

    uint32_t GetProcess() const
    {
        return m_process;
    }

    const MessageEnd& GetPeer() const
    {
        return *m_peer;
    }

    /**
     * Sends a message; the replay fails if the device refuses it.
     *
     * @param user is told when it is acknowledged; it outlives the end
     */
    void Send(MessageUser user, MessageContent content, SimTime now);

    void OnCompletion(const WorkCompletion& completion, SimTime now) override;
    void OnMemoryChanged(uint32_t mark, uint64_t bytes, SimTime now) override;

  private:
    struct Sent
    {
        MessageUser user;
        SimTime start{};
        MessageContent content;
        uint64_t unposted{0};       ///< bytes that the send queue has not taken yet
        uint64_t unacknowledged{0}; ///< requests, also those not posted yet
        bool hasReceive{false};     ///< a receive request for the next of them is posted
    };

    struct Coming
    {
        uint32_t tag{0};
        uint64_t requests{0};
    };

    Psn ChoosePsn() const;
    VerbsError PostWaiting(SimTime now);
    VerbsError PostAll(Sent& sent, SimTime now);
    VerbsError PostNext(Sent& sent, SimTime now);

    ReplayEngine& m_engine;
    MessageFabric& m_fabric;
    uint32_t m_process;
    ReplayInterface& m_interface;
    MessageEnd* m_peer{nullptr};
    Qpn m_qpn{};
    GrowingRing<Sent> m_sent;     ///< not yet acknowledged, all of it posted
    GrowingRing<Sent> m_waiting;  ///< behind these, not all of it posted
    GrowingRing<Coming> m_coming; ///< from the peer
};

} // namespace ns3::rdma
