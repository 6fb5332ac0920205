// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/programs.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The bandwidth tests walk through this much of the buffer, in steps of cache lines. */
constexpr uint64_t CYCLE_BYTES = 4096;
constexpr uint64_t CACHE_LINE_BYTES = 64;

const OptionTable&
Table()
{
    static const OptionTable table{
        .withValue = {"-d",           "-m",         "-x",           "-n",          "-s",
                      "-c",           "-I",         "-A",           "-o",          "-t",
                      "-q",           "-S",         "-p",           "-i",          "-Q",
                      "-u",           "-r",         "-T",           "--tclass",    "--ib-dev",
                      "--ib-port",    "--port",     "--mtu",        "--iters",     "--size",
                      "--qp",         "--tx-depth", "--rx-depth",   "--gid-index", "--inline_size",
                      "--outs",       "--cq-mod",   "--qp-timeout", "--sl",        "--connection",
                      "--atomic_type"},
        .flags = {"-F",
                  "-R",
                  "-b",
                  "-a",
                  "-e",
                  "-N",
                  "-h",
                  "-z",
                  "-H",
                  "-U",
                  "-C",
                  "-O",
                  "--CPU-freq",
                  "--bidirectional",
                  "--all",
                  "--events",
                  "--noPeak"}};
    return table;
}

std::string
Text(const Options& options, const char* shortName, const char* longName, const char* fallback)
{
    return options.GetText(shortName, options.GetText(longName, fallback));
}

uint64_t
Number(const Options& options, const char* shortName, const char* longName, uint64_t fallback)
{
    return options.GetNumber(shortName, options.GetNumber(longName, fallback));
}

/** One test of one message size. */
struct Test
{
    std::string letters; ///< W, R, S, FA or CS
    bool isLatency{false};
    bool isBoth{false}; ///< both sides send
    uint64_t bytes{0};
    uint64_t iterations{0};
};

std::string
Operation(const Test& test, uint64_t offset)
{
    const std::string operand = test.letters == "FA"   ? "1"
                                : test.letters == "CS" ? "0:0"
                                                       : std::to_string(test.bytes);
    return test.letters + ":" + operand + (offset > 0 ? ":" + std::to_string(offset) : "");
}

/** Where the n-th request of a bandwidth test goes. */
uint64_t
CycleOffset(uint64_t bytes, uint64_t n)
{
    const uint64_t step = (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    return bytes <= CYCLE_BYTES / 2 ? n % (CYCLE_BYTES / std::max<uint64_t>(step, 1)) * step : 0;
}

using Words = std::vector<std::string>;

void
Append(Words& to, const Words& words)
{
    to.insert(to.end(), words.begin(), words.end());
}

void
AddBandwidth(const Test& test, std::array<Words, 2>& words)
{
    const bool isSend = test.letters == "S";
    for (const uint32_t side : {CLIENT, SERVER})
    {
        const uint32_t peer = 1 - side;
        if (side == SERVER && !test.isBoth)
        {
            continue;
        }
        for (uint64_t n = 0; n < test.iterations; ++n)
        {
            const uint64_t offset = isSend ? 0 : CycleOffset(test.bytes, n);
            words[side].push_back("&" + Operation(test, offset));
        }
        words[side].push_back("drain");
        if (isSend)
        {
            words[peer].push_back("received:" + std::to_string(test.iterations));
        }
    }
}

/** READs and atomics one after the other; SENDs and WRITEs to and fro. */
void
AddLatency(const Test& test, std::array<Words, 2>& words)
{
    const std::string operation = Operation(test, 0);
    const bool isPingPong = test.letters == "S" || test.letters == "W";
    for (uint64_t n = 0; n < test.iterations && !isPingPong; ++n)
    {
        words[CLIENT].push_back(operation);
    }
    // SENDs are begun by the client; in the WRITE test it waits for the server's first.
    const bool isSend = test.letters == "S";
    const std::string wait = isSend ? "received:1" : "executed:1";
    const uint32_t first = isSend ? CLIENT : SERVER;
    for (uint64_t n = 0; n < test.iterations && isPingPong; ++n)
    {
        Append(words[first], {operation, wait});
        Append(words[1 - first], {wait, operation});
    }
}

/** With the connection manager, parameters go over a connection of their own: messages' sizes. */
std::vector<uint64_t>
ControlSizes(bool isLatency)
{
    return isLatency
               ? std::vector<uint64_t>{16, 4, 4, 2, 56, 56, 56, 56, 56, 56, 56}
               : std::vector<uint64_t>{16, 4, 4, 2, 56, 56, 56, 56, 56, 56, 8, 8, 8, 8, 8, 56};
}

Expected<Test>
ReadTest(const std::string& name, const Options& options)
{
    Test test;
    const std::string kind = name.substr(3, name.rfind('_') - 3);
    const bool isSwap = Text(options, "-A", "--atomic_type", "FETCH_AND_ADD") == "CMP_AND_SWAP";
    test.letters = kind == "write" ? "W" : kind == "read" ? "R" : kind == "send" ? "S" : "FA";
    test.letters = kind == "atomic" && isSwap ? "CS" : test.letters;
    test.isLatency = name.ends_with("_lat");
    test.isBoth = options.Has("-b") || options.Has("--bidirectional");
    test.bytes = Number(options, "-s", "--size", test.isLatency ? 2 : 65536);
    test.bytes = kind == "atomic" ? ATOMIC_BYTES : test.bytes;
    const uint64_t iterations = kind == "write" && !test.isLatency ? 5000 : 1000;
    test.iterations = Number(options, "-n", "--iters", iterations);
    const std::string service = Text(options, "-c", "--connection", "RC");
    if (service != "RC")
    {
        Diagnostic wrong;
        wrong.message = "only reliable connections are compared";
        wrong.got = "-c " + service;
        wrong.expected = "RC";
        return wrong;
    }
    return test;
}

/** Message sizes of -a: the powers of two from 2 to 2^23. */
std::vector<uint64_t>
AllSizes()
{
    constexpr unsigned LARGEST = 23;
    std::vector<uint64_t> sizes;
    for (unsigned power = 1; power <= LARGEST; ++power)
    {
        sizes.push_back(uint64_t{1} << power);
    }
    return sizes;
}

std::array<Words, 2>
MakeTestWords(const Test& test, const std::vector<uint64_t>& sizes)
{
    std::array<Words, 2> words;
    if (test.letters == "S")
    {
        const std::string receives = "receive:" + std::to_string(test.iterations * sizes.size()) +
                                     "x" + std::to_string(sizes.back());
        words = {Words{receives}, Words{receives}};
    }
    for (const uint64_t bytes : sizes)
    {
        Test sized = test;
        sized.bytes = bytes;
        (test.isLatency ? AddLatency : AddBandwidth)(sized, words);
    }
    return words;
}

} // namespace

Expected<Script>
ExpandPerftest(const ProgramRun& run)
{
    const Expected<Options> options = Options::Parse(run.arguments[CLIENT], Table());
    if (!options)
    {
        return options.Errors();
    }
    Expected<Test> test = ReadTest(run.name, *options);
    if (!test)
    {
        return test.Errors();
    }
    test->iterations = std::min(test->iterations, run.maxIterations);
    Script script;
    for (SideSettings& side : script.sides)
    {
        side.pathMtu = static_cast<uint16_t>(Number(*options, "-m", "--mtu", 1024));
        side.timeout = static_cast<uint8_t>(Number(*options, "-u", "--qp-timeout", 14));
        side.trafficClass = static_cast<uint8_t>(options->GetNumber("--tclass", 0));
        side.maxReadAtomic = static_cast<uint8_t>(Number(*options, "-o", "--outs", 16));
    }
    if (options->Has("-R"))
    {
        script.hasControl = true;
        script.connections.push_back(MakeExchange(ControlSizes(test->isLatency)));
    }
    const bool hasAllSizes = options->Has("-a") || options->Has("--all");
    const std::vector<uint64_t> sizes =
        hasAllSizes ? AllSizes() : std::vector<uint64_t>{test->bytes};
    const Expected<ConnectionActions> actions = ParseActions(MakeTestWords(*test, sizes));
    if (!actions)
    {
        return actions.Errors();
    }
    script.connections.resize(script.connections.size() + Number(*options, "-q", "--qp", 1),
                              *actions);
    return script;
}

} // namespace ns3::rdma
