// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/capture-conversation.h"
#include "workload/fpdu-stream.h"

#include <array>
#include <deque>
#include <optional>

namespace ns3::rdma
{

/**
 * A TCP connection that carries iWARP, from its MPA start on.
 *
 * WRITE and SEND are acknowledged when TCP has acknowledged their last byte, a READ when its
 * response is whole. Completions come in the order of the requests.
 *
 * Not modelled: atomics and immediate data of RFC 7306 are counted as transports that are not read.
 *
 * @spec RFC 5040 (RDMAP), RFC 5041 (DDP), RFC 5044 (MPA), RFC 6581 (enhanced MPA start)
 */
class IwarpConversation : public CaptureConversation
{
  public:
    explicit IwarpConversation(CaptureCounters& counters);

    void OnPacket(const CapturedPacket& packet, unsigned sender, int64_t timeNs) override;
    void Finish() override;

  private:
    /** A message of which the last FPDU was not seen yet. */
    struct Open
    {
        CaptureEnd::Place post{0};
        uint64_t bytes{0};
    };

    /** A request that has not completed. */
    struct Message
    {
        uint64_t end{0}; ///< position in the stream
        uint64_t bytes{0};
        uint8_t opcode{0};
        bool isAnswered{false};
        bool isOfStart{false}; ///< it only tells that the peer is ready
    };

    /** What goes from one end to the other. */
    struct Direction
    {
        TcpReassembly segments;
        FpduStream fpdus;
        std::optional<Open> write; ///< tagged
        std::optional<Open> send;  ///< untagged, queue 0
        std::deque<Message> outstanding;
        uint64_t acknowledged{0};
        bool hasFpdus{false};
        bool wasLost{false};
    };

    void Begin(const CapturedPacket& packet, unsigned sender);
    void OnAcknowledgement(const CapturedPacket& packet, unsigned sender, int64_t timeNs);
    void OnPiece(const TcpReassembly::Piece& piece, unsigned sender, int64_t timeNs);
    void OnFpdu(const FpduStream::Found& found, unsigned sender, int64_t timeNs);
    void OnWrite(const FpduStream::Found& found, unsigned sender, int64_t timeNs);
    void OnSend(const FpduStream::Found& found, unsigned sender, int64_t timeNs);
    void OnReadRequest(const FpduStream::Found& found, unsigned sender, int64_t timeNs);
    void OnReadResponse(const Fpdu& fpdu, unsigned sender, int64_t timeNs);
    bool IsOfStart(const Fpdu& fpdu, unsigned sender) const;
    void SetOptions();
    void AddMessage(const Message& message, unsigned sender);
    void Retire(unsigned sender, int64_t timeNs);

    CaptureCounters& m_counters;
    std::array<Direction, 2> m_directions; ///< by sender; the first began
};

} // namespace ns3::rdma
