// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "wire/aeth.h"
#include "wire/opcode.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** A packet that answers a request. */
struct OutgoingResponse
{
    Opcode opcode{Opcode::RC_ACKNOWLEDGE};
    Psn psn{};
    Aeth aeth{};                ///< where the opcode carries one, else zero
    uint64_t atomicOriginal{0}; ///< ATOMIC Acknowledge
    uint32_t payloadBytes{0};   ///< READ response
    uint64_t address{0};        ///< READ response: where its payload stands
    uint32_t rkey{0};
    bool fails{false}; ///< the queue pair goes to ERR with it: a READ's region is gone

    bool operator==(const OutgoingResponse&) const = default;
};

/** A READ or atomic request that has been executed. */
struct ReadAtomicRequest
{
    Opcode opcode{Opcode::RC_RDMA_READ_REQUEST};
    Psn psn{};
    uint64_t address{0};
    uint32_t rkey{0};
    uint32_t bytes{0}; ///< READ: DMALen
};

/**
 * The resources of a responder for READ and atomic requests, and the answers that wait.
 *
 * A resource keeps an executed request, and the result of an atomic one, until a later request
 * needs its place: so long can a repeat of it be answered. Answers leave in PSN order: READ
 * responses and atomic results as their requests stand, an ACK or a NAK behind all that was there
 * before it. ACKs that wait coalesce. A READ or atomic response that is repeated goes before those
 * of later requests; one of these that was under way begins anew, so that the requester, which has
 * gone back, sees whole responses in order.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.5.1.2 (coalesced acknowledges), 9.7.5.1.3 (duplicates)
 */
class ResponseQueue
{
  public:
    /**
     * @param resources max_dest_rd_atomic
     * @param pathMtu bytes of a full READ response packet
     */
    ResponseQueue(uint32_t resources, uint32_t pathMtu);

    /**
     * Whether another request finds a resource: an unused one, or that of the oldest request if its
     * response has left. A requester that keeps to the limit has got that one, even if it had asked
     * for it again.
     */
    bool HasRoom() const;

    /**
     * Takes a resource for a request; its response waits.
     *
     * @param msn completed messages with it @param original result of an atomic operation
     */
    void Push(const ReadAtomicRequest& request, uint32_t msn, uint64_t original = 0);

    /**
     * Answers a repeated request again, from its resource.
     *
     * A READ may be repeated from any of its response packets on. One whose response still waits,
     * or is under way and not yet there, is answered by that.
     *
     * @param msn completed messages now: responses to repeats carry it, as those of Linux rxe do
     * @return false: no resource holds such a request
     */
    bool Repeat(const ReadAtomicRequest& repeat, uint32_t msn);

    /** An ACK waits behind all that waits now. */
    void PushAck(Psn psn, const Aeth& aeth);

    /** A NAK waits behind all that waits now; it acknowledges what an ACK that waits would. */
    void PushNak(Psn psn, const Aeth& aeth);

    bool IsEmpty() const ///< nothing waits
    {
        return m_waiting == 0 && !m_nak.isWaiting && !m_ack.isWaiting;
    }

    /**
     * Makes the next answer; there must be one.
     *
     * @param syndrome of a READ or atomic response: ACK with the credits of now
     */
    OutgoingResponse Pop(uint8_t syndrome);

    /** Nothing waits any more. */
    void Clear();

  private:
    struct Resource
    {
        ReadAtomicRequest request;
        uint32_t msn{0};
        uint64_t original{0};
        ReadAtomicRequest rest; ///< what is still to be sent
        bool isWaiting{false};
        bool isUnderWay{false}; ///< some of its packets have left
        bool hasLeft{false};    ///< all of them have, at least once
    };

    struct Answer
    {
        Psn psn{};
        Aeth aeth{};
        uint64_t position{0}; ///< number of resources taken before it
        bool isWaiting{false};
    };

    Resource& At(std::size_t index);
    Resource* Find(Psn psn);
    bool IsPartOf(const ReadAtomicRequest& repeat, const ReadAtomicRequest& original) const;
    void Restart(Resource& resource, const ReadAtomicRequest& from);
    bool IsNext(const Answer& answer, uint64_t firstWaiting) const;
    OutgoingResponse PopResource(Resource& resource, uint8_t syndrome);

    uint32_t m_pathMtu;
    std::vector<Resource> m_resources; ///< ring in PSN order
    std::size_t m_first{0};
    std::size_t m_count{0};
    std::size_t m_waiting{0}; ///< resources whose response waits
    uint64_t m_taken{0};      ///< resources taken since the start
    Answer m_nak;
    Answer m_ack;
};

/** Whether a request needs a resource of the responder. */
constexpr bool
TakesResource(Operation operation)
{
    return operation == Operation::RDMA_READ_REQUEST || operation == Operation::COMPARE_SWAP ||
           operation == Operation::FETCH_ADD;
}

/** Packets of a READ response: PSNs that its request takes. */
constexpr uint32_t
ReadResponsePackets(uint32_t bytes, uint32_t pathMtu)
{
    return bytes == 0 ? 1 : (bytes - 1) / pathMtu + 1;
}

} // namespace ns3::rdma
