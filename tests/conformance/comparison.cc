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

} // namespace ns3::rdma
