// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Linux rxe on the wire as oracle: the requests of a capture go into a responder, and its answers
 * are those of the capture, packet by packet.
 */
#include "tests/support/source-folder.h"
#include "tests/transport/responder-script.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <regex>

namespace ns3::rdma
{
namespace
{

/** A packet of a capture's text, and the text of its answer where it is one. */
struct CapturedPacket
{
    bool isRequest{false};
    std::string name; ///< as the text has it: WRITE_ONLY, ACK, ...
    ScriptPacket packet;
    std::string answer;
    bool isNotReady{false};
};

/** What the responder's side was made with. */
struct Scene
{
    uint32_t rkey{0};
    std::optional<uint64_t> firstPsn{}; ///< else that of the first packet
    uint16_t pathMtu{ResponderScript::MTU};
    uint8_t regionAccess{ACCESS_ALL};
    uint8_t queuePairAccess{ACCESS_ALL};
};

const std::map<std::string, Opcode>&
Requests()
{
    using enum Opcode;
    static const std::map<std::string, Opcode> requests{
        {"SEND_FIRST", RC_SEND_FIRST},
        {"SEND_MIDDLE", RC_SEND_MIDDLE},
        {"SEND_LAST", RC_SEND_LAST},
        {"SEND_LAST_IMM", RC_SEND_LAST_WITH_IMMEDIATE},
        {"SEND_ONLY", RC_SEND_ONLY},
        {"SEND_ONLY_IMM", RC_SEND_ONLY_WITH_IMMEDIATE},
        {"WRITE_FIRST", RC_RDMA_WRITE_FIRST},
        {"WRITE_MIDDLE", RC_RDMA_WRITE_MIDDLE},
        {"WRITE_LAST", RC_RDMA_WRITE_LAST},
        {"WRITE_LAST_IMM", RC_RDMA_WRITE_LAST_WITH_IMMEDIATE},
        {"WRITE_ONLY", RC_RDMA_WRITE_ONLY},
        {"WRITE_ONLY_IMM", RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE},
        {"READ_REQ", RC_RDMA_READ_REQUEST},
        {"FETCH_ADD", RC_FETCH_ADD},
        {"CMP_SWAP", RC_COMPARE_SWAP},
    };
    return requests;
}

std::string
NameOf(Opcode opcode)
{
    switch (opcode)
    {
    case Opcode::RC_RDMA_READ_RESPONSE_FIRST:
        return "READ_RESP_FIRST";
    case Opcode::RC_RDMA_READ_RESPONSE_MIDDLE:
        return "READ_RESP_MIDDLE";
    case Opcode::RC_RDMA_READ_RESPONSE_LAST:
        return "READ_RESP_LAST";
    case Opcode::RC_RDMA_READ_RESPONSE_ONLY:
        return "READ_RESP_ONLY";
    case Opcode::RC_ATOMIC_ACKNOWLEDGE:
        return "ATOMIC_ACK";
    default:
        return "ACK";
    }
}

/** The AETH in the words of the capture's text. */
std::string
Describe(const Aeth& aeth)
{
    static const std::map<uint8_t, std::string> NAMES{
        {SYNDROME_ACK_UNLIMITED, "ACK credits=31"},
        {SYNDROME_NAK_SEQUENCE, "NAK PSN_SEQ_ERR"},
        {SYNDROME_NAK_INVALID_REQUEST, "NAK INVALID_REQUEST"},
        {SYNDROME_NAK_REMOTE_ACCESS, "NAK REMOTE_ACCESS_ERR"},
    };
    const auto name = NAMES.find(aeth.syndrome);
    return (name != NAMES.end()
                ? name->second
                : "RNR_NAK timer=" + std::to_string(aeth.syndrome & SYNDROME_VALUE_MASK)) +
           " msn=" + std::to_string(aeth.msn);
}

std::string
Describe(const OutgoingResponse& response)
{
    std::ostringstream text;
    text << NameOf(response.opcode) << " psn=" << std::hex << std::setfill('0') << std::setw(6)
         << response.psn.Get() << std::dec;
    if (GetOpcodeInfo(response.opcode).Has(HEADER_AETH))
    {
        text << ' ' << Describe(response.aeth);
    }
    text << " plen=" << response.payloadBytes;
    return text.str();
}

uint64_t
Number(const std::string& line, const std::string& key, int base)
{
    std::smatch match;
    const std::regex pattern{key + "=(?:0x)?([0-9a-f]+)"};
    return std::regex_search(line, match, pattern) ? std::stoull(match[1], nullptr, base) : 0;
}

std::string
AnswerOf(const std::string& name, const std::string& line)
{
    std::smatch match;
    static const std::regex PATTERN{"AETH (.* msn=[0-9]+)"};
    std::ostringstream text;
    text << name << " psn=" << std::hex << std::setfill('0') << std::setw(6)
         << Number(line, "psn", 16) << std::dec;
    if (std::regex_search(line, match, PATTERN))
    {
        text << ' ' << match[1].str();
    }
    text << " plen=" << Number(line, "plen", 10);
    return text.str();
}

/** Packets of one line: one, or a run of equal ones with PSNs that count up. */
void
AddLine(const std::string& line, std::vector<CapturedPacket>& packets)
{
    std::smatch match;
    static const std::regex PACKET{R"( ([12])>[12] RC (\w+) .*psn=[0-9a-f]+ (A|-)(S|-))"};
    static const std::regex RUN{R"(\.\.\. x([0-9]+) up to)"};
    if (!std::regex_search(line, match, PACKET))
    {
        return;
    }
    CapturedPacket captured;
    captured.isRequest = match[1] == "1";
    captured.name = match[2];
    captured.packet.ackRequest = match[3] == "A";
    captured.packet.isSolicited = match[4] == "S";
    captured.packet.psn = Number(line, "psn", 16);
    captured.packet.payloadBytes = static_cast<uint32_t>(Number(line, "plen", 10));
    captured.packet.reth = {Number(line, "va", 16),
                            static_cast<uint32_t>(Number(line, "rkey", 16)),
                            static_cast<uint32_t>(Number(line, " len", 10))};
    captured.packet.atomic = {Number(line, "va", 16), captured.packet.reth.rkey, 1, 0};
    captured.packet.immediate = static_cast<uint32_t>(Number(line, "IMM", 16));
    captured.isNotReady = line.find("RNR_NAK") != std::string::npos;
    std::smatch run;
    const int count = std::regex_search(line, run, RUN) ? std::stoi(run[1]) : 1;
    for (int index = 0; index < count; ++index)
    {
        std::ostringstream psn;
        psn << "psn=" << std::hex << std::setfill('0') << std::setw(6) << captured.packet.psn;
        static const std::regex PSN{"psn=[0-9a-f]+"};
        captured.answer = AnswerOf(captured.name, std::regex_replace(line, PSN, psn.str()));
        packets.push_back(captured);
        captured.packet.psn = (captured.packet.psn + 1) & Psn::MASK;
    }
}

std::vector<CapturedPacket>
ReadPackets(std::istream& text)
{
    std::vector<CapturedPacket> packets;
    for (std::string line; std::getline(text, line);)
    {
        AddLine(line, packets);
    }
    return packets;
}

/** The responder of a scene: one region of 1 MiB, found by the capture's own key. */
class Replay
{
  public:
    explicit Replay(const Scene& sceneOfCapture) : scene{sceneOfCapture}
    {
        script.policy.answersBehindRnr = true; // as rxe does
        script.attributes.pathMtu = scene.pathMtu;
        script.attributes.accessFlags = scene.queuePairAccess;
        script.attributes.maxDestReadAtomic = 16;
    }

    void Run(const std::vector<CapturedPacket>& packets)
    {
        for (const CapturedPacket& packet : packets)
        {
            if (packet.isRequest)
            {
                Feed(packet, packets);
            }
            else
            {
                expected.push_back(packet.answer);
            }
        }
    }

    std::vector<std::string> answers;
    std::vector<std::string> expected;

  private:
    void Feed(const CapturedPacket& captured, const std::vector<CapturedPacket>& packets)
    {
        if (!hasStarted)
        {
            Begin(captured, packets);
        }
        ScriptPacket packet = captured.packet;
        packet.opcode = Requests().at(captured.name);
        const uint32_t key = packet.reth.rkey == scene.rkey ? region.lkey : region.lkey + 1;
        PostReceives();
        for (const OutgoingResponse& answer : script.Answers(packet.Key(key)))
        {
            answers.push_back(Describe(answer));
        }
    }

    void Begin(const CapturedPacket& first, const std::vector<CapturedPacket>& packets)
    {
        uint64_t base = ~uint64_t{0};
        for (const CapturedPacket& packet : packets)
        {
            const uint64_t address = packet.packet.reth.virtualAddress;
            base = address != 0 ? std::min(base, address) : base;
            notReady.insert(notReady.end(), packet.isRequest ? 0 : 1, packet.isNotReady);
            if (packet.isNotReady)
            {
                script.attributes.minRnrTimer = static_cast<uint8_t>(
                    std::stoi(packet.answer.substr(packet.answer.find("timer=") + 6)));
            }
        }
        base = base == ~uint64_t{0} ? 0 : base;
        region =
            script.Register({ResponderScript::DOMAIN, base, 1 << 20, scene.regionAccess, nullptr});
        script.Start(scene.firstPsn.value_or(first.packet.psn));
        hasStarted = true;
    }

    /** Receives are there unless the next answer of the capture says that there were none. */
    void PostReceives()
    {
        const bool isReady = answers.size() >= notReady.size() || !notReady[answers.size()];
        while (isReady && script.receives.GetCount() < 2)
        {
            script.PostReceive(1, {{0, 1 << 20, Buffer()}});
        }
    }

    uint32_t Buffer()
    {
        if (buffer.lkey == 0)
        {
            buffer =
                script.Register({ResponderScript::DOMAIN, 0, 1 << 20, ACCESS_LOCAL_WRITE, nullptr});
        }
        return buffer.lkey;
    }

    Scene scene;
    ResponderScript script;
    MemoryRegion region;
    MemoryRegion buffer;
    std::vector<bool> notReady;
    bool hasStarted{false};
};

/** What a capture's log says of its responder ("me" of the server). */
Scene
ReadScene(std::istream& log)
{
    Scene scene;
    static const std::regex ME{
        "^me: .*rkey (0x[0-9a-f]+) va .* him: .*psn (0x[0-9a-f]+) .* mtu ([0-9]+)"};
    bool isServer = false;
    for (std::string line; std::getline(log, line);)
    {
        std::smatch match;
        isServer = isServer || line.starts_with("## server");
        if (isServer && std::regex_search(line, match, ME))
        {
            scene.rkey = static_cast<uint32_t>(std::stoul(match[1], nullptr, 16));
            scene.firstPsn = std::stoul(match[2], nullptr, 16);
            scene.pathMtu = static_cast<uint16_t>(std::stoi(match[3]));
        }
        const bool isOfServer = line.starts_with("# server");
        if (isOfServer && line.find("--noaccess 1") != std::string::npos)
        {
            scene.regionAccess = ACCESS_LOCAL_WRITE;
        }
        if (isOfServer && line.find("--noaccess 2") != std::string::npos)
        {
            scene.queuePairAccess = 0;
        }
    }
    return scene;
}

// Captures that are no oracle for a responder, and why.
const std::map<std::string, std::string> EXCEPTED{
    {"rxe_vt_allops", "a SEND with Invalidate that rxe acknowledges though it fails"},
    {"rxe_vt_atomic_unaligned", "nothing on the wire"},
    {"rxe_vt_bad_qpn", "for no queue pair: nothing is answered"},
    {"rxe_vt_mtu2048", "frames of the capture are cut"},
    {"rxe_vt_mtu4096", "frames of the capture are cut"},
    {"rxe_vt_read_beyond_rd", "rxe answers READs beyond its resources"},
    {"rxe_vt_ud", "another service"},
    {"rxe_wire_bad_icrc_data", "a damaged packet is dropped before"},
    {"rxe_wire_bad_payload_data", "a damaged packet is dropped before"},
    {"rxe_wire_drop_read_resp_first", "rxe goes on with MIDDLE in a partial repeat"},
    {"rxe_wire_drop_read_resp_last", "rxe goes on with LAST in a partial repeat"},
    {"rxe_wire_reorder_read_resp", "rxe goes on with MIDDLE in a partial repeat"},
};

TEST(ResponderCapture, AnswersAreThoseOfLinuxRxe)
{
    const std::filesystem::path folder = GetSourceFolder() / "../shared/captures";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no captures beside the checkout";
    }
    std::vector<std::filesystem::path> files;
    std::ranges::copy(std::filesystem::directory_iterator{folder / "decoded"},
                      std::back_inserter(files));
    std::ranges::sort(files);
    int replayed = 0;
    for (const std::filesystem::path& file : files)
    {
        static const std::regex NAME{R"((rxe_vt_\w+|rxe_wire_\w+(?=\.peer))(\.peer)?\.txt)"};
        std::smatch match;
        const std::string fileName = file.filename();
        if (!std::regex_match(fileName, match, NAME) || EXCEPTED.contains(match[1]))
        {
            continue;
        }
        std::ifstream text{file};
        std::ifstream log{folder / "logs" / (match[1].str() + ".txt")};
        Replay replay{ReadScene(log)};
        replay.Run(ReadPackets(text));
        EXPECT_EQ(replay.answers, replay.expected) << fileName;
        ++replayed;
    }
    EXPECT_GE(replayed, 30);
}

// Excerpts of those captures, for where they are not at hand.
TEST(ResponderCapture, Excerpts)
{
    const std::vector<std::string> captures{
        // Two SENDs swapped: NAK, go back, duplicates acknowledged.
        R"(
 1>2 RC SEND_ONLY qp=1f psn=123456 A-- plen=100
 1>2 RC SEND_ONLY qp=1f psn=123458 A-- pad=2 plen=102
 1>2 RC SEND_ONLY qp=1f psn=123457 A-- pad=3 plen=101
 1>2 RC SEND_ONLY qp=1f psn=123459 A-- pad=1 plen=103
 2>1 RC ACK qp=1f psn=123456 --- AETH ACK credits=31 msn=1 plen=0
 2>1 RC ACK qp=1f psn=123457 --- AETH NAK PSN_SEQ_ERR msn=1 plen=0
 2>1 RC ACK qp=1f psn=123457 --- AETH ACK credits=31 msn=2 plen=0
 2>1 RC ACK qp=1f psn=123458 --- AETH NAK PSN_SEQ_ERR msn=2 plen=0
 1>2 RC SEND_ONLY qp=1f psn=123457 A-- pad=3 plen=101
 1>2 RC SEND_ONLY qp=1f psn=123458 A-- pad=2 plen=102
 1>2 RC SEND_ONLY qp=1f psn=123459 A-- pad=1 plen=103
 1>2 RC SEND_ONLY qp=1f psn=123458 A-- pad=2 plen=102
 1>2 RC SEND_ONLY qp=1f psn=123459 A-- pad=1 plen=103
 2>1 RC ACK qp=1f psn=123457 --- AETH ACK credits=31 msn=2 plen=0
 2>1 RC ACK qp=1f psn=123458 --- AETH ACK credits=31 msn=3 plen=0
 2>1 RC ACK qp=1f psn=123459 --- AETH ACK credits=31 msn=4 plen=0
 2>1 RC ACK qp=1f psn=123459 --- AETH ACK credits=31 msn=4 plen=0
 2>1 RC ACK qp=1f psn=123459 --- AETH ACK credits=31 msn=4 plen=0
)",
        // A bad R_Key: NAK with the PSN of the first packet of the message.
        R"(
 1>2 RC WRITE_ONLY qp=56 psn=123456 A-- RETH va=0x7fb254739000 rkey=0x5882 len=100 plen=100
 2>1 RC ACK qp=57 psn=123456 --- AETH ACK credits=31 msn=1 plen=0
 1>2 RC WRITE_FIRST qp=56 psn=123457 --- RETH va=0x7fb254739000 rkey=0x58d7 len=3000 plen=1024
 2>1 RC ACK qp=57 psn=123457 --- AETH NAK REMOTE_ACCESS_ERR msn=1 plen=0
)",
        // No receive posted, twice.
        R"(
 1>2 RC SEND_ONLY qp=52 psn=123456 A-- plen=100
 2>1 RC ACK qp=53 psn=123456 --- AETH RNR_NAK timer=14 msn=0 plen=0
 1>2 RC SEND_ONLY qp=52 psn=123456 A-- plen=100
 2>1 RC ACK qp=53 psn=123456 --- AETH RNR_NAK timer=14 msn=0 plen=0
 1>2 RC SEND_ONLY qp=52 psn=123456 A-- plen=100
 2>1 RC ACK qp=53 psn=123456 --- AETH ACK credits=31 msn=1 plen=0
)",
        // READs of 0, 1025 and 3000 bytes, then an atomic operation.
        R"(
 1>2 RC READ_REQ qp=44 psn=123472 A-- RETH va=0x7f8b7585a000 rkey=0x5882 len=0 plen=0
 2>1 RC READ_RESP_ONLY qp=45 psn=123472 --- AETH ACK credits=31 msn=1 plen=0
 1>2 RC READ_REQ qp=44 psn=123473 A-- RETH va=0x7f8b7585a000 rkey=0x5882 len=1025 plen=0
 2>1 RC READ_RESP_FIRST qp=45 psn=123473 --- AETH ACK credits=31 msn=2 plen=1024
 2>1 RC READ_RESP_LAST qp=45 psn=123474 --- pad=3 AETH ACK credits=31 msn=2 plen=1
 1>2 RC READ_REQ qp=44 psn=123475 A-- RETH va=0x7f8b7585a000 rkey=0x5882 len=3000 plen=0
 2>1 RC READ_RESP_FIRST qp=45 psn=123475 --- AETH ACK credits=31 msn=3 plen=1024
 2>1 RC READ_RESP_MIDDLE qp=45 psn=123476 --- plen=1024
 2>1 RC READ_RESP_LAST qp=45 psn=123477 --- AETH ACK credits=31 msn=3 plen=952
 1>2 RC FETCH_ADD qp=44 psn=123478 A-- ATOMIC va=0x7f8b7585a000 rkey=0x5882 plen=0
 2>1 RC ATOMIC_ACK qp=45 psn=123478 --- AETH ACK credits=31 msn=4 plen=0
)"};
    for (const std::string& capture : captures)
    {
        std::istringstream text{capture};
        Replay replay{Scene{.rkey = 0x5882}};
        replay.Run(ReadPackets(text));
        EXPECT_EQ(replay.answers, replay.expected) << capture;
        EXPECT_FALSE(replay.expected.empty());
    }
}

} // namespace
} // namespace ns3::rdma
