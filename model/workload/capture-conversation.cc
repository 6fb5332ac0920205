// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-conversation.h"

#include "workload/capture-request-flow.h"
#include "workload/iwarp-conversation.h"

#include <array>
#include <map>

namespace ns3::rdma
{
namespace
{

/** Two queue pairs of RC or UC. */
class QueuePairConversation : public CaptureConversation
{
  public:
    QueuePairConversation(const ConversationPlan& plan, CaptureCounters& counters)
        : m_counters{counters},
          m_flows{CaptureRequestFlow{MakeSetup(plan, 0)}, CaptureRequestFlow{MakeSetup(plan, 1)}}
    {
    }

    void OnPacket(const CapturedPacket& packet, unsigned sender, int64_t timeNs) override
    {
        if (packet.HasWrongIcrc())
        {
            ++m_counters.wrongIcrcs;
        }
        else if (packet.GetInfo().isRequest)
        {
            m_flows[sender].OnRequest(packet, timeNs);
        }
        else
        {
            m_flows[1 - sender].OnResponse(packet, timeNs);
        }
    }

    void Finish() override
    {
        m_flows[0].Finish();
        m_flows[1].Finish();
    }

  private:
    CaptureRequestFlow::Setup MakeSetup(const ConversationPlan& plan, unsigned requester)
    {
        return {.requester = &GetEnd(requester),
                .responder = &GetEnd(1 - requester),
                .counters = &m_counters,
                .isReliable = plan.transport == CaptureTransport::RC,
                .hasRequests = plan.hasRequests[requester],
                .hasResponses = plan.hasResponses[1 - requester],
                .firstPsn = plan.firstPsn[requester],
                .pathMtu = plan.pathMtu};
    }

    CaptureCounters& m_counters;
    std::array<CaptureRequestFlow, 2> m_flows; ///< by their requester
};

/** A queue pair of UD: what it sends, and what is sent to it by whomever. */
class DatagramConversation : public CaptureConversation
{
  public:
    explicit DatagramConversation(CaptureCounters& counters) : m_counters{counters} {}

    void OnPacket(const CapturedPacket& packet, unsigned sender, int64_t timeNs) override
    {
        const bool hasImmediate = packet.GetInfo().Has(HEADER_IMMEDIATE);
        const uint32_t immediate = hasImmediate ? packet.extended.immediate.data : 0;
        if (packet.HasWrongIcrc())
        {
            m_counters.wrongIcrcs += sender == 0 ? 1 : 0; // both ends see the same one
            return;
        }
        if (sender != 0)
        {
            TraceOperation receive =
                MakeCapturedCompletion(timeNs, WC_RECV, packet.payloadBytes + Grh::SIZE);
            receive.flags = static_cast<uint8_t>(WC_WITH_GRH | (hasImmediate ? WC_WITH_IMM : 0));
            receive.immediate = immediate;
            receive.remoteQp = packet.extended.deth.sourceQp;
            GetEnd(0).Add(receive);
            return;
        }
        ++m_counters.messages;
        TraceOperation post = MakeCapturedPost(timeNs, hasImmediate ? WR_SEND_WITH_IMM : WR_SEND);
        post.bytes = packet.payloadBytes;
        post.immediate = immediate;
        post.remoteQp = packet.bth.destinationQp;
        post.other = FindHandle(packet, timeNs);
        post.flags |= packet.bth.isSolicited ? SEND_SOLICITED : 0;
        GetEnd(0).Add(post);
        GetEnd(0).Add(MakeCapturedCompletion(timeNs, WC_SEND, packet.payloadBytes));
    }

    void Finish() override {}

  private:
    /** The number of the address handle of a destination, which is created the first time. */
    ObjectId FindHandle(const CapturedPacket& packet, int64_t timeNs)
    {
        const auto [handle, isNew] =
            m_handles.try_emplace(packet.destination, static_cast<ObjectId>(m_handles.size()));
        if (isNew)
        {
            TraceOperation create;
            create.kind = OperationKind::CONTROL;
            create.object = handle->second;
            create.timeNs = timeNs;
            create.control.verb = ControlVerb::CREATE;
            create.control.kind = ObjectKind::ADDRESS_HANDLE;
            create.control.detail = AddressHandleDetail{.destination = packet.destination.gid,
                                                        .trafficClass = packet.trafficClass,
                                                        .serviceLevel = packet.serviceLevel};
            GetEnd(0).Add(create);
        }
        return handle->second;
    }

    CaptureCounters& m_counters;
    std::map<CaptureAddress, ObjectId> m_handles;
};

} // namespace

std::unique_ptr<CaptureConversation>
MakeConversation(const ConversationPlan& plan, CaptureCounters& counters)
{
    switch (plan.transport)
    {
    case CaptureTransport::RC:
    case CaptureTransport::UC:
        return std::make_unique<QueuePairConversation>(plan, counters);
    case CaptureTransport::UD:
        return std::make_unique<DatagramConversation>(counters);
    case CaptureTransport::IWARP:
        return std::make_unique<IwarpConversation>(counters);
    }
    return nullptr;
}

TraceOperation
MakeCapturedPost(int64_t timeNs, uint8_t opcode)
{
    TraceOperation post;
    post.kind = OperationKind::POST_SEND;
    post.timeNs = timeNs;
    post.opcode = opcode;
    post.flags = SEND_SIGNALED;
    post.elements = 1;
    return post;
}

TraceOperation
MakeCapturedCompletion(int64_t timeNs, uint8_t opcode, uint64_t bytes)
{
    TraceOperation completion;
    completion.kind = OperationKind::COMPLETION;
    completion.timeNs = timeNs;
    completion.opcode = opcode;
    completion.bytes = bytes;
    return completion;
}

uint8_t
GetCompletionOpcode(uint8_t requestOpcode)
{
    constexpr std::array<uint8_t, 10> OPCODES{WC_RDMA_WRITE,
                                              WC_RDMA_WRITE,
                                              WC_SEND,
                                              WC_SEND,
                                              WC_RDMA_READ,
                                              WC_COMP_SWAP,
                                              WC_FETCH_ADD,
                                              WC_SEND,
                                              WC_SEND,
                                              WC_SEND};
    return requestOpcode < OPCODES.size() ? OPCODES[requestOpcode] : WC_SEND;
}

} // namespace ns3::rdma
