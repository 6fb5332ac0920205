// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transport-settings.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <charconv>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TransportSettings);

TypeId
TransportSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TransportSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<TransportSettings>()
            .AddAttribute("PathMtu",
                          "Payload of a full packet, bytes: 256 to 4096 by the standard, other "
                          "multiples of 4 for comparison with other simulators",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&TransportSettings::m_pathMtu),
                          MakeUintegerChecker<uint32_t>(64, 9000))
            .AddAttribute(
                "Ack",
                "Which packets ask for an acknowledgement: \"every-packet\", "
                "\"every-<n>-packets\" and the last of a message, or \"last\" of a message",
                StringValue("every-packet"),
                MakeStringAccessor(&TransportSettings::m_ack),
                MakeStringChecker())
            .AddAttribute("Timeout",
                          "Local ACK timeout code: 4.096 us x 2^code; 0: never",
                          UintegerValue(14),
                          MakeUintegerAccessor(&TransportSettings::m_timeoutCode),
                          MakeUintegerChecker<uint8_t>(0, 31))
            .AddAttribute("RetryCount",
                          "Retries after the first transmission, before the connection fails",
                          UintegerValue(7),
                          MakeUintegerAccessor(&TransportSettings::m_retryCount),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("Window",
                          "Payload that a connection may have unacknowledged; 0B: no limit",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&TransportSettings::m_window),
                          MakeByteCountChecker());
    return tid;
}

Expected<RcConfig>
TransportSettings::GetConfig() const
{
    constexpr std::string_view PREFIX = "every-";
    constexpr std::string_view SUFFIX = "-packets";
    RcConfig config;
    config.pathMtu = m_pathMtu;
    config.timeoutCode = m_timeoutCode;
    config.retryCount = m_retryCount;
    if (m_ack == "every-packet")
    {
        config.ackEvery = 1;
        return config;
    }
    if (m_ack == "last")
    {
        config.ackEvery = RcConfig::ACK_LAST_OF_MESSAGE;
        return config;
    }
    if (m_ack.starts_with(PREFIX) && m_ack.ends_with(SUFFIX) &&
        m_ack.size() > PREFIX.size() + SUFFIX.size())
    {
        const char* first = m_ack.data() + PREFIX.size();
        const char* last = m_ack.data() + m_ack.size() - SUFFIX.size();
        const auto [end, error] = std::from_chars(first, last, config.ackEvery);
        if (error == std::errc{} && end == last && config.ackEvery > 0)
        {
            return config;
        }
    }
    Diagnostic diagnostic;
    diagnostic.key = "transport.ack";
    diagnostic.message = "unknown acknowledgement policy";
    diagnostic.got = m_ack;
    diagnostic.expected = "every-packet, every-<n>-packets with n from 1, or last";
    return diagnostic;
}

} // namespace ns3::rdma
