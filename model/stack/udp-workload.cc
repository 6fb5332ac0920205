// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "stack/stack-application.h"
#include "stack/udp-stream.h"

#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>

namespace ns3::rdma
{

namespace
{

/** Datagrams of ns-3's own UDP at a constant rate, which are checked where they arrive. */
class UdpWorkload : public StackApplication
{
  public:
    static TypeId GetTypeId();

    SimTime GetPatience() const override
    {
        return m_linger;
    }

  private:
    Diagnostics DoStart(const Topology& topology,
                        ApplicationEnvironment& environment,
                        SimTime now) override;
    ResultTable DoGetResults() const override;

    std::string DoDefaultTag() const override
    {
        return "udp";
    }

    void OnStreamEnded(SimTime now);

    BitRate m_rate{};
    uint32_t m_datagramBytes{0};
    SimTime m_linger{};
    std::deque<UdpStream> m_streams;
    std::vector<std::pair<std::string, std::string>> m_names; ///< of a stream's hosts
};

NS_OBJECT_ENSURE_REGISTERED(UdpWorkload);

const ComponentHelp HELP{"ns3::rdma::UdpWorkload",
                         "Datagrams by ns-3's own UDP at a constant rate, beside RDMA"};

const std::vector<std::string> COLUMNS{
    "tag",
    "source",
    "destination",
    "source_port",
    "destination_port",
    "priority",
    "rate_bps",
    "start_ns",
    "end_ns",
    "sent_datagrams",
    "received_datagrams",
    "sent_bytes",
    "received_bytes",
    "goodput_bps",
    "wrong_bytes",
    "status",
};

/** A datagram of one byte takes no less than a picosecond. */
constexpr BitRate FASTEST = BitRate::Gbps(8000);

/** IPv4 and UDP. */
constexpr uint32_t HEADER_BYTES = 28;

TypeId
UdpWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::UdpWorkload"}
            .SetParent<StackApplication>()
            .SetGroupName("Rdma")
            .AddConstructor<UdpWorkload>()
            .AddAttribute("Rate",
                          "Payload of each stream, in a second",
                          BitRateValue{BitRate::Gbps(1)},
                          MakeBitRateAccessor(&UdpWorkload::m_rate),
                          MakeBitRateChecker(BitRate{1000}, FASTEST))
            .AddAttribute(
                "DatagramBytes",
                "Payload of a datagram, in bytes, of which 8 tell its place; one larger "
                "than nic.ip_mtu allows is fragmented",
                UintegerValue{1500 - HEADER_BYTES},
                MakeUintegerAccessor(&UdpWorkload::m_datagramBytes),
                MakeUintegerChecker<uint32_t>(UdpStream::HEADER_BYTES, UINT16_MAX - HEADER_BYTES))
            .AddAttribute("Linger",
                          "How long after its last datagram a stream waits for those missing",
                          SimTimeValue{SimTime::Milliseconds(1)},
                          MakeSimTimeAccessor(&UdpWorkload::m_linger),
                          MakeSimTimeChecker());
    return tid;
}

Diagnostics
UdpWorkload::DoStart(const Topology& topology, ApplicationEnvironment& environment, SimTime)
{
    const UdpSettings settings{.rate = m_rate,
                               .datagramBytes = m_datagramBytes,
                               .linger = m_linger,
                               .trafficClass = GetTrafficClass(),
                               .bytes = GetBytes()};
    const std::vector<HostPair> pairs = *FindPairs(topology);
    for (const auto& [source, destination] : pairs)
    {
        const auto hosts = environment.ChooseHosts(source, destination);
        if (!hosts)
        {
            return hosts.Errors();
        }
        UdpStream& stream =
            m_streams.emplace_back(settings, m_streams.size(), environment.GetIpEnds(*hosts));
        m_names.emplace_back(topology.nodes[source].name, topology.nodes[destination].name);
        // A stack that was made just now is ready after its own events of this instant.
        Simulator::ScheduleWithContext(
            Simulator::NO_CONTEXT,
            TimeStep(0),
            [this, &stream] { stream.Open([this](SimTime end) { OnStreamEnded(end); }); });
    }
    return {};
}

void
UdpWorkload::OnStreamEnded(SimTime now)
{
    uint64_t wrong = 0;
    for (const UdpStream& stream : m_streams)
    {
        if (!stream.GetResult().hasEnded)
        {
            return;
        }
        wrong += stream.GetResult().wrongBytes;
    }
    End(now, wrong == 0 ? "" : "other bytes arrived than were sent");
}

ResultTable
UdpWorkload::DoGetResults() const
{
    ResultTable table{.file = "udp.csv", .columns = COLUMNS, .rows = {}};
    for (std::size_t i = 0; i < m_streams.size(); ++i)
    {
        const UdpResult& result = m_streams[i].GetResult();
        const bool hasReceived = result.receivedBytes != 0;
        table.rows.push_back(
            {GetTag(),
             m_names[i].first,
             m_names[i].second,
             std::to_string(result.sourcePort),
             std::to_string(result.destinationPort),
             std::to_string(GetPriority()),
             std::to_string(m_rate.bps),
             FormatNs(result.start),
             FormatNs(result.lastReceived),
             std::to_string(result.sentDatagrams),
             std::to_string(result.receivedDatagrams),
             std::to_string(result.sentBytes),
             std::to_string(result.receivedBytes),
             hasReceived ? FormatBitRate(result.receivedBytes, result.lastReceived - result.start)
                         : "0",
             std::to_string(result.wrongBytes),
             result.hasEnded ? "finished" : "running"});
    }
    return table;
}

} // namespace

} // namespace ns3::rdma
