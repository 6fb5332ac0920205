// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "stack/stack-application.h"
#include "stack/tcp-transfer.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>

namespace ns3::rdma
{

namespace
{

/**
 * Bulk transfers by ns-3's own TCP, whose bytes are checked where they arrive.
 *
 * Not modelled: what the host spends on a segment; segmentation offload.
 */
class TcpWorkload : public StackApplication
{
  public:
    static TypeId GetTypeId();

    SimTime GetPatience() const override
    {
        // A lost SYN is sent again after 3 s, each time after twice as long, six times: 3 x 2^5 s
        // at last (ns3::TcpSocket: ConnTimeout, ConnCount); data at most each minute.
        return SimTime::Seconds(100);
    }

  private:
    Diagnostics DoCheckMore() const override;
    Diagnostics DoStart(const Topology& topology,
                        ApplicationEnvironment& environment,
                        SimTime now) override;
    ResultTable DoGetResults() const override;

    std::string DoDefaultTag() const override
    {
        return "tcp";
    }

    static TypeId AddBuffers(TypeId tid);
    Expected<TypeId> FindCongestion() const;
    void OnTransferEnded(SimTime now);

    std::string m_congestion;
    bool m_usesEcn{false};
    ByteCount m_sendBuffer{};
    ByteCount m_receiveBuffer{};
    SimTime m_minimumRto{};
    SimTime m_delayedAck{};
    uint32_t m_connections{0};
    std::deque<TcpTransfer> m_transfers;
    std::vector<std::pair<std::string, std::string>> m_names; ///< of a transfer's hosts
};

NS_OBJECT_ENSURE_REGISTERED(TcpWorkload);

const ComponentHelp HELP{"ns3::rdma::TcpWorkload",
                         "Bulk transfers by ns-3's own TCP, beside RDMA on the same network"};

const std::vector<std::string> COLUMNS{
    "tag",
    "source",
    "destination",
    "source_port",
    "destination_port",
    "priority",
    "congestion",
    "bytes",
    "start_ns",
    "connected_ns",
    "end_ns",
    "received_bytes",
    "goodput_bps",
    "segments",
    "retransmissions",
    "wrong_bytes",
    "status",
};

constexpr ByteCount SMALLEST_BUFFER{4096};
constexpr ByteCount LARGEST_BUFFER{1U << 30}; ///< @spec RFC 7323 section 2.3: 1 GiB windows

/** "ns3::TcpLinuxReno" as a scenario writes it: "linux-reno" is one way, "LinuxReno" another. */
std::string
Simplify(const std::string& name)
{
    std::string simple;
    for (const char c : name)
    {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
        {
            simple += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    for (const std::string prefix : {"ns3", "tcp"})
    {
        simple.erase(0, simple.starts_with(prefix) ? prefix.size() : 0);
    }
    return simple;
}

/** ns-3 3.37 gives TcpCubic the parent TcpSocketBase by mistake: such a type is tried. */
bool
IsCongestionControl(TypeId type)
{
    if (type.IsChildOf(TcpCongestionOps::GetTypeId()))
    {
        return type.HasConstructor();
    }
    return type.IsChildOf(TcpSocketBase::GetTypeId()) && type.HasConstructor() &&
           DynamicCast<TcpCongestionOps>(ObjectFactory{type.GetName()}.Create()) != nullptr;
}

TypeId
TcpWorkload::GetTypeId()
{
    static TypeId tid =
        AddBuffers(TypeId{"ns3::rdma::TcpWorkload"}
                       .SetParent<StackApplication>()
                       .SetGroupName("Rdma")
                       .AddConstructor<TcpWorkload>()
                       .AddAttribute("Congestion",
                                     "Congestion control, by ns-3's name without Tcp: cubic, "
                                     "new-reno, linux-reno, dctcp, bbr, vegas, ...",
                                     StringValue{"cubic"}, // Linux since 2.6.19
                                     MakeStringAccessor(&TcpWorkload::m_congestion),
                                     MakeStringChecker())
                       .AddAttribute("Ecn",
                                     "Whether the ends agree on ECN (RFC 3168); dctcp always does",
                                     BooleanValue{false},
                                     MakeBooleanAccessor(&TcpWorkload::m_usesEcn),
                                     MakeBooleanChecker())
                       .AddAttribute("Connections",
                                     "Connections of each pair of hosts",
                                     UintegerValue{1},
                                     MakeUintegerAccessor(&TcpWorkload::m_connections),
                                     MakeUintegerChecker<uint32_t>(1, 10'000)));
    return tid;
}

TypeId
TcpWorkload::AddBuffers(TypeId tid)
{
    tid.AddAttribute("SendBuffer",
                     "What a connection may hold at its source (Linux: 4 MiB, tcp_wmem)",
                     ByteCountValue{ByteCount{4U << 20}},
                     MakeByteCountAccessor(&TcpWorkload::m_sendBuffer),
                     MakeByteCountChecker(SMALLEST_BUFFER, LARGEST_BUFFER))
        .AddAttribute("ReceiveBuffer",
                      "What a connection may hold at its destination (Linux: 6 MiB, tcp_rmem)",
                      ByteCountValue{ByteCount{6U << 20}},
                      MakeByteCountAccessor(&TcpWorkload::m_receiveBuffer),
                      MakeByteCountChecker(SMALLEST_BUFFER, LARGEST_BUFFER))
        .AddAttribute("MinRto",
                      "Shortest retransmission timeout (Linux: 200 ms, TCP_RTO_MIN)",
                      SimTimeValue{SimTime::Milliseconds(200)},
                      MakeSimTimeAccessor(&TcpWorkload::m_minimumRto),
                      MakeSimTimeChecker(SimTime::Microseconds(1), SimTime::Seconds(60)))
        .AddAttribute(
            "DelayedAck",
            "Longest delay of an acknowledgement; one above the retransmission timeout has "
            "each last segment sent twice. 0s: a fifth of MinRto (Linux: 40 ms, "
            "TCP_DELACK_MIN, of 200 ms)",
            SimTimeValue{SimTime{}},
            MakeSimTimeAccessor(&TcpWorkload::m_delayedAck),
            MakeSimTimeChecker(SimTime{}, SimTime::Seconds(1)));
    return tid;
}

Expected<TypeId>
TcpWorkload::FindCongestion() const
{
    std::vector<std::string> known;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId candidate = TypeId::GetRegistered(i);
        if (!IsCongestionControl(candidate))
        {
            continue;
        }
        known.push_back(Simplify(candidate.GetName()));
        if (known.back() == Simplify(m_congestion))
        {
            return candidate;
        }
    }
    std::ranges::sort(known);
    Diagnostic diagnostic;
    diagnostic.key = "congestion";
    diagnostic.message = "unknown congestion control of TCP";
    diagnostic.got = m_congestion;
    diagnostic.nearest = NearestName(Simplify(m_congestion), known);
    diagnostic.knownNames = known;
    return diagnostic;
}

Diagnostics
TcpWorkload::DoCheckMore() const
{
    const auto congestion = FindCongestion();
    return congestion ? Diagnostics{} : congestion.Errors();
}

Diagnostics
TcpWorkload::DoStart(const Topology& topology, ApplicationEnvironment& environment, SimTime)
{
    const bool isDctcp = Simplify(m_congestion) == "dctcp";
    const TcpSettings settings{.congestion = *FindCongestion(),
                               .usesEcn = m_usesEcn || isDctcp,
                               .sendBufferBytes = static_cast<uint32_t>(m_sendBuffer.value),
                               .receiveBufferBytes = static_cast<uint32_t>(m_receiveBuffer.value),
                               .minimumRto = m_minimumRto,
                               .delayedAck = m_delayedAck.ps != 0 ? m_delayedAck
                                                                  : SimTime{m_minimumRto.ps / 5},
                               .trafficClass = GetTrafficClass(),
                               .bytes = GetBytes()};
    const std::vector<HostPair> pairs = *FindPairs(topology);
    for (const auto& [source, destination] : pairs)
    {
        for (uint32_t i = 0; i < m_connections; ++i)
        {
            const auto hosts = environment.ChooseHosts(source, destination);
            if (!hosts)
            {
                return hosts.Errors();
            }
            TcpTransfer& transfer = m_transfers.emplace_back(
                settings, m_transfers.size(), environment.GetIpEnds(*hosts));
            m_names.emplace_back(topology.nodes[source].name, topology.nodes[destination].name);
            // A stack that was made just now is ready after its own events of this instant.
            Simulator::ScheduleWithContext(
                Simulator::NO_CONTEXT,
                TimeStep(0),
                [this, &transfer]
                { transfer.Open([this](SimTime end) { OnTransferEnded(end); }); });
        }
    }
    return {};
}

void
TcpWorkload::OnTransferEnded(SimTime now)
{
    std::string failure;
    for (std::size_t i = 0; i < m_transfers.size(); ++i)
    {
        const TcpResult& result = m_transfers[i].GetResult();
        if (!result.hasEnded)
        {
            return;
        }
        if (failure.empty() && !result.failure.empty())
        {
            failure = m_names[i].first + " to " + m_names[i].second + ": " + result.failure;
        }
    }
    End(now, failure);
}

ResultTable
TcpWorkload::DoGetResults() const
{
    ResultTable table{.file = "tcp.csv", .columns = COLUMNS, .rows = {}};
    for (std::size_t i = 0; i < m_transfers.size(); ++i)
    {
        const TcpResult& result = m_transfers[i].GetResult();
        const bool hasReceived = result.receivedBytes != 0;
        const std::string status = result.hasEnded && result.failure.empty() ? "finished"
                                   : result.hasEnded ? "failed: " + result.failure
                                                     : "running";
        table.rows.push_back(
            {GetTag(),
             m_names[i].first,
             m_names[i].second,
             std::to_string(result.sourcePort),
             std::to_string(result.destinationPort),
             std::to_string(GetPriority()),
             Simplify(m_congestion),
             std::to_string(GetBytes()),
             FormatNs(result.start),
             FormatNs(result.connected),
             FormatNs(result.lastReceived),
             std::to_string(result.receivedBytes),
             hasReceived ? FormatBitRate(result.receivedBytes, result.lastReceived - result.start)
                         : "0",
             std::to_string(result.segments),
             std::to_string(result.retransmissions),
             std::to_string(result.wrongBytes),
             status});
    }
    return table;
}

} // namespace

} // namespace ns3::rdma
