// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/capture-conversation.h"

#include <deque>
#include <map>

namespace ns3::rdma
{

/**
 * The requests of one end to the other and the responses to them, of RC or UC.
 *
 * Follows the responder: packets count in the order of PSNs, whichever order they were captured in.
 * Inside, PSNs are 64-bit numbers; 24 bits exist at the edge only.
 *
 *     packet         means
 *     expected       goes on with the message, or begins one
 *     before that    retransmitted, duplicated or late: no new message
 *     beyond         held until what lies between is there. If it is acknowledged first, the
 *                    capture lacks what lies between
 *
 * A message that was refused (receiver not ready, gap) has arrived when its last packet is sent
 * again. Completions come in the order of the requests, as from a queue pair.
 *
 * @spec IBTA Vol 1 Rel 1.7 sections 9.7 (RC) and 9.8 (UC)
 */
class CaptureRequestFlow
{
  public:
    /** Who writes down what, and what the first look at the capture found. */
    struct Setup
    {
        CaptureEnd* requester{nullptr};
        CaptureEnd* responder{nullptr};
        CaptureCounters* counters{nullptr};
        bool isReliable{true};
        bool hasRequests{true};
        bool hasResponses{true};
        uint32_t firstPsn{0};
        uint32_t pathMtu{0}; ///< bytes; 0: not known
    };

    explicit CaptureRequestFlow(const Setup& setup);

    void OnRequest(const CapturedPacket& packet, int64_t timeNs);
    void OnResponse(const CapturedPacket& packet, int64_t timeNs);
    void Finish();

    uint32_t GetPathMtu() const
    {
        return m_pathMtu;
    }

  private:
    /** What a request packet says. */
    struct Request
    {
        const OpcodeInfo* info{nullptr};
        uint32_t payloadBytes{0};
        bool isSolicited{false};
        ExtendedHeaders headers{};
        int64_t timeNs{0};
    };

    /** A SEND or WRITE of which the last packet was not seen yet. */
    struct Open
    {
        CaptureEnd::Place post{0};
        uint64_t firstPacket{0};
        uint32_t firstBytes{0};
        uint64_t bytes{0};
        uint64_t missingPackets{0};
        Operation operation{Operation::SEND};
        Reth reth{};
    };

    /** A message that has not completed at its requester. */
    struct Message
    {
        uint64_t first{0};
        uint64_t last{0};
        uint64_t nextResponse{0}; ///< of a READ: the packet that goes on with its response
        uint64_t bytes{0};
        uint8_t opcode{0};
        bool needsResponse{false}; ///< READ, atomic
        bool isAnswered{false};
    };

    /** A message that takes a receive and is not acknowledged. */
    struct Arrival
    {
        uint64_t last{0};
        CaptureEnd::Place place{0};
        TraceOperation completion;
        bool isRefused{false};
    };

    uint64_t Extend(Psn psn) const;
    void Accept(uint64_t packet, const Request& request, int64_t now);
    void AcceptHeld(int64_t now);
    void SkipTo(uint64_t packet);
    bool LearnReadSpan(uint64_t next);
    void AddRead(uint64_t packet, const Request& request, int64_t now);
    void AddAtomic(uint64_t packet, const Request& request, int64_t now);
    void AddPart(uint64_t packet, const Request& request, int64_t now);
    void EndMessage(uint64_t packet, const Request& request, int64_t now);
    void CloseOpen();
    void AddMessage(const Message& message, int64_t now);
    void AddArrival(uint64_t last, const TraceOperation& completion);

    void OnRepeat(uint64_t packet, const OpcodeInfo& info, int64_t now);
    void OnAnswer(uint64_t packet, const OpcodeInfo& info, int64_t now);
    void AcknowledgeUpTo(uint64_t packet, int64_t now);
    void Refuse(uint64_t packet);
    void Fail(uint64_t packet, uint8_t status, int64_t now);
    void Retire(int64_t now);
    void ReleaseArrivals(int64_t now);
    void Complete(const Message& message, uint8_t status, int64_t now);
    std::deque<Message>::iterator FindMessage(uint64_t packet);

    Setup m_setup;
    uint32_t m_pathMtu;
    uint64_t m_expected; ///< the packet that goes on
    uint64_t m_acknowledged{0};
    bool m_hasStarted{false};
    std::map<uint64_t, Request> m_held;
    std::optional<Open> m_open;
    std::deque<Message> m_outstanding;
    std::deque<Arrival> m_arrivals;
};

} // namespace ns3::rdma
