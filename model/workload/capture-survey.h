// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/capture-conversation.h"

#include <map>
#include <set>
#include <vector>

namespace ns3::rdma
{

/** Packets from one address to one queue pair, or one direction of a TCP connection. */
struct CaptureFlowKey
{
    CaptureAddress source;
    CaptureAddress destination;
    uint32_t destinationNumber{0}; ///< QP, or TCP port
    uint32_t sourceNumber{0};      ///< TCP port; 0 of queue pairs
    bool isTcp{false};

    auto operator<=>(const CaptureFlowKey&) const = default;
};

/** The flow of a packet of kind RDMA or TCP. */
CaptureFlowKey MakeFlowKey(CapturedKind kind, const CapturedPacket& packet);

/** What the first look at a capture finds. */
struct CaptureOverview
{
    std::vector<ConversationPlan> plans; ///< in the order in which they appear
    std::map<CapturedKind, uint64_t> frames;
    std::set<uint16_t> unknownLinks;
    uint64_t records{0};
    uint64_t cutRecords{0};
    uint64_t startNs{0}; ///< time of the first frame, since 1970
    uint64_t inferredPairs{0};
    uint64_t unknownEnds{0};
    CaptureCounters counters; ///< of what belongs to no conversation
};

/**
 * The first look at a capture: who talks to whom.
 *
 * Requests are sent to a queue pair and responses to another one; that both are ends of one
 * connection is known from the connection manager's messages, where they are in the capture. Else a
 * response goes with the requests between the same addresses whose PSNs are nearest to its own, and
 * what is left over then with what has the same UDP source port, or with the only other one.
 */
class CaptureSurvey
{
  public:
    CaptureSurvey(const CaptureFile& file, PacketDissector dissector);

    /** Reads the file to its end, or to its damage. */
    CaptureOverview Run();

  private:
    /** What is known of the packets of a flow. */
    struct Flow
    {
        TransportService service{TransportService::RC};
        bool hasRequests{false};
        bool hasResponses{false};
        uint64_t lowestPacket{0}; ///< extended PSN of requests
        uint64_t highestPacket{0};
        uint32_t pathMtu{0};
        uint16_t udpSourcePort{0};
        uint8_t trafficClass{0};
        uint8_t serviceLevel{0};
        uint64_t firstRecord{0};
        uint64_t lastRecord{0};
        uint32_t votes{0};
        std::map<uint32_t, uint32_t> votesFor; ///< QP to which the answered requests went
        std::optional<uint32_t> peer; ///< destination QP of the flow in the other direction
    };

    using Flows = std::map<CaptureFlowKey, Flow>;

    /** A connection request that was seen: which QP asks. */
    using Requests = std::map<std::pair<CaptureAddress, uint32_t>, uint32_t>;

    void OnRdma(const CapturedPacket& packet, uint64_t record);
    void OnTcp(const CapturedPacket& packet, uint64_t record);
    void OnDatagram(const CapturedPacket& packet, uint64_t record);
    void OnManagement(const CapturedPacket& packet);
    void NoteRequest(const CapturedPacket& packet, Flow& flow);
    void Vote(const CaptureFlowKey& key, const CapturedPacket& packet, Flow& flow);
    void Pair(const CaptureFlowKey& key, uint32_t peer);
    void PairByVotes();
    void PairTheRest();
    void MakePlans();
    ConversationPlan MakePlan(const CaptureFlowKey& key, const Flow& flow, Flow* back);
    void NoteEnd(const CaptureEndpoint& end, uint64_t record, const CapturedPacket& packet);

    CaptureFile m_file;
    PacketDissector m_dissector;
    Flows m_flows;
    Requests m_requests;
    std::map<CaptureEndpoint, ConversationPlan> m_datagramEnds;
    std::map<CaptureFlowKey, ConversationPlan> m_streams; ///< by the direction of the MPA request
    CaptureOverview m_overview;
};

} // namespace ns3::rdma
