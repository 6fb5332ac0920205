// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What is found in a capture besides whole messages. */
struct CaptureCounters
{
    uint64_t messages{0};
    uint64_t repeatedPackets{0};     ///< retransmitted, duplicated, or late
    uint64_t missingPackets{0};      ///< acknowledged, but not in the capture
    uint64_t missingBeginnings{0};   ///< messages
    uint64_t missingEnds{0};         ///< messages
    uint64_t incompleteMessages{0};  ///< messages that lack packets in the middle
    uint64_t unacknowledged{0};      ///< messages
    uint64_t strayResponses{0};      ///< to requests that are not in the capture
    uint64_t rnrNaks{0};             ///< receivers that were not ready
    uint64_t sequenceNaks{0};        ///< gaps that receivers told
    uint64_t errorNaks{0};           ///< requests that responders refused
    uint64_t wrongIcrcs{0};          ///< packets, or FPDUs of iWARP
    uint64_t managementDatagrams{0}; ///< to QP0 and QP1, or of MPA
    uint64_t notifications{0};       ///< CNP
    uint64_t otherTransports{0};     ///< XRC and the like
    uint64_t lostStreams{0};         ///< directions of TCP that could not be followed to their end
    uint64_t repeatedSegments{0};    ///< of TCP
    uint64_t terminates{0};          ///< of iWARP

    /** A sentence for each that is not zero. */
    std::vector<std::string> Describe() const;
};

} // namespace ns3::rdma
