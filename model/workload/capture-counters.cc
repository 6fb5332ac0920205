// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-counters.h"

#include <array>

namespace ns3::rdma
{
namespace
{

struct Line
{
    const char* text;
    uint64_t CaptureCounters::*count;
};

constexpr std::array LINES{
    Line{"packets that were retransmitted, duplicated or late", &CaptureCounters::repeatedPackets},
    Line{"packets that were acknowledged but not captured", &CaptureCounters::missingPackets},
    Line{"messages whose beginning was not captured", &CaptureCounters::missingBeginnings},
    Line{"messages whose end was not captured", &CaptureCounters::missingEnds},
    Line{"messages that lack packets between beginning and end",
         &CaptureCounters::incompleteMessages},
    Line{"messages whose acknowledgement or response was not captured",
         &CaptureCounters::unacknowledged},
    Line{"responses to requests that were not captured", &CaptureCounters::strayResponses},
    Line{"NAKs of receivers that were not ready; receives are posted early enough here",
         &CaptureCounters::rnrNaks},
    Line{"NAKs of packets out of sequence", &CaptureCounters::sequenceNaks},
    Line{"NAKs that refuse a request", &CaptureCounters::errorNaks},
    Line{"packets with a wrong checksum, which count as lost", &CaptureCounters::wrongIcrcs},
    Line{"datagrams of management, as of the connection manager, which are no messages",
         &CaptureCounters::managementDatagrams},
    Line{"congestion notification packets", &CaptureCounters::notifications},
    Line{"packets of transports that are not read, as XRC", &CaptureCounters::otherTransports},
    Line{"TCP streams that could not be followed to their end", &CaptureCounters::lostStreams},
    Line{"TCP segments that were retransmitted, duplicated or late",
         &CaptureCounters::repeatedSegments},
    Line{"Terminate messages of iWARP", &CaptureCounters::terminates},
};

} // namespace

std::vector<std::string>
CaptureCounters::Describe() const
{
    std::vector<std::string> notes;
    for (const Line& line : LINES)
    {
        if (this->*line.count > 0)
        {
            notes.push_back(std::string{line.text} + ": " + std::to_string(this->*line.count));
        }
    }
    return notes;
}

} // namespace ns3::rdma
