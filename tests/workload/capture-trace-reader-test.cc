// SPDX-License-Identifier: GPL-2.0-only
// Captures of real hosts, beside counts that a script made from what the decoder that came with
// them, or tshark, sees (count_captures.py, data/capture-counts.csv); and the same packets in every
// form that captures have (make_captures.py, data/traces/capture).
#include "tests/support/temporary-folder.h"
#include "tests/workload/trace-content.h"
#include "workload/capture-conversation.h"

namespace ns3::rdma
{
namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

using Operations = std::vector<KeptOperation>;

/** All operations of all threads. */
std::vector<Operations>
ReadAll(Trace& trace)
{
    std::vector<Operations> all;
    for (TraceThread& thread : trace.threads)
    {
        all.push_back(ReadOperations(*thread.operations));
    }
    return all;
}

/** The script's table for one file, from what the reader yields. */
std::map<std::string, std::string>
Count(Trace& trace)
{
    std::map<std::string, std::pair<uint64_t, uint64_t>> counts;
    for (const Operations& operations : ReadAll(trace))
    {
        for (const KeptOperation& kept : operations)
        {
            const TraceOperation& operation = kept.operation;
            const auto opcode = std::to_string(operation.opcode);
            std::string what;
            if (operation.kind == OperationKind::POST_SEND)
            {
                what = "post " + opcode;
            }
            else if (operation.kind == OperationKind::COMPLETION)
            {
                what = operation.opcode >= WC_RECV
                           ? "receive"
                           : "completion " + opcode + " " + std::to_string(operation.status);
            }
            else
            {
                continue;
            }
            ++counts[what].first;
            counts[what].second += operation.bytes;
        }
    }
    counts["ends"].first = trace.threads.size();
    std::map<std::string, std::string> table;
    for (const auto& [what, numbers] : counts)
    {
        table[what] = std::to_string(numbers.first) + "," + std::to_string(numbers.second);
    }
    return table;
}

std::filesystem::path
FindCapture(const std::string& file)
{
    const auto capture = RealCaptures() / "pcap" / file;
    return std::filesystem::exists(capture) ? capture : RealCaptures() / "../samples/pcap" / file;
}

TEST(CaptureTraceReader, FindsInEachCaptureWhatTheScriptCounts)
{
    if (!std::filesystem::exists(RealCaptures()))
    {
        GTEST_SKIP() << "no captures in " << RealCaptures();
    }
    const CountTable table = ReadCounts("capture-counts.csv");
    EXPECT_EQ(table.size(), 180U);
    int refused = 0;
    for (const auto& [file, expected] : table)
    {
        SCOPED_TRACE(file);
        const std::string path = FindCapture(file).string();
        if (expected.at("ends") == "0,0") // nothing but management, or no RDMA at all
        {
            EXPECT_FALSE(OpenTrace({.paths = {path}, .format = "", .options = {}}));
            ++refused;
            continue;
        }
        Trace trace = OpenWell({path});
        EXPECT_EQ(Count(trace), expected);
    }
    EXPECT_EQ(refused, 8);
}

/** Why a capture is refused. */
Diagnostic
FindRefusal(const std::string& path)
{
    const auto trace = OpenTrace({.paths = {path}, .format = "", .options = {}});
    EXPECT_FALSE(trace) << path;
    return trace ? Diagnostic{} : trace.Errors().front();
}

TEST(CaptureTraceReader, SaysWhatIsInsideInsteadOfRdma)
{
    if (!std::filesystem::exists(RealCaptures()))
    {
        GTEST_SKIP() << "no captures in " << RealCaptures();
    }
    // Frames as tshark -z io,phs counts them.
    const std::map<std::string, std::string> inside{
        {"sk_rdma_traffic_capture.pcap", "176 TCP segments, 8 UDP datagrams"},
        {"sk_demo_capture.pcap", "20 TCP segments"},
        {"inet_pause.pcap", "2 pause frames"},
        {"rxe_cm_reject_nolistener.pcap", "2 RDMA management datagrams"},
        {"rxe_wire_retry_exceeded.peer.pcap", "no frames"}};
    for (const auto& [file, frames] : inside)
    {
        const Diagnostic refusal = FindRefusal(FindCapture(file).string());
        EXPECT_EQ(refusal.message, "no RDMA messages are inside") << file;
        EXPECT_EQ(refusal.got, frames) << file;
    }
}

/** What a reader must not depend on: how the same packets are stored. */
struct Form
{
    const char* file;
    const char* firstAddress;
    bool hasTimes{true};
};

class CaptureForms : public testing::TestWithParam<Form>
{
};

TEST_P(CaptureForms, HoldTheSameMessages)
{
    const Form& form = GetParam();
    Trace reference = OpenWell({TraceSample("capture/pingpong.pcap")});
    Trace trace = OpenWell({TraceSample(std::string{"capture/"} + form.file)});
    ASSERT_EQ(trace.threads.size(), 2U);
    EXPECT_EQ(trace.processes[0].name, form.firstAddress);
    EXPECT_EQ(trace.threads[0].name, "qp 19");
    EXPECT_EQ(Count(trace), Count(reference)); // five SENDs of 64 bytes each way
    EXPECT_EQ(Count(trace).at("ends"), "2,0");
    Trace again = OpenWell({TraceSample(std::string{"capture/"} + form.file)});
    Trace same = OpenWell({TraceSample("capture/pingpong.pcap")});
    const auto operations = ReadAll(again);
    const auto expected = ReadAll(same);
    if (!form.hasTimes)
    {
        EXPECT_EQ(again.timing, TraceTiming::NONE);
        return;
    }
    for (std::size_t thread = 0; thread < 2; ++thread)
    {
        ASSERT_EQ(operations[thread].size(), expected[thread].size());
        for (std::size_t i = 0; i < expected[thread].size(); ++i)
        {
            const TraceOperation& operation = operations[thread][i].operation;
            EXPECT_EQ(operation.kind, expected[thread][i].operation.kind);
            // One form has units of 2^-20 s.
            EXPECT_NEAR(static_cast<double>(operation.timeNs),
                        static_cast<double>(expected[thread][i].operation.timeNs),
                        1000.0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         CaptureForms,
                         testing::Values(Form{"pingpong-nano-big.pcap", "10.0.0.1"},
                                         Form{"pingpong-little.pcapng", "10.0.0.1"},
                                         Form{"pingpong-big.pcapng", "10.0.0.1"},
                                         Form{"pingpong-sections.pcapng", "10.0.0.1"},
                                         Form{"pingpong-simple.pcapng", "10.0.0.1", false},
                                         Form{"pingpong-vlan.pcap", "10.0.0.1"},
                                         Form{"pingpong-two-vlans.pcap", "10.0.0.1"},
                                         Form{"pingpong-raw.pcap", "10.0.0.1"},
                                         Form{"pingpong-cooked.pcap", "10.0.0.1"},
                                         Form{"pingpong-cooked-2.pcap", "10.0.0.1"},
                                         Form{"pingpong-v1.pcap", "10.0.0.1"},
                                         Form{"pingpong-local.pcap", "lid 1"},
                                         Form{"pingpong-global.pcap", "lid 1"},
                                         Form{"pingpong-erf.pcap", "lid 1"},
                                         Form{"pingpong-cut.pcap", "10.0.0.1"}));

TEST(CaptureTraceReader, TakesAnotherUdpPort)
{
    const std::string path = TraceSample("capture/pingpong-port.pcap"); // 9741, as Lumina mirrors
    const Diagnostic refusal = FindRefusal(path);
    EXPECT_EQ(refusal.got, "20 UDP datagrams");
    EXPECT_THAT(refusal.expected, HasSubstr("option udp_port"));
    Trace trace = OpenWell({path}, {{"udp_port", "9741"}});
    EXPECT_EQ(Count(trace).at("post 2"), "10,640");
    EXPECT_FALSE(OpenTrace({.paths = {path}, .format = "", .options = {{"udp_port", "70000"}}}));
}

TEST(CaptureTraceReader, CountsWhatTheSnapLengthCut)
{
    const Trace trace = OpenWell({TraceSample("capture/pingpong-cut.pcap")});
    EXPECT_THAT(trace.notes, Contains("packets cut by the snap length: 20"));
}

TEST(CaptureTraceReader, RefusesSeveralFilesAtOnce)
{
    const std::string path = TraceSample("capture/pingpong.pcap");
    const auto trace = OpenTrace({.paths = {path, path}, .format = "", .options = {}});
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.Errors().front().expected, HasSubstr("mergecap"));
}

TEST(CaptureTraceReader, CreatesAndConnectsBothEnds)
{
    Trace trace = OpenWell({TraceSample("capture/pingpong.pcap")});
    const auto all = ReadAll(trace);
    std::array<QueuePairDetail, 2> pairs;
    std::array<QueuePairChange, 2> toReceive;
    std::array<QueuePairChange, 2> toSend;
    for (std::size_t thread = 0; thread < 2; ++thread)
    {
        for (const KeptOperation& kept : all[thread])
        {
            const auto& detail = kept.operation.control.detail;
            const auto* change = std::get_if<QueuePairChange>(&detail);
            if (const auto* pair = std::get_if<QueuePairDetail>(&detail))
            {
                pairs[thread] = *pair;
            }
            if (change != nullptr && change->state == 2)
            {
                toReceive[thread] = *change;
            }
            if (change != nullptr && change->state == 3)
            {
                toSend[thread] = *change;
            }
        }
    }
    for (std::size_t thread = 0; thread < 2; ++thread)
    {
        EXPECT_EQ(pairs[thread].number, 0x13U);
        EXPECT_EQ(pairs[thread].type, 2);
        EXPECT_EQ(toReceive[thread].destinationQp, pairs[1 - thread].number);
        EXPECT_EQ(toReceive[thread].destination, trace.processes[1 - thread].gids.at(0));
        EXPECT_EQ(toReceive[thread].receivePsn, toSend[1 - thread].sendPsn);
    }
    // The README of the captures: "first PSN ...: vm1->qp 0x13: 0x81eb94, vm2->qp 0x13: 0x47e18d".
    EXPECT_EQ(toSend[0].sendPsn, 0x81eb94U);
    EXPECT_EQ(toSend[1].sendPsn, 0x47e18dU);
}

TEST(CaptureTraceReader, SaysThatAnAnswerWaitedForWhatArrived)
{
    Trace trace = OpenWell({TraceSample("capture/pingpong.pcap")});
    const auto server = std::move(ReadAll(trace)[1]);
    int answers = 0;
    for (std::size_t i = 0; i < server.size(); ++i)
    {
        const TraceOperation& operation = server[i].operation;
        if (operation.kind != OperationKind::POST_SEND)
        {
            EXPECT_TRUE(server[i].dependencies.empty()) << i;
            continue;
        }
        ++answers;
        ASSERT_EQ(server[i].dependencies.size(), 1U);
        const Dependency& dependency = server[i].dependencies.front();
        EXPECT_EQ(dependency.thread, 1U);
        EXPECT_EQ(server.at(dependency.operation).operation.opcode, WC_RECV);
        EXPECT_LT(dependency.operation, i);
    }
    EXPECT_EQ(answers, 5);
}

TEST(CaptureTraceReader, TellsWhatTheWireDidToMessages)
{
    if (!std::filesystem::exists(RealCaptures()))
    {
        GTEST_SKIP() << "no captures in " << RealCaptures();
    }
    // Of each file its README or name says what was done; the numbers are its decoded lines.
    const std::map<std::string, std::string> notes{
        {"rxe_wire_bad_icrc_data.peer.pcap",
         "packets with a wrong checksum, which count as lost: 1"},
        {"rxe_wire_drop_write_mid.pcap", "NAKs of packets out of sequence: 1"},
        {"rxe_vt_rnr_exceeded.pcap",
         "NAKs of receivers that were not ready; receives are posted early enough here: 3"},
        {"rxe_vt_bad_rkey_read.pcap", "NAKs that refuse a request: 1"},
        {"siw_vt_bad_rkey_write.pcap", "Terminate messages of iWARP: 1"},
        {"siw_wire_dup_seg.peer.pcap",
         "TCP segments that were retransmitted, duplicated or late: 1"},
        {"rxe_rping.pcap",
         "datagrams of management, as of the connection manager, which are no messages: 5"}};
    for (const auto& [file, note] : notes)
    {
        EXPECT_THAT(OpenWell({FindCapture(file).string()}).notes, Contains(note)) << file;
    }
}

TEST(CaptureTraceReader, StopsAtDamageAndSaysWhere)
{
    const TemporaryFolder folder;
    for (const char* const file : {"pingpong.pcap", "pingpong-big.pcapng"})
    {
        const auto path = folder.Path() / file;
        std::filesystem::copy_file(TraceSample(std::string{"capture/"} + file), path);
        std::filesystem::resize_file(path, 1000);
        Trace trace = OpenWell({path.string()});
        std::optional<Diagnostic> damage;
        const auto operations = ReadOperations(*trace.threads.at(0).operations, &damage);
        EXPECT_GT(operations.size(), 10U); // what came before counts
        ASSERT_TRUE(damage) << file;
        EXPECT_THAT(damage->key, HasSubstr(" at byte ")) << file;
        EXPECT_THAT(trace.notes, Contains(HasSubstr("the capture is damaged"))) << file;
    }
}

} // namespace
} // namespace ns3::rdma
