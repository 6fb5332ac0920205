// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads captures of RoCE, InfiniBand and iWARP as traces of what their ends did.
 *
 * A capture is read twice before it is open: who talks to whom (CaptureSurvey), then all messages
 * at once for what is to be known before the first operation: how many receives, how long, which
 * memory. Then each thread's stream reads it for itself (CaptureStream). What is held is bounded by
 * the number of conversations and of their outstanding messages.
 */
#include "workload/capture-prologue.h"
#include "workload/capture-stream.h"
#include "workload/trace-reader.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

/** QP numbers of ends that have none, or whose number is not in the capture: beyond 24 bits. */
constexpr uint32_t FIRST_MADE_UP_NUMBER = 1 << 24;

struct KindName
{
    CapturedKind kind;
    const char* singular;
    const char* plural;
};

/** What frames are that are no RDMA packets. */
constexpr std::array KIND_NAMES{
    KindName{CapturedKind::TCP, "TCP segment", "TCP segments"},
    KindName{CapturedKind::UDP, "UDP datagram", "UDP datagrams"},
    KindName{CapturedKind::OTHER_IP, "other IP packet", "other IP packets"},
    KindName{CapturedKind::ARP, "ARP frame", "ARP frames"},
    KindName{CapturedKind::PAUSE, "pause frame", "pause frames"},
    KindName{CapturedKind::OTHER, "other frame", "other frames"},
    KindName{CapturedKind::CUT, "frame cut inside its headers", "frames cut inside their headers"},
    KindName{CapturedKind::MALFORMED,
             "malformed frame or fragment",
             "malformed frames or fragments"},
    KindName{CapturedKind::UNKNOWN_OPCODE,
             "RDMA packet of an unknown opcode",
             "RDMA packets of unknown opcodes"},
};

/** "3 TCP segments, 1 ARP frame"; "no frames". */
std::string
DescribeFrames(const CaptureOverview& overview)
{
    std::string text;
    const auto add = [&](uint64_t count, const std::string& what)
    {
        if (count > 0)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
        }
    };
    for (const KindName& name : KIND_NAMES)
    {
        const auto found = overview.frames.find(name.kind);
        const uint64_t count = found == overview.frames.end() ? 0 : found->second;
        add(count, count == 1 ? name.singular : name.plural);
    }
    add(overview.counters.managementDatagrams, "RDMA management datagrams");
    add(overview.counters.notifications, "congestion notifications");
    add(overview.counters.otherTransports, "RDMA packets of transports that are not read");
    for (const uint16_t link : overview.unknownLinks)
    {
        text += (text.empty() ? "" : "; ") + std::string{"link type "} + std::to_string(link) +
                " is not known";
    }
    return text.empty() ? "no frames" : text;
}

/** One end of one conversation, on the way to a thread. */
struct EndState
{
    std::size_t plan{0};
    unsigned end{0};
    uint32_t process{0};
    uint32_t number{0}; ///< of its QP, or one that is made up
    CaptureSummary summary;
};

/** All messages at once: what each end did comes to a summary. */
class CaptureOpening
{
  public:
    CaptureOpening(const CaptureFile& file, PacketDissector dissector, CaptureOverview overview)
        : m_file{file},
          m_dissector{dissector},
          m_overview{std::move(overview)}
    {
    }

    Trace Open()
    {
        MakeEnds();
        Summarize();
        ShareRegions();
        MakeThreads();
        MakeNotes();
        return std::move(m_trace);
    }

  private:
    void MakeEnds();
    void Summarize();
    void ShareRegions();
    void MakeThreads();
    void MakeNotes();
    void AddEnd(std::size_t plan, unsigned end);
    uint32_t FindProcess(const CaptureAddress& address);
    void PopAll(CaptureConversation& conversation, std::size_t plan);
    CaptureStreamPlan MakeStreamPlan(uint32_t thread, bool isFirst) const;

    CaptureFile m_file;
    PacketDissector m_dissector;
    CaptureOverview m_overview;
    Trace m_trace;
    std::map<CaptureAddress, uint32_t> m_processes;
    std::vector<EndState> m_ends; ///< as the threads
    std::vector<std::array<uint32_t, 2>> m_endsOfPlan;
    std::vector<std::map<uint32_t, CapturedRegion>> m_regions; ///< of each process
    std::vector<uint32_t> m_localKeys;                         ///< of each end
};

uint32_t
CaptureOpening::FindProcess(const CaptureAddress& address)
{
    const auto [entry, isNew] =
        m_processes.try_emplace(address, static_cast<uint32_t>(m_trace.processes.size()));
    if (isNew)
    {
        TraceProcess process;
        process.name = process.host = ToString(address);
        process.gids = {address.gid};
        process.originNs = static_cast<int64_t>(m_overview.startNs);
        m_trace.processes.push_back(std::move(process));
    }
    return entry->second;
}

void
CaptureOpening::AddEnd(std::size_t plan, unsigned end)
{
    const ConversationPlan& conversation = m_overview.plans[plan];
    const CaptureEndpoint& endpoint = conversation.ends[end];
    EndState state;
    state.plan = plan;
    state.end = end;
    state.process = FindProcess(endpoint.address);
    const auto thread = static_cast<uint32_t>(m_ends.size());
    const bool isMadeUp = endpoint.number == 0 || conversation.transport == CaptureTransport::IWARP;
    state.number = isMadeUp ? FIRST_MADE_UP_NUMBER + thread : endpoint.number;
    m_endsOfPlan[plan][end] = thread;
    m_ends.push_back(std::move(state));
}

void
CaptureOpening::MakeEnds()
{
    m_endsOfPlan.resize(m_overview.plans.size());
    for (std::size_t plan = 0; plan < m_overview.plans.size(); ++plan)
    {
        AddEnd(plan, 0);
        if (m_overview.plans[plan].transport != CaptureTransport::UD)
        {
            AddEnd(plan, 1);
        }
    }
}

void
CaptureOpening::PopAll(CaptureConversation& conversation, std::size_t plan)
{
    TraceOperation operation;
    for (unsigned end = 0; end < 2; ++end)
    {
        while (conversation.GetEnd(end).Pop(operation))
        {
            m_ends[m_endsOfPlan[plan][end]].summary.Note(operation);
        }
    }
}

void
CaptureOpening::Summarize()
{
    CaptureRouter router;
    std::vector<std::unique_ptr<CaptureConversation>> conversations;
    for (const ConversationPlan& plan : m_overview.plans)
    {
        router.Add(plan, conversations.size());
        conversations.push_back(MakeConversation(plan, m_overview.counters));
    }
    CaptureRecord record;
    CapturedPacket packet;
    while (m_file.Next(record))
    {
        const CapturedKind kind = m_dissector.Dissect(record, packet);
        const auto timeNs = static_cast<int64_t>(record.timeNs - m_overview.startNs);
        for (const CaptureRouter::Route& route : router.Find(kind, packet))
        {
            conversations[route.conversation]->OnPacket(packet, route.sender, timeNs);
            PopAll(*conversations[route.conversation], route.conversation);
        }
    }
    for (std::size_t plan = 0; plan < conversations.size(); ++plan)
    {
        conversations[plan]->Finish();
        PopAll(*conversations[plan], plan);
    }
}

void
CaptureOpening::ShareRegions()
{
    m_regions.resize(m_trace.processes.size());
    for (const EndState& state : m_ends)
    {
        if (m_overview.plans[state.plan].transport == CaptureTransport::UD)
        {
            continue;
        }
        const EndState& peer = m_ends[m_endsOfPlan[state.plan][1 - state.end]];
        for (const auto& [key, region] : state.summary.regions)
        {
            const auto [entry, isNew] = m_regions[peer.process].try_emplace(key, region);
            entry->second.begin = std::min(entry->second.begin, region.begin);
            entry->second.end = std::max(entry->second.end, region.end);
            entry->second.access |= region.access;
        }
    }
    // Keys that no region of the process has.
    std::vector<uint32_t> next(m_trace.processes.size(), ~uint32_t{0});
    for (const EndState& state : m_ends)
    {
        uint32_t& key = next[state.process];
        while (m_regions[state.process].contains(key))
        {
            --key;
        }
        m_localKeys.push_back(key--);
    }
}

CaptureStreamPlan
CaptureOpening::MakeStreamPlan(uint32_t thread, bool isFirst) const
{
    const EndState& state = m_ends[thread];
    const ConversationPlan& conversation = m_overview.plans[state.plan];
    const bool isDatagram = conversation.transport == CaptureTransport::UD;
    const uint32_t peer = isDatagram ? 0 : m_ends[m_endsOfPlan[state.plan][1 - state.end]].number;
    const CapturePrologueInput input{.plan = &conversation,
                                     .end = state.end,
                                     .thread = thread,
                                     .ownNumber = state.number,
                                     .peerNumber = peer,
                                     .localKey = m_localKeys[thread],
                                     .summary = &state.summary,
                                     .isFirstOfProcess = isFirst,
                                     .regions = isFirst ? m_regions[state.process]
                                                        : std::map<uint32_t, CapturedRegion>{}};
    return {.conversation = conversation,
            .end = state.end,
            .thread = thread,
            .startNs = m_overview.startNs,
            .localKey = m_localKeys[thread],
            .receives = state.summary.receives,
            .receiveBytes = state.summary.longestReceive,
            .prologue = MakeCapturePrologue(input)};
}

/** "qp 19"; of iWARP "port 4420-50001", of which there is one for each connection. */
std::string
MakeName(const ConversationPlan& plan, unsigned end)
{
    const uint32_t number = plan.ends[end].number;
    if (plan.transport == CaptureTransport::IWARP)
    {
        return "port " + std::to_string(number) + "-" + std::to_string(plan.ends[1 - end].number);
    }
    return "qp " + (number == 0 ? "unknown" : std::to_string(number));
}

void
CaptureOpening::MakeThreads()
{
    const auto fresh = CaptureFile::Open(m_file.GetPath()); // it was there before
    std::set<uint32_t> begun;
    for (uint32_t i = 0; fresh && i < m_ends.size(); ++i)
    {
        const EndState& state = m_ends[i];
        TraceThread thread;
        thread.process = state.process;
        thread.name = MakeName(m_overview.plans[state.plan], state.end);
        thread.operations = std::make_unique<CaptureStream>(
            *fresh, m_dissector, MakeStreamPlan(i, begun.insert(state.process).second));
        m_trace.threads.push_back(std::move(thread));
    }
}

void
CaptureOpening::MakeNotes()
{
    std::vector<std::string>& notes = m_trace.notes;
    const auto note = [&](uint64_t count, const std::string& text)
    {
        if (count > 0)
        {
            notes.push_back(text + ": " + std::to_string(count));
        }
    };
    notes.push_back("messages: " + std::to_string(m_overview.counters.messages));
    if (m_overview.frames.size() > 1)
    {
        CaptureOverview others = m_overview;
        others.counters = {};
        notes.push_back("frames without RDMA: " + DescribeFrames(others));
    }
    note(m_overview.cutRecords, "packets cut by the snap length");
    note(m_overview.inferredPairs,
         "connections whose two queue pairs were found by their packets alone");
    note(m_overview.unknownEnds, "ends whose queue pair is not known: nothing was sent to it");
    if (m_file.GetUntimedRecords() == m_overview.records)
    {
        m_trace.timing = TraceTiming::NONE;
    }
    note(m_file.GetUntimedRecords(), "packets without a time");
    for (const std::string& line : m_overview.counters.Describe())
    {
        notes.push_back(line);
    }
    uint64_t leftOut = 0;
    for (const EndState& state : m_ends)
    {
        leftOut += state.summary.regionsLeftOut;
    }
    note(leftOut, "requests to memory of which there are too many keys");
    if (m_file.GetDamage())
    {
        notes.push_back("the capture is damaged: " + ToString(*m_file.GetDamage()));
    }
}

class CaptureTraceReader : public TraceReader
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId{"ns3::rdma::CaptureTraceReader"}
                                .SetParent<TraceReader>()
                                .SetGroupName("Rdma")
                                .AddConstructor<CaptureTraceReader>()
                                .AddAttribute("UdpPort",
                                              "UDP destination port of RoCEv2 in the capture",
                                              UintegerValue{ROCE_V2_PORT},
                                              MakeUintegerAccessor(&CaptureTraceReader::m_udpPort),
                                              MakeUintegerChecker<uint16_t>(1));
        return tid;
    }

  private:
    Match DoProbe(const std::string&, std::span<const std::byte> head) const override
    {
        return CaptureFile::IsCapture(head) ? Match::YES : Match::NO;
    }

    Expected<Trace> DoOpen(const std::vector<std::string>& paths) const override
    {
        Diagnostic finding;
        finding.file = paths.front();
        if (paths.size() > 1)
        {
            finding.message = "captures are read one at a time";
            finding.got = std::to_string(paths.size()) + " files";
            finding.expected = "one file; mergecap makes one of parts that follow each other";
            return finding;
        }
        const auto file = CaptureFile::Open(paths.front());
        if (!file)
        {
            return file.Errors();
        }
        const PacketDissector dissector{m_udpPort};
        CaptureOverview overview = CaptureSurvey{*file, dissector}.Run();
        if (overview.plans.empty())
        {
            finding.message = "no RDMA messages are inside";
            finding.got = DescribeFrames(overview);
            finding.expected = "RoCE, InfiniBand or iWARP; RoCEv2 to another UDP port than " +
                               std::to_string(m_udpPort) + ": option udp_port";
            return finding;
        }
        return CaptureOpening{*file, dissector, std::move(overview)}.Open();
    }

    uint16_t m_udpPort{ROCE_V2_PORT};
};

NS_OBJECT_ENSURE_REGISTERED(CaptureTraceReader);

} // namespace
} // namespace ns3::rdma
