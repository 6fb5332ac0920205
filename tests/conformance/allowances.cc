// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/allowances.h"

#include <algorithm>
#include <set>

namespace ns3::rdma
{

namespace
{

constexpr double TIMER_STEP_SECONDS = 0.004; ///< HZ=250

uint8_t
SyndromeType(const Packet& packet)
{
    return packet.aeth.syndrome & SYNDROME_TYPE_MASK;
}

bool
IsNak(const Packet& packet)
{
    return packet.opcode == Opcode::RC_ACKNOWLEDGE && SyndromeType(packet) != SYNDROME_TYPE_ACK;
}

bool
IsRnrNak(const Packet& packet)
{
    return packet.opcode == Opcode::RC_ACKNOWLEDGE && SyndromeType(packet) == SYNDROME_TYPE_RNR;
}

/** A NAK after which the connection is of no use. */
bool
IsErrorNak(const Packet& packet)
{
    return IsNak(packet) && !IsRnrNak(packet) && packet.aeth.syndrome != SYNDROME_NAK_SEQUENCE;
}

/** Whether a NAK came to a requester between two times. */
bool
HasNakBetween(const Packets& responses, double from, double to)
{
    return std::any_of(responses.begin(),
                       responses.end(),
                       [=](const Packet& packet)
                       { return IsNak(packet) && packet.time >= from && packet.time <= to; });
}

/** How a packet comes from one that was sent before; nullopt: it does not. */
std::optional<RepeatedRequest>
RepeatOf(const Packet& earlier, const Packet& later)
{
    Packet same = earlier;
    same.ackRequest = later.ackRequest;
    if (IsAlike(same, later))
    {
        return RepeatedRequest{0, later.ackRequest, 0, 0};
    }
    const int32_t packets = Psn::Distance(earlier.psn, later.psn);
    const uint64_t bytes = later.reth.virtualAddress - earlier.reth.virtualAddress;
    same.psn = later.psn;
    same.reth.virtualAddress += bytes;
    same.reth.dmaLength -= static_cast<uint32_t>(bytes);
    const bool isRest = earlier.opcode == Opcode::RC_RDMA_READ_REQUEST && packets > 0 &&
                        bytes > 0 && bytes < earlier.reth.dmaLength && IsAlike(same, later);
    return isRest ? std::optional{RepeatedRequest{0, later.ackRequest, packets, bytes}}
                  : std::nullopt;
}

/** The same for the first of some packets that fits. */
std::optional<RepeatedRequest>
FindRepeated(const Packets& packets, std::size_t end, const Packet& later)
{
    for (std::size_t n = 0; n < end; ++n)
    {
        if (std::optional<RepeatedRequest> request = RepeatOf(packets[n], later))
        {
            request->source = n;
            return request;
        }
    }
    return std::nullopt;
}

/** Takes out what stands twice in a row, from a packet on: [from, at) and what follows it. */
bool
EraseRepeatedBlock(Packets& packets, std::size_t from, std::size_t at)
{
    const std::size_t length = at - from;
    const auto begin = packets.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = packets.begin() + static_cast<std::ptrdiff_t>(at);
    if (at + length > packets.size() || !std::equal(begin, end, end, IsAlike))
    {
        return false;
    }
    packets.erase(begin, end);
    return true;
}

/** Takes out rounds that begin with packets of these PSNs. @return how many */
uint64_t
EraseRounds(Packets& packets, const std::set<uint32_t>& psns)
{
    uint64_t rounds = 0;
    for (std::size_t from = 0; from < packets.size(); ++from)
    {
        if (!psns.contains(packets[from].psn.Get()))
        {
            continue;
        }
        for (std::size_t at = from + 1; at < packets.size();)
        {
            const bool isErased =
                IsAlike(packets[from], packets[at]) && EraseRepeatedBlock(packets, from, at);
            rounds += isErased ? 1 : 0;
            at = isErased ? from + 1 : at + 1;
        }
    }
    return rounds;
}

/** Gives the first answer to a partial READ, seen after its request, its opcode. */
bool
RenameAnswer(const Packet& request, Packets& answers)
{
    const auto isAnswer = [&request](const Packet& answer)
    { return answer.psn == request.psn && answer.number > request.number; };
    const auto answer = std::find_if(answers.begin(), answers.end(), isAnswer);
    if (answer == answers.end())
    {
        return false;
    }
    if (answer->opcode == Opcode::RC_RDMA_READ_RESPONSE_LAST)
    {
        answer->opcode = Opcode::RC_RDMA_READ_RESPONSE_ONLY;
        return true;
    }
    // A MIDDLE has no AETH; that of the same answer's last packet holds.
    const auto last = std::find_if(answer,
                                   answers.end(),
                                   [](const Packet& packet)
                                   { return packet.opcode == Opcode::RC_RDMA_READ_RESPONSE_LAST; });
    if (answer->opcode != Opcode::RC_RDMA_READ_RESPONSE_MIDDLE || last == answers.end())
    {
        return false;
    }
    answer->opcode = Opcode::RC_RDMA_READ_RESPONSE_FIRST;
    answer->aeth = last->aeth;
    return true;
}

/** PSNs of a READ's answer. */
struct ReadRange
{
    Psn first;
    int32_t packets;

    /** Whether a PSN is one of them, but not the first. */
    bool HasInside(Psn psn) const
    {
        const int32_t distance = Psn::Distance(first, psn);
        return distance > 0 && distance < packets;
    }
};

const Packet*
FindRequest(const Packets& requests, Psn psn)
{
    const auto found = std::find_if(requests.begin(),
                                    requests.end(),
                                    [psn](const Packet& packet) { return packet.psn == psn; });
    return found == requests.end() ? nullptr : &*found;
}

/** Whether the model's NAK stands where rxe departs from the standard. */
std::string
JudgeAnswers(const Packet& captured, const Packet& modelled, const Packets& requests)
{
    const bool isAnswered = captured.opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE ||
                            captured.opcode == Opcode::RC_RDMA_READ_RESPONSE_ONLY ||
                            captured.opcode == Opcode::RC_RDMA_READ_RESPONSE_FIRST;
    if (isAnswered && modelled.aeth.syndrome == SYNDROME_NAK_INVALID_REQUEST)
    {
        return "9.7.4.1: a READ or atomic beyond the responder's resources draws NAK 0x61; "
               "compared up to it";
    }
    const Packet* request = FindRequest(requests, captured.psn);
    const bool isInvalidate = request != nullptr && GetOpcodeInfo(request->opcode).Has(HEADER_IETH);
    if (isInvalidate && !IsNak(captured) && IsErrorNak(modelled))
    {
        return "9.7.4.1: a SEND with Invalidate of a key that may not be invalidated is refused; "
               "compared up to it";
    }
    return "";
}

/** Whether a stream is the beginning of another, which goes on. */
bool
IsPrefix(const Packets& beginning, const Packets& whole)
{
    return beginning.size() <= whole.size() &&
           std::equal(beginning.begin(), beginning.end(), whole.begin(), IsAlike);
}

/** Whether two requesters repeat a packet more often than retry_cnt 7 allows, one for longer. */
bool
RepeatTooOften(const Packets& requests, const Packets& longer)
{
    constexpr std::ptrdiff_t TRANSMISSIONS = 8; // the first and seven retries
    const auto size = static_cast<std::ptrdiff_t>(requests.size());
    if (size <= TRANSMISSIONS || !IsPrefix(requests, longer))
    {
        return false;
    }
    const auto isLast = [&requests](const Packet& packet)
    { return IsAlike(packet, requests.back()); };
    const auto repeats = [&requests](const Packet& packet)
    { return !Psn::IsBefore(requests.back().psn, packet.psn); };
    return std::all_of(longer.begin() + size, longer.end(), repeats) &&
           std::count_if(requests.begin(), requests.end(), isLast) > TRANSMISSIONS;
}

} // namespace

std::optional<TimerRepeat>
FindTimerRepeat(const std::vector<Connection>& captured,
                const Difference& difference,
                double timeout)
{
    const StreamName& stream = difference.stream;
    if (!stream.isRequests || !difference.captured || difference.index == 0)
    {
        return std::nullopt;
    }
    const Packets& packets = GetStream(captured, stream);
    const std::size_t index = difference.index;
    const Packets& answers = captured[stream.connection].responses[1 - stream.side];
    const double age = packets[index].time - packets.front().time;
    if (age < timeout - TIMER_STEP_SECONDS ||
        HasNakBetween(answers, packets[index - 1].time, packets[index].time))
    {
        return std::nullopt;
    }
    TimerRepeat repeat{stream, index, {}};
    for (std::size_t n = index; n < packets.size(); ++n)
    {
        const auto request = FindRepeated(packets, index, packets[n]);
        if (!request)
        {
            break;
        }
        repeat.requests.push_back(*request);
    }
    return repeat.requests.empty() ? std::nullopt : std::optional{repeat};
}

uint64_t
CollapseRnrRounds(Connection& connection)
{
    uint64_t rounds = 0;
    for (uint32_t side = 0; side < 2; ++side)
    {
        Packets& requests = connection.requests[side];
        Packets& answers = connection.responses[1 - side];
        std::set<uint32_t> refused;
        for (const Packet& answer : answers)
        {
            if (IsRnrNak(answer))
            {
                refused.insert(answer.psn.Get());
            }
        }
        rounds += EraseRounds(requests, refused);
        EraseRounds(answers, refused);
    }
    return rounds;
}

uint64_t
TrimBehindError(Connection& connection)
{
    uint64_t trimmed = 0;
    for (uint32_t side = 0; side < 2; ++side)
    {
        const Packets& answers = connection.responses[1 - side];
        const auto nak = std::find_if(answers.begin(), answers.end(), IsErrorNak);
        if (nak != answers.end())
        {
            trimmed += std::erase_if(connection.requests[side],
                                     [nak](const Packet& packet)
                                     { return Psn::IsBefore(nak->psn, packet.psn); });
        }
    }
    return trimmed;
}

uint64_t
RenamePartialReadAnswers(Connection& connection, uint16_t pathMtu)
{
    uint64_t renamed = 0;
    for (uint32_t side = 0; side < 2; ++side)
    {
        std::vector<ReadRange> reads;
        for (const Packet& request : connection.requests[side])
        {
            if (request.opcode != Opcode::RC_RDMA_READ_REQUEST)
            {
                continue;
            }
            const bool isPart = std::any_of(reads.begin(),
                                            reads.end(),
                                            [&request](const ReadRange& read)
                                            { return read.HasInside(request.psn); });
            renamed += isPart && RenameAnswer(request, connection.responses[1 - side]) ? 1 : 0;
            const uint32_t packets = (request.reth.dmaLength + pathMtu - 1) / pathMtu;
            reads.push_back({request.psn, static_cast<int32_t>(packets)});
        }
    }
    return renamed;
}

std::string
FindDeparture(const Runs& runs)
{
    for (std::size_t n = 0; n < std::min(runs.captured.size(), runs.modelled.size()); ++n)
    {
        for (uint32_t side = 0; side < 2; ++side)
        {
            const Packets& captured = runs.captured[n].responses[1 - side];
            const Packets& modelled = runs.modelled[n].responses[1 - side];
            const auto [at, other] = std::mismatch(
                captured.begin(), captured.end(), modelled.begin(), modelled.end(), IsAlike);
            const bool isBoth = at != captured.end() && other != modelled.end();
            const Packets& requests = runs.captured[n].requests[side];
            const bool isEndless = IsPrefix(captured, modelled) &&
                                   runs.script.sides[side].retryCount == 7 &&
                                   RepeatTooOften(requests, runs.modelled[n].requests[side]);
            const std::string found = isBoth ? JudgeAnswers(*at, *other, requests) : "";
            if (!found.empty())
            {
                return found;
            }
            if (isEndless)
            {
                return "9.7.6: retry_cnt 7 is seven retries, not endless ones; compared up "
                       "to the end of the capture";
            }
        }
    }
    return "";
}

} // namespace ns3::rdma
