// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/comparison.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

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

/** The first repeat that waited for longer, or less long, than the capture's; "": none. */
std::string
CompareWaits(const Packets& captured, const Packets& modelled)
{
    constexpr double SHORTEST = 0.05;
    constexpr double TOO_EARLY = 0.02;
    constexpr double TOO_LATE = 0.06; // a slow host's timer comes late, never early
    std::optional<Psn> newest;
    for (std::size_t n = 0; n < std::min(captured.size(), modelled.size()); ++n)
    {
        const Psn psn = captured[n].psn;
        const bool isNew = !newest || Psn::IsBefore(*newest, psn);
        newest = isNew ? psn : newest;
        const double wait = n == 0 ? 0 : captured[n].time - captured[n - 1].time;
        const double other = n == 0 ? 0 : modelled[n].time - modelled[n - 1].time;
        const bool isOff = other - wait > TOO_EARLY || wait - other > TOO_LATE;
        if (!isNew && wait >= SHORTEST && isOff)
        {
            return "packet " + std::to_string(n + 1) + " was sent again after " +
                   std::to_string(wait) + " s, by the model after " + std::to_string(other) + " s";
        }
    }
    return "";
}

} // namespace

bool
IsAlike(const Packet& a, const Packet& b)
{
    return ToString(a) == ToString(b);
}

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

std::string
CompareRetransmissionTimes(const std::vector<Connection>& captured,
                           const std::vector<Connection>& modelled)
{
    for (const StreamName& stream : AllStreams(std::min(captured.size(), modelled.size())))
    {
        const std::string text = stream.isRequests ? CompareWaits(GetStream(captured, stream),
                                                                  GetStream(modelled, stream))
                                                   : "";
        if (!text.empty())
        {
            return ToString(stream) + ", " + text;
        }
    }
    return "";
}

} // namespace ns3::rdma
