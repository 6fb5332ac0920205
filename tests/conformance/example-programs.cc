// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/programs.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

using Words = std::vector<std::string>;

void
Append(Words& to, const Words& words)
{
    to.insert(to.end(), words.begin(), words.end());
}

std::string
Text(const char* letters, uint64_t number)
{
    return letters + std::to_string(number);
}

std::string
Receives(uint64_t count, uint64_t bytes)
{
    return "receive:" + std::to_string(count) + "x" + std::to_string(bytes);
}

Expected<Script>
MakeScript(const std::vector<std::array<Words, 2>>& connections, Script script = {})
{
    for (const std::array<Words, 2>& words : connections)
    {
        const Expected<ConnectionActions> actions = ParseActions(words);
        if (!actions)
        {
            return actions.Errors();
        }
        script.connections.push_back(*actions);
    }
    return script;
}

/** Each side sends when the other's message has come and its own is acknowledged. */
std::array<Words, 2>
PingPong(uint64_t iterations, uint64_t bytes)
{
    std::array<Words, 2> words;
    for (Words& side : words)
    {
        side.push_back(Receives(std::max<uint64_t>(iterations, 1), bytes));
    }
    for (uint64_t n = 0; n < iterations; ++n)
    {
        Append(words[CLIENT], {Text("S:", bytes), "received:1"});
        Append(words[SERVER], {"received:1", Text("S:", bytes)});
    }
    return words;
}

} // namespace

Expected<Script>
ExpandPingPong(const ProgramRun& run)
{
    static const OptionTable table{
        .withValue = {"-g", "-n", "-s", "-m", "-r", "-l", "-p", "-d", "-i", "-q"},
        .flags = {"-e", "-o", "-t", "-c", "-P", "-j", "-N"}};
    const Expected<Options> options = Options::Parse(run.arguments[CLIENT], table);
    if (!options)
    {
        return options.Errors();
    }
    Script script;
    for (SideSettings& side : script.sides)
    {
        side.pathMtu = static_cast<uint16_t>(options->GetNumber("-m", 1024));
    }
    const uint64_t iterations = std::min(options->GetNumber("-n", 1000), run.maxIterations);
    const uint64_t bytes = options->GetNumber("-s", 4096);
    const uint64_t pairs = run.name == "ibv_srq_pingpong" ? options->GetNumber("-q", 16) : 1;
    std::vector<std::array<Words, 2>> connections;
    for (uint64_t pair = 0; pair < pairs; ++pair)
    {
        const uint64_t share = iterations / pairs + (pair < iterations % pairs ? 1 : 0);
        connections.push_back(PingPong(share, bytes));
    }
    return MakeScript(connections, script);
}

Expected<Script>
ExpandRping(const ProgramRun& run)
{
    static const OptionTable table{.withValue = {"-a", "-C", "-S", "-p", "-I"},
                                   .flags = {"-c", "-s", "-v", "-V", "-d", "-P", "-q"}};
    const Expected<Options> options = Options::Parse(run.arguments[CLIENT], table);
    if (!options)
    {
        return options.Errors();
    }
    constexpr uint64_t MESSAGE_BYTES = 16; // address, key and length of a buffer
    const uint64_t bytes = options->GetNumber("-S", 64);
    const uint64_t count = std::min(options->GetNumber("-C", UINT64_MAX), run.maxIterations);
    const std::string send = Text("S:", MESSAGE_BYTES);
    std::array<Words, 2> words{Words{Receives(2 * count, MESSAGE_BYTES)},
                               Words{Receives(2 * count, MESSAGE_BYTES)}};
    for (uint64_t n = 0; n < count; ++n)
    {
        Append(words[CLIENT], {send, "received:1", send, "received:1"});
        Append(words[SERVER], {"received:1", Text("R:", bytes), send});
        Append(words[SERVER], {"received:1", Text("W:", bytes) + "@2", send});
    }
    return MakeScript({words});
}

Expected<Script>
ExpandUcmatose(const ProgramRun& run)
{
    static const OptionTable table{
        .withValue = {"-s", "-b", "-c", "-C", "-S", "-t", "-p", "-f", "-P"}, .flags = {"-m", "-a"}};
    const Expected<Options> options = Options::Parse(run.arguments[CLIENT], table);
    if (!options)
    {
        return options.Errors();
    }
    const uint64_t count = options->GetNumber("-C", 10);
    const uint64_t bytes = options->GetNumber("-S", 100);
    std::array<Words, 2> words{Words{Receives(count, bytes)}, Words{Receives(count, bytes)}};
    words[CLIENT].push_back(Text("received:", count));
    for (Words& side : words)
    {
        side.resize(side.size() + count, Text("&S:", bytes));
        side.push_back("drain");
    }
    return MakeScript(std::vector<std::array<Words, 2>>(options->GetNumber("-c", 1), words));
}

Expected<Script>
ExpandRdmaClient(const ProgramRun&)
{
    return MakeScript({{Words{"receive:1x16", "S:16", "received:1"},
                        Words{"receive:1x16", "received:1", "S:16"}}});
}

} // namespace ns3::rdma
