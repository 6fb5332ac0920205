// SPDX-License-Identifier: GPL-2.0-only
#include "switch/red-marker.h"

#include "base/component-help.h"

#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** A size at one rate carried over to another, so that the queue takes the same time. */
uint64_t
Scale(uint64_t bytes, BitRate from, BitRate to)
{
    return static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * to.bps / from.bps);
}

Diagnostic
BadEntry(const std::string& entry, const std::string& message)
{
    Diagnostic diagnostic;
    diagnostic.key = "switch.marking.thresholds";
    diagnostic.message = message;
    diagnostic.got = entry;
    diagnostic.expected = "entries such as \"25Gbps 100KB 400KB 0.2\" with commas between";
    return diagnostic;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RedMarker);

const ComponentHelp HELP{
    "ns3::rdma::RedMarker",
    "Probability that rises with the queue, from Kmin to Kmax (RED on the instantaneous queue)"};

TypeId
RedMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RedMarker")
            .SetParent<Marker>()
            .SetGroupName("Rdma")
            .AddConstructor<RedMarker>()
            .AddAttribute("Kmin",
                          "Queue up to which nothing is marked (Li et al., SIGCOMM 2019, section "
                          "5.1: 100KB per 25Gbps)",
                          ByteCountValue(ByteCount{100'000}),
                          MakeByteCountAccessor(&RedMarker::m_minThreshold),
                          MakeByteCountChecker())
            .AddAttribute("Kmax",
                          "Queue from which everything is marked (there: 400KB per 25Gbps)",
                          ByteCountValue(ByteCount{400'000}),
                          MakeByteCountAccessor(&RedMarker::m_maxThreshold),
                          MakeByteCountChecker())
            .AddAttribute("Pmax",
                          "Probability just below Kmax (there: 0.2)",
                          FractionValue(Fraction{1, 5}),
                          MakeFractionAccessor(&RedMarker::m_maxProbability),
                          MakeFractionChecker())
            .AddAttribute("ReferenceRate",
                          "Rate that Kmin and Kmax hold for; they grow with the port's rate. 0bps: "
                          "they hold for every rate",
                          BitRateValue(BitRate::Gbps(25)),
                          MakeBitRateAccessor(&RedMarker::m_referenceRate),
                          MakeBitRateChecker())
            .AddAttribute(
                "Thresholds",
                "Instead of Kmin, Kmax and Pmax: a list by rate, \"25Gbps 100KB 400KB 0.2, "
                "100Gbps ...\"",
                StringValue(""),
                MakeStringAccessor(&RedMarker::m_list),
                MakeStringChecker());
    return tid;
}

Expected<std::vector<RedMarker::Thresholds>>
RedMarker::ParseList() const
{
    std::vector<Thresholds> list;
    std::istringstream entries{m_list};
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        std::istringstream words{entry};
        std::string rateText;
        std::string minText;
        std::string maxText;
        std::string probabilityText;
        words >> rateText >> minText >> maxText >> probabilityText;
        const auto rate = ParseRate(rateText);
        const auto minimum = ParseBytes(minText);
        const auto maximum = ParseBytes(maxText);
        const auto probability = ParseFraction(probabilityText);
        std::string rest;
        if (!rate || !minimum || !maximum || !probability || words >> rest)
        {
            return BadEntry(entry, "not a rate, Kmin, Kmax and Pmax");
        }
        if (*minimum > *maximum || *probability > Fraction{1, 1} || rate->bps == 0)
        {
            return BadEntry(entry, "Kmin is above Kmax, Pmax above 1, or the rate is zero");
        }
        list.push_back({*rate, minimum->value, maximum->value, probability->ToDouble()});
    }
    return list;
}

RedMarker::Thresholds
RedMarker::ForRate(const std::vector<Thresholds>& list, BitRate rate) const
{
    const auto distance = [rate](const Thresholds& entry)
    { return entry.rate > rate ? entry.rate.bps - rate.bps : rate.bps - entry.rate.bps; };
    Thresholds nearest =
        *std::min_element(list.begin(),
                          list.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    nearest.minBytes = Scale(nearest.minBytes, nearest.rate, rate);
    nearest.maxBytes = Scale(nearest.maxBytes, nearest.rate, rate);
    return nearest;
}

RedMarker::Thresholds
RedMarker::Scaled(BitRate rate) const
{
    const BitRate reference = m_referenceRate.bps == 0 ? rate : m_referenceRate;
    return {rate,
            Scale(m_minThreshold.value, reference, rate),
            Scale(m_maxThreshold.value, reference, rate),
            m_maxProbability.ToDouble()};
}

std::span<const std::string_view>
RedMarker::GetLiveAttributes() const
{
    static constexpr std::array<std::string_view, 3> NAMES{"Kmin", "Kmax", "Pmax"};
    return m_list.empty() ? NAMES : std::span<const std::string_view>{};
}

void
RedMarker::OnParametersChanged()
{
    // A Kmin above Kmax, as between two changes, marks everything from Kmax on.
    for (std::size_t port = 0; port < m_rates.size(); ++port)
    {
        m_ports[port] = Scaled(m_rates[port]);
    }
}

Expected<std::vector<std::string>>
RedMarker::SetUp(const std::vector<BitRate>& rates)
{
    if (m_list.empty() && m_minThreshold > m_maxThreshold)
    {
        Diagnostic diagnostic;
        diagnostic.key = "switch.marking.kmin";
        diagnostic.message = "Kmin is above Kmax";
        diagnostic.got = ToString(m_minThreshold);
        diagnostic.expected = "at most " + ToString(m_maxThreshold);
        return diagnostic;
    }
    auto list = ParseList();
    if (!list)
    {
        return list.Errors();
    }
    std::vector<std::string> notes;
    m_rates = rates;
    m_ports.clear();
    for (const BitRate rate : rates)
    {
        if (list->empty())
        {
            m_ports.push_back(Scaled(rate));
            continue;
        }
        const Thresholds found = ForRate(*list, rate);
        if (found.rate != rate)
        {
            notes.push_back("no ECN thresholds for " + ToString(rate) + ": those of " +
                            ToString(found.rate) + " scaled to Kmin " +
                            ToString(ByteCount{found.minBytes}) + ", Kmax " +
                            ToString(ByteCount{found.maxBytes}));
        }
        m_ports.push_back(found);
    }
    return notes;
}

uint64_t
RedMarker::GetFloor(uint16_t port) const
{
    // With Kmin = Kmax a queue of just that size is marked.
    const Thresholds& thresholds = m_ports[port];
    return std::min(thresholds.minBytes + 1, thresholds.maxBytes);
}

bool
RedMarker::ShouldMark(uint16_t port, uint64_t queueBytes, RandomStream& random) const
{
    const Thresholds& thresholds = m_ports[port];
    if (queueBytes >= thresholds.maxBytes)
    {
        return true;
    }
    if (queueBytes <= thresholds.minBytes)
    {
        return false;
    }
    const double slope = static_cast<double>(queueBytes - thresholds.minBytes) /
                         static_cast<double>(thresholds.maxBytes - thresholds.minBytes);
    return random.NextUniform() < thresholds.maxProbability * slope;
}

} // namespace ns3::rdma
