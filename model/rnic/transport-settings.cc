// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transport-settings.h"

#include "base/choice-attribute.h"
#include "base/name-checker.h"
#include "transport/rc-policies.h"
#include "verbs/access.h"
#include "verbs/rnr-timer.h"
#include "wire/frame.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <charconv>

namespace ns3::rdma
{

namespace
{

constexpr const char* PORT_PER_QUEUE_PAIR = "per-qp";
constexpr const char* FIXED_PORT = "fixed";
constexpr uint64_t DEFAULT_RNR_TIMER = 12;

/** The first of the ports that RoCEv2 takes its entropy from. @spec IBTA Annex A17 */
constexpr uint16_t FIRST_PORT = 0xc000;

std::vector<std::string>
GetPolicyNames()
{
    std::vector<std::string> names;
    for (const NamedRcPolicy& known : GetRcPolicies())
    {
        names.emplace_back(known.name);
    }
    return names;
}

/** The help of the attribute, from the list of policies. */
std::string
DescribePolicies()
{
    std::string text = "How an implementation fills what the standard leaves open:";
    for (const NamedRcPolicy& known : GetRcPolicies())
    {
        text += (text.ends_with(':') ? " " : "; ") + std::string{known.name} + ": " +
                std::string{known.description};
    }
    return text;
}

Diagnostic
MakeUnknownPolicy(const std::string& name)
{
    Diagnostic diagnostic;
    diagnostic.key = "transport.policy";
    diagnostic.message = "unknown policy";
    diagnostic.got = name;
    diagnostic.knownNames = GetPolicyNames();
    diagnostic.nearest = NearestName(name, diagnostic.knownNames);
    return diagnostic;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TransportSettings);

TypeId
TransportSettings::AddRetries(TypeId tid)
{
    return tid
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
        .AddAttribute("RnrRetry",
                      "Retries while the receiver is not ready; 7: without end",
                      UintegerValue(7),
                      MakeUintegerAccessor(&TransportSettings::m_rnrRetry),
                      MakeUintegerChecker<uint8_t>(0, 7))
        .AddAttribute("MinRnrTimer",
                      "Code of the wait that a receiver without a receive request asks for, "
                      "0 to 31; 12 is 0.64 ms, 0 is the longest: 655.36 ms",
                      UintegerValue(DEFAULT_RNR_TIMER),
                      MakeUintegerAccessor(&TransportSettings::m_minRnrTimer),
                      MakeUintegerChecker<uint8_t>(0, 31))
        .AddAttribute("MaxReadAtomic",
                      "READs and atomic operations outstanding on a connection, each way",
                      UintegerValue(16),
                      MakeUintegerAccessor(&TransportSettings::m_maxReadAtomic),
                      MakeUintegerChecker<uint8_t>(1, 16));
}

TypeId
TransportSettings::GetTypeId()
{
    static TypeId tid = AddRetries(
        TypeId("ns3::rdma::TransportSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<TransportSettings>()
            .AddAttribute("Policy",
                          DescribePolicies(),
                          StringValue("standard"),
                          MakeStringAccessor(&TransportSettings::m_policy),
                          MakeNameChecker(GetPolicyNames()))
            .AddAttribute("PathMtu",
                          "Payload of a full packet, bytes: 256 to 4096 by the standard, other "
                          "multiples of 4 for comparison with other simulators",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&TransportSettings::m_pathMtu),
                          MakeUintegerChecker<uint16_t>(64, 9000))
            .AddAttribute(
                "Ack",
                "Which packets ask for an acknowledgement: \"every-packet\", "
                "\"every-<n>-packets\" and the last of a message, \"last\" of a message, or "
                "\"policy\": as the policy has it",
                StringValue("policy"),
                MakeStringAccessor(&TransportSettings::m_ack),
                MakeStringChecker())
            .AddAttribute("UdpSourcePort",
                          "What tells connections apart for ECMP: \"per-qp\", a port for each; "
                          "\"fixed\", port 49152 for all; or a number from 1 to 65535 for all",
                          StringValue(PORT_PER_QUEUE_PAIR),
                          MakeStringAccessor(&TransportSettings::m_udpSourcePort),
                          MakeStringChecker())
            .AddAttribute("EndToEndCredits",
                          "Acknowledgements carry credits for the peer's receive requests",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransportSettings::m_hasEndToEndCredits),
                          MakeBooleanChecker())
            .AddAttribute("Payload",
                          "synthetic: packets have a length only; real: bytes are moved from "
                          "memory to memory and checked",
                          ChoiceValue<Payload>(Payload::SYNTHETIC),
                          MakeChoiceAccessor<Payload>(&TransportSettings::m_payload),
                          MakeChoiceChecker<Payload>(
                              {{Payload::SYNTHETIC, "synthetic"}, {Payload::REAL, "real"}}))
            .AddAttribute("Window",
                          "Payload that a connection may have unacknowledged; 0B: no limit",
                          ByteCountValue(ByteCount{0}),
                          MakeByteCountAccessor(&TransportSettings::m_window),
                          MakeByteCountChecker()));
    return tid;
}

Expected<ConnectionDefaults>
TransportSettings::GetDefaults() const
{
    const RcPolicy* policy = FindRcPolicy(m_policy);
    if (policy == nullptr)
    {
        return MakeUnknownPolicy(m_policy);
    }
    ConnectionDefaults defaults;
    defaults.policy = *policy;
    defaults.policy.hasEndToEndCredits = m_hasEndToEndCredits;
    if (Diagnostics errors = ReadAckRule(defaults.policy); !errors.empty())
    {
        return errors;
    }
    defaults.attributes = {.pathMtu = m_pathMtu,
                           .accessFlags = ACCESS_ALL,
                           .timeout = m_timeoutCode,
                           .retryCount = m_retryCount,
                           .rnrRetry = m_rnrRetry,
                           .minRnrTimer = m_minRnrTimer,
                           .maxReadAtomic = m_maxReadAtomic,
                           .maxDestReadAtomic = m_maxReadAtomic};
    if (Diagnostics errors = ReadSourcePort(defaults.attributes.address); !errors.empty())
    {
        return errors;
    }
    defaults.hasRealPayload = m_payload == Payload::REAL;
    defaults.windowBytes = m_window.value;
    if (defaults.hasRealPayload && m_pathMtu > PayloadBlock::BYTES)
    {
        Diagnostic diagnostic;
        diagnostic.key = "transport.path_mtu";
        diagnostic.message = "packets with real payload are at most 4096 bytes long";
        diagnostic.got = std::to_string(m_pathMtu);
        diagnostic.expected = "256 to 4096, or transport.payload: synthetic";
        return diagnostic;
    }
    return defaults;
}

Diagnostics
TransportSettings::ReadSourcePort(AddressVector& address) const
{
    if (m_udpSourcePort == PORT_PER_QUEUE_PAIR)
    {
        return {};
    }
    if (m_udpSourcePort == FIXED_PORT)
    {
        address.udpSourcePort = FIRST_PORT;
        return {};
    }
    const char* last = m_udpSourcePort.data() + m_udpSourcePort.size();
    const auto [end, error] = std::from_chars(m_udpSourcePort.data(), last, address.udpSourcePort);
    if (error == std::errc{} && end == last && address.udpSourcePort != 0)
    {
        return {};
    }
    Diagnostic diagnostic;
    diagnostic.key = "transport.udp_source_port";
    diagnostic.message = "not a source port";
    diagnostic.got = m_udpSourcePort;
    diagnostic.expected = "per-qp, fixed, or 1 to 65535";
    return {diagnostic};
}

std::vector<std::string>
TransportSettings::GetNotes() const
{
    if (m_minRnrTimer == 0 || m_minRnrTimer == DEFAULT_RNR_TIMER)
    {
        return {};
    }
    return {"transport.min_rnr_timer: code " + std::to_string(m_minRnrTimer) + " is " +
            ToString(RnrTimerTime(m_minRnrTimer))};
}

std::vector<std::string>
TransportSettings::GetWarnings() const
{
    if (m_minRnrTimer != 0)
    {
        return {};
    }
    return {"transport.min_rnr_timer: code 0 is the longest wait, " + ToString(RnrTimerTime(0)) +
            ", not none"};
}

Diagnostics
TransportSettings::ReadAckRule(RcPolicy& policy) const
{
    constexpr std::string_view PREFIX = "every-";
    constexpr std::string_view SUFFIX = "-packets";
    if (m_ack == "policy")
    {
        return {};
    }
    if (m_ack == "every-packet")
    {
        policy.ackEvery = 1;
        return {};
    }
    if (m_ack == "last")
    {
        policy.ackEvery = RcPolicy::ACK_LAST_OF_MESSAGE;
        return {};
    }
    if (m_ack.starts_with(PREFIX) && m_ack.ends_with(SUFFIX) &&
        m_ack.size() > PREFIX.size() + SUFFIX.size())
    {
        const char* first = m_ack.data() + PREFIX.size();
        const char* last = m_ack.data() + m_ack.size() - SUFFIX.size();
        const auto [end, error] = std::from_chars(first, last, policy.ackEvery);
        if (error == std::errc{} && end == last && policy.ackEvery > 0)
        {
            return {};
        }
    }
    Diagnostic diagnostic;
    diagnostic.key = "transport.ack";
    diagnostic.message = "unknown acknowledgement policy";
    diagnostic.got = m_ack;
    diagnostic.expected = "every-packet, every-<n>-packets with n from 1, last, or policy";
    return {diagnostic};
}

} // namespace ns3::rdma
