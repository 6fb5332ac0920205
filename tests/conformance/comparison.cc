// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/comparison.h"

#include <algorithm>
#include <set>

namespace ns3::rdma
{

namespace
{

constexpr double TIMER_STEP_SECONDS = 0.004; ///< HZ=250

bool
IsAlike(const Packet& a, const Packet& b)
{
    return ToString(a) == ToString(b);
}

bool
IsNak(const Packet& packet)
{
    return packet.opcode == Opcode::RC_ACKNOWLEDGE &&
           (packet.aeth.syndrome & SYNDROME_TYPE_MASK) != SYNDROME_TYPE_ACK;
}

bool
IsRnrNak(const Packet& packet)
{
    return packet.opcode == Opcode::RC_ACKNOWLEDGE &&
           (packet.aeth.syndrome & SYNDROME_TYPE_MASK) == SYNDROME_TYPE_RNR;
}

std::optional<Packet>
At(const Packets& packets, std::size_t index)
{
    return index < packets.size() ? std::optional{packets[index]} : std::nullopt;
}

std::optional<Difference>
FindInStream(const Packets& captured, const Packets& modelled, bool isCut)
{
    const std::size_t common = std::min(captured.size(), modelled.size());
    for (std::size_t index = 0; index < common; ++index)
    {
        if (!IsAlike(captured[index], modelled[index]))
        {
            return Difference{{}, index, captured[index], modelled[index]};
        }
    }
    if (captured.size() == modelled.size() || (isCut && captured.size() < modelled.size()))
    {
        return std::nullopt;
    }
    return Difference{{}, common, At(captured, common), At(modelled, common)};
}

std::vector<StreamName>
AllStreams(std::size_t connections)
{
    std::vector<StreamName> streams;
    for (uint32_t connection = 0; connection < connections; ++connection)
    {
        for (const bool isRequests : {true, false})
        {
            streams.push_back({connection, 0, isRequests});
            streams.push_back({connection, 1, isRequests});
        }
    }
    return streams;
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

/** Takes out what stands twice in a row, from a packet on: [from, at) and what follows it. */
bool
EraseRepeatedBlock(Packets& packets, std::size_t from, std::size_t at)
{
    const std::size_t length = at - from;
    if (at + length > packets.size() ||
        !std::equal(packets.begin() + static_cast<std::ptrdiff_t>(from),
                    packets.begin() + static_cast<std::ptrdiff_t>(at),
                    packets.begin() + static_cast<std::ptrdiff_t>(at),
                    IsAlike))
    {
        return false;
    }
    packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(from),
                  packets.begin() + static_cast<std::ptrdiff_t>(at));
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

} // namespace

std::string
ToString(const StreamName& stream)
{
    std::string text = stream.side == 0 ? "client" : "server";
    text += stream.isRequests ? " requests" : " responses";
    return stream.connection == 0
               ? text
               : text + " of connection " + std::to_string(stream.connection + 1);
}

const Packets&
GetStream(const std::vector<Connection>& run, const StreamName& stream)
{
    const Connection& connection = run[stream.connection];
    return (stream.isRequests ? connection.requests : connection.responses)[stream.side];
}

std::string
ToString(const Difference& difference)
{
    const auto show = [](const std::optional<Packet>& packet)
    { return packet ? ToString(*packet) : std::string{"nothing more"}; };
    const std::string frame =
        difference.captured ? " (frame " + std::to_string(difference.captured->number) + ")" : "";
    return ToString(difference.stream) + ", packet " + std::to_string(difference.index + 1) +
           frame + "\n    capture: " + show(difference.captured) +
           "\n    model:   " + show(difference.modelled);
}

std::optional<Difference>
FindDifference(const std::vector<Connection>& captured,
               const std::vector<Connection>& modelled,
               bool isCut)
{
    const std::size_t count = std::max(captured.size(), modelled.size());
    std::vector<Connection> left = captured;
    std::vector<Connection> right = modelled;
    left.resize(count);
    right.resize(count);
    for (const StreamName& stream : AllStreams(count))
    {
        std::optional<Difference> difference =
            FindInStream(GetStream(left, stream), GetStream(right, stream), isCut);
        if (difference)
        {
            difference->stream = stream;
            return difference;
        }
    }
    return std::nullopt;
}

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
    const auto first =
        std::find_if(packets.begin(),
                     packets.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const Packet& packet) { return IsAlike(packet, packets[index]); });
    const auto source = static_cast<std::size_t>(first - packets.begin());
    if (source == index || age < timeout - TIMER_STEP_SECONDS ||
        HasNakBetween(answers, packets[index - 1].time, packets[index].time))
    {
        return std::nullopt;
    }
    std::size_t count = 0;
    while (source + count < index && index + count < packets.size() &&
           IsAlike(packets[source + count], packets[index + count]))
    {
        ++count;
    }
    return TimerRepeat{stream, index, source, count};
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

} // namespace ns3::rdma
