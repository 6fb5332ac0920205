// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/captured-packet.h"
#include "workload/capture-counters.h"
#include "workload/capture-end.h"

#include <array>
#include <memory>
#include <optional>

namespace ns3::rdma
{

/** How the ends of a conversation talk. */
enum class CaptureTransport : uint8_t
{
    RC,
    UC,
    UD, ///< one end alone, with whomever it talks to
    IWARP,
};

/** One end of a conversation. */
struct CaptureEndpoint
{
    CaptureAddress address;
    uint32_t number{0}; ///< QP or TCP port; 0: not known, nothing was sent to it
    bool operator==(const CaptureEndpoint&) const = default;
    auto operator<=>(const CaptureEndpoint&) const = default;
};

/** Two ends that talk, as the first look at a capture found them. */
struct ConversationPlan
{
    CaptureTransport transport{CaptureTransport::RC};
    std::array<CaptureEndpoint, 2> ends; ///< UD: the first alone
    std::array<bool, 2> hasRequests{};   ///< of each end: packets from it are there
    std::array<bool, 2> hasResponses{};  ///< of each end: responses from it are there
    std::array<uint32_t, 2> firstPsn{};  ///< of the requests from each end
    uint32_t pathMtu{0};                 ///< bytes; 0: not known
    uint8_t trafficClass{0};
    uint8_t serviceLevel{0};
    uint64_t firstRecord{0};
    uint64_t lastRecord{0};
};

/** Follows a conversation packet by packet, and writes what each end did. */
class CaptureConversation
{
  public:
    virtual ~CaptureConversation() = default;

    /**
     * Takes a packet of this conversation.
     *
     * @param sender which end it is from
     * @param timeNs since the first frame of the capture
     */
    virtual void OnPacket(const CapturedPacket& packet, unsigned sender, int64_t timeNs) = 0;

    /** The capture has ended: what is open is closed. */
    virtual void Finish() = 0;

    CaptureEnd& GetEnd(unsigned end)
    {
        return m_ends[end];
    }

  private:
    std::array<CaptureEnd, 2> m_ends;
};

/** @param counters outlive the conversation */
std::unique_ptr<CaptureConversation> MakeConversation(const ConversationPlan& plan,
                                                      CaptureCounters& counters);

/** @name Operations as captures show them; wrId, objects and keys are for whoever yields them. @{
 */
TraceOperation MakeCapturedPost(int64_t timeNs, uint8_t opcode);
TraceOperation MakeCapturedCompletion(int64_t timeNs, uint8_t opcode, uint64_t bytes);
/** @} */

/** @name ibv_wr_opcode, ibv_wc_opcode, ibv_wc_status, ibv_wc_flags, ibv_send_flags @{ */
constexpr uint8_t WR_RDMA_WRITE = 0;
constexpr uint8_t WR_RDMA_WRITE_WITH_IMM = 1;
constexpr uint8_t WR_SEND = 2;
constexpr uint8_t WR_SEND_WITH_IMM = 3;
constexpr uint8_t WR_RDMA_READ = 4;
constexpr uint8_t WR_ATOMIC_CMP_AND_SWP = 5;
constexpr uint8_t WR_ATOMIC_FETCH_AND_ADD = 6;
constexpr uint8_t WR_SEND_WITH_INV = 9;
constexpr uint8_t WC_SEND = 0;
constexpr uint8_t WC_RDMA_WRITE = 1;
constexpr uint8_t WC_RDMA_READ = 2;
constexpr uint8_t WC_COMP_SWAP = 3;
constexpr uint8_t WC_FETCH_ADD = 4;
constexpr uint8_t WC_RECV = 128;
constexpr uint8_t WC_RECV_RDMA_WITH_IMM = 129;
constexpr uint8_t WC_FLUSHED = 5;
constexpr uint8_t WC_REMOTE_INVALID_REQUEST = 9;
constexpr uint8_t WC_REMOTE_ACCESS = 10;
constexpr uint8_t WC_REMOTE_OPERATION = 11;
constexpr uint8_t WC_WITH_GRH = 1;
constexpr uint8_t WC_WITH_IMM = 2;
constexpr uint8_t WC_WITH_INV = 8;
constexpr uint8_t SEND_SIGNALED = 2;
constexpr uint8_t SEND_SOLICITED = 4;
/** @} */

/** The ibv_wc_opcode that a request completes with; one table for all transports. */
uint8_t GetCompletionOpcode(uint8_t requestOpcode);

} // namespace ns3::rdma
