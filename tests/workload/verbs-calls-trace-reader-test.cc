// SPDX-License-Identifier: GPL-2.0-only
// Recorded verbs calls, beside counts that a script made of the same files without this reader
// (count_verbs_calls.py, data/verbs-calls-counts.csv).
#include "tests/support/temporary-folder.h"
#include "tests/workload/trace-content.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::array REQUESTS{"WRITE",
                              "WRITE_WITH_IMM",
                              "SEND",
                              "SEND_WITH_IMM",
                              "READ",
                              "CMP_AND_SWP",
                              "FETCH_ADD"};

/** What the script calls an operation; empty for what it counts otherwise. */
std::string
Describe(const TraceOperation& operation)
{
    switch (operation.kind)
    {
    case OperationKind::POST_SEND:
        return std::string{"post_send "} + REQUESTS.at(operation.opcode);
    case OperationKind::POST_RECEIVE:
        return "post_recv";
    case OperationKind::POST_SHARED_RECEIVE:
        return "post_srq_recv";
    case OperationKind::COMPLETION:
        return "completion status " + std::to_string(operation.status) + " op " +
               std::to_string(operation.opcode);
    case OperationKind::EMPTY_POLLS:
        return "empty polls";
    case OperationKind::ARM:
        return "req_notify_cq";
    case OperationKind::CQ_EVENT:
        return "get_cq_event";
    default:
        return "";
    }
}

std::string
DescribeControl(const Control& control)
{
    const std::map<std::pair<ControlVerb, ObjectKind>, std::string> names{
        {{ControlVerb::CREATE, ObjectKind::DEVICE}, "open_device"},
        {{ControlVerb::CREATE, ObjectKind::MEMORY_REGION}, "regions"},
        {{ControlVerb::CREATE, ObjectKind::COMPLETION_QUEUE}, "create_cq"},
        {{ControlVerb::CREATE, ObjectKind::QUEUE_PAIR}, "create_qp"},
        {{ControlVerb::DESTROY, ObjectKind::MEMORY_REGION}, "dereg_mr"},
        {{ControlVerb::DESTROY, ObjectKind::QUEUE_PAIR}, "destroy_qp"}};
    if (const auto* change = std::get_if<QueuePairChange>(&control.detail))
    {
        return "modify_qp mask " + std::to_string(change->mask);
    }
    const auto found = names.find({control.verb, control.kind});
    return found == names.end() ? "" : found->second; // what no line of the file creates
}

/** The script's table for one file, from what the reader yields. */
std::map<std::string, std::string>
Count(Trace& trace)
{
    std::map<std::string, std::pair<uint64_t, uint64_t>> counts;
    counts["threads"].first = trace.threads.size();
    for (TraceThread& thread : trace.threads)
    {
        for (const KeptOperation& kept : ReadOperations(*thread.operations))
        {
            const TraceOperation& operation = kept.operation;
            const bool isControl = operation.kind == OperationKind::CONTROL;
            auto& [times, bytes] =
                counts[isControl ? DescribeControl(operation.control) : Describe(operation)];
            times += operation.kind == OperationKind::EMPTY_POLLS ? operation.count : 1;
            bytes += operation.bytes;
        }
    }
    counts.erase("");
    std::map<std::string, std::string> table;
    for (const auto& [what, numbers] : counts)
    {
        table[what] = std::to_string(numbers.first) + "," + std::to_string(numbers.second);
    }
    return table;
}

TEST(VerbsCallsTraceReader, FindsInEachRecordingWhatTheScriptCounts)
{
    const auto folder = RealCaptures() / "verbs-calls";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no recorded calls in " << folder;
    }
    const CountTable table = ReadCounts("verbs-calls-counts.csv");
    EXPECT_EQ(table.size(), 20U);
    for (const auto& [file, expected] : table)
    {
        SCOPED_TRACE(file);
        Trace trace = OpenWell({(folder / file).string()});
        EXPECT_EQ(trace.format, "verbs-calls");
        ASSERT_EQ(trace.processes.size(), 1U);
        EXPECT_EQ(trace.processes[0].host, file.find(".vm1.") != std::string::npos ? "vm1" : "vm2");
        EXPECT_EQ(Count(trace), expected);
    }
}

TEST(VerbsCallsTraceReader, KnowsTheAddressesOfBothEndsOfARun)
{
    const auto folder = RealCaptures() / "verbs-calls";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no recorded calls in " << folder;
    }
    for (const auto& entry : std::filesystem::directory_iterator{folder})
    {
        const std::string first = entry.path().string();
        const std::size_t host = first.rfind(".vm1.");
        // The kernel connects iWARP: no attribute of a queue pair names the peer.
        if (host == std::string::npos || first.find("_siw_") != std::string::npos)
        {
            continue;
        }
        std::string second = first;
        second.replace(host, 5, ".vm2.");
        SCOPED_TRACE(first);
        const Trace trace = OpenWell({first, second});
        ASSERT_EQ(trace.processes.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) // the VMs are 10.0.0.1 and 10.0.0.2
        {
            ASSERT_EQ(trace.processes[i].gids.size(), 1U);
            EXPECT_EQ(trace.processes[i].gids[0][10], std::byte{0xff});
            EXPECT_EQ(trace.processes[i].gids[0][12], std::byte{10});
            EXPECT_EQ(trace.processes[i].gids[0][15], static_cast<std::byte>(i + 1));
        }
    }
}

TEST(VerbsCallsTraceReader, NamesProcessesThreadsAndAddresses)
{
    const Trace trace = OpenWell(
        {TraceSample("verbs-calls/pingpong.a.jsonl"), TraceSample("verbs-calls/pingpong.b.jsonl")});
    ASSERT_EQ(trace.processes.size(), 2U);
    EXPECT_EQ(trace.processes[0].name, "a/ping:10");
    EXPECT_EQ(trace.processes[1].name, "b/pong:20");
    EXPECT_EQ(trace.processes[0].originNs, 1700000000000000000);
    ASSERT_EQ(trace.processes[0].gids.size(), 1U);
    EXPECT_EQ(trace.processes[0].gids[0][15], std::byte{1});
    ASSERT_EQ(trace.threads.size(), 4U);
    EXPECT_EQ(trace.threads[2].name, "12");
    EXPECT_EQ(trace.threads[3].process, 1U);
    EXPECT_EQ(trace.timing, TraceTiming::RECORDED);
    ASSERT_EQ(trace.notes.size(), 3U);
    EXPECT_THAT(trace.notes[0], HasSubstr("1 calls of an unknown kind, \"query_port\""));
    EXPECT_THAT(trace.notes[1], HasSubstr("for the 2 requests that were in it at most"));
    EXPECT_THAT(trace.notes[2], HasSubstr("4 empty polls before the end"));
}

TEST(VerbsCallsTraceReader, GivesOperationsInTheOrderOfTheirThread)
{
    Trace trace = OpenWell({TraceSample("verbs-calls/pingpong.a.jsonl")});
    const auto main = ReadOperations(*trace.threads[0].operations);
    ASSERT_EQ(main.size(), 17U);
    const auto& pair = std::get<QueuePairDetail>(main[6].operation.control.detail);
    EXPECT_EQ(pair.number, 17U);
    EXPECT_EQ(pair.sharedReceiveQueue, main[5].operation.object);
    const auto& shared = std::get<SharedReceiveQueueDetail>(main[5].operation.control.detail);
    EXPECT_EQ(shared.maxRequests, 2U);
    const auto& queue = std::get<CompletionQueueDetail>(main[3].operation.control.detail);
    EXPECT_EQ(queue.channel, main[2].operation.object);

    const TraceOperation& write = main[10].operation; // two requests of one call
    const TraceOperation& send = main[11].operation;
    EXPECT_EQ(write.kind, OperationKind::POST_SEND);
    EXPECT_EQ(write.opcode, 0);
    EXPECT_EQ(write.elements, 2);
    EXPECT_EQ(write.bytes, 128U);
    EXPECT_EQ(write.localAddress, 0x7f0000001100U);
    EXPECT_EQ(write.remoteAddress, 0x7f1000000000U);
    EXPECT_EQ(write.rkey, 77U);
    EXPECT_EQ(write.timeNs, 9000);
    EXPECT_EQ(write.durationNs, 0);
    EXPECT_EQ(send.opcode, 2);
    EXPECT_EQ(send.flags, 2);
    EXPECT_EQ(send.timeNs, 9000);
    EXPECT_EQ(send.durationNs, 500) << "the last request has the duration of the call";

    const auto poller = ReadOperations(*trace.threads[2].operations);
    ASSERT_EQ(poller.size(), 8U);
    EXPECT_EQ(poller[1].operation.flags, 1) << "solicited only";
    EXPECT_EQ(poller[2].operation.kind, OperationKind::EMPTY_POLLS);
    EXPECT_EQ(poller[2].operation.count, 3U);
    EXPECT_EQ(poller[2].operation.timeNs, 20500) << "since the call before";
    EXPECT_EQ(poller[4].operation.opcode, 128);
    EXPECT_EQ(poller[4].operation.object, main[6].operation.object);
    EXPECT_EQ(poller[4].operation.other, main[3].operation.object);
    EXPECT_EQ(poller[7].operation.status, 5) << "flushed";
}

TEST(VerbsCallsTraceReader, SaysWhatThreadsWaitForInEachOther)
{
    Trace trace = OpenWell(
        {TraceSample("verbs-calls/pingpong.b.jsonl"), TraceSample("verbs-calls/pingpong.a.jsonl")});
    std::map<std::pair<uint32_t, std::size_t>, std::vector<Dependency>> found;
    for (uint32_t thread = 0; thread < trace.threads.size(); ++thread)
    {
        const auto operations = ReadOperations(*trace.threads[thread].operations);
        for (std::size_t i = 0; i < operations.size(); ++i)
        {
            if (!operations[i].dependencies.empty())
            {
                found[{thread, i}] = operations[i].dependencies;
            }
        }
    }
    // Thread 0 is the other process; 1: main, 2: connects, 3: polls.
    const auto end = [](uint32_t thread, uint64_t operation)
    { return std::vector{Dependency{.thread = thread, .operation = operation}}; };
    const decltype(found) expected{
        {{2, 0}, end(1, 7)},  // RTR after INIT
        {{1, 10}, end(2, 1)}, // the first send after RTS
        {{3, 0}, end(1, 4)},  // the first event after the queue was armed
        {{1, 12}, end(3, 4)}, // a post after the completions that the other thread took
        {{1, 14}, end(3, 6)}, // the error state after the last completion before
        {{1, 15}, end(3, 7)}, // the end after the flushed entry
    };
    EXPECT_EQ(found, expected);
}

/** A recording of two lines that are right, and another one. */
std::string
WriteWith(const TemporaryFolder& folder, const std::string& line)
{
    const auto path = folder.Path() / "x.host.jsonl";
    std::ofstream{path} << R"({"ev":"start","pid":1,"comm":"c","realtime_ns":5,"monotonic_ns":1})"
                        << "\n"
                        << R"({"t":10,"tid":1,"ev":"create_cq","cq":2,"cqe":1,"channel":-1})"
                        << "\n"
                        << line << "\n";
    return path.string();
}

/** The damage that a line is, after the operations before it were yielded. */
Diagnostic
FindDamage(const std::string& line)
{
    const TemporaryFolder folder;
    Trace trace = OpenWell({WriteWith(folder, line)});
    std::optional<Diagnostic> damage;
    if (trace.threads.size() == 1)
    {
        EXPECT_EQ(ReadOperations(*trace.threads[0].operations, &damage).size(), 1U);
    }
    EXPECT_TRUE(damage) << line;
    return damage.value_or(Diagnostic{});
}

TEST(VerbsCallsTraceReader, StopsAtDamageAndSaysWhere)
{
    const Diagnostic cut = FindDamage(R"({"t":20,"tid":1,"ev":"po)");
    EXPECT_EQ(cut.line, 3U);
    EXPECT_THAT(cut.message, HasSubstr("no JSON object"));
    EXPECT_THAT(cut.file, HasSubstr("x.host.jsonl"));

    const Diagnostic unknown =
        FindDamage(R"({"t":20,"tid":1,"ev":"req_notify_cq","cq":3,"solicited":0,"rc":0})");
    EXPECT_EQ(unknown.key, "cq");
    EXPECT_EQ(unknown.got, "3");
    EXPECT_THAT(unknown.expected, HasSubstr("created in a line before"));

    EXPECT_EQ(FindDamage(R"({"t":20,"tid":1,"ev":"req_notify_cq","cq":2,"solicited":0})").key,
              "rc");
    EXPECT_EQ(FindDamage(R"({"t":-1,"tid":1,"ev":"get_cq_event","cq":2,"rc":0})").key, "t");
    EXPECT_EQ(FindDamage(R"({"t":1,"tid":1,"ev":"dereg_mr","lkey":9,"rc":0})").key, "lkey");
    const Diagnostic count =
        FindDamage(R"({"t":1,"tid":1,"ev":"poll_cq","cq":2,"n":1,"empty_before":0,"wc":[]})");
    EXPECT_EQ(count.key, "n");
    EXPECT_EQ(FindDamage(R"({"t":1,"tid":1,"ev":"poll_cq","cq":2,"n":1,"empty_before":0,)"
                         R"("wc":[{"id":1,"status":300}]})")
                  .key,
              "qp");
}

TEST(VerbsCallsTraceReader, RefusesAFileThatDoesNotBegin)
{
    const TemporaryFolder folder;
    const auto path = (folder.Path() / "x.jsonl").string();
    std::ofstream{path} << R"({"ev":"start","pid":-1,"comm":"c","realtime_ns":5})"
                        << "\n";
    const auto trace = OpenTrace({.paths = {path}, .format = "", .options = {}});
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.Errors().front().line, 1U);
    EXPECT_EQ(trace.Errors().front().key, "pid");

    std::ofstream{path} << R"({"ev":"end","t":1})"
                        << "\n";
    const auto other = OpenTrace({.paths = {path}, .format = "", .options = {}});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.Errors().front().message, HasSubstr("no trace format has such content"));
}

TEST(VerbsCallsTraceReader, SaysThatARecordingWasCut)
{
    const TemporaryFolder folder;
    Trace trace =
        OpenWell({WriteWith(folder, R"({"t":20,"tid":1,"ev":"get_cq_event","cq":2,"rc":0})")});
    ASSERT_EQ(trace.notes.size(), 1U);
    EXPECT_THAT(trace.notes[0], HasSubstr("does not end with \"end\""));
    EXPECT_EQ(ReadOperations(*trace.threads[0].operations).size(), 2U);
}

} // namespace
} // namespace ns3::rdma
